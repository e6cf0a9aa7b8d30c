"""What modifications do as a century begins, and what they wait for (G2-MOD-2 to 5, AMB-34)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from games.engine.kernel import Context
from games.gods2.rules.century.events import GrowthEnded
from games.gods2.rules.course import COURSE
from games.gods2.rules.declarations.events import AggressionRolled, BoardOpened
from games.gods2.rules.effects.events import LimitsCut, TerrainChanged
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.pantheon.turmoil_events import CultGrew, TurmoilStarted
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied, UnitsMoved
from games.gods2.rules.workings.events import ModificationActivated, ModificationEnded, ModificationFired
from games.gods2.rules.workings.modifications import begin_century
from tests.dice import d
from tests.playbook import event_like, of_kind
from tests.rules.gods2.lands import century_begins, terrain
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import earth_of, happen, id_of, race, units_of


def powers(**given: Mapping[str, Any]) -> dict[int, Pack]:
    """A pack with more powers, aimed at a race: codes and effects by key."""
    raw = raw_pack(1)
    for key, more in given.items():
        raw["powers"].append(
            {"id": key, "sphere": "FE", "level": 1, "name": key.title(), "kind": "history", "cost": 1,
             "target": "race", "origin": "test", **more}
        )  # fmt: skip
    return {2: build(2, raw)}


def plant_modification(
    state: State, power: str, people: UUID, status: ModStatus = ModStatus.ACTIVE, place: int = 1
) -> UUID:
    """A modification that was cast in the century before this one."""
    here = id_of(f"{power} {place}")
    state.modifications[here] = Modification(
        id=here, race=people, power=power, status=status, place=place, century=state.era.century - 1,
        until=state.era.century if status is ModStatus.ACTIVE else None,
    )  # fmt: skip
    return here


@pytest.mark.rule("G2-AMB-34", "G2-GROW-1", "G2-MOD-2", "G2-SEQ-1")
def test_growth_of_an_mc_counts_before_what_it_does_to_the_land() -> None:
    """The new unit has found its place on plains before these are drowned, and goes on from there."""
    dries = {"op": "terrain_set", "to": "W", "from": "P", "scope": "land_beside_ice"}
    state = earth_of(
        ["IPF"], race("Norse", {(0, 2): 2}, "barbarian"), phase=Phase.OPENING, century=2,
        packs=powers(age={"codes": ["Mc"], "effects": [{"op": "grow", "pct": 25}, dries]}),
    )  # fmt: skip
    plant_modification(state, "age", id_of("Norse"), ModStatus.WAITING)

    def century(state: State, ctx: Context) -> Any:
        yield from begin_century(state)
        yield from COURSE.go_on(state, ctx)

    events = happen(state, century, [d(6, "aggression", 1)])
    found = (
        ModificationActivated,
        RaceGrew,
        GrowthEnded,
        ModificationFired,
        TerrainChanged,
        UnitsMoved,
        AggressionRolled,
    )
    assert [type(e) for e in of_kind(events, *found, BoardOpened)] == [*found, BoardOpened]
    assert of_kind(events, RaceGrew) == [event_like(RaceGrew, rate=50, gained=1)]
    assert (terrain(state), state.era.phase) == (["IWF"], Phase.OPEN)
    assert units_of(state, id_of("Norse")) == {(0, 0): 1, (0, 2): 2}


@pytest.mark.rule("G2-W64", "G2-GROW-1", "G2-MOD-2", "G2-AMB-34")
def test_an_mc_lets_a_race_grow_before_it_kills() -> None:
    kills = {"op": "kill", "scope": "race", "mode": "count", "amount": 2, "on": "century_start"}
    state = earth_of(
        ["PPPP", "PPPP", "PPPP"], race("Norse", {(0, 0): 3, (0, 1): 3, (0, 2): 2}, "barbarian"),
        phase=Phase.OPENING, century=2,
        packs=powers(age={"codes": ["Mc"], "effects": [{"op": "stat_add", "stat": "growth_pct", "amount": 25}, kills]}),
    )  # fmt: skip
    plant_modification(state, "age", id_of("Norse"), ModStatus.ACTIVE)
    events = happen(state, COURSE.go_on, [d(6, "aggression", 1)])
    assert of_kind(events, RaceGrew) == [event_like(RaceGrew, before=8, rate=50, gained=4)]
    assert [e.units for e in of_kind(events, UnitsDied)] == [2]
    assert sum(units_of(state, id_of("Norse")).values()) == 10


@pytest.mark.rule("G2-MOD-4", "G2-MOD-5", "G2-SEQ-2")
def test_modifications_begin_in_casting_order_before_all_else() -> None:
    thaw = {"op": "terrain_set", "to": "W", "from": "I", "scope": "ice_beside_land", "on": "century_start"}
    frost = {"op": "terrain_set", "to": "I", "from": "P", "scope": "land_beside_ice", "on": "century_start"}
    packs = powers(thaw={"codes": ["Mv"], "effects": [thaw]}, frost={"codes": ["Mv+"], "effects": [frost]})
    one, two = race("One", {(0, 0): 1}), race("Two", {(0, 5): 1})
    for thaws, frosts, after in ((1, 2, "PPWPPP"), (2, 1, "PWIWPP")):
        state = earth_of(["PPIPPP"], one, two, features=[("void_gate", (0, 5))], packs=packs, century=2)
        plant_modification(state, "thaw", two.id, ModStatus.DORMANT, thaws)
        plant_modification(state, "frost", one.id, ModStatus.DORMANT, frosts)
        events = century_begins(state)
        order = ["thaw", "frost"] if thaws < frosts else ["frost", "thaw"]
        assert [e.power for e in of_kind(events, ModificationEnded)] == order
        assert [type(e) for e in of_kind(events, ModificationFired, CultGrew)] == [*[ModificationFired] * 2, CultGrew]
        assert (terrain(state), dict(state.modifications)) == ([after], {})


@pytest.mark.rule("G2-MOD-4")
def test_one_century_uses_up_one_casting_of_an_mv_plus_power() -> None:
    frost = {"op": "terrain_set", "to": "I", "scope": "land_beside_ice", "on": "century_start"}
    one = race("One", {(0, 0): 1})
    state = earth_of(["PPPPI"], one, packs=powers(frost={"codes": ["Mv+"], "effects": [frost]}), century=2)
    first, second = (plant_modification(state, "frost", one.id, ModStatus.DORMANT, place) for place in (1, 2))
    assert [e.modification for e in of_kind(century_begins(state), ModificationFired)] == [first]
    assert (terrain(state), list(state.modifications)) == (["PPPII"], [second])


@pytest.mark.rule("G2-AMB-34", "G2-LIM-3", "G2-GROW-1")
def test_an_mc_cuts_limits_behind_growth_and_once_and_a_longer_power_renews_its_cut() -> None:
    cut = {"op": "limit_cut", "amount": 1, "scope": "race"}
    packs = powers(
        frost={"codes": ["Mc"], "effects": [cut]},
        winter={"codes": ["M"], "duration": "centuries:3", "effects": [cut]},
        once={"codes": ["M"], "duration": "centuries:3", "effects": [{**cut, "duration": "centuries:3"}]},
    )
    for power, wanted in (("frost", 1), ("winter", 1), ("once", 0)):
        norse = race("Norse", {(0, 0): 3}, "barbarian")
        state = earth_of(["PP"], norse, packs=packs, century=2, phase=Phase.OPENING)
        plant_modification(state, power, norse.id)
        events = happen(state, COURSE.go_on, [d(6, "aggression", 1)])
        kinds = [type(e) for e in of_kind(events, GrowthEnded, LimitsCut)]
        assert kinds == [GrowthEnded, *[LimitsCut] * wanted]
        assert limits(state, norse.id)[0].tolist() == [3 - wanted, 3 - wanted]


@pytest.mark.rule("G2-MOD-5", "G2-SEQ-2")
def test_a_modification_that_waits_for_a_disaster_is_activated_in_the_start_of_a_century_too() -> None:
    turmoil = {"op": "turmoil", "state": "start", "on": "disaster_hit:fire"}
    norse = race("Norse", {(0, 1): 3}, "barbarian")
    packs = powers(panic={"codes": ["Mv"], "effects": [turmoil]})
    state = earth_of(["PP"], norse, features=[("hot_spot", (0, 0))], packs=packs, century=2)
    plant_modification(state, "panic", norse.id, ModStatus.DORMANT)
    events = century_begins(state, d(6, "hot_spot", 6))
    assert [type(e) for e in of_kind(events, ModificationFired, TurmoilStarted)] == [ModificationFired, TurmoilStarted]
    assert len(of_kind(events, UnitsDied)) == 1 and not state.modifications
