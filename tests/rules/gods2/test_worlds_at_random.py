"""Growth and war on random small worlds: what must always hold does, and every death is in a box (section 6)."""

from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.cities.rules import level_of
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.war.rules import fight
from tests import forms
from tests.rules.gods2.worlds import earth_of, happen, plant_war, race

SIDE = 6
EXAMPLES = 60 if forms.SHORT else 120
LEVELS = ("primitive", "barbarian", "civilized")
FEATURES = ("fertile_land", "river", "chasm", "dead_zone", "earthworks", "mineral_resource", "impenetrable_forest")
ATTRIBUTES = ("snow_folk", "sea_folk", "winged", "prolific", "warlike", "peaceful", "giants", "small_folk", "greedy")
KNOWLEDGES = ("archery", "iron_weapons", "agriculture", "fishing", "boat_building", "tribal_law", "horsemanship", "law")

squares = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))


@st.composite
def worlds(draw: st.DrawFn) -> State:
    """A map of 6 x 6 with two settled races on it."""
    rows = draw(st.lists(st.text("PPPFDMIW", min_size=SIDE, max_size=SIDE), min_size=SIDE, max_size=SIDE))
    places = draw(st.lists(squares, min_size=2, max_size=14, unique=True))
    half = draw(st.integers(1, len(places) - 1))
    peoples = []
    for name, own in (("A", places[:half]), ("B", places[half:])):
        level = draw(st.sampled_from(LEVELS))
        peoples.append(
            race(
                name,
                {square: draw(st.integers(1, 7)) for square in own},
                level,
                attributes=draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=2, unique=True)),
                knowledges=draw(st.lists(st.sampled_from(KNOWLEDGES), max_size=3, unique=True)),
                cities={own[0]: draw(st.sampled_from(CityKind))} if level == "civilized" else {},
            )
        )
    features = draw(st.lists(st.tuples(st.sampled_from(FEATURES), squares), max_size=4, unique=True))
    state = earth_of(rows, *peoples, features=features)
    happen(state, lambda s, ctx: settle(s, ctx, "test"))
    return state


def alive(state: State) -> list[UUID]:
    return [r.id for r in state.living()]


def deaths(state: State) -> int:
    return sum(line.count for line in state.lines.values() if line.kind == "box")


@pytest.mark.rule("G2-GROW-2", "G2-GROW-6", "G2-CITY-10", "G2-CALC-1", "G2-MAP-6", "G2-LIM-4")
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_growth_preserves_every_invariant(state: State) -> None:
    assert violations(state) == []
    for people in alive(state):
        units, dead = int(state.board.units.sum()), deaths(state)
        events = happen(state, lambda s, ctx, people=people: grow(s, ctx, people))
        assert violations(state) == []
        assert deaths(state) - dead == units + events[0].gained - int(state.board.units.sum())  # type: ignore[attr-defined]
        assert state.races[people].level is level_of(state, people)


@pytest.mark.rule("G2-WAR-7", "G2-WAR-11", "G2-CITY-8", "G2-CITY-10", "G2-CALC-1", "G2-MAP-6")
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_war_preserves_every_invariant(state: State) -> None:
    a, b = race("A", {(0, 0): 1}), race("B", {(0, 0): 1})
    for attacker, defender in ((a, b), (b, a)):
        war = plant_war(state, attacker, defender)
        units, dead = int(state.board.units.sum()), deaths(state)
        happen(state, lambda s, ctx, war=war: fight(s, ctx, war), None)
        assert violations(state) == []
        assert deaths(state) - dead == units - int(state.board.units.sum())
        assert not any(r.starved for r in state.races.values())
        for race_id in alive(state):
            assert state.races[race_id].level in Level
