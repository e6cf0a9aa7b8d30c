"""The odds of a battle, against every number of the other side; exact while both APIs can show them."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandRace
from games.dawn.rules.state.records import War
from games.dawn.rules.state.schema_types import Place
from games.dawn.rules.war.battles import attack_bonuses, defence_bonuses, sum_of_bonuses
from games.dawn.rules.war.commands import CommitArmies, StandIn
from games.dawn.rules.war.forecast import PARTS
from games.dawn.rules.war.odds import MOST_DICE, Force, chance, sums
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.insight.forecast import Forecast, percent
from tests.dice import d
from tests.playbook import Playbook, refused
from tests.rules.dawn.field import (
    EAST,
    HOLD,
    WEST,
    actor_of,
    add_attack,
    add_defence,
    again,
    armies,
    commit,
    field,
    legal_commands_of,
    march,
    target,
    the_war,
    waive_revenge,
)
from tests.rules.dawn.stage import ELVES, A, B, C, avatar


def enumerated_chance(attack: Force, defence: Force) -> Fraction:
    """The chance of the attack by throwing every way the dice may fall."""
    won = ways = 0
    for shown in product(range(1, 7), repeat=attack.dice + defence.dice):
        ways += 1
        won += sum(shown[: attack.dice]) + attack.bonus > sum(shown[attack.dice :]) + defence.bonus
    return Fraction(won, ways)


@pytest.mark.rule("DW-WAR-5", "DW-WAR-7")
@pytest.mark.parametrize("dice", list(product((1, 2, 3), repeat=2)))
@pytest.mark.parametrize("bonus", [(0, 0), (3, 0), (0, 4), (20, 0), (0, 20), (2, 2)])
def test_the_odds_are_those_of_every_way_the_dice_may_fall(dice: tuple[int, int], bonus: tuple[int, int]):
    attack, defence = Force(dice[0], bonus[0]), Force(dice[1], bonus[1])
    assert chance(attack, defence) == enumerated_chance(attack, defence)


@pytest.mark.parametrize("dice", [0, 1, 2, 5])
def test_sums_are_counted_one_by_one(dice: int):
    ways = [sum(shown) for shown in product(range(1, 7), repeat=dice)]
    assert list(sums(dice)) == [ways.count(total) for total in range(dice, 6 * dice + 1)]


def test_too_many_dice_are_not_counted():
    with pytest.raises(Refused) as caught:
        sums(MOST_DICE + 1)
    assert caught.value.code == "odds.large"


def forecast_of(book: Playbook, seat: UUID, *chosen: UUID) -> Forecast:
    command = CommitArmies(war=the_war(book).id, armies=chosen)
    return command.forecast(book.state, book.context(actor_of(seat)), actor_of(seat))


def chances_in(found: Forecast) -> dict[tuple[str, str], dict[int, Fraction]]:
    return {(p.what, p.key): {odd.amount: odd.chance for odd in p.odds} for p in found.prospects}


@pytest.mark.rule("DW-WAR-5")
def test_a_commitment_is_forecast_against_each_number_of_the_other_side():
    book = field(3, 2)
    add_attack(book, "archery")
    add_defence(book, "walls", HOLD)
    march(book)
    found = forecast_of(book, A, *armies(book)[:2])
    odds = chances_in(found)
    for theirs in (1, 2):
        won = enumerated_chance(Force(2, 1), Force(theirs, 1))
        assert odds["won", f"against:{theirs}"] == {0: 1 - won, 1: won}
        assert odds["armies_destroyed", f"against:{theirs}"] == {0: 1 - won, theirs: won}
        assert odds["armies_lost", f"against:{theirs}"] == {0: won, 2: 1 - won}
    assert found.exact and found.cases == 6**4 and len(found.hidden) == 1
    mine = chances_in(forecast_of(book, B, *armies(book, HOLD)))
    for ours in (1, 2, 3):
        won = enumerated_chance(Force(ours, 1), Force(2, 1))
        assert mine["won", f"against:{ours}"] == {0: won, 1: 1 - won}
        assert mine["armies_lost", f"against:{ours}"] == {0: 1 - won, 2: won}
        assert mine["armies_destroyed", f"against:{ours}"] == {0: won, ours: 1 - won}


@pytest.mark.rule("DW-WAR-4")
def test_the_sealed_answer_of_the_other_side_changes_no_forecast():
    book = field(2, 2)
    march(book)
    before = forecast_of(book, A, *armies(book))
    commit(book, B, armies(book, HOLD)[0])
    assert forecast_of(book, A, *armies(book)) == before


def test_a_fall_and_a_stand_in_are_forecast():
    book = field(1)
    whom = avatar(book, B, EAST)
    march(book)
    book.when(StandIn(war=the_war(book).id, avatar=whom), by=B)
    won = enumerated_chance(Force(1, 0), Force(1, 1))
    odds = chances_in(forecast_of(book, A, *armies(book)))
    assert odds["defending_avatar_dies", "against:0"] == {0: 1 - won, 1: won}
    assert ("city_falls", "against:0") not in odds
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    waive_revenge(book)
    again(book)
    won = enumerated_chance(Force(1, 0), Force(1, 0))
    assert chances_in(forecast_of(book, A, *armies(book)))["city_falls", "against:0"] == {0: 1 - won, 1: won}


def test_the_first_battle_of_an_order_is_forecast_before_it_is_paid():
    book = field(2, 1)
    before = dump(book.state)
    order = CommandRace(race=ELVES, act=Act.WAR, args=Args(target=target(), armies=armies(book)))
    found = order.forecast(book.state, book.context(actor_of(A)), actor_of(A))
    won = enumerated_chance(Force(2, 0), Force(1, 0))
    assert chances_in(found)["won", "against:1"] == {0: 1 - won, 1: won}
    assert (found.price, found.barred) == (3, None) and dump(book.state) == before
    book.state.purses[A] = replace(book.state.purses[A], balance=2, earned=2)
    poor = order.forecast(book.state, book.context(actor_of(A)), actor_of(A))
    assert poor.barred is not None and poor.barred.code == "points.short"
    with refused("target.own", book.state):
        own = Args(target=target(WEST), armies=armies(book))
        CommandRace(race=ELVES, act=Act.WAR, args=own).forecast(book.state, book.context(actor_of(A)), actor_of(A))


def test_an_avatars_attack_is_forecast_with_the_actions_before_it():
    book = field(1, 1)
    hero = avatar(book, A, (0, 0))
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    alone = CommandAvatar(avatar=hero, actions=(attack,)).forecast(book.state, book.context(actor_of(A)), actor_of(A))
    won = enumerated_chance(Force(1, 0), Force(1, 0))
    assert chances_in(alone)["attacking_avatar_dies", "against:1"] == {0: won, 1: 1 - won}
    move = Action(action=Doing.MOVE, square=Place(x=1, y=1))
    lead = Action(action=Doing.LEAD_ARMY, army=armies(book)[0])
    led = CommandAvatar(avatar=hero, actions=(move, lead, attack))
    won = enumerated_chance(Force(1, 1), Force(1, 0))
    found = led.forecast(book.state, book.context(actor_of(A)), actor_of(A))
    assert chances_in(found)["won", "against:1"] == {0: 1 - won, 1: won} and found.price == 1
    assert book.state.avatars[hero].leads is None


def test_odds_of_many_dice_are_rounded_and_still_add_up():
    book = field(12, 1)
    march(book)
    found = forecast_of(book, A, *armies(book))
    assert not found.exact and any("rounded" in message for message in found.hidden)
    for prospect in found.prospects:
        assert sum(odd.chance for odd in prospect.odds) == 1
        assert all(odd.chance.denominator <= PARTS for odd in prospect.odds)
    certain = chances_in(forecast_of(book, B, *armies(book, HOLD)))
    assert certain["won", "against:12"] == {0: 1}


def test_no_side_forecasts_what_it_cannot_commit():
    book = field(1, 1)
    march(book)
    with refused("commit.range", book.state):
        forecast_of(book, B)
    with refused("prompt.not_yours", book.state):
        forecast_of(book, C, *armies(book))


@pytest.mark.rule("DW-WAR-5")
def test_the_line_of_a_war_order_says_with_what_chance_the_first_battle_is_won():
    book = field(ours=3, theirs=2)
    (war,) = (
        legal
        for legal in legal_commands_of(book, "command-race", A)
        if legal.choices("act") == ("war",) and legal.legal and legal.choices("race") == (ELVES,)
    )
    least, most = (percent(chance(Force(3, attack_of(book)), Force(n, defence_of(book)))) for n in (2, 1))
    hold = book.state.cities[HOLD].name
    assert war.note == f"You would win the first battle with all 3 armies: against {hold} {least} to {most}."
    assert war.price is not None


@pytest.mark.rule("DW-WAR-5")
def test_a_question_of_what_to_commit_shows_the_odds_of_each_number_and_nothing_that_is_sealed():
    book = field(ours=3, theirs=2)
    march(book)
    shown = {seat: RULESET.pages.exhibits(book.state.view_for(frozenset({seat}))) for seat in (A, B)}
    (panel,) = shown[A].values()
    assert panel.columns == ("Armies that attack", "Against 1 army", "Against 2 armies")
    assert [line.cells for line in panel.lines] == [
        (n, *(percent(chance(Force(n, attack_of(book)), Force(m, defence_of(book)))) for m in (1, 2)))
        for n in (1, 2, 3)
    ]
    commit(book, B, *armies(book, HOLD)[:1])
    assert RULESET.pages.exhibits(book.state.view_for(frozenset({A}))) == shown[A]


def attack_of(book: Playbook) -> int:
    """The bonus of all armies of the first city."""
    return sum_of_bonuses(attack_bonuses(book.state, armies(book)))


def defence_of(book: Playbook) -> int:
    """The bonus of the city that is attacked."""
    city = book.state.cities[HOLD]
    war = War(UUID(int=1), A, city.x, city.y, HOLD, None, armies(book))
    return sum_of_bonuses(defence_bonuses(book.state, war))
