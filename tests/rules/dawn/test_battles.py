"""One battle: bonuses by their sources, dice, ties and losses."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.schema_types import BonusSource, Tier, WarEnd, WarSide
from games.dawn.rules.war.battle_events import ArmiesLost, BattleRolled, Bonus, CityFell, Host
from games.dawn.rules.war.commands import WaiveStandIn
from games.dawn.rules.war.events import WarEnded
from games.engine.kernel import Event
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind
from tests.rules.dawn.field import (
    EAST,
    HOLD,
    WEST,
    add_attack,
    add_defence,
    again,
    armies,
    commit,
    field,
    march,
    set_tier,
    target,
    the_war,
)
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, B, C, army, avatar, city, edge, inner_prompt, sound


def battle_roll(events: list[Event]) -> BattleRolled:
    (found,) = of_kind(events, BattleRolled)
    assert isinstance(found, BattleRolled)
    return found


def bonuses(host: Host) -> dict[BonusSource, int]:
    return {bonus.source: bonus.amount for bonus in host.bonuses}


def waiving(book: Playbook) -> WaiveStandIn:
    return WaiveStandIn(war=the_war(book).id)


def attacking(book: Playbook, by: int, *, at: tuple[int, int] = EAST, whom: UUID | None = None) -> list[Event]:
    """An avatar of A's attacks with the army it leads, or alone."""
    who = list(book.state.avatars)[by]
    attack = Action(action=Doing.ATTACK_CITY, target=target(at, whom))
    return book.when(CommandAvatar(avatar=who, actions=(attack,)), by=A)


@pytest.mark.rule("DW-EX-19", "DW-WAR-5", "DW-WAR-7", "DW-LAND-4")
def test_dice_and_bonuses_are_added_once_and_the_higher_total_wins():
    book = field(3, 2)
    set_tier(book, ELVES, Tier.MONSTROUS)
    add_attack(book, "archery")
    add_defence(book, "shield walls")
    book.state.squares[EAST] = replace(book.state.squares[EAST], fantastic=True)
    march(book)
    commit(book, B, *armies(book, HOLD))
    lost = armies(book, HOLD)
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 4, 2, 5), d(6, "defender", 6, 3)])
    assert battle_roll(events) == event_like(
        BattleRolled,
        attacker=Host(
            dice=(4, 2, 5),
            bonuses=(Bonus(source=BonusSource.TIER, amount=1), Bonus(source=BonusSource.RACE_EDGES, amount=1)),
            total=13,
        ),
        defender=Host(
            dice=(6, 3),
            bonuses=(Bonus(source=BonusSource.RACE_EDGES, amount=1), Bonus(source=BonusSource.FANTASTIC, amount=1)),
            total=11,
        ),
        winner=WarSide.ATTACKER,
    )
    assert of_kind(events, ArmiesLost) == [event_like(ArmiesLost, armies=lost)]
    assert armies(book, HOLD) == () and len(armies(book)) == 3 and sound(book)


@pytest.mark.rule("DW-EX-20", "DW-WAR-7", "DW-AMB-27")
def test_a_tie_is_the_defenders_and_the_loser_loses_what_they_committed():
    book = field(3, 2)
    add_attack(book, "archery")
    add_defence(book, "shield walls")
    march(book)
    commit(book, B, *armies(book, HOLD))
    ours = armies(book)
    events = commit(book, A, *ours[:2], dice=[d(6, "attacker", 3, 3), d(6, "defender", 5, 1)])
    assert (battle_roll(events).attacker.total, battle_roll(events).defender.total) == (7, 7)
    assert of_kind(events, ArmiesLost) == [event_like(ArmiesLost, armies=ours[:2])]
    assert armies(book) == ours[2:] and len(armies(book, HOLD)) == 2 and sound(book)


@pytest.mark.rule("DW-WAR-7")
@pytest.mark.parametrize(("attack", "defence", "ours", "theirs"), [(6, 1, 3, 1), (1, 6, 1, 3), (3, 3, 1, 3)])
def test_the_loser_loses_all_they_committed_and_no_more_and_the_winner_nothing(
    attack: int, defence: int, ours: int, theirs: int
):
    book = field(3, 3)
    march(book)
    commit(book, B, *armies(book, HOLD)[:2])
    commit(book, A, *armies(book)[1:], dice=[d(6, "attacker", attack, attack), d(6, "defender", defence, defence)])
    assert (len(armies(book)), len(armies(book, HOLD))) == (ours, theirs) and sound(book)


@pytest.mark.rule("DW-EX-21", "DW-WAR-6", "DW-WAR-8", "DW-AVA-2", "DW-AVA-6", "DW-WAR-11", "DW-AMB-29")
def test_a_city_without_army_defends_itself_and_loses_nothing_when_it_wins():
    book = field(1)
    set_tier(book, ELVES, Tier.MAJESTIC)
    set_tier(book, DWARVES, Tier.MAJESTIC)
    add_defence(book, "walls", HOLD)
    leader = avatar(book, A, WEST, leads=armies(book)[0])
    avatar(book, B, EAST)
    attacking(book, 0)
    book.when(waiving(book), by=B)
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 4), d(6, "defender", 5)])
    assert bonuses(battle_roll(events).attacker) == {BonusSource.TIER: 2, BonusSource.LEADER: 1}
    assert bonuses(battle_roll(events).defender) == {
        BonusSource.TIER: 1,
        BonusSource.CITY_EDGES: 1,
        BonusSource.RESIDENT: 1,
    }
    assert (battle_roll(events).attacker.total, battle_roll(events).defender.total) == (7, 8)
    assert book.state.cities[HOLD].controller == B and armies(book) == ()
    hero = book.state.avatars[leader]
    assert hero.alive and hero.leads is None and (hero.x, hero.y) == WEST, "a leader does not die with the army"
    assert of_kind(events, AvatarDestroyed) == [] and sound(book)


@pytest.mark.rule("DW-EX-22", "DW-WAR-10", "DW-AVA-2", "DW-AMB-8")
def test_an_avatar_alone_is_one_army_without_a_bonus_and_stands_in_the_city_they_take():
    book = field()
    set_tier(book, ELVES, Tier.MAJESTIC)
    add_attack(book, "archery")
    add_defence(book, "walls", HOLD)
    hero = avatar(book, A, WEST)
    attacking(book, 0)
    events = commit(book, A, hero, dice=[d(6, "attacker", 6), d(6, "defender", 4)])
    assert (battle_roll(events).attacker.bonuses, battle_roll(events).attacker.total) == ((), 6)
    assert of_kind(events, CityFell, WarEnded) == [
        event_like(CityFell, city=HOLD, controller=A, race=DWARVES, armies=()),
        event_like(WarEnded, reason=WarEnd.CAPTURED),
    ]
    taken = book.state.cities[HOLD]
    assert (taken.controller, taken.race) == (A, DWARVES)
    assert (book.state.avatars[hero].x, book.state.avatars[hero].y) == EAST and sound(book)


@pytest.mark.rule("DW-EX-37", "DW-WAR-6")
@pytest.mark.parametrize(("cities", "total"), [(1, 7), (2, 6)])
def test_a_citys_edges_count_only_for_armies_of_that_city_alone(cities: int, total: int):
    book = field(2, 1)
    set_tier(book, ELVES, Tier.MONSTROUS)
    add_attack(book, "siege engines", HAVEN)
    other = city(book, ELVES, A, at=(1, 3), id=UUID(int=0xC3))
    foreign = army(book, other)
    chosen = armies(book) if cities == 1 else (armies(book)[0], foreign)
    march(book, *armies(book), foreign)
    commit(book, B, *armies(book, HOLD))
    events = commit(book, A, *chosen, dice=[d(6, "attacker", 2, 3), d(6, "defender", 6)])
    assert battle_roll(events).attacker.total == total


@pytest.mark.rule("DW-EX-37", "DW-WAR-6", "DW-AMB-26")
def test_where_armies_of_two_cities_are_committed_the_edges_of_neither_count():
    book = field(1, 1)
    set_tier(book, ELVES, Tier.MONSTROUS)
    other = city(book, ELVES, A, at=(1, 3), id=UUID(int=0xC3))
    for home in (HAVEN, other):
        add_attack(book, "siege engines", home)
    march(book, *armies(book), army(book, other))
    commit(book, B, *armies(book, HOLD))
    attack = battle_roll(
        commit(book, A, *the_war(book).armies, dice=[d(6, "attacker", 2, 3), d(6, "defender", 6)])
    ).attacker
    assert (bonuses(attack), attack.total) == ({BonusSource.TIER: 1}, 6)


@pytest.mark.rule("DW-EX-51", "DW-RACE-3", "DW-WAR-6", "DW-AMB-17", "DW-AMB-26")
def test_each_source_of_defence_counts_once():
    book = field(1)
    set_tier(book, DWARVES, Tier.MAJESTIC)
    add_defence(book, "shield walls")
    book.state.squares[EAST] = replace(book.state.squares[EAST], fantastic=True)
    avatar(book, B, EAST)
    avatar(book, C, EAST, defending=True)
    march(book)
    for seat in (B, C):
        book.when(waiving(book), by=seat)
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 1), d(6, "defender", 1)])
    defence = battle_roll(events).defender
    assert set(bonuses(defence).values()) == {1} and defence.total == 1 + 4


@pytest.mark.rule("DW-AVA-2", "DW-AMB-17", "DW-WAR-6")
@pytest.mark.parametrize("residing", [0, 1, 2, 3])
def test_one_resident_or_several_add_one_to_the_defence(residing: int):
    book = field(1, 1)
    for _ in range(residing):
        avatar(book, B, EAST)
    march(book)
    commit(book, B, *armies(book, HOLD))
    defence = battle_roll(commit(book, A, *armies(book), dice=[d(6, "attacker", 1), d(6, "defender", 1)])).defender
    assert bonuses(defence) == ({BonusSource.RESIDENT: 1} if residing else {})


@pytest.mark.rule("DW-AVA-2", "DW-WAR-6")
@pytest.mark.parametrize(("leaders", "committed", "bonus"), [(1, True, 1), (2, True, 1), (1, False, 0), (0, True, 0)])
def test_an_avatar_leading_a_committed_army_adds_one_to_the_attack(leaders: int, committed: bool, bonus: int):
    book = field(2, 1)
    led, other = armies(book)
    for _ in range(leaders):
        avatar(book, A, WEST, leads=led)
    march(book)
    commit(book, B, *armies(book, HOLD))
    attack = battle_roll(
        commit(book, A, led if committed else other, dice=[d(6, "attacker", 1), d(6, "defender", 1)])
    ).attacker
    assert bonuses(attack) == ({BonusSource.LEADER: 1} if bonus else {})


@pytest.mark.rule("DW-WAR-6", "DW-EDGE-1")
def test_edges_of_one_kind_add_up_on_either_side():
    book = field(1, 1)
    for name in ("archery", "lances", "siege engines"):
        add_attack(book, name)
        add_defence(book, name)
    add_defence(book, "walls", HOLD)
    add_defence(book, "moat", HOLD)
    add_attack(book, "catapults", HAVEN)
    add_attack(book, "rams", HAVEN)
    march(book)
    commit(book, B, *armies(book, HOLD))
    found = battle_roll(commit(book, A, *armies(book), dice=[d(6, "attacker", 1), d(6, "defender", 1)]))
    assert bonuses(found.attacker) == {BonusSource.RACE_EDGES: 3, BonusSource.CITY_EDGES: 2}
    assert bonuses(found.defender) == {BonusSource.RACE_EDGES: 3, BonusSource.CITY_EDGES: 2}
    assert (found.attacker.total, found.defender.total, found.winner) == (6, 6, WarSide.DEFENDER)


@pytest.mark.rule("DW-AMB-9", "DW-LAND-4")
@pytest.mark.parametrize("fantastic", [True, False])
def test_the_square_counts_as_it_is_now(fantastic: bool):
    book = field(1, 1)
    book.state.squares[EAST] = replace(book.state.squares[EAST], fantastic=fantastic)
    march(book)
    commit(book, B, *armies(book, HOLD))
    defence = battle_roll(commit(book, A, *armies(book), dice=[d(6, "attacker", 1), d(6, "defender", 1)])).defender
    assert bonuses(defence) == ({BonusSource.FANTASTIC: 1} if fantastic else {})


@pytest.mark.rule("DW-AVA-7", "DW-AMB-57")
def test_avatars_passing_through_and_the_attackers_own_do_nothing_for_the_city():
    book = field(1)
    avatar(book, C, EAST)
    avatar(book, A, EAST, defending=True)
    march(book)
    defence = battle_roll(commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 6)])).defender
    assert defence.bonuses == ()


@pytest.mark.rule("DW-WAR-6", "DW-AMB-26")
def test_the_attacker_uses_their_attack_and_the_defender_their_defence():
    book = field(1, 1)
    add_defence(book, "field surgery", ELVES)
    add_attack(book, "archery", DWARVES)
    edge(book, ELVES, "music")
    march(book)
    commit(book, B, *armies(book, HOLD))
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 2), d(6, "defender", 2)])
    assert (battle_roll(events).attacker.bonuses, battle_roll(events).defender.bonuses) == ((), ())


@pytest.mark.rule("DW-WAR-4", "DW-WAR-6", "DW-WAR-12")
def test_an_avatar_in_the_open_is_one_army_without_a_bonus():
    book = field(1)
    set_tier(book, DWARVES, Tier.MAJESTIC)
    whom = avatar(book, B, (3, 3))
    march(book, at=(3, 3), avatar=whom)
    prompt = book.state.prompts[inner_prompt(book)]
    assert prompt.owners == (f"seat:{A}",), "A has no choice"
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 5), d(6, "defender", 4)])
    assert (battle_roll(events).defender.bonuses, battle_roll(events).defender.total) == ((), 4)
    assert of_kind(events, AvatarDestroyed, WarEnded) == [
        event_like(AvatarDestroyed, avatar=whom, by=A),
        event_like(WarEnded, reason=WarEnd.SLAIN),
    ]
    assert not book.state.avatars[whom].alive and len(armies(book)) == 1 and sound(book)


@pytest.mark.rule("DW-WAR-7")
def test_an_avatar_in_the_open_who_wins_destroys_what_was_committed():
    book = field(2)
    whom = avatar(book, B, (3, 3))
    march(book, at=(3, 3), avatar=whom)
    first, second = armies(book)
    commit(book, A, first, dice=[d(6, "attacker", 3), d(6, "defender", 3)])
    assert armies(book) == (second,) and book.state.avatars[whom].alive
    again(book)
    commit(book, A, second, dice=[d(6, "attacker", 4), d(6, "defender", 3)])
    assert not book.state.avatars[whom].alive and book.state.wars == {}
