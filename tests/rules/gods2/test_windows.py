"""What needs a person, and what happens in silence (section 9.1): a question or a timer, a window, a default each.

The windows are those of a century of 30 minutes. Where a GM may do more than wait (extend, pause, end now, decide for
an absent god) that is tested in the same place. The questions about wars stand in `test_windows_of_wars`.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow, Pause, Resume
from games.engine.prompts.prompt import DeadlinePassed, PromptOpened
from games.gods2.rules.calendar.commands import PlanSessions
from games.gods2.rules.calendar.rules import activity_key
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import CastingWithdrawn
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.events import CenturyOpened, GrowthOrdered
from games.gods2.rules.century.worksheet_commands import CorrectWorksheet
from games.gods2.rules.century.worksheet_events import CenturyClosed, WorksheetClosed
from games.gods2.rules.growth.events import GrowthPreviewed
from games.gods2.rules.growth.order_commands import SetGrowthOrder
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.history.events import NameAsked, PlaceNamed
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.pantheon.turmoil_events import ExpulsionAnswered
from games.gods2.rules.setup.events import CreationOpened
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.value_types import PartOf, Target
from games.gods2.rules.window.commands import DrawNumber
from games.gods2.rules.window.events import NumberCalled, NumberDropped, NumberPassed, NumberServed
from tests.dice import d
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.desk import GM_OPTIONS, PLAN, accept_growth, kinds, left, prompt_of, seconds, warring
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, begin, define, minutes, place, set_up, shares, two_peoples, units


@pytest.mark.rule("G2-TIME-2")
def test_centuries_and_sessions_are_settled_before_and_spread_evenly_in_silence() -> None:
    book = begin(set_up_with_people())
    assert book.state.era.plan == (6, 5, 5) and book.state.era.century_seconds == 1800
    planned = set_up_with_people()
    planned.when(PlanSessions(plan=(8, 8), minutes=20), by=Actor(Issuer.HOST))
    assert begin(planned).state.era.plan == (8, 8)


def set_up_with_people(options: Gods2Options | None = None) -> Playbook:
    book = set_up(options=options)
    define(book, "Norse", units((1, 1, 1)), attributes=("peaceful",), pantheon=shares(a=100))
    return book


@pytest.mark.rule("G2-GROW-1", "G2-AMB-4")
@pytest.mark.parametrize("decided", [True, False])
def test_the_order_of_growth_is_asked_until_step_three_and_drawn_in_silence(decided: bool) -> None:
    book, dwarves, elves = two_peoples(GM_OPTIONS)
    accept_growth(book)
    assert "GROWTH.order" not in kinds(book)
    book.wait(minutes(29))
    book.when(EndNow(), by=GM) if book.state.era.phase is Phase.OPEN else None
    assert book.state.era.century == 1
    closed = book.when(EndNow(), by=GM)
    assert of_kind(closed, CenturyClosed, CenturyOpened)
    orders = [e for e in closed if isinstance(e, PromptOpened) and e.kind == "GROWTH.order"]
    assert [(p.lane, p.owners, p.answered_by) for p in orders] == [("growth", ("gm",), ("set-growth-order",))]
    book, dwarves, elves = two_peoples(Gods2Options(previews=True, plan=(1, 15)))
    accept_growth(book)
    book.wait(minutes(30))
    assert book.state.era.phase is Phase.TRANSITION
    question, order = prompt_of(book, "GROWTH.order"), (max(dwarves, elves), min(dwarves, elves))
    if decided:
        book.when(SetGrowthOrder(races=order), by=GM)
    from_the_next = book.when(OpenSession(), by=GM)
    assert "GROWTH.order" not in kinds(book)
    assert bool([e for e in of_kind(from_the_next, DeadlinePassed) if e.prompt == question.id]) is not decided
    (ordered,) = of_kind(from_the_next, GrowthOrdered)
    assert (ordered.races == order) or not decided
    rolled = [r for h in book.log if h.event is ordered for r in h.rolls]
    assert bool(rolled) is not decided


@pytest.mark.rule("G2-GROW-10", "G2-AMB-5")
def test_a_growth_is_shown_for_twenty_seconds_a_race() -> None:
    book, *_ = two_peoples(GM_OPTIONS)
    question = prompt_of(book, "GROWTH.preview")
    assert question.lane == "growth" and left(book, f"prompt:{question.id}") == seconds(20)
    assert not of_kind(book.wait(seconds(19)), GrowthPreviewed)
    assert of_kind(book.wait(seconds(1)), DeadlinePassed)[0].prompt == question.id
    assert prompt_of(book, "GROWTH.preview").id != question.id


@pytest.mark.rule("G2-GROW-10")
def test_without_previews_nothing_waits() -> None:
    book, *_ = two_peoples(Gods2Options(plan=PLAN))
    assert book.state.era.phase is Phase.OPEN and kinds(book) == []


@pytest.mark.rule("G2-QUEUE-1")
def test_a_called_caster_has_sixty_seconds_and_three_calls() -> None:
    book, *_ = two_peoples(Gods2Options(plan=PLAN))
    book.when(DrawNumber(), by=ANA)
    assert left(book, "queue:1") == seconds(60) and prompt_of(book, "QUEUE.called").owners == (f"seat:{ANA}",)
    for misses in (1, 2):
        passed = of_kind(book.wait(seconds(60)), NumberPassed)
        assert [e.misses for e in passed] == [misses]
    assert of_kind(book.wait(seconds(60)), NumberDropped) and not book.state.numbers


@pytest.mark.rule("G2-QUEUE-1")
def test_the_next_number_is_called_when_the_last_has_finished() -> None:
    book, dwarves, _ = two_peoples(Gods2Options(plan=PLAN))
    for seat in (ANA, BEN):
        book.when(DrawNumber(), by=seat)
    events = book.when(CastPower(power="call_to_arms", targets=(Target(race=dwarves),)), by=ANA)
    assert [e.number for e in of_kind(events, NumberServed, NumberCalled)] == [1, 2]


@pytest.mark.rule("G2-HIST-3")
def test_a_price_is_split_equally_when_all_agree_and_else_nobody_pays() -> None:
    for silent in (False, True):
        book, dwarves, _ = two_peoples(Gods2Options(plan=PLAN), cards={s: {"WA": 1} for s in (ANA, BEN, CLEO)})
        joint = CastPower(
            power="call_to_arms", targets=(Target(race=dwarves),), parts=tuple(PartOf(seat=s) for s in (ANA, BEN, CLEO))
        )
        book.when(joint, by=ANA)
        questions = [p for p in book.state.prompts.values() if p.kind == "CASTING.join"]
        assert [p.lane for p in questions] == ["casting"] * len(questions)
        assert left(book, f"prompt:{questions[0].id}") == seconds(60)
        if silent:
            assert of_kind(book.wait(seconds(60)), CastingWithdrawn)
            assert [book.state.purses[s].balance for s in (ANA, BEN, CLEO)] == [20, 20, 20]
        else:
            for seat in (BEN, CLEO):
                book.when(yes_of(book, seat), by=seat)
            assert [book.state.purses[s].balance for s in (ANA, BEN, CLEO)] == [18, 19, 19]


def yes_of(book: Playbook, seat: UUID) -> Any:
    question = next(p for p in book.state.prompts.values() if p.kind == "CASTING.join" and f"seat:{seat}" in p.owners)
    return AnswerCasting(prompt=question.id, yes=True)


def in_turmoil() -> tuple[Playbook, UUID]:
    """A turmoil whose die lets Belun throw a member out."""
    book, dwarves, _ = two_peoples(Gods2Options(plan=PLAN))
    book.when(StartTurmoil(race=dwarves), by=BEN)
    book.wait(minutes(25) - seconds(1))
    book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 5), d(2, "member", 2)])
    return book, dwarves


@pytest.mark.rule("G2-TURM-5", "G2-AMB-30")
def test_the_chosen_god_has_the_calculation_phase_and_two_minutes_at_least() -> None:
    book, dwarves = in_turmoil()
    question = prompt_of(book, "TURMOIL.expel")
    assert (
        question.lane == f"turmoil:{dwarves}"
        and book.state.timers[f"prompt:{question.id}"].due == book.state.era.ends_at
    )
    events = book.wait(minutes(6))
    assert [e.member for e in of_kind(events, ExpulsionAnswered)] == [None]
    book, dwarves = in_turmoil()
    book.when(
        AnswerExpulsion(prompt=prompt_of(book, "TURMOIL.expel").id, member=str(ANA)),
        by=Actor(Issuer.GM, user=GM.user, on_behalf_of=BEN),
    )
    assert list(book.state.pantheon(dwarves)) == [str(BEN)]


@pytest.mark.rule("G2-TURM-5")
def test_the_end_of_the_century_waits_for_a_god_who_was_asked_late() -> None:
    book, dwarves, _ = two_peoples(Gods2Options(plan=PLAN))
    book.when(StartTurmoil(race=dwarves), by=BEN)
    timer = book.state.timers[activity_key(1)]
    book.state.timers[timer.key] = replace(timer, due=None, left=minutes(25))  # nothing ends the phase by itself
    book.wait(minutes(29))
    book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 5), d(2, "member", 2)])
    question = prompt_of(book, "TURMOIL.expel")
    assert left(book, f"prompt:{question.id}") == seconds(120)
    assert not of_kind(book.wait(minutes(2) - seconds(1)), CenturyOpened)
    assert of_kind(book.wait(seconds(1)), ExpulsionAnswered, CenturyOpened)


@pytest.mark.rule("G2-TIME-3")
def test_the_activity_phase_ends_five_minutes_before_the_century_or_by_a_gms_decision() -> None:
    book, *_ = two_peoples(Gods2Options(plan=PLAN))
    assert left(book, activity_key(1)) == minutes(25)
    book.wait(minutes(25))
    assert book.state.era.phase is Phase.RECKONING
    book, *_ = two_peoples(Gods2Options(plan=PLAN))
    book.when(EndNow(), by=GM)
    assert book.state.era.phase is Phase.RECKONING


@pytest.mark.rule("G2-CALC-2")
def test_the_worksheet_may_be_corrected_before_mana_is_paid_and_stands_in_silence() -> None:
    book, dwarves, _ = two_peoples(Gods2Options(plan=PLAN))
    book.wait(minutes(25))
    assert prompt_of(book, "WORKSHEET").answered_by == ("correct-worksheet", "approve-worksheet")
    line = f"race:{dwarves}"
    count = book.state.lines["race", str(dwarves)].count
    book.when(CorrectWorksheet(line=line, count=count + 10, text="They were miscounted"), by=GM)
    (closed,) = of_kind(book.wait(minutes(5)), WorksheetClosed)
    assert [each.count for each in closed.lines if each.race == dwarves] == [count + 10]
    with refused("worksheet.closed", book.state):
        book.when(CorrectWorksheet(line=line, count=1), by=GM)


@pytest.mark.rule("G2-CREA-1", "G2-AMB-49")
def test_a_second_creation_starts_after_five_minutes_of_silence() -> None:
    book = set_up_with_people(Gods2Options(plan=PLAN))
    begin(book)
    board = book.state.board
    for row in range(board.height):
        for column in range(board.width):
            board.put(place(column, row).square, None, 0)
    book.wait(minutes(25) + seconds(1))
    book.when(EndNow(), by=GM)
    question = prompt_of(book, "CREATION.start")
    assert left(book, f"prompt:{question.id}") == minutes(5)
    assert not of_kind(book.wait(minutes(5) - seconds(1)), CreationOpened)
    assert of_kind(book.wait(seconds(1)), CreationOpened)


@pytest.mark.rule("G2-HREC-3")
def test_a_name_is_the_gods_to_give_until_the_century_ends_and_then_a_gms() -> None:
    book, dwarves, elves = two_peoples(Gods2Options(plan=PLAN))
    events = book.when(DeclareWar(power="declare_war", attacker=dwarves, defender=elves), by=ANA)
    (question,) = of_kind(events, NameAsked)
    assert question.name == "War 1 of century 1" and prompt_of(book, "NAME").owners == (f"seat:{ANA}",)
    command = NamePlace(kind="war", subject=question.subject, name="The Long Night")
    with refused("name.not_yours", book.state):
        book.when(command, by=GM)
    assert question.prompt in [e.prompt for e in of_kind(book.wait(minutes(30)), DeadlinePassed)]
    assert book.state.wars[question.subject].name == ""
    assert of_kind(book.when(command, by=GM), PlaceNamed)


@pytest.mark.rule("G2-TIME-5")
@pytest.mark.parametrize("kind", ["GROWTH.preview", "QUEUE.called", "WAR.time", "TURMOIL.expel"])
def test_a_pause_preserves_the_remaining_time_of_every_window(kind: str) -> None:
    if kind == "GROWTH.preview":
        book, *_ = two_peoples(GM_OPTIONS)
        key = f"prompt:{prompt_of(book, kind).id}"
    elif kind == "QUEUE.called":
        book, *_ = two_peoples(Gods2Options(plan=PLAN))
        book.when(DrawNumber(), by=ANA)
        key = "queue:1"
    elif kind == "WAR.time":
        book, _, _, war = warring()
        key = f"war:{war}"
    else:
        book, _ = in_turmoil()
        key = f"prompt:{prompt_of(book, kind).id}"
    before = left(book, key)
    book.when(Pause(), by=GM)
    book.now += minutes(10)
    book.when(Resume(), by=GM)
    assert left(book, key) == before
    book.when(Extend(timer=key, seconds=30), by=GM)
    assert left(book, key) == before + seconds(30)
    before_it = book.state.timers[key].generation
    book.when(FireNow(timer=key), by=GM)
    again = book.state.timers.get(key)
    assert again is None or again.generation > before_it
