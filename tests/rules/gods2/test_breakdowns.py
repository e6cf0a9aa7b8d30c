"""Numbers with their sources: every breakdown ends in the value the rules use, and each step follows from the last."""

from dataclasses import replace
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.board.board import Square
from games.engine.insight.breakdown import Breakdown, after
from games.gods2.rules.century.calculation import worshippers
from games.gods2.rules.geometry.breakdowns import breakdowns, limit_at, limit_on
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import growth_rate, stat, strength
from games.gods2.rules.pack.resistance import ELEMENTS, applicable, deaths
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.effect_records import Cut, Modification, ModStatus
from games.gods2.rules.state.records import Factor, Share
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import codes_of
from tests.playbook import refused
from tests.rules.gods2.era import ANA, BEN
from tests.rules.gods2.test_worlds_at_random import SIDE, worlds
from tests.rules.gods2.worlds import earth_of, id_of, race


def one(found: list[Breakdown], name: str, role: str | None = None) -> Breakdown:
    (wanted,) = [b for b in found if b.stat == name and b.role == role]
    return wanted


def value_of_steps(found: Breakdown) -> Fraction:
    """The value that the steps lead to."""
    value = Fraction(0)
    for step in found.steps:
        value = after(value, step.does, step.amount)
        assert step.value == value
        assert step.rule.startswith("G2-")
        assert step.name
    return value


@pytest.mark.rule(
    "G2-AGG-1", "G2-MIL-1", "G2-MIL-2", "G2-DIP-1", "G2-WLTH-1", "G2-MOVE-1", "G2-POP-2", "G2-POP-4", "G2-RES-4",
    "G2-LIM-2",
)  # fmt: skip
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(), st.data())
def test_every_breakdown_ends_in_the_value_that_the_rules_use(state: State, data: st.DataObject) -> None:
    powers = [p for p in state.pack.powers.values() if any(code in ("M", "Mc") for code in p.codes)]
    alive = [r.id for r in state.living()]
    for place, power in enumerate(data.draw(st.lists(st.sampled_from(powers), max_size=4))):
        here = id_of(f"modification {place}")
        whose = data.draw(st.sampled_from(alive))
        state.modifications[here] = Modification(here, whose, power.id, ModStatus.ACTIVE, place, 1, until=1)
    for place, whose in enumerate(alive):
        if data.draw(st.booleans()):
            cut = id_of(f"cut {place}")
            squares = (Square(0, 0), Square(1, 1)) if data.draw(st.booleans()) else ()
            terrain = data.draw(st.sampled_from((None, "P", "L")))
            state.cuts[cut] = Cut(cut, whose, data.draw(st.integers(1, 3)), squares, terrain, until=1)
        state.races[whose] = replace(state.races[whose], starved=data.draw(st.booleans()))

    for whose in alive:
        found = list(breakdowns(state, whose))
        for each in found:
            assert each.value == value_of_steps(each), each.stat
        for name in ("aggression", "diplomacy", "wealth", "move", "sea", "growth_flat"):
            assert one(found, name).value == stat(state, whose, name).value
        for role in (None, "attacker", "defender"):
            assert one(found, "military", role).value == stat(state, whose, "military", role).value
        assert one(found, "units").value == state.board.units_of(whose)
        assert one(found, "strength").value == strength(state, whose)
        assert one(found, "growth").value == growth_rate(state, whose)
        for element in (None, *ELEMENTS.values()):
            codes = applicable(codes_of(state, whose), {element} if element else set(), everywhere=True)
            assert one(found, f"resistance:{element or 'none'}").value == deaths(100, codes, 10**9)
        held = limits(state, whose)
        for row in range(SIDE):
            for column in range(SIDE):
                square = Square(row, column)
                there = limit_at(state, whose, square)
                assert there.value == value_of_steps(there) == int(held[square]), square


@pytest.mark.rule("G2-LIM-1", "G2-LIM-2")
def test_the_limit_of_a_bare_terrain_is_that_of_its_squares_without_anything() -> None:
    folk = race("Folk", {(0, 0): 1}, "barbarian", attributes=["forest_folk"], knowledges=["agriculture"])
    state = earth_of(["PFDMI", "PFDMI"], folk)
    held = limits(state, folk.id)
    for column, terrain in enumerate("PFDMI"):
        assert limit_on(state, folk.id, terrain).value == int(held[1, column]), terrain


@pytest.mark.rule("G2-MIL-1", "G2-KNOW-3", "G2-WLTH-2")
def test_a_breakdown_names_each_source_and_its_rule() -> None:
    norse = race("Norse", {(0, 0): 1}, "barbarian", attributes=["warlike"], knowledges=["archery"])
    found = one(list(breakdowns(earth_of(["P"], norse), norse.id)), "military")
    rows = [(s.kind, s.key, s.name, s.rule, s.does, int(s.amount), int(s.value)) for s in found.steps]
    assert rows == [
        ("level", "barbarian", "Barbarian", "G2-LVL-3", "add", 1, 1),
        ("attribute", "warlike", "Warlike", "G2-MIL-1", "add", 1, 2),
        ("knowledge", "archery", "Archery", "G2-MIL-1", "add", 1, 3),
    ]


def with_factors(troubled: bool) -> tuple[State, UUID]:
    folk = race("Folk", {(0, 0): 4, (0, 1): 3}, "civilized")
    state = earth_of(["PP"], folk)
    state.races[folk.id] = replace(state.races[folk.id], troubled=troubled)
    source = next(s for s in state.pack.mana_sources.values() if s.counter == "worshippers")
    for seat, factor in ((ANA, "0.25"), (BEN, "0.5")):
        state.shares[folk.id, str(seat)] = Share(folk.id, str(seat), 3_333)
        state.factors[seat, source.id] = Factor(seat, source.id, factor)  # type: ignore[arg-type]
    return state, folk.id


@pytest.mark.rule("G2-MANA-1", "G2-MANA-2", "G2-TURM-2")
@pytest.mark.parametrize("troubled", [False, True])
def test_worship_mana_is_worshippers_times_share_times_factor(troubled: bool) -> None:
    state, folk = with_factors(troubled)
    found = [b for b in breakdowns(state, folk) if b.stat.startswith("mana:")]
    assert [b.member for b in found] == [str(ANA), str(BEN)]
    assert [b.value for b in found] == [
        worshippers(state, folk) * Fraction(3_333, 10_000) * factor for factor in (Fraction(1, 4), Fraction(1, 2))
    ]
    assert all(b.value == value_of_steps(b) for b in found)


@pytest.mark.rule("G2-MANA-1")
def test_a_god_sees_their_own_mana_of_a_race_alone() -> None:
    state, folk = with_factors(False)

    def mana_members(seats: frozenset[UUID], gm: bool) -> list[Any]:
        return [b.member for b in breakdowns(state.view_for(seats, gm=gm), folk) if b.stat.startswith("mana:")]

    assert mana_members(frozenset({BEN}), False) == [str(BEN)]
    assert mana_members(frozenset(), False) == []
    assert mana_members(frozenset(), True) == [str(ANA), str(BEN)]


def test_a_race_that_is_not_there_and_a_square_off_the_map_are_refused() -> None:
    folk = race("Folk", {(0, 0): 1})
    state = earth_of(["P"], folk)
    with refused("race.missing", state):
        list(breakdowns(state, id_of("nobody")))
    with refused("square.off_map", state):
        list(breakdowns(state, folk.id, Square(0, 1)))
    assert len(list(breakdowns(state))) == 2 + 3 + 6 + 1 + 7 + len(TERRAINS)
