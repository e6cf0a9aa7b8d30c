"""What activates modifications, and what they do (G2-MOD-3 to 5, AMB-35)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.declarations.events import AggressionRolled, WarDeclared
from games.gods2.rules.effects.events import DisasterStruck, TableRolled
from games.gods2.rules.effects.triggers import fire_trigger, run_with_triggers
from games.gods2.rules.effects.war import declare_war as declare
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    HandInPantheonOrder,
    PantheonOrderDrafted,
    SignPantheonOrder,
)
from games.gods2.rules.pantheon.turmoil_commands import StartTurmoil
from games.gods2.rules.setup.roster_commands import MarkGod
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.records import GodStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Target, moves
from games.gods2.rules.units.events import UnitsMoved
from games.gods2.rules.war.aggression import roll_aggression
from games.gods2.rules.war.events import DiplomacyTried
from games.gods2.rules.war.rules import fight
from games.gods2.rules.workings.events import ModificationEnded, ModificationFired
from games.gods2.rules.workings.modifications import end_century
from tests.dice import d
from tests.playbook import DAWN, Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM, begin, define, minutes, set_up, shares, units
from tests.rules.gods2.strikes import cast, deaths_by_race, deaths_by_square, kill, let, pack_of
from tests.rules.gods2.worlds import People, earth_of, happen, plant_war, race, row_major

MORE = {"op": "stat_add", "stat": "military", "amount": 2}
LEARN = {"op": "learn", "knowledge": "toolmaking"}
BLOW = kill("race", amount=3)
"""Three die; of a disaster two, as the peoples are primitive (X-1)."""


def earth(**powers: Mapping[str, Any]) -> tuple[State, People, People]:
    """Two peoples side by side, twenty units each, and these powers."""
    norse, picts = race("Norse", row_major(10, 0, 20)), race("Picts", row_major(10, 20, 20))
    state = earth_of(["P" * 10] * 5, norse, picts, packs=pack_of(None, **powers))
    state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    return state, norse, picts


def war_on(state: State, attacker: People, defender: People) -> tuple[UUID, list[Any]]:
    """A god's war, declared now, and what that woke."""
    steps = happen(
        state, lambda s, ctx: run_and_settle(s, ctx, declare(s, ctx, attacker.id, defender.id, None), "test")
    )
    return of_kind(steps, WarDeclared)[0].war, steps


@pytest.mark.rule("G2-MOD-5", "G2-MOD-3")
def test_the_effect_of_an_mv_power_without_a_trigger_of_its_own_waits_for_the_first() -> None:
    wait = {"codes": ["Mv"], "effects": [LEARN, {**MORE, "on": "war_fought"}, {**BLOW, "on": "war_lost"}]}
    state, norse, picts = earth(vigil=wait)
    events = cast(state, "vigil", norse)
    assert not of_kind(events, KnowledgeLearned) and "toolmaking" not in state.races[norse.id].knowledges

    war = plant_war(state, norse, picts)
    fought = happen(state, lambda s, ctx: fight(s, ctx, war), [])

    kinds = [type(e).__name__ for e in of_kind(fought, ModificationFired, KnowledgeLearned)]
    assert kinds == ["ModificationFired", "KnowledgeLearned"]
    assert of_kind(fought, KnowledgeLearned) == [event_like(KnowledgeLearned, race=norse.id, knowledge="toolmaking")]


@pytest.mark.rule("G2-MOD-5")
def test_a_dormant_modification_does_not_bar_its_casting() -> None:
    state, norse, _ = earth(vigil={"codes": ["Mv"], "effects": [LEARN, {**MORE, "on": "war_fought"}]})
    cast(state, "vigil", norse)  # it would be refused if the lesson came at once ...
    state, norse, _ = earth(vigil={"codes": ["Mv"], "effects": [LEARN, {**MORE, "on": "war_fought"}]})
    state.races[norse.id] = type(state.races[norse.id])(norse.id, "Norse", knowledges=("toolmaking",))
    cast(state, "vigil", norse)
    assert [m.status for m in state.modifications.values()] == [ModStatus.DORMANT]


@pytest.mark.rule("G2-MOD-5", "G2-MOD-7")
def test_the_immediate_effect_of_an_mp_power_is_not_done_again_by_its_trigger() -> None:
    gift = {"codes": ["Mp"], "effects": [{**BLOW}, {"op": "turn_off", "filter": "self", "on": "war_lost"}]}
    state, norse, _ = earth(gift=gift)
    assert deaths_by_race(cast(state, "gift", norse))[str(norse.id)][1] == 3
    events = happen(state, lambda s, ctx: run_with_triggers(s, ctx, fire_trigger(s, ctx, norse.id, "war_lost")))
    assert [e.power for e in of_kind(events, ModificationEnded)] == ["gift"] and not deaths_by_race(events)


@pytest.mark.rule("G2-MOD-5", "G2-DIS-1")
@pytest.mark.parametrize("trigger", ["war_fought", "war_declared_on", "war_declares"])
def test_a_disaster_activated_by_a_war_works_like_any_other(trigger: str) -> None:
    plague = {"codes": ["Mv", "Bn"], "effects": [{**BLOW, "on": trigger}]}
    mourning = {"codes": ["Mv"], "effects": [{**LEARN, "on": "disaster_hit:nature"}]}
    state, norse, picts = earth(plague=plague, mourning=mourning)
    victim = picts if trigger == "war_declared_on" else norse
    cast(state, "plague", victim)
    cast(state, "mourning", victim)
    war, events = war_on(state, norse, picts)
    if trigger == "war_fought":
        events = happen(state, lambda s, ctx: fight(s, ctx, war), None)
    assert of_kind(events, DisasterStruck) and victim.id in {e.race for e in of_kind(events, KnowledgeLearned)}
    assert [e.trigger for e in of_kind(events, ModificationFired)] == [trigger, "disaster_hit:nature"]


@pytest.mark.rule("G2-MOD-5")
def test_in_one_chain_of_events_a_modification_works_once() -> None:
    """A curse that strikes whenever a disaster hits would never end else."""
    state, norse, _ = earth(curse={"codes": ["Mp", "Bn"], "effects": [{**BLOW, "on": "disaster_hit"}]})
    cast(state, "curse", norse)
    for _ in range(2):
        events = let(state, BLOW, codes=["Bf"], race=norse)
        assert len(of_kind(events, ModificationFired)) == 1 and sum(deaths_by_square(events).values()) == 4
    assert len(state.modifications) == 1


@pytest.mark.rule("G2-MOD-5")
def test_every_declaration_activates_a_modification_that_stays_until_its_trigger() -> None:
    state, norse, picts = earth(grudge={"codes": ["Mp"], "effects": [{**BLOW, "on": "war_declared_on"}]})
    cast(state, "grudge", picts)

    def twice(s: State, ctx: Any) -> Any:
        yield from declare(s, ctx, norse.id, picts.id, None)
        yield from declare(s, ctx, norse.id, picts.id, None)

    events = happen(state, lambda s, ctx: run_with_triggers(s, ctx, twice(s, ctx)))
    assert len(of_kind(events, ModificationFired)) == 2 and sum(deaths_by_square(events).values()) == 6


@pytest.mark.rule("G2-MOD-5", "G2-AMB-35")
@pytest.mark.parametrize(("lasts", "until"), [("century", 1), ("centuries:2", 2), ("next_century", 2), ("era", None)])
def test_a_modification_activated_by_a_war_goes_on_where_its_data_say_so(lasts: str, until: int | None) -> None:
    oath = {"codes": ["Mv"], "duration": lasts, "effects": [{**MORE, "on": "war_declared_on"}]}
    state, norse, picts = earth(oath=oath)
    cast(state, "oath", picts)
    war, _ = war_on(state, norse, picts)
    happen(state, lambda s, ctx: fight(s, ctx, war), None)
    assert stat(state, picts.id, "military").value == 2
    assert [(m.status, m.until, m.event) for m in state.modifications.values()] == [(ModStatus.ACTIVE, until, None)]
    happen(state, lambda s, ctx: end_century(s))
    assert bool(state.modifications) is (until != 1)


TOLL = {"op": "mana", "to": "pantheon", "amount": 3}


def game_with_omen(trigger: str, *at: tuple[int, int, int], **more: Any) -> tuple[Playbook, UUID]:
    """A game in which every god of the Norse gains three mana at a trigger."""
    book = set_up(("PPPPPPPP",) * 3, cards={ANA: {"WA": 3, "FE": 3, "CW": 3, "CK": 3, "CH": 1}})
    norse = define(
        book, "Norse", units(*(at or ((1, 1, 1), (2, 1, 1)))), attributes=("peaceful",), pantheon=shares(a=60, b=40),
        **more,
    )  # fmt: skip
    begin(book)
    omen = {"codes": ["Mv"], "effects": [{**TOLL, "on": trigger}]}
    book.state._packs = {book.state.era.pack_version: pack_of(None, omen=omen)[2]}
    book.state.modifications[UUID(int=7)] = Modification(UUID(int=7), norse, "omen", ModStatus.DORMANT, 1, 1)
    return book, norse


def omen_seats(events: list[Any]) -> set[UUID]:
    return {e.seat for e in of_kind(events, ManaGained) if e.cause == "omen"}


@pytest.mark.rule("G2-MOD-3")
@pytest.mark.parametrize("trigger", ["knowledge_taught", "knowledge_taught:Ke", "power_priced:K"])
def test_teaching_activates_the_modifications_that_waited_for_it(trigger: str) -> None:
    book, norse = game_with_omen(trigger)
    events = book.when(CastPower(power="teach_toolmaking", targets=(Target(race=norse),)), by=ANA)
    assert omen_seats(events) == {ANA, BEN}


@pytest.mark.rule("G2-MOD-3")
def test_a_modification_stays_dormant_on_a_trigger_of_another_code() -> None:
    book, norse = game_with_omen("knowledge_taught:Ks")
    assert not omen_seats(book.when(CastPower(power="teach_toolmaking", targets=(Target(race=norse),)), by=ANA))


@pytest.mark.rule("G2-MOD-3")
@pytest.mark.parametrize("trigger", ["growth", "level_changed"])
def test_growth_and_a_new_level_activate_the_modifications_that_waited_for_them(trigger: str) -> None:
    book, norse = game_with_omen(trigger)
    if trigger == "growth":
        events = book.wait(minutes(30))
    else:
        events = book.when(CastPower(power="teach_tribal_law", targets=(Target(race=norse),)), by=ANA)
    assert omen_seats(events) == {ANA, BEN}


@pytest.mark.rule("G2-MOD-3")
def test_hunger_at_growth_activates_the_modifications_that_waited_for_it() -> None:
    book = set_up(("WWW", "WPW", "WWW"))
    norse = define(book, "Norse", units((1, 1, 1)), attributes=("peaceful",), pantheon=shares(a=100))
    begin(book)
    omen = {"codes": ["Mv"], "effects": [{**TOLL, "on": "starvation"}]}
    book.state._packs = {book.state.era.pack_version: pack_of(None, omen=omen)[2]}
    book.state.modifications[UUID(int=7)] = Modification(UUID(int=7), norse, "omen", ModStatus.DORMANT, 1, 1)
    assert omen_seats(book.wait(minutes(30))) == {ANA}


@pytest.mark.rule("G2-MOD-3", "G2-TURM-1")
@pytest.mark.parametrize("how", ["at will", "by a power"])
def test_a_turmoil_activates_the_modifications_that_waited_for_it(how: str) -> None:
    book, norse = game_with_omen("turmoil_started")
    if how == "at will":
        events = book.when(StartTurmoil(race=norse), by=BEN)
    else:
        events = book.when(CastPower(power="unrest", targets=(Target(race=norse),)), by=ANA)
    assert omen_seats(events) == {ANA, BEN}


@pytest.mark.rule("G2-MOD-3")
def test_new_shares_activate_the_modifications_that_waited_for_them() -> None:
    book, norse = game_with_omen("pantheon_changed")
    drafted = book.when(DraftPantheonOrder(race=norse, pantheon=shares(a=50, b=50)), by=ANA)
    order = of_kind(drafted, PantheonOrderDrafted)[0].order
    for god in (ANA, BEN):
        book.when(SignPantheonOrder(order=order), by=god)
    assert omen_seats(book.when(HandInPantheonOrder(order=order), by=ANA)) == {ANA, BEN}


@pytest.mark.rule("G2-MOD-3", "G2-CITY-9")
def test_a_lost_knowledge_activates_the_modifications_that_waited_for_it() -> None:
    state, norse, _ = earth(omen={"codes": ["Mv"], "effects": [{**BLOW, "on": "knowledge_lost"}]})
    state.races[norse.id] = type(state.races[norse.id])(norse.id, "Norse", knowledges=("toolmaking",))
    cast(state, "omen", norse)
    events = let(state, {"op": "forget", "knowledge": "toolmaking"}, race=norse)
    assert sum(deaths_by_square(events).values()) == 3


@pytest.mark.rule("G2-MOD-3")
def test_a_dormant_power_has_a_trigger_to_wait_for() -> None:
    for codes in (["Mv"], ["Mv+"]):
        with refused("pack.invalid"):
            pack_of(None, vigil={"codes": codes, "effects": [MORE]})
    assert pack_of(None, vigil={"codes": ["M"], "effects": [MORE]})


AGAIN = {"op": "reroll", "keep": "best", "on": "die_rolled"}


@pytest.mark.rule("G2-MOD-3", "G2-DICE-4")
@pytest.mark.parametrize(("keep", "wars"), [("best", 1), ("worst", 0), ("last", 1)])
def test_a_die_of_aggression_is_thrown_again_for_a_race_that_waited_for_one(keep: str, wars: int) -> None:
    state, norse, picts = earth(luck={"codes": ["Mv"], "effects": [{**AGAIN, "keep": keep}]})
    cast(state, "luck", norse)
    dice = [d(6, f"aggression {race}", *shown) for race, shown in sorted({norse.id: (2, 6), picts.id: (1,)}.items())]
    events = happen(state, roll_aggression, dice)
    assert {e.race: e.declarations for e in of_kind(events, AggressionRolled)} == {norse.id: wars, picts.id: 0}
    assert [e.trigger for e in of_kind(events, ModificationFired)] == ["die_rolled"]
    assert not state.modifications


@pytest.mark.rule("G2-MOD-5")
def test_a_value_activated_by_a_die_holds_for_that_die_alone() -> None:
    fury = {"codes": ["Mv"], "effects": [{"op": "stat_add", "stat": "aggression", "amount": 4, "on": "die_rolled"}]}
    state, norse, _ = earth(fury=fury)
    cast(state, "fury", norse)
    events = happen(state, roll_aggression, [d(6, "aggression", 1, 1)])
    values = {e.race: (e.aggression, e.declarations) for e in of_kind(events, AggressionRolled)}
    assert values[norse.id] == (4, 1) and stat(state, norse.id, "aggression").value == 0


@pytest.mark.rule("G2-MOD-3", "G2-DICE-4")
def test_a_roll_table_aimed_at_a_race_throws_again_for_a_race_that_waited_for_a_die() -> None:
    plague = {"codes": ["Be"], "effects": [{"op": "roll", "die": 6, "table": "pestilence_spread"}]}
    state, norse, _ = earth(luck={"codes": ["Mv"], "effects": [AGAIN]}, plague=plague)
    state.races[norse.id] = type(state.races[norse.id])(norse.id, "Norse")
    cast(state, "luck", norse)
    rolled = of_kind(cast(state, "plague", norse, dice=[d(6, "pestilence_spread", 2, 3)]), TableRolled)
    assert [(e.race, e.row) for e in rolled] == [(norse.id, None)] and not state.modifications
    cast(state, "luck", norse)
    assert of_kind(cast(state, "plague", norse, dice=[d(6, "pestilence_spread", 5, 1)]), TableRolled)[0].row == 4


@pytest.mark.rule("G2-MOD-5")
def test_a_die_that_a_modification_throws_activates_nothing_more() -> None:
    """Two curses that roll whenever a die is rolled would never end else."""
    gamble = {"op": "roll", "die": 6, "table": "pestilence_spread", "on": "die_rolled"}
    more = {key: {"codes": ["Mp"], "effects": [gamble]} for key in ("one", "two")}
    state, norse, _ = earth(**more)
    for key in more:
        cast(state, key, norse)
    events = happen(state, roll_aggression, [d(6, "pestilence_spread", 1, 1), d(6, "aggression", 1, 1)])
    assert len(of_kind(events, ModificationFired)) == len(of_kind(events, TableRolled)) == 2


@pytest.mark.rule("G2-MOD-3", "G2-DIP-4", "G2-DICE-4")
@pytest.mark.parametrize("trigger", ["diplomacy_used", "die_rolled"])
def test_the_die_of_diplomacy_activates_the_modifications_that_waited_for_it_and_their_values_count(
    trigger: str,
) -> None:
    tongue = [{**AGAIN, "on": trigger}, {"op": "stat_add", "stat": "diplomacy", "amount": 2, "on": trigger}]
    peace = {"codes": ["M"], "effects": [{"op": "diplomacy_policy", "policy": "always"}]}
    state, norse, picts = earth(tongue={"codes": ["Mv"], "effects": tongue}, peace=peace)
    cast(state, "tongue", picts)
    cast(state, "peace", picts)
    war = plant_war(state, norse, picts)
    events = happen(state, lambda s, ctx: fight(s, ctx, war), [d(6, "diplomacy/defender", 1, 6)])
    assert of_kind(events, DiplomacyTried) == [event_like(DiplomacyTried, race=picts.id, diplomacy=2, yes=True)]
    assert [e.trigger for e in of_kind(events, ModificationFired)] == [trigger]
    assert stat(state, picts.id, "diplomacy").value == 0


@pytest.mark.rule("G2-MOD-3", "G2-MOVE-6")
def test_a_new_contact_activates_the_modifications_that_waited_for_it_once() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 8): 1})
    watch = {"codes": ["Mp"], "effects": [{**BLOW, "on": "contact_made", "amount": 1}]}
    state = earth_of(["P" * 10], norse, picts, packs=pack_of(None, watch=watch))
    cast(state, "watch", picts)
    near = UnitsMoved(race=norse.id, moves=moves({(Square(0, 0), Square(0, 7)): 1}), cause="test")

    def comes(s: State, ctx: Any) -> Any:
        yield near

    assert not of_kind(happen(state, lambda s, ctx: run_with_triggers(s, ctx, iter(()))), ModificationFired)
    events = happen(state, lambda s, ctx: run_with_triggers(s, ctx, comes(s, ctx)))
    assert [(e.race, e.trigger) for e in of_kind(events, ModificationFired)] == [(picts.id, "contact_made")]
    assert not of_kind(happen(state, lambda s, ctx: run_with_triggers(s, ctx, iter(()))), ModificationFired)


@pytest.mark.rule("G2-MOD-3", "G2-AMB-48")
def test_the_shares_of_an_obliterated_god_activate_the_modifications_that_waited_for_new_ones() -> None:
    book, _ = game_with_omen("pantheon_changed")
    assert omen_seats(book.when(MarkGod(seat=BEN, status=GodStatus.OBLITERATED), by=GM)) == {ANA}
