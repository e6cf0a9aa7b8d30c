"""Forecasts of the Die Tower: exact odds of what is rolled, from what the asker knows; the printed ones are met."""

from fractions import Fraction

import pytest

from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck, SetCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import Ruling
from games.dietower.rules.combat.commands import DeclareAttack
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.ruling_commands import SetAttack
from games.dietower.rules.state.schema_types import Adv, CheckStatus, Mode, Terms, Uses
from games.dietower.rules.tower.commands import PlaceDie
from games.engine.game_state import dump
from games.engine.kernel import Actor, Issuer
from tests.dice import d
from tests.playbook import refused
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    build,
    check,
    monster,
    open_roll,
    pc,
    playing,
    raise_to,
    roll_check,
)


def asked(book, command, by):
    """The forecast of a command, and its chances by what and key; nothing has changed by it."""
    actor = by if isinstance(by, Actor) else Actor(Issuer.SEAT, seat=by)
    before = dump(book.state)
    found = command.forecast(book.state, book.context(actor), actor)
    assert dump(book.state) == before
    return found, {(p.what, p.key): {odd.amount: odd.chance for odd in p.odds} for p in found.prospects}


def ruled(book, **ruling):
    """The chances of a check that the world master would set so."""
    actor = pc(book, S1)
    return asked(book, RequestCheck(actor=actor, intent="climb", ruling=Ruling(**ruling)), GM)


def mean(chances):
    return sum(amount * chance for amount, chance in chances.items())


@pytest.mark.rule("DT-EX-62", "DT-EX-63", "DT-EX-84", "DT-EX-85")
@pytest.mark.parametrize(
    ("ruling", "success", "placements"),
    [
        ({"cd": Cd.MODERATE, "good": True}, Fraction(13, 18), Fraction(19, 36)),
        ({"cd": Cd.TOUGH, "good": True}, Fraction(5, 12), Fraction(5, 6)),
        ({"cd": Cd.AVERAGE, "good": False}, Fraction(1, 2), Fraction(2, 3)),
        ({"cd": Cd.TOUGH, "good": True, "adv": Adv.ADV}, Fraction(49, 72), Fraction(41, 108)),
        ({"cd": Cd.MODERATE, "good": True, "adv": Adv.DIS}, Fraction(103, 216), Fraction(67, 72)),
        ({"cd": Cd.CHALLENGING, "good": True}, Fraction(29, 108), None),
        ({"cd": Cd.IMPROBABLE, "good": True}, Fraction(23, 432), None),
        ({"cd": Cd.FORMIDABLE, "good": False}, Fraction(0), None),
        ({"cd": Cd.TOUGH, "good": True, "edge": 2}, Fraction(13, 18), Fraction(19, 36)),
        ({"cd": Cd.TOUGH, "good": True, "edge_die": True}, Fraction(181, 216), Fraction(11, 24)),
    ],
)
def test_a_check_has_the_printed_odds(ruling, success, placements):
    _, chances = ruled(playing(S1), **ruling)

    assert chances["success", "wishes:0"].get(1, 0) == success
    assert placements is None or mean(chances["placements", "wishes:0"]) == placements
    assert {key for what, key in chances if what == "success"} == {f"wishes:{n}" for n in range(7)}
    assert all(sum(odds.values()) == 1 for odds in chances.values())


@pytest.mark.rule("DT-CHK-3")
def test_a_simple_check_cannot_fail():
    _, chances = ruled(playing(S1), cd=Cd.SIMPLE, good=False)

    assert chances["success", "wishes:0"] == {1: 1}
    assert chances["placements", "wishes:0"] == {0: 1}
    assert ("success", "wishes:1") not in chances


def test_a_check_that_nobody_has_set_has_the_odds_of_every_cd():
    book = playing(S1)

    found, chances = asked(book, RequestCheck(actor=pc(book, S1), intent="climb"), S1)

    assert chances["success", "moderate:good"][1] == Fraction(13, 18)
    assert chances["success", "average:other"][1] == Fraction(1, 2)
    assert len([key for key in chances if key[0] == "success"]) == 2 * len(Cd)
    assert any("world master" in words for words in found.hidden)


def test_a_player_is_refused_the_forecast_of_a_ruling():
    book = playing(S1)
    with refused("issuer.other", book.state):
        asked(book, RequestCheck(actor=pc(book, S1), intent="x", ruling=Ruling(cd=Cd.EASY, good=True)), S1)


@pytest.mark.rule("DT-SIM-6", "DT-EX-80")
def test_the_fall_follows_from_the_placements_and_the_tower():
    book = playing(S1, half_width=6)
    build(book, (0, 0), (5, 0))

    _, chances = ruled(book, cd=Cd.AVERAGE, good=False)

    one, two = chances["placements", "wishes:0"][1], chances["placements", "wishes:0"][2]
    first, second = Fraction(1, 6), Fraction(1735, 13122)
    assert chances["falls", "wishes:0"][1] == one * first + two * (first + second)


def test_of_a_real_tower_no_fall_is_forecast():
    _, chances = ruled(playing(S1, mode=Mode.PHYSICAL), cd=Cd.EASY, good=False)
    assert not [key for key in chances if key[0] == "falls"]


@pytest.mark.rule("DT-EX-83", "DT-CHK-6")
def test_an_open_pool_has_the_odds_of_one_wish_die_more():
    book = playing(S1)
    raise_to(book, pc(book, S1), 2, wishes=2)
    roll_check(book, pc(book, S1), [3, 4], cd=Cd.CHALLENGING)

    roll = open_roll(book, S1).id
    _, buying = asked(book, BuyDie(roll=roll, count=2), S1)
    _, closing = asked(book, CloseRoll(roll=roll), S1)

    assert [buying["success", f"wishes:{n}"].get(1, 0) for n in range(3)] == [0, Fraction(2, 3), Fraction(35, 36)]
    assert buying["placements", "wishes:1"] == {0: Fraction(2, 3), 1: Fraction(1, 6), 2: Fraction(1, 6)}
    assert closing["success", "wishes:0"] == {0: 1}
    with refused("wishes.short", book.state):
        asked(book, BuyDie(roll=roll, count=3), S1)


@pytest.mark.rule("DT-SIM-4", "DT-SIM-5")
def test_a_die_has_its_risk_by_level_and_axis():
    book = playing(S1, half_width=6)
    build(book, (0, 0), (5, 0))
    check(book, S1, [2], cd=Cd.AVERAGE, good=False)
    placement = book.state.due_placements()[0].id

    _, chances = asked(book, PlaceDie(placement=placement), S1)

    assert chances["falls", ""][1] == Fraction(216, 1296)
    assert chances["falls_at", "1:x"][1] == Fraction(216, 1296)


@pytest.mark.rule("DT-EX-64", "DT-EX-86")
def test_an_attack_has_the_printed_odds():
    book = playing(S1, S2)
    foe = monster(book)
    book.when(OpenEncounter(members=(foe,), first=pc(book, S1)), by=GM)

    _, chances = asked(book, DeclareAttack(target=foe, uses=Uses.WEAPON), S1)
    _, plain = asked(book, DeclareAttack(target=foe, uses=Uses.NONE), S1)

    assert chances["hit", "defence:1d6"][1] == Fraction(763, 972)
    assert chances["hit", "defence:2d6"][1] == Fraction(764255, 1679616)
    assert plain["hit", "defence:1d6"][1] == Fraction(185, 432)
    assert plain["hit", "defence:2d6"][1] == Fraction(305, 1944)

    book.when(DeclareAttack(target=foe, uses=Uses.NONE), by=S1)
    (attack,) = book.state.attacks
    _, settled = asked(book, SetAttack(attack=attack, attacker=Terms(edge=1)), GM)
    assert settled["hit", ""][1] == Fraction(247, 432)
    assert sum(settled["placements", ""].values()) == 1


@pytest.mark.rule("DT-CMB-6")
def test_the_open_pools_of_an_attack_have_the_odds_of_one_wish_die_more():
    book = playing(S1, S2)
    foe = monster(book)
    book.when(OpenEncounter(members=(foe,), first=pc(book, S1)), by=GM)
    book.when(DeclareAttack(target=foe, uses=Uses.NONE), by=S1)
    (attack,) = book.state.attacks
    book.when(SetAttack(attack=attack), by=GM, dice=[d(6, "attacker", 3), d(6, "defender", 4)])

    found, chances = asked(book, BuyDie(roll=open_roll(book, S1).id), S1)

    assert chances["hit", "wishes:0"] == {0: 1}
    assert chances["hit", "wishes:1"] == {0: Fraction(1, 6), 1: Fraction(5, 6)}  # 3 and a 1 are no more than 4
    assert found.hidden == ("What the other side buys.",)


def test_a_forecast_says_the_same_whatever_a_secret_is():
    answers = []
    for health, weakness, weapon in ((1, "", ""), (9, "salt", "claws")):
        book = playing(S1, S2)
        foe = monster(book, health=health, weakness=weakness, weapon=weapon)
        book.when(OpenEncounter(members=(foe,), first=pc(book, S1)), by=GM)
        answers.append(asked(book, DeclareAttack(target=foe, uses=Uses.WEAPON), S1)[1])
    assert answers[0] == answers[1]


def test_what_could_not_be_done_has_no_forecast():
    book = playing(S1)
    with refused("prompt.closed", book.state):
        asked(book, SetCheck(check=pc(book, S1), cd=Cd.EASY, good=True), GM)
    with refused("roll.closed", book.state):
        asked(book, CloseRoll(roll=pc(book, S1)), S1)
    assert not [c for c in book.state.checks.values() if c.status is CheckStatus.THROWN]
