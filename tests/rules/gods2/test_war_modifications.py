"""What wars activate and how long it works (G2-MOD-3 to 5, 7, 9; G2-DIP-1; AMB-35)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.kernel import EventRecord
from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.events import CityDestroyed
from games.gods2.rules.declarations.events import WarCancelled, WarDeclared
from games.gods2.rules.geometry.stats import diplomacy_by_nature, stat
from games.gods2.rules.pack.filters import fits
from games.gods2.rules.state.records import DiplomacyPolicy, Feature, Phase, WarKind, WarPolicy, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.war.aggression import roll_aggression
from games.gods2.rules.war.events import CityFell, DiplomacyTried, WarAverted, WarFought
from games.gods2.rules.war.schedule_commands import FightWarNow, SetDiplomacy
from games.gods2.rules.workings.events import ModificationEnded, ModificationFired
from tests.dice import d
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, GM
from tests.rules.gods2.odds import ACTIVE, DORMANT, at_odds, by_ana, fight_war, peoples, statuses, war_on
from tests.rules.gods2.strikes import able, cast, pack_of
from tests.rules.gods2.worlds import People, earth_of, happen, id_of, race, row_major

WARRIORS = ("archery", "explosives", "iron_weapons", "tactics")  # Military +8


def not_cast(state: State, code: str, power: str, people: People) -> None:
    """A casting that is refused, and changes nothing."""
    able(state, power)
    with refused(code, state):
        cast(state, power, people)


@pytest.mark.rule("G2-W83", "G2-MOD-4", "G2-MOD-5")
def test_one_declaration_uses_up_one_just_cause_and_the_other_waits() -> None:
    state, norse, picts = at_odds()
    cast(state, "just_cause", picts, times=2)
    assert statuses(state, "just_cause") == [DORMANT, DORMANT]

    first, events = war_on(state, norse, picts)
    assert of_kind(events, ModificationFired) == [event_like(ModificationFired, trigger="war_declared_on", event=first)]
    assert statuses(state, "just_cause") == [ACTIVE, DORMANT]
    second, _ = war_on(state, norse, picts)
    assert statuses(state, "just_cause") == [ACTIVE, ACTIVE]

    # each war has what it has activated: +2, not +4, and only in the role of the defender
    assert [stat(state, picts.id, "military", "defender", w).value for w in (first, second)] == [2, 2]
    assert stat(state, picts.id, "military", "attacker", first).value == 0
    for war, dice in (
        (first, []),
        (second, [d(6, "diplomacy/attacker", 1)]),
    ):  # before the second war the Norse fear for 3 of 17
        events = fight_war(state, war, dice)
        assert [(s.race, s.military) for s in of_kind(events, WarFought)[0].sides] == [(norse.id, 0), (picts.id, 2)]
        assert len(of_kind(events, ModificationEnded)) == 1
    assert not state.modifications


@pytest.mark.rule("G2-AMB-35", "G2-MOD-5")
def test_a_casting_made_after_the_declaration_does_not_catch_it() -> None:
    state, norse, picts = at_odds()
    war, _ = war_on(state, norse, picts)
    cast(state, "just_cause", picts)
    assert of_kind(fight_war(state, war), WarFought)[0].sides[1].military == 0
    assert statuses(state, "just_cause") == [DORMANT]


@pytest.mark.rule("G2-MOD-3")
def test_a_dormant_power_is_not_cast_again_before_it_has_fired() -> None:
    state, norse, picts = at_odds()
    cast(state, "peace_envoys", picts)
    not_cast(state, "power.duplicate", "peace_envoys", picts)
    war_on(state, norse, picts)
    cast(state, "peace_envoys", picts)
    assert statuses(state, "peace_envoys") == [ACTIVE, DORMANT]


@pytest.mark.rule("G2-DIP-1", "G2-DIP-2", "G2-AMB-35")
def test_peace_envoys_make_a_race_try_diplomacy_with_three_more() -> None:
    state, norse, picts = at_odds()
    cast(state, "peace_envoys", picts)
    assert stat(state, picts.id, "diplomacy").value == 0
    war, _ = war_on(state, norse, picts)
    other, _ = war_on(state, norse, picts)
    assert [diplomacy_by_nature(state, picts.id, "defender", w) for w in (war, other)] == [True, None]
    events = fight_war(state, war, [d(6, "diplomacy/defender", 3)])
    assert events[:2] == [
        event_like(DiplomacyTried, race=picts.id, diplomacy=3, aggression=0, yes=True),
        event_like(WarAverted, race=picts.id),
    ]
    assert not state.modifications
    assert of_kind(fight_war(state, other), DiplomacyTried) == []


@pytest.mark.rule("G2-DIP-1")
def test_diplomacy_is_nature_knowledge_wealth_and_what_works_on_the_race() -> None:
    state, norse, _ = at_odds(attributes=["silver_tongued", "peaceful"], knowledges=["writing"])
    assert stat(state, norse.id, "diplomacy").value == 2 + 1 + 1
    cast(state, "beloved_poet", norse)
    assert stat(state, norse.id, "diplomacy").value == 4
    for here in list(state.modifications.values()):
        state.modifications[here.id] = replace(here, status=ACTIVE)
    assert stat(state, norse.id, "diplomacy").value == 5


@pytest.mark.rule("G2-MOD-5")
def test_different_powers_fire_together_in_casting_order() -> None:
    for powers in (("peace_envoys", "just_cause"), ("just_cause", "peace_envoys")):
        state, norse, picts = at_odds()
        for power in powers:
            cast(state, power, picts)
        _, events = war_on(state, norse, picts)
        names = [state.modifications[e.modification].power for e in of_kind(events, ModificationFired)]
        assert tuple(names) == powers


@pytest.mark.rule("G2-MOD-5", "G2-AMB-35")
def test_modifications_activated_by_a_war_end_with_it_however_it_ends() -> None:
    for end in ("fought", "averted", "lapsed", "cancelled", "extinct"):
        state, norse, picts = at_odds()
        cast(state, "just_cause", picts)
        war, _ = war_on(state, norse, picts)
        if end == "averted":
            state.policies[war, norse.id] = WarPolicy(war, norse.id, DiplomacyPolicy.TRY)
        if end in ("lapsed", "extinct"):
            for square in list(row_major(10, 0, 20)):
                state.board.put(square, None, 0)
        if end == "lapsed":
            state.board.put((4, 9), norse.id, 1)
            state.board.put((3, 8), None, 0)
            for square in [(r, c) for r in (2, 3) for c in range(10)][1:]:
                state.board.put(square, None, 0)
        if end == "cancelled":
            events = cast(state, "universal_truce")
        else:
            events = fight_war(state, war, [d(6, "diplomacy/attacker", 6)] if end == "averted" else [])
        kind = {"fought": WarFought, "averted": WarAverted, "cancelled": WarCancelled}.get(end, WarLapsed)
        assert of_kind(events, kind), end
        assert [e.reason for e in of_kind(events, ModificationEnded)] == ["its war is over"], end
        assert not state.modifications


@pytest.mark.rule("G2-MOD-5", "G2-WAR-18")
def test_grave_dread_fires_when_the_war_is_fought_and_not_before() -> None:
    state, norse, picts = at_odds()
    cast(state, "grave_dread", norse)
    war, _ = war_on(state, norse, picts)
    assert statuses(state, "grave_dread") == [DORMANT]
    state.policies[war, picts.id] = WarPolicy(war, picts.id, DiplomacyPolicy.TRY)
    events = fight_war(state, war, [d(6, "diplomacy/defender", 1)])
    kinds = [type(e) for e in of_kind(events, ModificationFired, DiplomacyTried, WarFought, ModificationEnded)]
    assert kinds == [ModificationFired, DiplomacyTried, WarFought, ModificationEnded]
    sides = of_kind(events, WarFought)[0].sides
    assert [(s.military, s.percent) for s in sides] == [(-2, 8), (0, 12)]


@pytest.mark.rule("G2-MOD-5", "G2-WAR-17")
def test_a_combined_war_is_one_event() -> None:
    _, norse, picts = at_odds()
    south = race("South", row_major(10, 40, 10))
    other = earth_of(["P" * 10] * 5, norse, picts, south)
    other.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    cast(other, "grave_dread", picts)
    wars = [war_on(other, side, picts)[0] for side in (norse, south)]
    for war in wars:
        other.wars[war] = replace(other.wars[war], group=id_of("combined"))
    events = fight_war(other, wars[0])
    assert len(of_kind(events, ModificationFired)) == 1
    assert [e.sides[1].military for e in of_kind(events, WarFought)] == [-2, -2]
    assert not other.modifications


def parleying(powers: Any = None, power: str = "turn_of_fate", times: int = 1) -> tuple[State, People, UUID]:
    """A war before which the defender tries diplomacy, under what rolls its die again."""
    state, norse, picts = at_odds(packs=powers)
    cast(state, power, picts, times=times)
    war, _ = war_on(state, norse, picts)
    state.policies[war, picts.id] = WarPolicy(war, picts.id, DiplomacyPolicy.TRY)
    return state, picts, war


@pytest.mark.rule("G2-W83", "G2-MOD-4", "G2-DICE-4")
def test_a_turn_of_fate_rolls_diplomacy_again_and_takes_the_better_die() -> None:
    for dice, yes in (([2, 6], True), ([6, 2], True), ([2, 5], False)):
        state, picts, war = parleying(times=2)
        events = fight_war(state, war, [d(6, "diplomacy/defender", *dice)])
        assert of_kind(events, DiplomacyTried) == [event_like(DiplomacyTried, race=picts.id, yes=yes)]
        assert statuses(state, "turn_of_fate") == [DORMANT]
        assert [e.reason for e in of_kind(events, ModificationEnded)] == ["used"]


@pytest.mark.rule("G2-DICE-4")
@pytest.mark.parametrize(
    ("keep", "dice", "yes"),
    [("worst", [6, 2], False), ("worst", [6, 6], True), ("last", [6, 2], False), ("last", [2, 6], True)],
)
def test_the_worse_or_the_last_die_counts_where_the_power_says_so(keep: str, dice: list[int], yes: bool) -> None:
    jinx = {"codes": ["Mv"], "effects": [{"op": "reroll", "keep": keep, "on": "diplomacy_used"}]}
    state, _, war = parleying(pack_of(jinx=jinx), "jinx")
    assert of_kind(fight_war(state, war, [d(6, "diplomacy/defender", *dice)]), DiplomacyTried)[0].yes is yes


@pytest.mark.rule("G2-DICE-4", "G2-MOD-4")
def test_both_dice_of_a_second_chance_are_in_the_log() -> None:
    book, dwarves, elves = peoples()
    by_ana(book, "turn_of_fate", elves)
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    book.when(SetDiplomacy(war=war, race=elves, policy=DiplomacyPolicy.TRY), by=GM)
    book.when(SetDiplomacy(war=war, race=dwarves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    book.when(FightWarNow(war=war), by=GM, dice=[d(6, "diplomacy/defender", 3, 6)])
    tried: list[EventRecord] = [h for h in book.log if isinstance(h.event, DiplomacyTried)]
    assert [(r.index, r.value, r.rule) for r in tried[0].rolls] == [(0, 3, "G2-DIP-4"), (1, 6, "G2-DICE-4")]
    assert len({r.label for r in tried[0].rolls}) == 1
    assert book.state.wars[war].status is WarStatus.AVERTED


@pytest.mark.rule("G2-MOD-5", "G2-MOD-4")
def test_declarations_of_gods_and_angry_races_activate_the_same() -> None:
    book, dwarves, elves = peoples()
    by_ana(book, "just_cause", elves)
    events = book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    assert [(e.race, e.trigger) for e in of_kind(events, ModificationFired)] == [(elves, "war_declared_on")]

    state, norse, picts = at_odds(attributes=["warlike"])
    cast(state, "just_cause", picts)
    boast = pack_of(boast={"codes": ["Mv"], "effects": [{"op": "reroll", "keep": "best", "on": "war_declares"}]})
    assert boast
    state.set_era(phase=Phase.STARTING)
    dice = [d(6, f"aggression {race.id}", 4 if race.id == norse.id else 1) for race in state.living()]
    events = happen(state, roll_aggression, dice)
    assert [(e.kind, e.attacker) for e in of_kind(events, WarDeclared)] == [(WarKind.AGGRESSIVE, norse.id)]
    assert [e.race for e in of_kind(events, ModificationFired)] == [picts.id]


@pytest.mark.rule("G2-MOD-5")
def test_the_attacker_activates_what_waits_for_its_own_declaration() -> None:
    boast = {"codes": ["Mv"], "effects": [{"op": "stat_add", "stat": "military", "amount": 5, "on": "war_declares"}]}
    state, norse, picts = at_odds(packs=pack_of(boast=boast))
    cast(state, "boast", norse)
    cast(state, "boast", picts)
    war, _ = war_on(state, norse, picts)
    assert [s.military for s in of_kind(fight_war(state, war), WarFought)[0].sides] == [5, 0]
    assert statuses(state, "boast") == [DORMANT]


@pytest.mark.rule("G2-MOD-7")
def test_fair_currents_last_until_a_war_is_lost() -> None:
    norse = race("Norse", row_major(10, 0, 30), knowledges=WARRIORS)
    picts = race("Picts", row_major(10, 30, 20))
    state = earth_of(["P" * 10] * 6, norse, picts)
    state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    for people in (norse, picts):
        cast(state, "fair_currents", people)
        not_cast(state, "power.duplicate", "fair_currents", people)
    war, _ = war_on(state, norse, picts)
    state.policies[war, picts.id] = WarPolicy(war, picts.id, DiplomacyPolicy.REFRAIN)
    events = fight_war(state, war)
    assert of_kind(events, WarFought)[0].race == picts.id
    assert [(e.race, e.trigger) for e in of_kind(events, ModificationFired)] == [(picts.id, "war_lost")]
    assert [e.race for e in of_kind(events, ModificationEnded)] == [picts.id]
    assert [stat(state, people.id, "sea").value for people in (norse, picts)] == [1, 0]


@pytest.mark.rule("G2-MOD-7", "G2-WAR-14")
def test_commercial_advancement_ends_with_a_city_that_falls_or_burns() -> None:
    for attributes, die, ending in (((), 1, CityFell), (("warlike",), 2, CityDestroyed)):
        romans = race("Romans", {(0, c): 3 for c in range(5)}, "civilized", attributes=attributes, knowledges=WARRIORS)
        greeks = race("Greeks", {(0, 5): 2, (0, 6): 2, (0, 7): 2}, "civilized")
        state = earth_of(["PPPPPPPP"], romans, greeks)
        state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
        for people in (romans, greeks):
            cast(state, "commercial_advancement", people)
        war, _ = war_on(state, romans, greeks)
        events = fight_war(state, war, [d(6, "diplomacy/defender", 1), d(6, "city", die)])
        assert of_kind(events, CityFell, CityDestroyed) == [event_like(ending)]
        assert [(e.race, e.trigger) for e in of_kind(events, ModificationFired)] == [(greeks.id, "city_lost")]
        assert [m.race for m in state.modifications.values()] == [romans.id]


@pytest.mark.rule("G2-MOD-9")
def test_all_codes_of_a_power_bind_it() -> None:
    state, norse, picts = at_odds()
    power = state.pack.powers["grave_dread"]
    assert fits("Mn", power.codes) and power.codes == ("Mv", "Mn")
    holy = id_of("holy")
    state.features[holy] = Feature(holy, (2, 0), "blessed_land")
    not_cast(state, "target.protected", "grave_dread", picts)  # its n
    cast(state, "grave_dread", norse)  # its v: it sleeps, once
    assert statuses(state, "grave_dread") == [DORMANT]
    not_cast(state, "power.duplicate", "grave_dread", norse)
