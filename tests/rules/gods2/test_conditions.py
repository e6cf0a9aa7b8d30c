"""Conditions of effects, and bounds of numbers (section 4.2 of the rulebook)."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from games.engine.board.grid import squares_in
from games.gods2.rules.geometry.conditions import Asker, holds, squares_where
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.pack.pack import build
from games.gods2.rules.pack.schema_types import Condition
from games.gods2.rules.state.records import CityKind
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import earth_of, id_of, race

NORSE = race("Norse", {(0, 0): 2, (0, 1): 1}, "civilized", attributes=["winged"], knowledges=["law"])


def condition(**data: Any) -> Condition:
    return Condition.model_validate(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"terrain": ["P"]}, [(0, 0), (1, 0)]),
        ({"terrain": ["L"]}, [(0, 0), (0, 1), (1, 0)]),
        ({"not_terrain": ["P", "W"]}, [(0, 1), (0, 2), (1, 1)]),
        ({"coastal": True}, [(0, 1), (1, 2)]),
        ({"not_coastal": True}, [(0, 0), (0, 2), (1, 0), (1, 1)]),
        ({"populated": False}, [(0, 2), (1, 0), (1, 1), (1, 2)]),
        ({"feature": "river"}, [(1, 0)]),
        ({"feature": ["river", "city"]}, [(0, 0), (1, 0)]),
        ({"beside": ["M"]}, [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]),
        ({"near": ["river"]}, [(0, 0), (0, 1), (1, 0), (1, 1)]),
        ({"beside": ["pole"]}, [(0, 0), (0, 1), (0, 2)]),
    ],
)
def test_conditions_about_squares(data: dict[str, Any], expected: list[tuple[int, int]]) -> None:
    state = earth_of(["PMI", "PIW"], NORSE, features=[("river", (1, 0))])
    assert squares_in(squares_where(state, [condition(**data)])) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"knows": "law"}, True),
        ({"knows": ["archery", "law"]}, True),
        ({"not_knows": "law"}, False),
        ({"lacks": "law"}, False),
        ({"attr": "winged"}, True),
        ({"level": "civilized"}, True),
        ({"wealth_gte": 1}, True),
        ({"wealth_gte": 2}, False),
        ({"squares_gte": 2}, True),
        ({"cities_gte": 2}, False),
        ({"has_city": True}, True),
        ({"in_turmoil": True}, False),
        ({"in_turmoil": False}, True),
        ({"worships": "caster"}, False),
        ({"member": "atheism"}, True),
        ({"caster_in_pantheon": True}, False),
        ({"aggression_gte": 0}, False),
        ({"contact": True}, False),
        ({"century_gte": 3}, True),
        ({"units_gte": 3}, True),
        ({"units_gte": 4}, False),
        ({"role": "attacker"}, True),
    ],
)
def test_conditions_about_a_race(data: dict[str, Any], expected: bool) -> None:
    state = earth_of(["PPP"], NORSE, century=3)

    def number(name: str) -> int:
        return 0 if name == "contacts" else stat(state, NORSE.id, name).value

    asker = Asker(NORSE.id, number, role="attacker", caster=id_of("a god"))
    assert holds(state, condition(**data), asker) is expected


@pytest.mark.parametrize("data", [{}, {"weather": "fine"}, {"knows": "law", "attr": "winged"}])
def test_a_condition_is_one_known_name(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        condition(**data)


def test_numbers_are_bounded_by_clamps_and_the_parts_say_so() -> None:
    raw = raw_pack(1)
    raw["attributes"] += [
        {
            "id": key,
            "name": key,
            "cost": 1,
            "origin": "test",
            "effects": [{"op": "stat_clamp", "stat": "military", **bound}],
        }
        for key, bound in (("meek", {"max": 1}), ("proud", {"min": 3}))
    ]
    packs = {2: build(2, raw)}
    for attributes, expected in ((["giants", "meek"], 1), (["proud"], 3), (["giants", "meek", "proud"], 3)):
        people = race("Norse", {(0, 0): 1}, attributes=attributes)
        found = stat(earth_of(["P"], people, packs=packs), people.id, "military")
        assert found.value == expected == sum(p.amount for p in found.parts)


@pytest.mark.rule("G2-WLTH-1", "G2-CITY-2")
def test_wealth_is_never_below_zero() -> None:
    raw = raw_pack(1)
    effect = {"op": "stat_add", "stat": "wealth", "amount": -4}
    raw["attributes"].append({"id": "poor", "name": "Poor", "cost": 1, "origin": "test", "effects": [effect]})
    people = race("Norse", {(0, 0): 1}, "civilized", attributes=["poor"], cities={(0, 0): CityKind.CITY})
    state = earth_of(["P"], people, packs={2: build(2, raw)})
    assert stat(state, people.id, "wealth").value == 0
    assert stat(state, people.id, "military").value == 0


@pytest.mark.rule("G2-AGG-2")
def test_starvation_counts_in_aggression_once() -> None:
    people = race("Norse", {(0, 0): 1})
    state = earth_of(["P"], people)
    state.races[people.id] = replace(state.races[people.id], starved=True)
    assert stat(state, people.id, "aggression").value == 2
