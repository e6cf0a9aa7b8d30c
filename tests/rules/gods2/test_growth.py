"""Growth of one race (G2-POP-3, 4; G2-GROW-2 to 6)."""

from typing import Any

import pytest

from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.growth.rules import grow, growth
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.mana.events import RaceReached, SourceCounted
from games.gods2.rules.units.events import UnitsMoved, UnitsStarved
from tests.playbook import event_like, of_kind
from tests.rules.gods2.worlds import People, earth_of, happen, race, units_of

Squares = dict[tuple[int, int], int]


def grow_race(rows: list[str], people: People, **more: Any) -> tuple[Squares, list[Any]]:
    """The units of a race after it has grown, and the events."""
    state = earth_of(rows, people, **more)
    events = happen(state, lambda s, ctx: grow(s, ctx, people.id))
    assert state.invariants() is None
    return units_of(state, people), events


@pytest.mark.rule("G2-W01", "G2-POP-3")
@pytest.mark.parametrize(("units", "gained"), [(43, 11), (65, 17), (1, 1), (8, 2), (0, 0)])
def test_a_quarter_is_born_rounded_up(units: int, gained: int) -> None:
    assert growth(units, 25) == gained


@pytest.mark.rule("G2-W02", "G2-POP-3", "G2-POP-4")
@pytest.mark.parametrize(
    ("units", "rate", "flat", "gained"), [(20, 35, 0, 7), (11, 20, 0, 3), (11, 20, 1, 4), (9, -5, 0, 0), (0, 25, 3, 0)]
)
def test_growth_is_modified(units: int, rate: int, flat: int, gained: int) -> None:
    assert growth(units, rate, flat) == gained


@pytest.mark.rule("G2-W34", "G2-GROW-3", "G2-GROW-10", "G2-AMB-5")
def test_a_primitive_unit_spreads_to_the_nearest_free_square() -> None:
    units, events = grow_race(["PPPPP"] * 3, race("Norse", {(1, 2): 1}))
    assert units == {(0, 2): 1, (1, 2): 1}
    assert events[0] == event_like(RaceGrew, before=1, rate=25, gained=1)
    assert len(of_kind(events, HistoryEntered)) == 1


@pytest.mark.rule("G2-W35", "G2-GROW-3", "G2-AMB-52")
def test_primitive_surplus_goes_to_free_squares_first_and_stays_where_there_is_room() -> None:
    units, _ = grow_race(["PPPP"], race("Norse", {(0, 0): 3}), features=[("fertile_land", (0, 0))])
    assert units == {(0, 0): 3, (0, 1): 1}


@pytest.mark.rule("G2-GROW-3", "G2-AMB-52")
def test_old_primitive_surplus_moves_too() -> None:
    units, events = grow_race(["PPP", "PPP"], race("Norse", {(0, 0): 3}), features=[("fertile_land", (0, 0))])
    assert units == {(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}
    assert sum(m.units for e in of_kind(events, UnitsMoved) for m in e.moves) == 2


@pytest.mark.rule("G2-W36", "G2-GROW-4", "G2-AMB-3")
def test_half_of_the_new_barbarians_spread_rounded_up() -> None:
    units, _ = grow_race(["PPPP"], race("Norse", {(0, 1): 2, (0, 2): 2}, "barbarian"))
    assert units == {(0, 0): 1, (0, 1): 2, (0, 2): 2}


@pytest.mark.rule("G2-W37", "G2-GROW-4")
def test_barbarians_who_stay_fill_the_roomiest_square() -> None:
    units, _ = grow_race(["PPPPPP"], race("Norse", {(0, 1): 3, (0, 2): 2, (0, 3): 3, (0, 4): 2}, "barbarian"))
    assert units == {(0, 0): 1, (0, 1): 3, (0, 2): 3, (0, 3): 3, (0, 4): 2, (0, 5): 1}


@pytest.mark.rule("G2-W38", "G2-GROW-5")
def test_civilized_units_fill_their_squares_before_they_spread() -> None:
    units, _ = grow_race(["PPPP"], race("Norse", {(0, 0): 5, (0, 1): 4}, "civilized"))
    assert units == {(0, 0): 5, (0, 1): 5, (0, 2): 2}


@pytest.mark.rule("G2-W39", "G2-GROW-6", "G2-AGG-2", "G2-CALC-1")
def test_units_without_room_starve_and_make_the_race_aggressive() -> None:
    norse = race("Norse", {(1, 1): 3}, "barbarian")
    state = earth_of(["WWW", "WPW", "WWW"], norse)
    events = happen(state, lambda s, ctx: grow(s, ctx, norse.id))
    assert of_kind(events, UnitsStarved) == [event_like(UnitsStarved, units=1, losses=(), aggression=2, cause="growth")]
    assert units_of(state, norse) == {(1, 1): 3}
    assert stat(state, norse.id, "aggression").value == 2 + 2
    assert state.lines["box", "starvation"].count == 1


@pytest.mark.rule("G2-GROW-6")
def test_units_above_a_limit_starve_at_growth() -> None:
    units, events = grow_race(["P"], race("Norse", {(0, 0): 5}, "barbarian"))
    assert units == {(0, 0): 3}
    starved = of_kind(events, UnitsStarved)
    assert starved == [event_like(UnitsStarved, units=2 + 2, aggression=2)]


@pytest.mark.rule("G2-MANA-7")
def test_a_race_of_a_hundred_is_counted_once() -> None:
    norse = race("Norse", {divmod(i, 10): 1 for i in range(95)})
    state = earth_of(["P" * 20] * 10, norse)
    events = happen(state, lambda s, ctx: grow(s, ctx, norse.id))
    assert of_kind(events, RaceReached, SourceCounted) == [
        event_like(RaceReached, units=100),
        event_like(SourceCounted, source="na_race_reaches_100", count=1),
    ]
    assert of_kind(happen(state, lambda s, ctx: grow(s, ctx, norse.id)), RaceReached) == []


@pytest.mark.rule("G2-GROW-1")
def test_a_race_that_has_grown_waits_no_longer() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 4): 1})
    state = earth_of(["PPPPP"], norse, picts)
    state.set_era(growing=(norse.id, picts.id))
    happen(state, lambda s, ctx: grow(s, ctx, norse.id))
    assert state.era.growing == (picts.id,)
