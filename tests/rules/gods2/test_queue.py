"""The queue at the Window (G2-QUEUE-1)."""

from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.audience import reader
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.engine.lifecycle.waiting import deadline_of, visible_waiting, waiting_for
from games.gods2.rules.setup.events import AbsenceMarked, GodMarked
from games.gods2.rules.setup.roster_commands import MarkAbsent, MarkGod
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import GodStatus
from games.gods2.rules.window.commands import CallNumber, DrawNumber, LeaveQueue, PassNumber
from games.gods2.rules.window.events import NumberCalled, NumberDrawn, NumberDropped, NumberPassed, NumberTaken
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, minutes, two_peoples
from tests.rules.gods2.position import position
from tests.rules.gods2.worlds import race

MINUTE = timedelta(seconds=60)


@pytest.mark.rule("G2-QUEUE-1")
def test_the_first_number_is_called_at_once_and_its_holder_is_a_secret() -> None:
    book, *_ = two_peoples()

    events = book.when(DrawNumber(), by=ANA)

    assert of_kind(events, NumberTaken, NumberDrawn, NumberCalled) == [
        event_like(NumberTaken, number=1),
        event_like(NumberDrawn, number=1, seat=ANA),
        event_like(NumberCalled, number=1, due=DAWN + MINUTE),
    ]
    audiences = {type(h.event): h.audience for h in book.log[-6:]}
    assert audiences[NumberTaken] == audiences[NumberCalled] == "public"
    assert audiences[NumberDrawn] == f"gm+seat:{ANA}"
    assert not book.state.view_for(frozenset({BEN})).holders
    assert [p.owners for p in book.state.prompts.values()] == [(f"seat:{ANA}",)]
    assert book.state.timers["queue:1"].due == DAWN + MINUTE


@pytest.mark.rule("G2-QUEUE-1")
def test_one_waiting_number_a_caster() -> None:
    book, *_ = two_peoples()
    book.when(DrawNumber(), by=ANA)
    with refused("number.held", book.state):
        book.when(DrawNumber(), by=ANA)


@pytest.mark.rule("G2-QUEUE-1")
def test_numbers_are_called_in_their_order() -> None:
    book, *_ = two_peoples()
    for seat in (ANA, BEN, CLEO):
        book.when(DrawNumber(), by=seat)
    assert book.state.era.called == 1
    assert of_kind(book.when(LeaveQueue(), by=ANA), NumberDropped, NumberCalled) == [
        event_like(NumberDropped, number=1),
        event_like(NumberCalled, number=2),
    ]
    assert of_kind(book.when(PassNumber(), by=BEN), NumberPassed, NumberCalled) == [
        event_like(NumberPassed, number=2, misses=1),
        event_like(NumberCalled, number=3),
    ]
    book.when(DrawNumber(), by=ANA)
    assert sorted(book.state.numbers, key=lambda n: book.state.numbers[n].place) == [3, 2, 4]


@pytest.mark.rule("G2-QUEUE-1")
def test_a_god_who_does_not_act_in_a_minute_goes_to_the_end_and_is_dropped_after_three_misses() -> None:
    book, *_ = two_peoples()
    book.when(DrawNumber(), by=ANA)
    book.when(DrawNumber(), by=BEN)

    first = book.wait(MINUTE)
    assert of_kind(first, NumberPassed, NumberCalled) == [
        event_like(NumberPassed, number=1, misses=1),
        event_like(NumberCalled, number=2),
    ]
    rest = book.wait(minutes(5))

    assert [e.number for e in of_kind(rest, NumberDropped)] == [1, 2]
    assert [e.misses for e in of_kind(first + rest, NumberPassed) if e.number == 1] == [1, 2]
    assert not book.state.numbers and book.state.era.called is None and not book.state.prompts


@pytest.mark.rule("G2-QUEUE-1")
def test_a_gm_calls_a_number_out_of_turn() -> None:
    book, *_ = two_peoples()
    for seat in (ANA, BEN, CLEO):
        book.when(DrawNumber(), by=seat)
    assert of_kind(book.when(CallNumber(number=3), by=GM), NumberPassed, NumberCalled) == [
        event_like(NumberPassed, number=1, misses=0),
        event_like(NumberCalled, number=3),
    ]
    assert [k for k in book.state.timers if k.startswith("queue")] == ["queue:3"]
    with refused("number.missing", book.state):
        book.when(CallNumber(number=9), by=GM)


@pytest.mark.rule("G2-QUEUE-1", "G2-HIST-1", "G2-HIST-2")
def test_drawing_a_number_is_refused_to_absent_and_dead_gods_and_outside_the_activity_phase() -> None:
    book, *_ = two_peoples()
    with refused("number.missing", book.state):
        book.when(LeaveQueue(), by=ANA)
    with refused("number.not_called", book.state):
        book.when(PassNumber(), by=ANA)
    book.when(MarkAbsent(seat=ANA, absent=True), by=GM)
    with refused("caster.absent", book.state):
        book.when(DrawNumber(), by=ANA)
    book.when(MarkGod(seat=BEN, status=GodStatus.KILLED), by=GM)
    with refused("god.dead", book.state):
        book.when(DrawNumber(), by=BEN)
    book.wait(minutes(26))
    with refused("phase.closed", book.state):
        book.when(DrawNumber(), by=CLEO)


@pytest.mark.rule("G2-QUEUE-1", "G2-TIME-3")
@pytest.mark.parametrize(("century_seconds", "seconds"), [(60, 5), (150, 5), (180, 6), (900, 30), (1800, 60)])
def test_a_called_number_has_a_minute_in_a_full_century_and_five_seconds_in_the_shortest(
    century_seconds: int, seconds: int
) -> None:
    """A minute in 30 minutes is 2 seconds in one, and 5 in two and a half: nobody has less than 5."""
    norse = race("Norse", {(0, 0): 1})
    book = position(("PP",), norse, options=Gods2Options(century_seconds=century_seconds))
    due = book.now + timedelta(seconds=seconds)
    assert of_kind(book.when(DrawNumber(), by=ANA), NumberCalled) == [event_like(NumberCalled, number=1, due=due)]
    assert of_kind(book.wait(timedelta(seconds=seconds - 1)), NumberPassed) == []
    assert of_kind(book.wait(timedelta(seconds=1)), NumberPassed) == [event_like(NumberPassed, number=1, misses=1)]


@pytest.mark.rule("G2-QUEUE-1")
def test_the_time_of_a_called_number_moves_with_a_pause_and_its_question_names_none() -> None:
    book = position(("PP",), race("Norse", {(0, 0): 1}))
    book.when(DrawNumber(), by=ANA)
    due = book.now + MINUTE
    book.when(Pause(reason="Tea."), by=GM)
    book.wait(10 * MINUTE)
    book.when(Resume(), by=GM)
    (question,) = book.state.prompts.values()
    assert question.question == "Number 1 is called: act at the Window, or pass."
    timer = deadline_of(book.state, question)
    assert timer is not None and timer.due == due + 10 * MINUTE


@pytest.mark.rule("G2-QUEUE-1", "G2-HIST-2")
def test_a_god_who_may_act_at_the_window_is_waited_for_and_an_absence_stays_a_secret() -> None:
    book, *_ = two_peoples()

    def owners_waited_for(*seats: UUID, gm: bool = False) -> set[str]:
        return {each.owner for each in visible_waiting(waiting_for(book.state), seats, gm=gm)}

    everybody = {reader(seat) for seat in (ANA, BEN, CLEO)}
    assert owners_waited_for() == everybody
    book.plant(AbsenceMarked(seat=CLEO, absent=True))
    assert owners_waited_for() == owners_waited_for(ANA) == everybody
    assert owners_waited_for(CLEO) == owners_waited_for(gm=True) == everybody - {reader(CLEO)}
    with refused("caster.absent", book.state):
        book.when(DrawNumber(), by=CLEO)
    book.plant(GodMarked(seat=BEN, status=GodStatus.KILLED))
    assert owners_waited_for() == everybody - {reader(BEN)}
