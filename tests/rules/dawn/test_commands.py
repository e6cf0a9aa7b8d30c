"""Commanding races and cities (DW-CMDR-1, DW-CMDR-2, DW-CMDC-*): one act each, at the price of the Age."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.command.arguments import Act
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.command.events import CityFounded, DeedRecorded, TerritorySettled
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.orders.commands import CreateOrder
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.races.commands import CreateRace
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.state.records import Territory
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Life, OrderKind, ShapeKind, Terrain
from games.dawn.rules.turn.commands import EndTurn
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.directing import OTHER, at, legal_acts, legal_commands_of, race, stage, town, with_dwarves
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    army,
    avatar,
    balances,
    begin,
    city,
    incomes,
    log_folds_to_state,
    order,
    people,
    sound,
    turn_of,
)

# -- what each act does ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-CMDR-1", "DW-CMDR-2")
@pytest.mark.parametrize(("age", "price"), [(1, 8), (2, 4), (3, 3)])
def test_a_race_founds_a_city_of_its_own_alignment_that_the_commander_controls(age: int, price: int):
    book = stage(age)
    events = book.when(race(Act.FOUND_CITY, square=at(1, 1), name="Haven"), by=A)
    assert of_kind(events, PowerDeclared, CityFounded, PowerResolved) == [
        event_like(PowerDeclared, price=price, escrow=price),
        event_like(CityFounded, race=ELVES, square=at(1, 1), name="Haven", controller=A, alignment=1),
        event_like(PowerResolved),
    ]
    (haven,) = book.state.cities.values()
    assert (haven.controller, haven.alignment, book.state.armies_in(haven.id)) == (A, 1, [])
    assert balances(book, A) == [40 - price] and sound(book)


@pytest.mark.rule("DW-CMDR-1", "DW-CMDC-1", "DW-PRC-2")
def test_every_act_needs_presence_first():
    book = stage()
    city(book)
    people(book, C, race=DWARVES, x=3, y=3)
    deep = city(book, DWARVES, controller=A, at=(3, 3), id=OTHER)
    army(book, deep)
    assert {
        candidate.arguments["act"].values
        for candidate in legal_commands_of(book, CommandRace)
        if "act" in candidate.arguments
    } == {(act.value,) for act in (Act.SETTLE, Act.ALLIANCE, Act.DEED)}
    for act in Act:
        with refused("presence.missing", book.state):
            book.when(race(act, DWARVES), by=A)
        with refused("presence.missing", book.state):
            book.when(town(act, OTHER), by=A)
    assert set(CommandRace.acts) == {Act.FOUND_CITY, Act.SETTLE, Act.WAR, Act.ALLIANCE, Act.DEED}
    assert set(CommandCity.acts) == {Act.RAISE_ARMY, Act.WAR, Act.ALLIANCE, Act.SETTLE, Act.DEED}
    for command in (race(Act.RAISE_ARMY), town(Act.FOUND_CITY, square=at(1, 1), name="Deep")):
        with refused("act.invalid", book.state):
            book.when(command, by=A)


@pytest.mark.rule("DW-CMDR-2")
def test_the_commander_controls_the_city_also_where_the_race_is_anothers():
    book = stage()
    people(book, B, race=DWARVES, x=3, y=3)
    avatar(book, A, (3, 3))
    book.when(race(Act.FOUND_CITY, DWARVES, square=at(3, 3), name="Deep"), by=A)
    (deep,) = book.state.cities.values()
    assert (deep.controller, deep.race) == (A, DWARVES)


@pytest.mark.rule("DW-CMDR-1", "DW-RACE-5")
def test_where_a_city_may_be_founded():
    book = stage()
    city(book, controller=B)
    book.state.territory[ELVES, 0, 1] = Territory(ELVES, 0, 1)
    for code, args in (
        ("city.exists", {"square": at(1, 1), "name": "Haven"}),
        ("square.unfit", {"square": at(2, 1), "name": "Haven"}),
        ("square.unfit", {"square": at(0, 1), "name": "Haven"}),
        ("square.off_map", {"square": at(6, 0), "name": "Haven"}),
        ("act.invalid", {"square": at(1, 2)}),
        ("act.invalid", {"name": "Haven"}),
        ("act.invalid", {"square": at(1, 2), "name": "Haven", "text": "?"}),
    ):
        with refused(code, book.state):
            book.when(race(Act.FOUND_CITY, **args), by=A)
    book.state.territory[ELVES, 1, 2] = Territory(ELVES, 1, 2)
    with refused("name.taken", book.state):
        book.when(race(Act.FOUND_CITY, square=at(1, 2), name="CITY C1"), by=A)
    (candidate,) = legal_acts(book, CommandRace, Act.FOUND_CITY)
    assert candidate.choices("args.square") == ({"x": 1, "y": 2},)
    book.when(GiftEdge(target=ELVES, name="boats", kind=EdgeKind.OTHER, tags=(EdgeTag.CROSSES_WATER,)), by=A)
    book.when(race(Act.FOUND_CITY, square=at(0, 1), name="Port"), by=A)
    assert len(book.state.cities) == 2 and sound(book)


@pytest.mark.rule("DW-RACE-5", "DW-AMB-51")
def test_a_square_holds_one_city_whatever_its_race_and_water_is_for_races_at_home_on_it():
    book = stage()
    people(book, B, race=DWARVES)
    city(book, DWARVES, controller=B)
    with refused("city.exists", book.state):
        book.when(race(Act.FOUND_CITY, square=at(1, 1), name="Haven"), by=A)
    book.state.territory[ELVES, 0, 1] = Territory(ELVES, 0, 1)
    for act, args in ((Act.FOUND_CITY, {"square": at(0, 1), "name": "Port"}), (Act.SETTLE, {"square": at(0, 0)})):
        with refused("square.unfit", book.state):
            book.when(race(act, **args), by=A)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.LAKE)
    book.when(race(Act.FOUND_CITY, square=at(0, 1), name="Port"), by=A)
    book.when(race(Act.SETTLE, square=at(0, 0)), by=A)
    assert book.state.land_of(ELVES) == {(1, 1), (0, 1), (0, 0)} and sound(book)


@pytest.mark.rule("DW-RACE-5")
def test_boats_of_a_city_are_none_of_its_race():
    book = stage()
    haven = city(book)
    book.when(GiftEdge(target=haven, name="boats", kind=EdgeKind.OTHER, tags=(EdgeTag.CROSSES_WATER,)), by=A)
    book.when(GiftEdge(target=ELVES, name="wings", kind=EdgeKind.OTHER, tags=(EdgeTag.FLIES,)), by=A)
    for command in (race(Act.SETTLE, square=at(0, 1)), town(Act.SETTLE, square=at(0, 1))):
        with refused("square.unfit", book.state):
            book.when(command, by=A)


@pytest.mark.rule("DW-MIR-4")
def test_a_race_that_founds_a_city_is_near_extinct_no_more():
    book = stage()
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.NEAR_EXTINCT)
    book.when(race(Act.FOUND_CITY, square=at(1, 1), name="Haven"), by=A)
    assert book.state.races[ELVES].life is Life.ALIVE


@pytest.mark.rule("DW-CMDR-1", "DW-AMB-51")
def test_a_race_settles_one_square_next_to_its_territory():
    book = stage()
    people(book, B, race=DWARVES, x=2, y=1)
    (candidate,) = legal_acts(book, CommandRace, Act.SETTLE)
    assert (candidate.price, candidate.legal) == (4, True)
    assert candidate.choices("args.square") == ({"x": 2, "y": 1}, {"x": 1, "y": 2})
    events = book.when(race(Act.SETTLE, square=at(2, 1)), by=A)
    assert of_kind(events, TerritorySettled) == [event_like(TerritorySettled, race=ELVES, square=at(2, 1))]
    assert book.state.land_of(ELVES) == {(1, 1), (2, 1)} and book.state.land_of(DWARVES) == {(2, 1)}
    for code, square in (
        ("square.unfit", at(2, 1)),
        ("square.unfit", at(3, 3)),
        ("square.unfit", at(0, 1)),
        ("square.off_map", at(-1, 1)),
    ):
        with refused(code, book.state):
            book.when(race(Act.SETTLE, square=square), by=A)
    with refused("act.invalid", book.state):
        book.when(race(Act.SETTLE), by=A)
    assert balances(book, A) == [36] and sound(book)


@pytest.mark.rule("DW-CMDR-1", "DW-CMDC-1")
def test_a_deed_is_recorded_and_changes_nothing():
    book = stage()
    city(book)
    before = (dict(book.state.cities), dict(book.state.races), dict(book.state.territory))
    events = book.when(race(Act.DEED, text="They plant a forest."), by=A)
    events += book.when(town(Act.DEED, text="They build a bridge."), by=A)
    assert of_kind(events, DeedRecorded) == [
        event_like(DeedRecorded, by=ELVES, words="They plant a forest."),
        event_like(DeedRecorded, by=HAVEN, words="They build a bridge."),
    ]
    assert (dict(book.state.cities), dict(book.state.races), dict(book.state.territory)) == before
    assert balances(book, A) == [40 - 4 - 3]
    for args in ({}, {"text": ""}):
        with refused("act.invalid", book.state):
            book.when(race(Act.DEED, **args), by=A)


@pytest.mark.rule("DW-CMDC-1", "DW-AMB-33")
def test_a_city_settles_next_to_its_own_square_and_founds_nothing():
    book = stage()
    city(book, at=(3, 3))
    (candidate,) = legal_acts(book, CommandCity, Act.SETTLE)
    assert candidate.choices("args.square") == ({"x": 3, "y": 2},)
    book.when(town(Act.SETTLE, square=at(3, 2)), by=A)
    assert book.state.land_of(ELVES) == {(1, 1), (3, 2)}
    with refused("square.unfit", book.state):
        book.when(town(Act.SETTLE, square=at(2, 1)), by=A)
    with refused("act.invalid", book.state):
        book.when(town(Act.FOUND_CITY, square=at(1, 1), name="Deep"), by=A)
    with refused("act.invalid", book.state):
        book.when(race(Act.RAISE_ARMY), by=A)


# -- who and when ---------------------------------------------------------------------------------------------------


def test_a_missing_race_or_city_is_not_commanded():
    book = stage()
    city(book)
    with refused("race.missing", book.state):
        book.when(race(Act.DEED, UUID(int=1), text="?"), by=A)
    with refused("city.missing", book.state):
        book.when(town(Act.DEED, UUID(int=1), text="?"), by=A)
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(race(Act.DEED, text="?"), by=A)
    with refused("race.extinct", book.state):
        book.when(town(Act.DEED, text="?"), by=A)


def test_commands_are_paid_and_given_on_the_gods_own_turn():
    book = stage(a=2)
    city(book)
    order(book, ELVES, B)
    with refused("points.short", book.state):
        book.when(race(Act.DEED, text="?"), by=A)
    with refused("points.short", book.state):
        book.when(town(Act.DEED, text="?"), by=A)
    with refused("turn.not_yours", book.state):
        book.when(race(Act.DEED, text="?"), by=B)
    assert {o.barred.code for o in legal_commands_of(book, CommandRace) if o.barred} == {"points.short"}


@pytest.mark.rule("DW-PRC-2")
def test_legal_commands_say_where_presence_is_missing():
    book = with_dwarves(stage(), B, orders=(B,))
    city(book)
    city(book, DWARVES, controller=A, at=(3, 3), id=OTHER)
    absent = [o for o in legal_commands_of(book, CommandRace) if o.barred]
    assert [(o.arguments["race"].values, o.barred.code) for o in absent if o.barred] == [
        ((DWARVES,), "presence.missing")
    ]
    absent = [o for o in legal_commands_of(book, CommandCity) if o.barred]
    assert [(o.arguments["city"].values, o.barred.code) for o in absent if o.barred] == [((OTHER,), "presence.missing")]
    (barred,) = legal_commands_of(book, CommandRace, B)
    assert barred.barred is not None and barred.barred.code == "turn.not_yours"


def test_the_log_has_a_sentence_for_each_event_of_peoples_cities_and_armies():
    book = begin(dice=incomes({A: (1, 1), B: (6, 6), C: (6, 5)}))
    while book.state.course.age < 2:
        book.when(EndTurn(), by=book.state.course.active)
    turn_of(book, A)
    plain = ShapeLand(kind=ShapeKind.MUNDANE, squares=(at(1, 1), at(2, 1)), terrain=Terrain.PLAINS)
    book.when(plain, by=A)
    book.when(CreateRace(name="Elves", home=at(1, 1)), by=A)
    (elves,) = book.state.races
    book.when(race(Act.SETTLE, elves, square=at(2, 1)), by=A)
    book.when(race(Act.FOUND_CITY, elves, square=at(2, 1), name="Haven"), by=A)
    (haven,) = book.state.cities
    book.when(town(Act.RAISE_ARMY, haven), by=A)
    book.when(town(Act.DEED, haven, text="They dance."), by=A)
    book.when(CreateOrder(race=elves, kind=OrderKind.KNIGHTLY, name="Riders"), by=A)
    assert len(book.state.armies_in(haven)) == 1 and sound(book)
    assert log_folds_to_state(book)
