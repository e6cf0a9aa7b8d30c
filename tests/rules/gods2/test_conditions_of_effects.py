"""When an effect works that asks for something (section 4.1): of squares, of contacts, of the gods worshipped."""

from typing import Any

import pytest

from games.gods2.rules.effects.registry import perform
from games.gods2.rules.geometry.conditions import believes
from games.gods2.rules.geometry.reach import reach
from games.gods2.rules.geometry.stats import contacts, diplomacy_by_nature, growth_rate, stat
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.state.records import ATHEISM, WHOLE, God, Share
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.workings.context import Working
from games.gods2.rules.workings.pricing import price
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import ANA
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.strikes import kill, let
from tests.rules.gods2.worlds import earth_of, race

DESERT = {"if": [{"terrain": "D"}]}
"""Works for a race that lives in a desert."""


def pack_with_attribute(*effects: dict[str, Any]) -> dict[int, Pack]:
    """The default pack with an attribute `odd` of these effects."""
    raw = raw_pack(1)
    raw["attributes"].append({"id": "odd", "name": "Odd", "cost": 1, "origin": "test", "effects": list(effects)})
    return {2: build(2, raw)}


@pytest.mark.rule("G2-RES-1", "G2-RES-3")
@pytest.mark.parametrize(("rows", "dead"), [(["PD", "DP"], 4), (["PP", "PD"], 6)])
def test_a_resistance_of_those_who_live_in_a_desert_asks_for_one_of_their_squares(rows: list[str], dead: int) -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 3}, "barbarian", attributes=["odd"])
    state = earth_of(rows, norse, packs=pack_with_attribute({"op": "resist", "code": "F-2", **DESERT}))
    (died,) = of_kind(let(state, kill("race", "all"), codes=["Bf"], race=norse), UnitsDied)
    assert (died.counted, died.units) == (6, dead)


@pytest.mark.rule("G2-POP-4", "G2-DIP-2")
@pytest.mark.parametrize(("rows", "lives_there"), [(["PD"], True), (["PP"], False)])
def test_growth_diplomacy_and_bounds_ask_for_one_of_the_squares_too(rows: list[str], lives_there: bool) -> None:
    effects = (
        {"op": "grow", "pct": 10, **DESERT},
        {"op": "diplomacy_policy", "policy": "never", **DESERT},
        {"op": "stat_clamp", "stat": "military", "min": 4, **DESERT},
    )
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, attributes=["odd"])
    state = earth_of(rows, norse, packs=pack_with_attribute(*effects))
    assert growth_rate(state, norse.id) == (35 if lives_there else 25)
    assert diplomacy_by_nature(state, norse.id) is (False if lives_there else None)
    assert stat(state, norse.id, "military").value == (4 if lives_there else 0)


@pytest.mark.rule("G2-MOVE-4")
@pytest.mark.parametrize(("rows", "reached"), [(["DPP"], 2), (["PPP"], 0)])
def test_the_condition_of_passing_asks_for_one_of_the_squares_too(rows: list[str], reached: int) -> None:
    effect = {"op": "passable", "what": "chasm", "for": "race", "allow": True, **DESERT}
    norse = race("Norse", {(0, 0): 1}, attributes=["odd", "wanderers"])
    state = earth_of(rows, norse, features=[("chasm", (0, 1))], packs=pack_with_attribute(effect))
    assert int(reach(state, norse.id).sum()) == reached


@pytest.mark.rule("G2-MOVE-4")
def test_a_feature_bars_the_way_where_its_own_square_is_as_it_asks() -> None:
    raw = raw_pack(1)
    bars = {"op": "passable", "what": "bog", "for": "all", "allow": False, "if": [{"terrain": "F"}]}
    raw["features"].append(
        {"id": "bog", "name": "Bog", "code": "Fp", "terrains": ["any"], "origin": "test", "effects": [bars]}
    )
    norse = race("Norse", {(0, 1): 1})
    state = earth_of(["FPP"], norse, features=[("bog", (0, 0)), ("bog", (0, 2))], packs={2: build(2, raw)})
    assert [tuple(map(int, s)) for s in zip(*reach(state, norse.id).nonzero(), strict=True)] == [(0, 2)]


@pytest.mark.rule("G2-FILT-2")
@pytest.mark.parametrize(("rows", "cost"), [(["PD"], 2), (["PP"], 4)])
def test_a_factor_on_a_price_asks_for_one_of_the_squares_too(rows: list[str], cost: int) -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, attributes=["odd"])
    state = earth_of(rows, norse, packs=pack_with_attribute({"op": "cost_mult", "filter": "M", "factor": 50, **DESERT}))
    aimed = Working(cause="test", perform=perform, races=(norse.id,))
    assert price(state, state.pack.powers["call_to_arms"], aimed).amount == cost


@pytest.mark.rule("G2-MIL-1", "G2-MOVE-6")
def test_a_value_may_ask_for_a_race_in_contact() -> None:
    norse = race("Norse", {(0, 0): 1}, attributes=["odd"])
    for column, military in ((1, 3), (2, 0)):
        picts = race("Picts", {(0, column): 1})
        effect = {"op": "stat_add", "stat": "military", "amount": 3, "if": [{"contact": True}]}
        state = earth_of(["PPPP"], norse, picts, packs=pack_with_attribute(effect))
        assert bool(contacts(state, norse.id)) is (military > 0)
        assert stat(state, norse.id, "military").value == military


@pytest.mark.rule("G2-LVL-1")
def test_a_level_cannot_ask_for_what_follows_from_it() -> None:
    for condition in ({"level": "barbarian"}, {"wealth_gte": 3}, {"has_city": True}, {"contact": True}):
        with refused("pack.invalid"):
            pack_with_attribute({"op": "level_set", "level": "civilized", "if": [condition]})
    assert pack_with_attribute({"op": "level_set", "level": "barbarian", "if": [{"knows": "fishing"}]})


@pytest.mark.rule("G2-PAN-2")
def test_a_god_is_asked_for_by_name_or_seat_and_the_others_by_their_names() -> None:
    norse = race("Norse", {(0, 0): 1})
    state = earth_of(["P"], norse)
    state.gods[ANA] = God(ANA, "Ashkar")
    del state.shares[norse.id, ATHEISM]
    state.shares[norse.id, str(ANA)] = Share(norse.id, str(ANA), WHOLE)
    names = ("ashkar", "Ashkar", str(ANA), "belun", "diabolism")
    assert [believes(state, norse.id, member) for member in names] == [True, True, True, False, False]
