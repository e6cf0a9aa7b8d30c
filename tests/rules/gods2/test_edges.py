"""Rules at their edges: the numbers at which a slip of one, of an order or of a side would otherwise go unseen."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.calculation import summary
from games.gods2.rules.declarations.rules import aggressive_dues
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.counts import COUNTERS, CityKind
from games.gods2.rules.mana.events import RaceReached
from games.gods2.rules.mana.milestones import report_milestones
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.pantheon.turmoil_events import MemberExpelled
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, DiplomacyPolicy, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.schedule_commands import SetDiplomacy
from games.gods2.rules.workings.context import Working
from games.gods2.rules.workings.pricing import price
from tests.dice import d
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, GM, two_peoples
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.strikes import cast, kill, let
from tests.rules.gods2.worlds import earth_of, happen, plant_war, race


def pack_with_attributes(effects: Mapping[str, list[dict[str, Any]]], **powers: Mapping[str, Any]) -> dict[int, Pack]:
    """The default pack with more attributes, by their effects, and more powers."""
    raw = raw_pack(1)
    for key, own in effects.items():
        raw["attributes"].append({"id": key, "name": key, "cost": 1, "origin": "test", "effects": own})
    for key, more in powers.items():
        raw["powers"].append(
            {"id": key, "sphere": "DE", "level": 1, "name": key.title(), "kind": "history", "cost": 8,
             "target": "race", "origin": "test", "codes": ["Bn"], "effects": [kill("race", amount=1)], **more}
        )  # fmt: skip
    return {2: build(2, raw)}


def faithful(*members: str) -> tuple[State, Any]:
    """Norse with these members, in equal parts."""
    faith = tuple(ShareOf(member=member, share=10_000 // len(members)) for member in members)
    norse = race("Norse", {(0, 0): 1}, "civilized", faith=faith)
    return earth_of(["PPP"], norse), norse


@pytest.mark.rule("G2-WAR-1", "G2-AMB-59")
def test_the_times_of_aggressive_wars_are_whole_seconds_rounded_down() -> None:
    dues = aggressive_dues(DAWN + timedelta(seconds=60), DAWN + timedelta(seconds=1500), 300, 7)
    # 1140 / 7 = 162.86 seconds apart
    assert [int((due - DAWN).total_seconds()) for due in dues] == [360, 522, 685, 848, 1011, 1174, 1337]


@pytest.mark.rule("G2-CALC-2", "G2-MANA-3")
def test_great_cities_are_no_cities_for_the_source_that_counts_cities() -> None:
    norse = race(
        "Norse", {(0, 0): 1, (0, 1): 1, (0, 2): 1}, "civilized",
        cities={(0, 0): CityKind.CITY, (0, 1): CityKind.CITY, (0, 2): CityKind.GREAT},
    )  # fmt: skip
    state = earth_of(["PPP"], norse)
    assert (COUNTERS["cities"](state, ""), COUNTERS["great_cities"](state, "")) == (2, 1)


@pytest.mark.rule("G2-CALC-2", "G2-MANA-3")
def test_races_are_counted_from_the_military_that_the_source_names() -> None:
    norse = race("Norse", {(0, 0): 1}, knowledges=("archery", "iron_weapons", "tactics"))
    state = earth_of(["PPP"], norse, race("Picts", {(0, 2): 1}))
    assert [COUNTERS["races_military_gte"](state, least) for least in ("5", "6", "0")] == [1, 0, 2]


@pytest.mark.rule("G2-MANA-7")
def test_a_race_reaches_a_number_once_however_often_it_falls_below() -> None:
    norse = race("Norse", {(0, 0): 100})
    state = earth_of(["P"], norse)

    def milestones_from(peak: int) -> list[Any]:
        state.races[norse.id] = replace(state.races[norse.id], peak=peak)
        return of_kind(happen(state, lambda s, ctx: report_milestones(s, norse.id, 90)), RaceReached)

    assert milestones_from(99) == [event_like(RaceReached, units=100)]
    assert milestones_from(100) == milestones_from(101) == []


@pytest.mark.rule("G2-HIST-5", "G2-W49")
def test_only_a_personal_power_never_costs_less_than_a_quarter() -> None:
    packs = pack_with_attributes(
        {"cheap": [{"op": "cost_mult", "filter": "Bn", "factor": 10}]}, own={"kind": "personal"}, common={}
    )
    norse = race("Norse", {(0, 0): 5}, attributes=["cheap"])
    state = earth_of(["PPP"], norse, packs=packs)
    on_norse = Working(cause="test", perform=perform, races=(norse.id,))
    prices = {key: price(state, state.pack.powers[key], on_norse).amount for key in ("own", "common")}
    assert prices == {"own": 2, "common": 1}  # a quarter of 8; 0.8, up


@pytest.mark.rule("G2-FILT-2", "G2-FILT-1")
def test_a_protection_of_a_race_is_checked_before_payment() -> None:
    packs = pack_with_attributes({"hale": [{"op": "protect", "against": "Bn"}]})
    norse = race("Norse", {(0, 0): 5}, attributes=["hale"])
    picts = race("Picts", {(0, 2): 5})
    state = earth_of(["PPP"], norse, picts, packs=packs)
    with refused("target.protected"):
        cast(state, "black_plague", norse)
    assert of_kind(cast(state, "black_plague", picts), UnitsDied)
    assert of_kind(cast(state, "judgment", norse), UnitsDied) == []  # B alone, and they are not aggressive


@pytest.mark.rule("G2-TURM-4")
def test_members_are_sorted_gods_first_then_atheism_then_diabolism() -> None:
    late = "ffffffff-0000-4000-8000-000000000001"
    state, norse = faithful(DIABOLISM, ATHEISM, late)
    assert list(state.pantheon(norse.id)) == [late, ATHEISM, DIABOLISM]


@pytest.mark.rule("G2-TURM-4", "G2-TURM-6")
def test_a_power_throws_out_a_random_member() -> None:
    state, norse = faithful(ATHEISM, DIABOLISM)
    packs = pack_with_attributes({}, exile={"codes": ["X"], "effects": [{"op": "kick", "who": "random"}]})
    state._packs = {state.era.pack_version: packs[2]}
    thrown = of_kind(cast(state, "exile", norse, dice=[d(2, "kick", 2)]), MemberExpelled)
    assert [e.member for e in thrown] == [DIABOLISM]
    assert state.pantheon(norse.id) == {ATHEISM: 10_000}


@pytest.mark.rule("G2-GLOB-4", "G2-KNOW-2")
def test_the_age_of_reason_teaches_a_random_scholarly_knowledge_that_can_be_learned() -> None:
    norse = race("Norse", {(0, 0): 1}, "civilized", knowledges=("writing",))
    state = earth_of(["PPP"], norse)
    # of the scholarly ones astronomy, medicine, philosophy and weather wisdom are within their reach: a d4
    events = cast(state, "age_of_reason", dice=[d(4, "learn", 2)])
    assert of_kind(events, KnowledgeLearned) == [event_like(KnowledgeLearned, race=norse.id, knowledge="medicine")]


@pytest.mark.rule("G2-CITY-4")
def test_a_condition_of_cities_counts_both_kinds_and_holds_from_its_number_on() -> None:
    effect = kill("race", amount=1)
    norse = race("Norse", {(0, 0): 2, (0, 1): 2}, "civilized", cities={(0, 0): CityKind.CITY, (0, 1): CityKind.GREAT})
    for least, dead in ((2, 1), (3, 0)):
        state = earth_of(["PPP"], norse)
        died = of_kind(let(state, {**effect, "if": [{"cities_gte": least}]}, race=norse), UnitsDied)
        assert sum(e.units for e in died) == dead


@pytest.mark.rule("G2-DIP-2")
def test_diplomacy_is_set_for_the_sides_of_a_war_alone() -> None:
    book, dwarves, elves = two_peoples()
    book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    (war,) = book.state.wars
    with refused("war.side", book.state):
        book.when(SetDiplomacy(war=war, race=UUID(int=8), policy=DiplomacyPolicy.TRY), by=GM)


@pytest.mark.rule("G2-CALC-2")
def test_the_summary_of_a_century_counts_each_war_once() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 1): 1})
    state = earth_of(["PPP"], norse, picts)
    for status in (WarStatus.FOUGHT, WarStatus.AVERTED, WarStatus.AVERTED, WarStatus.LAPSED):
        war = plant_war(state, norse, picts)
        state.wars[war] = replace(state.wars[war], status=status)
    assert (summary(state).wars, summary(state).averted) == (1, 2)
