"""What the interpreter does on a century's path does not grow with the map: no loop over squares, counted without time.

The same world is laid out on a map with a hundred times the squares, each race with a hundred times the land. Counted
are the steps of the interpreter. An event names the squares that change; what changes nothing names none.
"""

import sys
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from games.engine.state import Rows
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.century.calculation import worksheet
from games.gods2.rules.geometry.adjacency import features_at
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.placement import ground_of
from games.gods2.rules.geometry.reach import free_border, reach
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.growth.rules import growth_of
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.war.battle import casualties
from games.gods2.rules.war.forecast import plan_of
from tests.dice import GivenDice
from tests.rules.gods2.worlds import context, earth_of, forecast, id_of, race

NORSE, PICTS = id_of("Norse"), id_of("Picts")


def steps(work: Callable[[], Any]) -> int:
    """How many steps the interpreter takes for something."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(former)
    return count


def world(scale: int, level: str) -> State:
    """Two races side by side on land with a coast and some ice; each square of the small world is a block."""
    rows = ["".join(letter * scale for letter in row) for row in ("WPPPPPPW", "WPFPPDPW", "WPPPMPPW", "IIIIIIII")]

    def block(left: int) -> dict[tuple[int, int], int]:
        return {(r, c): 1 for r in range(2 * scale) for c in range(left * scale, (left + 2) * scale)}

    peoples = [
        race(name, block(left), level, attributes=("sea_folk",), knowledges=("fishing",))
        for name, left in (("Norse", 1), ("Picts", 3))
    ]
    features = [("river", (0, scale)), ("chasm", (0, 5 * scale)), ("mineral_resource", (1, scale))]
    features += [("fertile_land", (3, column)) for column in range(8 * scale)]
    return earth_of([row for row in rows for _ in range(scale)], *peoples, features=features)


def migration(state: State) -> object:
    """The Norse move to the east as they grow."""
    state.migrations[NORSE] = Migration(NORSE, "e", None)
    return growth_of(state, NORSE).stand


WORK: dict[str, Callable[[State], Any]] = {
    "limits": lambda state: limits(state, NORSE),
    "reach": lambda state: reach(state, NORSE),
    "free border": lambda state: free_border(state, NORSE),
    "contacts": lambda state: contacts(state, PICTS),
    "ground": lambda state: ground_of(state, NORSE),
    "growth": lambda state: growth_of(state, NORSE).stand,
    "settling": lambda state: list(settle(state, context(GivenDice(())), "test")),
    "forecast": lambda state: forecast(state, NORSE, PICTS),
    "worksheet": worksheet,
    "migration": migration,
}


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", WORK)
def test_a_hundred_times_the_squares_cost_not_one_step_more(name: str, level: Level) -> None:
    small, large = world(2, level), world(20, level)
    assert large.board.terrain.size == 100 * small.board.terrain.size
    WORK[name](small)  # what is looked up once is known already
    WORK[name](large)
    assert steps(lambda: WORK[name](large)) <= steps(lambda: WORK[name](small)) * 1.05


def test_where_features_stand_is_looked_up_once_until_one_changes() -> None:
    state = world(4, "barbarian")
    limits(state, NORSE)
    known = features_at(state)
    before = steps(lambda: limits(state, NORSE))
    assert features_at(state) is known
    feature = next(f for f in state.features.values() if f.kind == "river")
    del state.features[feature.id]
    assert "river" not in features_at(state) and "river" in known
    state.features[feature.id] = replace(feature, kind="chasm")
    assert features_at(state)["chasm"][feature.square]
    assert steps(lambda: limits(state, NORSE)) < before
    with pytest.raises(ValueError, match="read-only"):
        features_at(state)["chasm"][feature.square] = False
    twin = copy(state)
    twin.features = Rows(state.features)
    assert features_at(twin) is not features_at(state) and features_at(copy(state)) is features_at(state)


def test_where_two_die_is_found_by_halving() -> None:
    """Ten times the side of the map takes a few halvings more, and no step for a square."""

    def work(scale: int) -> int:
        state = world(scale, "barbarian")
        own, enemy = Standing.now(state.board, NORSE), Standing.now(state.board, PICTS)
        return steps(lambda: casualties(own, enemy, 2))

    small, large = work(2), work(20)
    assert len(Standing.now(world(20, "barbarian").board, NORSE)) == 1600
    assert large - small <= 4 * 150


def test_a_war_costs_by_its_dead_and_not_by_its_map() -> None:
    """The side of 100 times the squares has 100 times the dead; beside them nothing grows."""

    def plan_steps(scale: int) -> tuple[int, int]:
        state = world(scale, "barbarian")
        expected = forecast(state, NORSE, PICTS)
        dead = expected.attacker.losses + expected.defender.losses
        return steps(lambda: plan_of(state, expected)), dead

    (small, few), (large, many) = plan_steps(2), plan_steps(20)
    assert many > 50 * few
    assert large - small <= 400 * (many - few)
