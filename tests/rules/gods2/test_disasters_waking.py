"""What a disaster activates, and what prevents one (G2-MOD-3, G2-MOD-5)."""

from uuid import UUID

import pytest

from games.gods2.rules.effects.events import DisasterStruck
from games.gods2.rules.pantheon.turmoil_events import TurmoilStarted
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.workings.events import ModificationEnded, ModificationFired
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.era import shares
from tests.rules.gods2.strikes import able, cast, only, pack_of
from tests.rules.gods2.worlds import earth_of, id_of, race

NORSE = id_of("Norse")


def waits(state: State, power: str) -> UUID:
    """A modification that sleeps on the Norse."""
    here = id_of(power)
    state.modifications[here] = Modification(here, NORSE, power, ModStatus.DORMANT, 1, 1)
    return here


@pytest.mark.rule("G2-MOD-3", "G2-MOD-5", "G2-DIS-3")
def test_loss_of_faith_waits_for_the_next_disaster_that_hits_its_race() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, faith=shares(atheism=50, diabolism=50))
    state = earth_of(["PPP", "WWW"], norse, race("Elves", {(1, 0): 1}))
    sleeping = waits(state, "loss_of_faith")
    assert not of_kind(cast(state, "wasting", at=[(1, 0)]), ModificationFired)
    assert not of_kind(cast(state, "great_dying"), ModificationFired)
    events = cast(state, "wasting", at=[(0, 0)])
    assert of_kind(events, DisasterStruck, ModificationFired, UnitsDied, TurmoilStarted, ModificationEnded) == [
        event_like(DisasterStruck, races=(NORSE,)),
        event_like(ModificationFired, modification=sleeping, race=NORSE, trigger="disaster_hit"),
        event_like(TurmoilStarted, race=NORSE),
        event_like(ModificationEnded, modification=sleeping),
    ]


@pytest.mark.rule("G2-MOD-5")
def test_a_resistance_activated_by_a_disaster_holds_for_that_disaster_and_for_its_element_alone() -> None:
    shield = {"codes": ["Mv"], "effects": [{"op": "resist", "code": "X-2", "on": "disaster_hit:fire"}]}
    norse = race("Norse", {(0, 0): 3, (0, 1): 3}, "barbarian")
    state = earth_of(["FF"], norse, packs=pack_of(shield=shield))
    sleeping = waits(state, "shield")
    assert only(cast(state, "tremor", at=[(0, 0)])) == (1, 1, "earth")
    events = cast(state, "wildfire", at=[(0, 0)])
    assert (only(events), [e.modification for e in of_kind(events, ModificationEnded)]) == ((0, 0, ""), [sleeping])
    assert only(cast(state, "wildfire", at=[(0, 1)])) == (2, 2, "fire")


def test_a_protection_against_a_disaster_is_checked_before_payment() -> None:
    state = earth_of(["PP"], race("Norse", {(0, 0): 1}), features=[("stable_ground", (0, 0))])
    able(state, "tremor")
    with refused("target.protected", state):
        cast(state, "tremor", at=[(0, 0)])
    able(state, "flood")
    with refused("target.unfit", state):
        cast(state, "flood", at=[(0, 0)])
