"""Wars at their edges (G2-WAR-1 to 18): each clause of a rule at the numbers at which it turns."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.gods2.rules.cascade.events import RaceDestroyed, WarLapsed
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.declarations.events import WarDeclared, WarHeld, WarsCombined
from games.gods2.rules.declarations.rules import fighting_order
from games.gods2.rules.geometry.reach import reach
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.state.records import CityKind, DiplomacyPolicy, War, WarKind, WarPolicy
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import StrengthOf
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from games.gods2.rules.war.battle import loses, percentage, retreat, settlers, vacated_count, vacated_squares
from games.gods2.rules.war.combined_commands import CombineWars, SetWarSplit
from games.gods2.rules.war.events import (
    CityFell,
    DiplomacyTried,
    SquaresTaken,
    SquaresVacated,
    UnitsRetreated,
    WarFought,
)
from games.gods2.rules.war.rules import fight
from games.gods2.rules.war.schedule_commands import HoldWar
from tests.dice import Planted, d
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, GM, begin, define, minutes, set_up, shares, two_peoples, units
from tests.rules.gods2.wars import WARRIORS, fight_war, romans_and_greeks
from tests.rules.gods2.worlds import earth_of, forecast, happen, id_of, movements, plant_war, race, row_major, units_of


def waiting(number: int, kind: WarKind, due: int, order: int = 0) -> War:
    """A war that waits, due so many seconds after dawn."""
    due_at = DAWN + timedelta(seconds=due)
    return War(UUID(int=number), 1, number, UUID(int=1), UUID(int=2), kind, DAWN, due=due_at, order=order)


def squares(*spots: tuple[int, int]) -> list[Square]:
    return [Square(*spot) for spot in spots]


@pytest.mark.rule("G2-WAR-1", "G2-AMB-39")
def test_aggressive_wars_that_wait_stay_in_their_drawn_order_whatever_their_times() -> None:
    held = waiting(1, WarKind.AGGRESSIVE, 900, 1)
    wars = [waiting(2, WarKind.AGGRESSIVE, 400, 2), held, waiting(3, WarKind.GOD, 950), waiting(4, WarKind.GOD, 940)]
    assert [w.number for w in fighting_order(wars)] == [4, 3, 1, 2]


@pytest.mark.rule("G2-WAR-1")
def test_a_war_is_not_held_beyond_the_end_of_the_activity_phase() -> None:
    book, dwarves, elves = two_peoples()
    book.wait(minutes(18))
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    with refused("war.held", book.state):
        book.when(HoldWar(war=war, seconds=121), by=GM)
    assert of_kind(book.when(HoldWar(war=war, seconds=120), by=GM), WarHeld)[0].due == DAWN + minutes(25)


@pytest.mark.rule("G2-WAR-1", "G2-WAR-15")
def test_the_delay_of_one_war_counts_for_those_it_is_combined_with() -> None:
    book = set_up(rows=("PPPPPPPPP",))
    west, middle, east = (
        define(book, name, units((x, 0, 1), (x + 1, 0, 1)), attributes=("peaceful",), pantheon=shares(a=100))
        for name, x in (("West", 0), ("Middle", 3), ("East", 6))
    )
    begin(book)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=60)
    one, two = (
        of_kind(book.when(DeclareWar(attacker=who, defender=middle), by=ANA), WarDeclared)[0].war
        for who in (west, east)
    )
    book.when(HoldWar(war=two, seconds=400), by=GM)
    book.when(CombineWars(wars=(one, two)), by=GM)
    with refused("war.held", book.state):
        book.when(HoldWar(war=one, seconds=201), by=GM)
    assert len(of_kind(book.when(HoldWar(war=one, seconds=200), by=GM), WarHeld)) == 2


@pytest.mark.rule("G2-WAR-1", "G2-AMB-9")
def test_a_war_of_a_race_that_is_no_more_lapses_for_that_reason() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 1): 1})
    state = earth_of(["PPP"], norse, picts)
    state.races[picts.id] = replace(state.races[picts.id], extinct=True)
    assert fight_war(state, norse, picts) == [event_like(WarLapsed, reason="Picts are extinct")]


@pytest.mark.rule("G2-WAR-2", "G2-WAR-4")
@pytest.mark.parametrize(("military", "enemy", "percent"), [(0, 0, 10), (3, 0, 13), (0, 9, 1), (0, 10, 0), (-4, 2, 4)])
def test_a_percentage_is_ten_and_the_difference(military: int, enemy: int, percent: int) -> None:
    assert percentage(military, enemy) == percent


@pytest.mark.rule("G2-WAR-3", "G2-AMB-20")
def test_cities_fight_and_do_not_die_in_the_place_of_units() -> None:
    romans = race("Romans", row_major(10, 0, 30), "civilized", cities={(0, 0): CityKind.CITY})
    picts = race("Picts", {(3, 0): 1}, "civilized", cities={(3, 0): CityKind.GREAT}, attributes=("warlike",))
    state = earth_of(["P" * 10] * 4, romans, picts)
    expected = forecast(state, romans.id, picts.id)
    # 33 at 10% kill 4, but there is one unit: the capped number counts; 7 at 10% kill 1
    assert [(s.strength, s.losses) for s in (expected.attacker, expected.defender)] == [(33, 1), (7, 1)]
    assert (expected.loser, expected.squares) == (None, 0)
    more = race("Picts", {(3, c): 1 for c in range(10)})
    expected = forecast(earth_of(["P" * 10] * 4, romans, more), romans.id, more.id)
    assert (expected.attacker.strength, expected.defender.losses) == (33, 4)  # 30 units alone would kill 3


@pytest.mark.rule("G2-WAR-5", "G2-AMB-10")
@pytest.mark.parametrize(
    ("losses", "enemy", "lost"), [(3, 2, True), (4, 3, False), (9, 6, True), (8, 6, False), (2, 0, True), (0, 0, False)]
)
def test_half_as_many_again_are_enough_to_lose(losses: int, enemy: int, lost: bool) -> None:
    assert loses(losses, enemy) is lost and not loses(enemy, losses)


@pytest.mark.rule("G2-WAR-6")
@pytest.mark.parametrize(
    ("losses", "enemy", "count"), [(1, 0, 0), (2, 0, 1), (6, 1, 2), (7, 3, 2), (8, 3, 2), (9, 0, 4)]
)
def test_half_the_difference_is_vacated_rounded_down(losses: int, enemy: int, count: int) -> None:
    assert vacated_count(losses, enemy) == count


@pytest.mark.rule("G2-WAR-9")
def test_of_squares_with_equal_deaths_the_one_beside_most_enemies_goes_first() -> None:
    norse = race("Norse", {(0, 1): 1, (0, 2): 1, (0, 3): 1})
    picts = race("Picts", {(1, c): 1 for c in range(4)})
    state = earth_of(["PPPP"] * 2, norse, picts)
    own = {Square(r, c): n for (r, c), n in units_of(state, picts).items()}
    order = vacated_squares(state, own, {}, squares((0, 1), (0, 2), (0, 3)), 4)
    assert order == [(1, 2), (1, 1), (1, 3), (1, 0)]
    # a death weighs more than an enemy beside
    assert vacated_squares(state, own, {Square(1, 0): 1}, squares((0, 1), (0, 2), (0, 3)), 1) == [(1, 0)]


@pytest.mark.rule("G2-WAR-9")
def test_of_equal_squares_the_lower_row_goes_before_the_lower_column() -> None:
    picts = race("Picts", {(0, 2): 1, (1, 0): 1, (2, 0): 1})
    state = earth_of(["PPP"] * 3, picts, race("Norse", {(1, 1): 1}))
    own = {Square(r, c): n for (r, c), n in units_of(state, picts).items()}
    assert vacated_squares(state, own, {}, squares((1, 1)), 3) == [(0, 2), (1, 0), (2, 0)]


@pytest.mark.rule("G2-WAR-10")
def test_at_the_same_distance_own_squares_come_first_then_more_room_then_row_and_column() -> None:
    picts = race("Picts", {(1, 1): 4, (0, 0): 2, (2, 2): 1}, "barbarian")
    state = earth_of(["PPPP"] * 4, picts)
    ways, starved = retreat(state, picts.id, squares((1, 1)))
    # room 2 at (2,2), then 1 and 1: the lower row; then (2,2) again; then the first of the free ones
    assert ways == {
        (Square(1, 1), Square(2, 2)): 2,
        (Square(1, 1), Square(0, 0)): 1,
        (Square(1, 1), Square(0, 1)): 1,
    }
    assert starved == {}
    last = race("Picts", {(1, 1): 1, (0, 0): 2, (2, 2): 1}, "barbarian")
    ways, _ = retreat(earth_of(["PPPP"] * 4, last), last.id, squares((1, 1)))
    assert ways == {(Square(1, 1), Square(2, 2)): 1}


@pytest.mark.rule("G2-WAR-12", "G2-AMB-14")
def test_a_vacated_square_out_of_reach_stays_empty() -> None:
    romans = race("Romans", {(0, 0): 5, (0, 1): 5}, "civilized")
    state = earth_of(["PPPPP"], romans)
    home = squares((0, 0), (0, 1))
    border = reach(state, romans.id)
    assert settlers(state, romans.id, squares((0, 3)), home, border) == {}
    assert settlers(state, romans.id, squares((0, 2)), home, border) == {
        (Square(0, 0), Square(0, 2)): 1,
        (Square(0, 1), Square(0, 2)): 1,
    }


@pytest.mark.rule("G2-WAR-12", "G2-AMB-14")
def test_of_equally_full_squares_the_nearest_sends_its_unit() -> None:
    picts = race("Picts", {(0, 0): 3, (0, 4): 3}, "barbarian")
    state = earth_of(["PPPPPM"], picts)
    ways = settlers(state, picts.id, squares((0, 5)), squares((0, 0), (0, 4)), reach(state, picts.id))
    assert ways == {(Square(0, 4), Square(0, 5)): 1}


@pytest.mark.rule("G2-WAR-12", "G2-AMB-14")
def test_settlers_come_from_squares_that_were_the_winners_before_the_war() -> None:
    picts = race("Picts", {(0, 0): 2, (0, 1): 3}, "barbarian")
    state = earth_of(["PPPP", "PPPP"], picts)
    ways = settlers(state, picts.id, squares((1, 1)), squares((0, 0)), reach(state, picts.id))
    assert ways == {(Square(0, 0), Square(1, 1)): 1}


@pytest.mark.rule("G2-WAR-14", "G2-WAR-12", "G2-CITY-12")
def test_a_great_city_that_falls_stays_a_great_city() -> None:
    romans = race("Romans", {(0, c): 3 for c in range(5)}, "civilized", knowledges=WARRIORS)
    greeks = race(
        "Greeks", {(0, 5): 2, (0, 6): 2, (0, 7): 2}, "civilized", cities={(0, 5): CityKind.GREAT, (0, 7): CityKind.CITY}
    )
    state = earth_of(["PPPPPPPP"], romans, greeks)
    events = fight_war(state, romans, greeks, [d(6, "diplomacy/defender", 1), d(6, "city", 1)])
    assert [(e.race, e.kind) for e in of_kind(events, CityFell)] == [(romans.id, CityKind.GREAT)]
    taken = {city.square: (city.race, city.kind) for city in state.cities.values()}
    assert taken[Square(0, 5)] == (romans.id, CityKind.GREAT) and taken[Square(0, 7)] == (greeks.id, CityKind.CITY)
    assert of_kind(events, CivilizationLost) == [] and state.invariants() is None


@pytest.mark.rule("G2-WAR-18", "G2-DIP-4")
def test_the_steps_of_a_war_follow_each_other() -> None:
    romans = race("Romans", {(0, c): 3 for c in range(5)}, "civilized", attributes=("peaceful",), knowledges=WARRIORS)
    greeks = race("Greeks", {(0, 5): 5, (0, 6): 5, (0, 7): 5}, "civilized")
    state = earth_of(["PPPPPPPPP"], romans, greeks)
    events = fight_war(
        state, romans, greeks, [d(6, "diplomacy/defender", 1), d(6, "diplomacy/attacker", 1), d(6, "city", 1)]
    )
    steps = (DiplomacyTried, WarFought, UnitsDied, SquaresVacated, UnitsRetreated, SquaresTaken, CityFell)
    found = of_kind(events, *steps, CivilizationLost, HistoryEntered)
    assert [type(e).__name__ for e in found] == [
        "DiplomacyTried",
        "DiplomacyTried",
        "WarFought",
        "UnitsDied",
        "UnitsDied",
        "SquaresVacated",
        "UnitsRetreated",
        "SquaresTaken",
        "CityFell",
        "CivilizationLost",
        "HistoryEntered",
    ]
    assert [e.race for e in found[:2]] == [greeks.id, romans.id]


@pytest.mark.rule("G2-WAR-18", "G2-HREC-1", "G2-HREC-2")
def test_the_entry_of_a_war_says_when_where_what_and_why_and_names_nobody() -> None:
    state, romans, greeks = romans_and_greeks()
    state.set_era(century=7)
    events = fight_war(state, romans, greeks, [d(6, "diplomacy/defender", 1), d(6, "city", 1)])
    (gone,), (entry,) = of_kind(events, SquaresVacated), of_kind(events, HistoryEntered)
    assert (entry.century, entry.kind, entry.cause, entry.squares) == (7, "war", "god", gone.squares)
    assert entry.war in state.wars and entry.casting is None
    assert entry.words.startswith("War 1 of century 7, Romans against Greeks:") and "Greeks have lost" in entry.words


def fight_combined(state: State, *wars: UUID, dice: list[Planted]) -> list[Any]:
    """The events of wars that are combined; nobody tries diplomacy unless by its nature."""
    for war in wars:
        found = state.wars[war]
        state.wars[war] = replace(found, group=id_of("combined"))
        for side in (found.attacker, found.defender):
            state.policies[war, side] = WarPolicy(war, side, DiplomacyPolicy.REFRAIN)
    return happen(state, lambda s, ctx: fight(s, ctx, wars[0]), dice)


@pytest.mark.rule("G2-WAR-16", "G2-WAR-17")
def test_three_enemies_meet_a_third_each_and_the_rest_goes_by_declaration() -> None:
    romans = race("Romans", row_major(20, 20, 20), knowledges=("archery",))
    norse, picts, franks = (
        race(name, row_major(20, at, n)) for name, at, n in (("Norse", 0, 20), ("Picts", 40, 10), ("Franks", 50, 10))
    )
    state = earth_of(["P" * 20] * 3, romans, norse, picts, franks)
    wars = [plant_war(state, norse, romans), plant_war(state, romans, picts), plant_war(state, franks, romans)]
    events = of_kind(fight_combined(state, *wars, dice=[]), WarFought)
    strengths = [{s.race: s.strength for s in e.sides} for e in events]
    assert [s[romans.id] for s in strengths] == [7, 7, 6]
    assert [s[enemy.id] for s, enemy in zip(strengths, (norse, picts, franks), strict=True)] == [20, 10, 10]


@pytest.mark.rule("G2-WAR-16", "G2-AMB-15")
def test_a_split_below_the_whole_strength_is_refused_as_one_above_it_is() -> None:
    book = set_up(rows=("PPPPPPPPP",))
    west, middle, east = (
        define(book, name, units((x, 0, 1), (x + 1, 0, 1)), attributes=("peaceful",), pantheon=shares(a=100))
        for name, x in (("West", 0), ("Middle", 3), ("East", 6))
    )
    begin(book)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=60)
    wars = [
        of_kind(book.when(DeclareWar(attacker=who, defender=middle), by=ANA), WarDeclared)[0].war
        for who in (west, east)
    ]
    group = of_kind(book.when(CombineWars(wars=tuple(wars)), by=GM), WarsCombined)[0].group
    whole = book.state.board.units_of(middle)
    for part in (0, 2):
        with refused("split.sum", book.state):
            book.when(
                SetWarSplit(
                    group=group,
                    strengths=(StrengthOf(race=west, strength=whole - 1), StrengthOf(race=east, strength=part)),
                ),
                by=GM,
            )


@pytest.mark.rule("G2-WAR-13", "G2-WAR-14", "G2-POP-5")
def test_a_race_that_is_wiped_out_loses_the_cities_on_vacated_squares_to_the_winner_and_the_others_burn() -> None:
    romans = race("Romans", {(0, c): 5 for c in range(8)}, "civilized", knowledges=WARRIORS)
    greeks = race(
        "Greeks", {(1, 0): 2, (1, 3): 1, (1, 6): 2}, "civilized",
        cities={(1, 0): CityKind.CITY, (1, 3): CityKind.CITY, (1, 6): CityKind.GREAT},
    )  # fmt: skip
    state = earth_of(["P" * 8] * 2, romans, greeks)
    war = plant_war(state, romans, greeks)
    state.policies[war, greeks.id] = WarPolicy(war, greeks.id, DiplomacyPolicy.REFRAIN)
    # 43 at +8 and the wealth of one city against 17: 18% kill all five; 2% of 17 kill one; (5 - 1) / 2 squares go
    events = happen(state, lambda s, ctx: fight(s, ctx, war), [d(6, "city", 6, 6)])
    assert [(s.percent, s.losses) for s in of_kind(events, WarFought)[0].sides] == [(17, 1), (3, 5)]
    gone = [(p.y, p.x) for p in of_kind(events, SquaresVacated)[0].squares]
    assert gone == [(1, 6), (1, 0)]  # two deaths each, and three enemies beside the first
    assert of_kind(events, UnitsRetreated, UnitsStarved) == []
    assert sorted({to for _, to, _ in movements(of_kind(events, SquaresTaken))}) == [(1, 0), (1, 6)]
    assert {(e.square.y, e.square.x): e.kind for e in of_kind(events, CityFell)} == {
        (1, 0): CityKind.CITY,
        (1, 6): CityKind.GREAT,
    }
    assert [(e.square.y, e.square.x) for e in of_kind(events, CityDestroyed)] == [(1, 3)]
    assert of_kind(events, RaceDestroyed) == [event_like(RaceDestroyed, race=greeks.id)]
    assert state.invariants() is None
