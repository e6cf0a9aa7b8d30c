"""Motions to lengthen an Age (DW-AGE-2, 4, 5)."""

from datetime import timedelta
from hashlib import sha256

import pytest

from games.dawn.rules.state.schema_types import Step
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.dawn.rules.turn.events import AgeChanged, RoundEnded, RoundStarted
from games.dawn.rules.turn.motion_commands import CastBallot, OpenMotion
from games.dawn.rules.turn.motion_events import Ballot, BallotCast, BallotSealed, MotionClosed, MotionOpened
from games.engine.audience import seats
from games.engine.prompts.prompt import PromptCounted
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import GODS, A, B, C, D, begin, log_folds_to_state, rounds, sound


def open_motion(book: Playbook, length: int, by=A):
    (opened,) = of_kind(book.when(OpenMotion(length=length), by=by), MotionOpened)
    return opened.motion


def vote(book: Playbook, motion, *ballots: bool):
    events = []
    for seat, yes in zip(GODS, ballots, strict=False):
        events += book.when(CastBallot(motion=motion, yes=yes), by=seat)
    return events


@pytest.mark.rule("DW-EX-24", "DW-AGE-2")
def test_more_than_half_of_all_gods_lengthen_the_age():
    book = begin(5)
    vote(book, open_motion(book, 7), True, True, False, True)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, MotionClosed) == [
        event_like(MotionClosed, yes=3, no=1, missing=1, passed=True, length=7),
    ]
    assert book.state.course.length == 7 and log_folds_to_state(book, 5)


@pytest.mark.rule("DW-EX-25", "DW-AGE-2", "DW-AGE-5")
def test_a_missing_vote_is_a_no_and_a_tie_fails():
    book = begin(4)
    motion = open_motion(book, 6)
    assert of_kind(vote(book, motion, True, True, False), MotionClosed) == []
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, MotionClosed) == [event_like(MotionClosed, yes=2, no=1, missing=1, passed=False, length=5)]


@pytest.mark.rule("DW-EX-26", "DW-AGE-2")
def test_an_age_has_ten_rounds_at_most_and_never_fewer_than_before():
    book = begin(2)
    for length in (0, 1, 4, 5, 11, 1000):
        with refused("length.range", book.state):
            book.when(OpenMotion(length=length), by=B)
    vote(book, open_motion(book, 10), True, True)
    with refused("length.range", book.state):
        book.when(OpenMotion(length=11), by=A)


@pytest.mark.rule("DW-EX-46", "DW-AGE-5")
@pytest.mark.parametrize("is_late", [False, True])
def test_a_motion_closes_when_all_ballots_are_in_or_its_time_is_over(is_late):
    """Though its result is certain with the fourth ballot: that it is would tell how the first ones voted."""
    book = begin(5)
    motion = open_motion(book, 6)
    assert of_kind(vote(book, motion, True, False, True, True), MotionClosed) == []
    if is_late:
        events = book.when(CastBallot(motion=motion, yes=False), by=GODS[4])
        assert of_kind(events, MotionClosed) == [event_like(MotionClosed, yes=3, no=2, missing=0, passed=True)]
    else:
        events = book.wait(timedelta(seconds=90))
        assert of_kind(events, MotionClosed) == [event_like(MotionClosed, yes=3, no=1, missing=1, passed=True)]
    with refused("motion.closed", book.state):
        book.when(CastBallot(motion=motion, yes=True), by=GODS[4])


@pytest.mark.rule("DW-AGE-5")
def test_ballots_are_sealed_changeable_and_shown_at_the_end():
    book = begin(3)
    motion = open_motion(book, 6)
    with refused("motion.open", book.state):
        book.when(OpenMotion(length=7), by=B)
    assert book.when(CastBallot(motion=motion, yes=True), by=A) == [
        event_like(BallotCast, seat=A, yes=True),
        event_like(BallotSealed, seat=A),
    ]
    first = book.log[-1].event.digest
    assert {h.audience for h in book.log if isinstance(h.event, BallotCast)} == {seats(A)}
    assert book.when(CastBallot(motion=motion, yes=False), by=A) == [event_like(BallotCast, seat=A, yes=False)]
    book.when(CastBallot(motion=motion, yes=True), by=B)
    events = book.when(CastBallot(motion=motion, yes=False), by=C)
    (closed,) = of_kind(events, PromptCounted, MotionClosed)
    ballots = [(b.seat, b.yes) for b in closed.ballots]
    assert (closed.passed, ballots) == (False, [(A, False), (B, True), (C, False)])
    again, _, straight = closed.ballots
    assert again.digest != first  # that Ann has thought again is seen now, and not before
    assert [e.digest for e in of_kind(events, BallotSealed)] == [straight.digest]
    assert [sha256(f"{b.salt}:{'true' if b.yes else 'false'}".encode()).hexdigest() for b in closed.ballots] == [
        b.digest for b in closed.ballots
    ]


@pytest.mark.rule("DW-AGE-5")
def test_a_ballot_of_a_log_without_digests_still_folds_and_counts():
    book = begin(3)
    motion = open_motion(book, 6)
    book.plant(BallotCast(motion=motion, seat=A, yes=True))
    book.when(CastBallot(motion=motion, yes=True), by=B)
    (closed,) = of_kind(book.when(CastBallot(motion=motion, yes=True), by=C), MotionClosed)
    assert (closed.passed, closed.ballots[0]) == (True, Ballot(seat=A, yes=True))


@pytest.mark.rule("DW-AGE-4", "DW-AMB-3")
def test_the_end_of_the_last_round_waits_for_an_open_motion():
    book = begin(2)
    rounds(book, 4)
    motion = open_motion(book, 6)
    book.when(CastBallot(motion=motion, yes=True), by=A)
    last = [*book.when(EndTurn(), by=book.state.course.active), *book.when(EndTurn(), by=book.state.course.active)]
    assert of_kind(last, RoundEnded, RoundStarted) == [event_like(RoundEnded, age=1, round=5)]
    assert book.state.course.step is Step.ROUND_END
    with refused("motion.open", book.state):
        book.when(OpenMotion(length=7), by=B)
    events = book.when(CastBallot(motion=motion, yes=True), by=B)
    assert of_kind(events, MotionClosed, AgeChanged, RoundStarted) == [
        event_like(MotionClosed, passed=True, length=6),
        event_like(RoundStarted, age=1, round=6, length=6),
    ]
    assert log_folds_to_state(book, 2) and sound(book)


@pytest.mark.rule("DW-AGE-4", "DW-AMB-3")
def test_a_motion_that_fails_after_the_last_round_ends_the_age():
    book = begin(2)
    rounds(book, 4)
    motion = open_motion(book, 6)
    book.when(CastBallot(motion=motion, yes=True), by=A)
    for _ in range(2):
        book.when(EndTurn(), by=book.state.course.active)
    events = book.when(CastBallot(motion=motion, yes=False), by=B)
    assert of_kind(events, MotionClosed, RoundStarted) == [
        event_like(MotionClosed, passed=False, length=5),
        event_like(RoundStarted, age=2, round=1),
    ]
    assert log_folds_to_state(book, 2) and sound(book)


@pytest.mark.rule("DW-AGE-4", "DW-AGE-5")
def test_the_turns_and_the_rounds_before_the_last_go_on_beside_a_motion():
    book = begin(3)
    motion = open_motion(book, 6)
    assert book.state.prompts[motion].lane == "motion" and book.state.inner() is None
    events = rounds(book, 1)
    assert of_kind(events, RoundStarted, MotionClosed) == [event_like(RoundStarted, round=2)]
    assert book.state.motions and sound(book)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, MotionClosed) == [event_like(MotionClosed, missing=3, passed=False, length=5)]
    open_motion(book, 7, by=B)


@pytest.mark.rule("DW-AGE-4")
def test_after_the_last_planned_round_nothing_is_moved():
    book = begin(2)
    book.state.set_course(step=Step.ROUND_END)
    with refused("motion.closed", book.state):
        book.when(OpenMotion(length=6), by=A)


@pytest.mark.rule("DW-AGE-4", "DW-AGE-2")
def test_the_end_of_the_last_round_waits_no_longer_than_the_deadline_of_the_motion():
    book = begin(2)
    rounds(book, 4)
    open_motion(book, 6)
    for _ in range(2):
        book.when(EndTurn(), by=book.state.course.active)
    assert book.state.course.step is Step.ROUND_END
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, MotionClosed, AgeChanged) == [
        event_like(MotionClosed, missing=2, passed=False),
        event_like(AgeChanged, age=2),
    ]


@pytest.mark.rule("DW-AGE-2")
@pytest.mark.parametrize(
    ("gods", "yes", "passed"), [(2, 1, False), (2, 2, True), (3, 1, False), (3, 2, True), (5, 2, False)]
)
def test_half_of_the_gods_are_not_enough(gods: int, yes: int, passed: bool):
    book = begin(gods)
    motion = open_motion(book, 6)
    events = vote(book, motion, *[True] * yes, *[False] * (gods - yes))
    (closed,) = of_kind(events, MotionClosed)
    assert closed == event_like(MotionClosed, yes=yes, passed=passed, length=6 if passed else 5)


@pytest.mark.rule("DW-AGE-2", "DW-AMB-37")
def test_the_threshold_counts_the_gods_with_a_seat_when_the_motion_is_opened():
    book = begin(4)
    book.when(LeaveSeat(), by=D)
    events = vote(book, open_motion(book, 6), True, True, False)
    assert of_kind(events, MotionClosed) == [event_like(MotionClosed, yes=2, no=1, missing=0, passed=True)]


@pytest.mark.rule("DW-AGE-4")
def test_a_motion_that_fails_lets_the_age_end():
    book = begin(2)
    rounds(book, 4)
    motion = open_motion(book, 6)
    book.when(EndTurn(), by=book.state.course.active)
    book.when(EndTurn(), by=book.state.course.active)
    book.when(CastBallot(motion=motion, yes=True), by=A)
    events = book.when(CastBallot(motion=motion, yes=False), by=B)
    assert of_kind(events, AgeChanged) == [event_like(AgeChanged, age=2)]


@pytest.mark.rule("DW-AMB-37", "DW-AGE-5")
def test_a_god_who_leaves_votes_no_more():
    book = begin(3)
    motion = open_motion(book, 6)
    book.when(CastBallot(motion=motion, yes=False), by=A)
    assert of_kind(book.when(LeaveSeat(), by=B), MotionClosed) == []
    events = book.when(CastBallot(motion=motion, yes=True), by=C)
    assert of_kind(events, MotionClosed) == [event_like(MotionClosed, yes=1, no=1, missing=1, passed=False)]
