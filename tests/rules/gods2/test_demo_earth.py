"""The set-up of the demo event: peoples on all continents, hedged gods, every power castable by a god."""

from collections import Counter
from itertools import combinations

import pytest

from games.engine.lifecycle.gm_commands import EndNow, Start
from games.gods2.demo import ELEMENTAL, GODS, MANA, PEOPLE, SURPLUS, opening
from games.gods2.demo_earth import FEATURES, LANDS, PEOPLES, Inhabitants
from games.gods2.pack import pack_files
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.history.events import PlaceNamed
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.setup.second_creation import castable
from games.gods2.rules.state.gods import cards_in
from games.gods2.rules.state.records import Level, WarKind
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import GM, HOST, demo_game

SPECIAL = {"atheism", "diabolism"}
ALONE = "Dreamers"
SOUTH = 15
"""The first row of the southern half."""
CONTINENTS = {
    "North America": (range(2, 14), range(1, 8)),
    "South America": (range(15, 27), range(5, 8)),
    "Africa": (range(10, 25), range(9, 13)),
    "Europe and Asia": (range(1, 12), range(9, 20)),
    "Australia": (range(17, 25), range(15, 20)),
}
"""Rows and columns."""


def spread(one: Inhabitants, other: Inhabitants) -> int:
    """Steps from one people to the other."""
    return min(max(abs(a - c), abs(b - d)) for a, b in one.units for c, d in other.units)


def test_twelve_peoples_of_fourteen_to_eighteen_units_and_one_small_one_alone() -> None:
    sizes = {people.name: sum(people.units.values()) for people in PEOPLES}
    assert len(sizes) == 12 and sizes.pop(ALONE) < 14
    assert all(14 <= units <= 18 for units in sizes.values()), sizes
    alone = next(people for people in PEOPLES if people.name == ALONE)
    assert all(spread(alone, people) > 3 for people in PEOPLES if people is not alone)


def test_they_live_on_all_continents_with_features_in_the_south_too() -> None:
    homes = Counter(
        name
        for people in PEOPLES
        for name, (rows, columns) in CONTINENTS.items()
        if all(row in rows and column in columns for row, column in people.units)
    )
    assert set(homes) == set(CONTINENTS)
    assert sum(row >= SOUTH for row, _ in FEATURES) >= 6


def test_no_two_warlike_peoples_stand_beside_each_other() -> None:
    warlike = [people for people in PEOPLES if "warlike" in people.attributes]
    assert len(warlike) >= 2
    assert all(spread(one, other) > 3 for one, other in combinations(warlike, 2))


def test_each_god_has_one_main_people_and_two_to_four_in_all() -> None:
    main = Counter(max(people.pantheon, key=lambda god: people.pantheon[god]) for people in PEOPLES)
    assert main == Counter(list(GODS))
    every = Counter(god for people in PEOPLES for god in people.pantheon if god not in SPECIAL)
    assert set(every) == set(GODS) and all(2 <= times <= 4 for times in every.values()), every
    assert all(sum(people.pantheon.values()) == 100 for people in PEOPLES)


def test_every_power_can_be_cast_by_some_god_and_none_but_orders_by_all() -> None:
    state = demo_game().state
    for power in (each for each in state.pack.powers.values() if each.kind != "creation"):
        able = [
            god for god in state.gods if castable(state, power) and cards_in(state, god, power.sphere) >= power.level
        ]
        if state.pack.spheres[power.sphere].group == "generic":
            assert {str(c) for c in power.requires} and power.requires[0].name == "worships", power.id
        else:
            assert 1 <= len(able) <= 2, power.id


def test_gods_of_the_elements_begin_with_a_surplus() -> None:
    state = demo_game().state
    assert {god.name: state.purses[seat].balance for seat, god in state.gods.items()} == {
        name: SURPLUS if sphere in ELEMENTAL else MANA for name, sphere in GODS.items()
    }


@pytest.fixture(scope="module")
def opened_demo() -> Playbook:
    """The event as its visitors find it, played through its opening."""
    book = demo_game()
    seats = {god.name: seat for seat, god in book.state.gods.items()}
    book.when(Start(), by=HOST)
    for who, command in opening(lambda: book.state):
        book.when(command, by=GM if who == "gm" else seats[who])
    return book


def test_a_visitor_finds_a_century_behind_and_a_war_that_waits(opened_demo: Playbook) -> None:
    state, events = opened_demo.state, [happened.event for happened in opened_demo.log]
    assert state.era.century == 2 and state.era.pack_version == max(pack_files())
    assert len(of_kind(events, ManaPaid)) == len(GODS)
    assert len(of_kind(events, KnowledgeLearned)) == 2
    cities = sum(len(people.cities) for people in PEOPLES)
    assert len(of_kind(events, PlaceNamed)) == len(LANDS) + cities
    assert len(state.cities) == cities and all(city.name for city in state.cities.values())
    assert {race.level for race in state.living()} == set(Level)
    assert [war.kind for war in waiting(state)].count(WarKind.GOD) == 1
    assert all(opened_demo.now == happened.at for happened in opened_demo.log)


def test_the_opening_costs_the_gods_of_people_nothing(opened_demo: Playbook) -> None:
    before = demo_game().state.purses
    for seat, god in opened_demo.state.gods.items():
        if god.name in PEOPLE:
            assert opened_demo.state.purses[seat].balance >= before[seat].balance


def test_the_second_century_goes_on_as_any_other(opened_demo: Playbook) -> None:
    opened_demo.when(EndNow(), by=GM)
    opened_demo.when(EndNow(), by=GM)
    assert opened_demo.state.era.century == 3
