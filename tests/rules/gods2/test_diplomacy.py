"""Diplomacy before a war, and wars that are not fought (G2-DIP-2 to 4, G2-WAR-1)."""

from typing import Any

import pytest

from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.state.records import DiplomacyPolicy, WarPolicy, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.war.battle import averts, fears
from games.gods2.rules.war.events import DiplomacyTried, WarAverted, WarFought
from games.gods2.rules.war.rules import fight
from tests.dice import Planted, d
from tests.playbook import event_like, of_kind
from tests.rules.gods2.worlds import People, earth_of, happen, plant_war, race, row_major

WARRIORS = ("archery", "explosives", "iron_weapons", "tactics")  # Military +8


def fight_war(state: State, one: People, other: People, dice: list[Planted] | None = None) -> list[Any]:
    """The events of a war between two races."""
    war = plant_war(state, one, other)
    return happen(state, lambda s, ctx: fight(s, ctx, war), dice or [])


def defender(value: int) -> Planted:
    """The die of the defender's diplomacy."""
    return d(6, "diplomacy/defender", value)


@pytest.mark.rule("G2-W27", "G2-DIP-4")
def test_diplomacy_needs_a_six() -> None:
    assert [averts(4, 3, 1), averts(4, 2, 1), averts(6, 0, 0), averts(6, 0, 1)] == [True, False, True, False]


@pytest.mark.rule("G2-W28", "G2-DIP-3", "G2-AMB-33")
def test_a_race_fears_more_than_fifteen_percent() -> None:
    assert [fears(3, 20), fears(4, 20), fears(1, 6), fears(1, 7)] == [False, True, True, False]
    assert [fears(15, 100), fears(16, 100)] == [False, True]


def at_odds(
    *, policies: dict[str, DiplomacyPolicy] | None = None, **attributes: list[str]
) -> tuple[State, People, People]:
    """Two equal races, neither of which fears the other."""
    norse = race("Norse", row_major(10, 0, 20), attributes=attributes.get("norse", []))
    picts = race("Picts", row_major(10, 20, 20), attributes=attributes.get("picts", []))
    state = earth_of(["P" * 10] * 5, norse, picts)
    for name, policy in (policies or {}).items():
        side = norse if name == "norse" else picts
        war = plant_war(state, norse, picts)
        del state.wars[war]
        state.policies[war, side.id] = WarPolicy(war, side.id, policy)
    return state, norse, picts


@pytest.mark.rule("G2-DIP-3")
def test_without_fear_nobody_tries_diplomacy() -> None:
    state, norse, picts = at_odds()
    assert of_kind(fight_war(state, norse, picts), DiplomacyTried) == []


@pytest.mark.rule("G2-DIP-2", "G2-DIP-4")
def test_the_gm_lets_a_side_try_and_a_six_averts_the_war() -> None:
    state, norse, picts = at_odds(policies={"picts": DiplomacyPolicy.TRY})
    events = fight_war(state, norse, picts, [defender(6)])
    assert events[:2] == [
        event_like(DiplomacyTried, race=picts.id, diplomacy=0, aggression=0, yes=True),
        event_like(WarAverted, race=picts.id),
    ]
    assert of_kind(events, SourceCounted) == [event_like(SourceCounted, source="lb_wars_averted")]
    war = next(iter(state.wars.values()))
    assert war.status is WarStatus.AVERTED
    assert not state.policies
    assert state.board.units_of(picts.id) == 20


@pytest.mark.rule("G2-DIP-4")
def test_the_defender_rolls_first_and_the_attacker_only_if_the_war_still_stands() -> None:
    state, norse, picts = at_odds(norse=["silver_tongued"], picts=["peaceful"])
    events = fight_war(state, norse, picts, [defender(4)])
    assert [e.race for e in of_kind(events, DiplomacyTried)] == [picts.id]
    state, norse, picts = at_odds(norse=["peaceful"], picts=["peaceful"])
    events = fight_war(state, norse, picts, [defender(1), d(6, "diplomacy/attacker", 2)])
    tried = of_kind(events, DiplomacyTried)
    assert [(e.race, e.diplomacy, e.aggression, e.yes) for e in tried] == [
        (picts.id, 1, -3, False),
        (norse.id, 1, -3, True),
    ]


@pytest.mark.rule("G2-DIP-2")
def test_nature_goes_before_the_gms_decision() -> None:
    state, norse, picts = at_odds(policies={"picts": DiplomacyPolicy.REFRAIN}, picts=["peaceful"])
    assert len(of_kind(fight_war(state, norse, picts, [defender(1)]), DiplomacyTried)) == 1


@pytest.mark.rule("G2-DIP-2", "G2-DIP-3")
def test_the_gm_stops_a_fearful_side_from_diplomacy() -> None:
    romans = race("Romans", {(0, c): 3 for c in range(5)}, "barbarian", knowledges=["tactics", "explosives"])
    greeks = race("Greeks", {(0, 5): 2, (0, 6): 2, (0, 7): 2}, "civilized")
    state = earth_of(["PPPPPPPP"], romans, greeks)
    war = plant_war(state, romans, greeks)
    state.policies[war, greeks.id] = WarPolicy(war, greeks.id, DiplomacyPolicy.REFRAIN)
    events = happen(state, lambda s, ctx: fight(s, ctx, war))
    assert of_kind(events, DiplomacyTried) == []


@pytest.mark.rule("G2-WAR-1", "G2-AMB-9")
def test_a_war_lapses_when_neither_side_reaches_the_other() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 4): 1})
    state = earth_of(["PPPPP"], norse, picts)
    assert fight_war(state, norse, picts) == [event_like(WarLapsed)]
    assert next(iter(state.wars.values())).status is WarStatus.LAPSED


@pytest.mark.rule("G2-WAR-1", "G2-AMB-9")
def test_contact_in_either_direction_is_enough() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 2): 1}, attributes=["wanderers"])
    state = earth_of(["PPPPP"], norse, picts)
    assert of_kind(fight_war(state, norse, picts, [defender(1), d(6, "diplomacy/attacker", 1)]), WarFought) != []
