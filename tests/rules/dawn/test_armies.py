"""Armies raised and sent by command of a race or a city (DW-CMDC-1, DW-CMDC-2, DW-EX-39)."""

from uuid import UUID

import pytest

from games.dawn.rules.command.arguments import Act, Target
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.command.events import ArmyRaised
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.war.events import WarDeclared
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.directing import OTHER, at, dry, legal_acts, race, stage, town
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    army,
    balances,
    city,
    order,
    people,
    rounds,
    sound,
    turn_of,
)


@pytest.mark.rule("DW-CMDC-1", "DW-CMDC-2", "DW-AMB-48")
def test_a_city_raises_one_army_a_round_whichever_god_commands():
    book = stage(3, b=40)
    city(book, controller=B)
    order(book, ELVES, B)
    (candidate,) = legal_acts(book, CommandCity, Act.RAISE_ARMY)
    assert (candidate.price, candidate.legal, candidate.choices("args.count")) == (2, True, (1,))
    events = book.when(town(Act.RAISE_ARMY), by=A)
    assert of_kind(events, ArmyRaised) == [event_like(ArmyRaised, city=HAVEN, most=1)]
    (raised,) = book.state.armies_in(HAVEN)
    assert raised.race == ELVES
    with refused("army.cap", book.state):
        book.when(town(Act.RAISE_ARMY), by=A)
    (candidate,) = legal_acts(book, CommandCity, Act.RAISE_ARMY)
    assert candidate.barred is not None and candidate.barred.code == "army.cap"
    turn_of(book, B)
    with refused("army.cap", book.state):
        book.when(town(Act.RAISE_ARMY, count=1), by=B)
    rounds(book, 1)
    turn_of(book, B)
    book.when(town(Act.RAISE_ARMY, count=1), by=B)
    assert len(book.state.armies_in(HAVEN)) == 2 and sound(book)


@pytest.mark.rule("DW-CMDC-2")
def test_the_cap_is_that_of_a_round_also_where_an_age_ends():
    book = stage()
    book.state.set_course(age=1, round=5, rounds=5)
    city(book)
    book.when(town(Act.RAISE_ARMY), by=A)
    with refused("army.cap", book.state):
        book.when(town(Act.RAISE_ARMY), by=A)
    rounds(book, 1)
    turn_of(book, A)
    assert (book.state.course.age, book.state.course.round) == (2, 1)
    book.when(town(Act.RAISE_ARMY), by=A)
    with refused("army.cap", book.state):
        book.when(town(Act.RAISE_ARMY), by=A)
    rounds(book, 1)
    turn_of(book, A)
    book.when(town(Act.RAISE_ARMY), by=A)
    assert len(book.state.armies_in(HAVEN)) == 3 and sound(book)


@pytest.mark.rule("DW-CMDC-2")
@pytest.mark.parametrize("count", [-1, 0, 2, 3])
def test_by_command_of_the_city_no_other_number_than_one(count: int):
    book = stage()
    city(book)
    with refused("act.invalid", book.state):
        book.when(town(Act.RAISE_ARMY, count=count), by=A)


# -- war ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-39", "DW-AMB-38", "DW-CMDR-1")
def test_only_the_commanders_own_armies_march():
    book = stage(3)
    dry(book, (2, 2), (3, 1))
    city(book, controller=B)
    city(book, controller=A, at=(1, 2), id=OTHER)
    people(book, C, race=DWARVES, x=3, y=3)
    city(book, DWARVES, controller=C, at=(3, 3), id=UUID(int=0xC3))
    theirs, mine = [army(book, HAVEN), army(book, HAVEN)], army(book, OTHER)
    target = Target(square=at(3, 3))
    with refused("army.foreign", book.state):
        book.when(race(Act.WAR, target=target, armies=(*theirs, mine)), by=A)
    (candidate,) = legal_acts(book, CommandRace, Act.WAR)
    assert candidate.choices("args.armies") == (mine,)
    assert {"x": 3, "y": 3} in candidate.choices("args.target.square")
    events = book.when(race(Act.WAR, target=target, armies=(mine,)), by=A)
    assert [type(e) for e in of_kind(events, PowerDeclared, WarDeclared, PowerResolved)] == [
        PowerDeclared,
        WarDeclared,
        PowerResolved,
    ]
    assert balances(book, A) == [37]


@pytest.mark.rule("DW-CMDC-1")
def test_a_city_marches_with_its_own_armies_alone():
    book = stage()
    dry(book, (2, 2), (3, 1))
    city(book)
    city(book, at=(1, 2), id=OTHER)
    people(book, C, race=DWARVES, x=3, y=3)
    city(book, DWARVES, controller=C, at=(3, 3), id=UUID(int=0xC3))
    here, there = army(book, HAVEN), army(book, OTHER)
    target = Target(square=at(3, 3))
    with refused("army.foreign", book.state):
        book.when(town(Act.WAR, target=target, armies=(there,)), by=A)
    with refused("army.missing", book.state):
        book.when(town(Act.WAR, target=target), by=A)
    with refused("act.invalid", book.state):
        book.when(town(Act.WAR, armies=(here,)), by=A)
    assert len(of_kind(book.when(town(Act.WAR, target=target, armies=(here,)), by=A), WarDeclared)) == 1


@pytest.mark.rule("DW-CMDR-1")
def test_a_race_marches_with_the_armies_of_its_own_cities_alone():
    book = stage()
    dry(book, (2, 2), (3, 1))
    city(book)
    people(book, C, race=DWARVES, x=3, y=3)
    city(book, DWARVES, controller=A, at=(3, 2), id=OTHER)
    city(book, DWARVES, controller=C, at=(3, 3), id=UUID(int=0xC3))
    mine, dwarven = army(book, HAVEN), army(book, OTHER)
    target = Target(square=at(3, 3))
    for marching in ((dwarven,), (mine, dwarven)):
        with refused("army.foreign", book.state):
            book.when(race(Act.WAR, target=target, armies=marching), by=A)
    assert len(of_kind(book.when(race(Act.WAR, target=target, armies=(mine,)), by=A), WarDeclared)) == 1
