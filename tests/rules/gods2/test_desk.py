"""Manual tasks of the GM, laws, powers that are granted, names put to entries (G2-MISC-1, G2-HREC-1, G2-HIST-4)."""

from typing import Any
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.amend import Amended, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow
from games.engine.prompts.prompt import DeadlinePassed
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import DeedAuthored, EntrySigned, PowerGranted
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.century.worksheet_events import WorksheetOpened
from games.gods2.rules.declarations.events import AggressionRolled, BoardOpened, WarDeclared
from games.gods2.rules.effects.events import TaskOpened
from games.gods2.rules.gm_desk.commands import GrantPower, RecordLaw, SettleManualTask, SignEntry
from games.gods2.rules.gm_desk.events import LawPassed, TaskSettled, TaskVoided
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.mana.events import ManaRefunded, PoolRefunded, SourceCounted
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.pantheon.turmoil_commands import StartTurmoil
from games.gods2.rules.pantheon.turmoil_events import TurmoilStarted
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.records import GodKind, Phase, Pool
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.events import WarFought
from games.gods2.rules.war.schedule_commands import FightWarNow
from games.gods2.rules.window.commands import CallNumber, DrawNumber
from games.gods2.rules.window.events import NumberCalled
from tests.playbook import DAWN, Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import (
    ANA,
    BEN,
    CLEO,
    GM,
    begin,
    define,
    minutes,
    set_up,
    shares,
    two_peoples,
    units,
)
from tests.rules.gods2.joint import balances, parts, replays_alike, set_kind, with_powers

OTHER_GM = Actor(Issuer.GM, user=UUID(int=3))
WORDS = "Let the sea give back a drowned king."


def errand(**more: Any) -> tuple[Playbook, UUID]:
    """A game with a power of 9 mana whose effect a GM carries out by hand."""
    effects = [{"op": "manual", "text": WORDS}, *more.pop("also", [])]
    book, dwarves, _ = with_powers(errand={"codes": ["X"], "cost": 9, "effects": effects, **more})
    return book, dwarves


def cast_errand(book: Playbook, race: UUID, **more: Any) -> UUID:
    """The task that the casting opens."""
    events = book.when(CastPower(power="errand", targets=(Target(race=race),), **more), by=ANA)
    return of_kind(events, TaskOpened)[0].task


@pytest.mark.rule("G2-MISC-1")
def test_an_effect_that_a_power_leaves_to_the_gm_is_a_task_visible_to_the_casters_and_the_gms() -> None:
    book, dwarves = errand()
    task = cast_errand(book, dwarves)
    assert [(t.words, t.payers) for t in book.state.tasks.values()] == [(WORDS, ((ANA, 9),))]
    assert {h.audience for h in book.log if isinstance(h.event, TaskOpened)} == {f"gm+seat:{ANA}"}
    assert book.state.view_for(frozenset({ANA})).tasks and not book.state.view_for(frozenset({BEN})).tasks
    assert [(p.lane, p.owners) for p in book.state.prompts.values() if p.kind == "TASK.manual"] == [
        (f"desk:{task}", ("gm",))
    ]
    assert not book.state.numbers  # the casting itself is finished
    (candidate,) = legal_commands_for(book.state, (SettleManualTask,), GM)
    assert candidate.arguments["task"].values == (task,) and candidate.note == WORDS


@pytest.mark.rule("G2-MISC-1")
def test_a_task_is_done_with_the_rows_it_changes() -> None:
    book, dwarves = errand()
    task = cast_errand(book, dwarves)
    renamed = Change(
        deed=Deed.ALTER, table="races", row=str(dwarves), fields=(FieldChange(field="name", value='"Sea Dwarves"'),)
    )
    with refused("amend.invalid", book.state):
        book.when(SettleManualTask(task=task, done=False, changes=(renamed,)), by=GM)

    events = book.when(SettleManualTask(task=task, done=True, text="He rose.", changes=(renamed,)), by=GM)

    assert of_kind(events, TaskSettled, Amended) == [
        event_like(TaskSettled, task=task, words="He rose."),
        event_like(Amended, reason="He rose."),
    ]
    assert book.state.races[dwarves].name == "Sea Dwarves" and balances(book)[0] == 11
    assert not book.state.tasks and not book.state.prompts
    with refused("task.closed", book.state):
        book.when(SettleManualTask(task=task, done=True), by=OTHER_GM)


@pytest.mark.rule("G2-MISC-1")
def test_impossible_changes_are_refused() -> None:
    book, dwarves = errand()
    task = cast_errand(book, dwarves)
    secret = Change(deed=Deed.DELETE, table="dice", row="1")
    with refused("amend.invalid"):
        book.when(SettleManualTask(task=task, done=True, changes=(secret,)), by=GM)


@pytest.mark.rule("G2-MISC-1")
@pytest.mark.parametrize("_case", ["by the GM", "when the Activity Phase ends"])
def test_a_void_task_gives_every_payer_their_mana_back(_case: str) -> None:
    book, dwarves = errand()
    book.when(
        CastPower(power="errand", targets=(Target(race=dwarves),), parts=parts((ANA, 6), (BEN, 3)), split="given"),
        by=ANA,
    )
    prompt = next(p.id for p in book.state.prompts.values() if p.kind == "CASTING.join")
    task = of_kind(book.when(AnswerCasting(prompt=prompt, yes=True), by=BEN), TaskOpened)[0]
    assert balances(book) == [14, 17, 20]
    command = SettleManualTask(task=task.task, done=False, text="no king") if _case == "by the GM" else EndNow()

    events = book.when(command, by=GM)

    assert of_kind(events, TaskVoided, ManaRefunded) == [
        event_like(TaskVoided, task=task.task),
        event_like(ManaRefunded, seat=ANA, casting=task.casting, amount=6, balance=20),
        event_like(ManaRefunded, seat=BEN, casting=task.casting, amount=3, balance=20),
    ]
    assert balances(book) == [20, 20, 20] and not book.state.tasks
    assert not [p for p in book.state.prompts.values() if p.kind == "TASK.manual"]
    assert {h.audience for h in book.log if isinstance(h.event, ManaRefunded)} == {f"gm+seat:{s}" for s in (ANA, BEN)}


@pytest.mark.rule("G2-MISC-1", "G2-MANA-4")
def test_what_a_demon_paid_goes_back_to_the_pool() -> None:
    book, dwarves = errand()
    set_kind(book, ANA, GodKind.DEMON)
    book.state.pools[book.state.info.id] = Pool(book.state.info.id, 12, demons=(ANA,))
    task = cast_errand(book, dwarves)
    assert book.state.pools[book.state.info.id].balance == 3
    events = book.when(SettleManualTask(task=task, done=False), by=GM)
    assert of_kind(events, PoolRefunded, ManaRefunded) == [event_like(PoolRefunded, amount=9, balance=12)]


@pytest.mark.rule("G2-MISC-1")
def test_two_tasks_of_one_casting_give_its_mana_back_once() -> None:
    book, dwarves = errand(also=[{"op": "manual", "text": "And his crown."}])
    cast_errand(book, dwarves)
    assert len(book.state.tasks) == 2
    assert len(of_kind(book.when(EndNow(), by=GM), ManaRefunded)) == 1
    assert balances(book) == [20, 20, 20]


@pytest.mark.rule("G2-MISC-1", "G2-LOG-1")
def test_the_log_of_a_task_leads_to_the_same_state() -> None:
    book, dwarves = errand()
    cast_errand(book, dwarves)
    assert replays_alike(book)
    book.when(EndNow(), by=GM)
    assert replays_alike(book)


@pytest.mark.rule("G2-MANA-7", "G2-TIME-4")
def test_actions_in_heaven_go_on_whatever_the_phase_of_earth() -> None:
    book, *_ = two_peoples()
    events = book.when(RecordLaw(name="Of Tides", text="The sea keeps its shore."), by=GM)
    assert of_kind(events, LawPassed, SourceCounted) == [
        event_like(LawPassed, name="Of Tides", words="The sea keeps its shore.", century=1),
        event_like(SourceCounted, source="fj_law_passed", count=1),
    ]
    with refused("name.taken", book.state):
        book.when(RecordLaw(name="of tides"), by=GM)
    sheet = of_kind(book.when(EndNow(), by=GM), WorksheetOpened)[0]
    assert [line.count for line in sheet.lines if line.source == "fj_law_passed"] == [1]
    assert book.state.era.phase is Phase.RECKONING
    book.when(RecordLaw(name="Of Stars"), by=GM)
    book.when(GrantPower(seat=BEN, power="call_to_arms", source=GrantSource.PERSONAL), by=GM)
    assert sorted(book.state.laws) == ["Of Stars", "Of Tides"]


@pytest.mark.rule("G2-HIST-4")
def test_a_gm_lends_powers_up_to_level_four_and_takes_them_back() -> None:
    book, *_ = two_peoples()
    granted = GrantPower(seat=CLEO, power="cult_of_war", source=GrantSource.BORROWED, uses=2)
    assert book.when(granted, by=GM) == [event_like(PowerGranted, seat=CLEO, power="cult_of_war", uses=2)]
    assert [g.uses for g in book.state.grants.values()] == [2]
    assert book.log[-1].audience == f"gm+seat:{CLEO}"
    book.when(GrantPower(seat=CLEO, power="cult_of_war", source=GrantSource.BORROWED, uses=0), by=GM)
    assert not book.state.grants
    with refused("power.level", book.state):
        book.when(GrantPower(seat=CLEO, power="world_war", source=GrantSource.BORROWED), by=GM)
    book.when(GrantPower(seat=CLEO, power="world_war", source=GrantSource.ARTIFACT), by=GM)
    with refused("power.missing", book.state):
        book.when(GrantPower(seat=CLEO, power="nothing_at_all", source=GrantSource.ARTIFACT), by=GM)
    with refused("seat.missing", book.state):
        book.when(GrantPower(seat=UUID(int=5), power="world_war", source=GrantSource.ARTIFACT), by=GM)


@pytest.mark.rule("G2-HREC-1")
def test_the_god_who_caused_an_entry_may_sign_it_later() -> None:
    book, dwarves, _ = two_peoples()
    events = book.when(CastPower(power="call_to_arms", targets=(Target(race=dwarves),)), by=ANA)
    entry = of_kind(events, DeedAuthored)[0].entry
    with refused("entry.not_yours", book.state):
        book.when(SignEntry(entry=entry), by=BEN)
    with refused("entry.missing", book.state):
        book.when(SignEntry(entry=UUID(int=5)), by=ANA)
    assert book.when(SignEntry(entry=entry), by=ANA) == [EntrySigned(entry=entry, seat=ANA)]
    assert book.log[-1].audience == "public" and book.state.signatures[entry].seat == ANA
    with refused("entry.signed", book.state):
        book.when(SignEntry(entry=entry), by=ANA)


def fierce() -> Playbook:
    """Two peoples of whom one is warlike and attacks by itself."""
    book = set_up()
    for name, x, mood in (("Orcs", 1, "warlike"), ("Elves", 4, "peaceful")):
        placed = units((x, 1, 1), (x + 1, 1, 1), (x + 2, 1, 1))
        define(book, name, placed, attributes=(mood,), pantheon=shares(a=60, b=40))
    return begin(book)


@pytest.mark.rule("G2-HREC-2", "G2-SEQ-3")
def test_events_without_a_god_are_carried_out_and_entered_by_the_service() -> None:
    book = fierce()
    while not of_kind([h.event for h in book.log], WarFought):
        assert book.state.era.century < 9, "no war in eight centuries"
        book.wait(minutes(30))
    happened = [h.event for h in book.log]
    assert of_kind(happened, AggressionRolled, BoardOpened)
    fought = of_kind(happened, WarFought)[0]
    wars = {e.war for e in of_kind(happened, HistoryEntered) if e.war is not None}
    assert fought.war in wars
    assert not of_kind(happened, DeedAuthored)


@pytest.mark.rule("G2-SEQ-3")
def test_any_gm_serves_the_interventions_and_the_events() -> None:
    book, dwarves, elves = two_peoples()
    war = of_kind(
        book.when(CastPower(power="declare_war", targets=(Target(race=dwarves), Target(race=elves))), by=ANA),
        WarDeclared,
    )[0]
    for seat in (ANA, BEN, CLEO):
        book.when(DrawNumber(), by=seat)
    assert [e.number for e in of_kind(book.when(CallNumber(number=3), by=GM), NumberCalled)] == [3]
    assert [e.number for e in of_kind(book.when(CallNumber(number=4), by=OTHER_GM), NumberCalled)] == [4]
    book.when(FightWarNow(war=war.war), by=OTHER_GM)
    with refused("war.closed", book.state):
        book.when(FightWarNow(war=war.war), by=GM)


@pytest.mark.rule("G2-QUEUE-3")
def test_pantheon_orders_and_turmoils_need_no_number() -> None:
    book, dwarves, _ = two_peoples()
    for seat in (CLEO, BEN):
        book.when(DrawNumber(), by=seat)
    assert book.state.era.called == 1
    book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=50, b=50)), by=ANA)
    assert of_kind(book.when(StartTurmoil(race=dwarves), by=BEN), TurmoilStarted)
    assert sorted(book.state.numbers) == [1, 2] and book.state.era.called == 1 and book.state.orders


@pytest.mark.rule("G2-MISC-1")
def test_a_task_is_due_when_the_activity_phase_ends_also_when_that_moves() -> None:
    book, dwarves = errand(also=[{"op": "century_time", "minutes": 5}])
    task = cast_errand(book, dwarves)
    question = next(p for p in book.state.prompts.values() if p.kind == "TASK.manual")

    def due() -> object:
        timer = book.state.timers[f"prompt:{question.id}"]
        assert (timer.shown, timer.subject, book.state.era.activity_ends_at) == ("gm", question.id, timer.due)
        return timer.due

    assert due() == DAWN + minutes(30)
    book.when(Extend(seconds=60), by=GM)
    assert due() == DAWN + minutes(31)
    events = book.when(FireNow(timer=f"prompt:{question.id}"), by=GM)
    assert of_kind(events, DeadlinePassed, TaskVoided) == [
        event_like(DeadlinePassed, prompt=question.id),
        event_like(TaskVoided, task=task),
    ]
    assert balances(book)[0] == 20 and not book.state.tasks and not book.state.prompts


@pytest.mark.rule("G2-MISC-1")
def test_a_task_that_is_done_is_due_no_more() -> None:
    book, dwarves = errand()
    task = cast_errand(book, dwarves)
    book.when(SettleManualTask(task=task, done=True), by=GM)
    assert not [t for t in book.state.timers.values() if t.does == "settle-task"]
