"""Divine Conflicts: the open auction, and disputes (section 6)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.conflict.commands import OpenDispute, PlaceBid
from games.dawn.rules.conflict.events import BidFolded, BidPlaced, ConflictOpened, ConflictResolved, DisputeOpened
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.powers.answer_commands import (
    AnswerLeave,
    OpenConflict,
    RaiseChallenge,
    RaiseObjection,
    WaiveObjection,
)
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.state.schema_types import Bidder, Cause, EdgeKind, ShapeKind, Terrain, Works
from games.dawn.rules.trade.commands import GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.dawn.rules.turn.motion_commands import CastBallot, OpenMotion
from games.dawn.rules.turn.motion_events import MotionClosed, MotionOpened
from games.engine.game_state import dump
from games.engine.kernel import Event
from games.engine.prompts.prompt import DeadlinePassed
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import EAST, area, bid, field, fold, work_unopposed
from tests.rules.dawn.stage import (
    DWARVES,
    A,
    B,
    C,
    avatar,
    balances,
    begin,
    inner_prompt,
    log_folds_to_state,
    people,
    playing,
    sound,
)


def disputing(**points: int) -> Playbook:
    """B disputes with A, whose turn it is: B is Invoker."""
    book = playing(**points)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    return book


@pytest.mark.rule("DW-EX-16", "DW-DC-1", "DW-DC-2", "DW-DC-4", "DW-DC-5", "DW-AMB-22")
def test_bids_are_totals_and_both_sides_are_rid_of_them():
    book = disputing(b=12, a=8)
    bid(book, B, 3)
    bid(book, A, 5)
    events = bid(book, B, 6)
    assert of_kind(events, BidPlaced) == [event_like(BidPlaced, side=Bidder.INVOKER, total=6, paid=3, balance=6)]
    events = fold(book, A)
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.CHALLENGER, no_reach=False),
        event_like(ConflictResolved, winner=Bidder.INVOKER, paid_invoker=6, paid_challenger=5),
    ]
    assert balances(book, A, B) == [3, 6] and book.state.conflicts == {} and sound(book)


@pytest.mark.rule("DW-DC-4", "DW-AMB-31")
def test_a_first_bid_not_made_is_the_invokers_fold_and_each_bid_has_its_own_time():
    book = disputing(a=9, b=9)
    assert of_kind(book.wait(timedelta(seconds=89)), ConflictResolved) == []
    bid(book, B, 1)
    assert of_kind(book.wait(timedelta(seconds=89)), ConflictResolved) == []
    bid(book, A, 2)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, ConflictResolved) == [
        event_like(ConflictResolved, winner=Bidder.CHALLENGER, paid_invoker=1, paid_challenger=2)
    ]
    book.when(OpenDispute(against=A, text="And the stars?"), by=B)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.INVOKER, no_reach=False),
        event_like(ConflictResolved, winner=Bidder.CHALLENGER, paid_invoker=0, paid_challenger=0),
    ]


@pytest.mark.rule("DW-DC-1", "DW-DC-7", "DW-AMB-42")
@pytest.mark.parametrize(
    ("cause", "invoker", "challenger"),
    [
        (Cause.LEAVE, A, B),
        (Cause.OBJECTION, B, A),
        (Cause.REVENGE, B, A),
        (Cause.CHALLENGE, C, A),
        (Cause.DISPUTE, C, A),
    ],
)
def test_a_conflict_is_between_its_issuer_and_the_other_god(cause: Cause, invoker: UUID, challenger: UUID):
    book = field(a=20, b=5, c=5)
    if cause is Cause.LEAVE:
        book.state.squares[3, 3] = replace(book.state.squares[3, 3], shaped_by=B)
        book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=area((3, 3)), terrain=Terrain.HILLS), by=A)
        book.when(AnswerLeave(prompt=inner_prompt(book), yes=False), by=B)
        events = book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    elif cause is Cause.OBJECTION:
        book.when(ShiftAlignment(target=DWARVES, dir=1), by=A)
        events = book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    elif cause is Cause.REVENGE:
        work_unopposed(book, Works.KILL_AVATAR, avatar(book, B, EAST))
        events = book.when(OpenConflict(prompt=inner_prompt(book)), by=B)
    elif cause is Cause.CHALLENGE:
        book.state.set_course(open_challenge=True)
        book.when(GiftEdge(target=DWARVES, name="music", kind=EdgeKind.OTHER), by=A)
        book.when(WaiveObjection(prompt=inner_prompt(book)), by=B)
        events = book.when(RaiseChallenge(prompt=inner_prompt(book)), by=C)
    else:
        events = book.when(OpenDispute(against=A, text="Who made the moon?"), by=C)
    assert of_kind(events, ConflictOpened) == [
        event_like(ConflictOpened, cause=cause, invoker=invoker, challenger=challenger)
    ]
    with refused("bid.not_yours", book.state):
        bid(book, challenger, 2)
    bid(book, invoker, 1)
    assert len(book.state.conflicts) == 1 and sound(book)


@pytest.mark.rule("DW-EX-17", "DW-DC-3")
def test_a_god_who_cannot_exceed_the_bid_folds_by_itself():
    book = disputing(b=10, a=8)
    events = bid(book, B, 8)
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.CHALLENGER, no_reach=True),
        event_like(ConflictResolved, winner=Bidder.INVOKER, paid_invoker=8, paid_challenger=0),
    ]


@pytest.mark.rule("DW-EX-18", "DW-DC-3")
def test_what_was_bid_counts_towards_the_reach():
    book = disputing(b=10, a=20)
    bid(book, B, 4)
    events = bid(book, A, 10)
    assert of_kind(events, ConflictResolved) == [
        event_like(ConflictResolved, winner=Bidder.CHALLENGER, paid_invoker=4, paid_challenger=10)
    ]


@pytest.mark.rule("DW-DC-2", "DW-DC-3", "DW-AMB-21")
def test_impossible_bids_are_refused():
    book = disputing(b=5, a=9)
    with refused("bid.not_yours", book.state):
        bid(book, A, 3)
    with refused("points.short", book.state):
        bid(book, B, 6)
    bid(book, B, 2)
    with refused("bid.low", book.state):
        bid(book, A, 2)


@pytest.mark.rule("DW-DC-2", "DW-DC-3", "DW-DC-4", "DW-AMB-21")
@pytest.mark.parametrize(
    ("_case", "invoker", "challenger", "bids", "winner", "left"),
    [
        ("one against none", 1, 0, (1,), Bidder.INVOKER, (0, 0)),
        ("one against one", 1, 1, (1,), Bidder.INVOKER, (0, 1)),
        ("one against two", 1, 2, (1, 2), Bidder.CHALLENGER, (0, 0)),
        ("equals, all at once", 5, 5, (5,), Bidder.INVOKER, (0, 5)),
        ("equals, one less", 5, 5, (4, 5), Bidder.CHALLENGER, (1, 0)),
        ("equals, step by step", 3, 3, (1, 2, 3), Bidder.INVOKER, (0, 1)),
        ("a leap", 9, 8, (1, 3, 8), Bidder.INVOKER, (1, 5)),
    ],
)
def test_a_god_who_cannot_exceed_the_other_loses_without_an_answer(
    _case: str, invoker: int, challenger: int, bids: tuple[int, ...], winner: Bidder, left: tuple[int, int]
):
    book = disputing(b=invoker, a=challenger)
    events: list[Event] = []
    for number, total in enumerate(bids):
        assert of_kind(events, ConflictResolved) == []
        events = bid(book, A if number % 2 else B, total)
    loser = Bidder.CHALLENGER if winner is Bidder.INVOKER else Bidder.INVOKER
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=loser, no_reach=True),
        event_like(ConflictResolved, winner=winner),
    ]
    assert tuple(balances(book, B, A)) == left and sound(book)


@pytest.mark.rule("DW-DC-2", "DW-AMB-21")
@pytest.mark.parametrize("total", [0, -1])
def test_a_bid_is_at_least_one(total: int):
    with pytest.raises(ValidationError):
        PlaceBid(conflict=A, total=total)


@pytest.mark.rule("DW-DC-2", "DW-DC-4")
def test_the_invoker_may_fold_before_their_first_bid():
    book = disputing(b=5, a=5)
    events = fold(book, B)
    assert of_kind(events, ConflictResolved) == [
        event_like(ConflictResolved, winner=Bidder.CHALLENGER, paid_invoker=0, paid_challenger=0)
    ]
    assert balances(book, A, B) == [5, 5] and sound(book)


@pytest.mark.rule("DW-DC-1", "DW-DC-4")
def test_a_dispute_decides_its_text_alone():
    book = playing(a=5, b=5)
    before = dump(book.state)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    bid(book, B, 1)
    fold(book, A)
    for name, rows in dump(book.state).items():
        if name not in ("purses", "info", "timers"):
            assert rows == before[name], name


@pytest.mark.rule("DW-AMB-37", "DW-DC-3")
def test_a_side_whose_god_has_left_folds_at_once():
    book = disputing(a=9, b=9, c=9)
    book.when(LeaveSeat(), by=A)
    assert len(book.state.conflicts) == 1, "the other's bid is awaited"
    events = bid(book, B, 1)
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.CHALLENGER, no_reach=False),
        event_like(ConflictResolved, winner=Bidder.INVOKER),
    ]
    assert book.state.course.active == B and sound(book)


@pytest.mark.rule("DW-DC-1")
def test_a_dispute_needs_the_active_god_a_point_and_peace():
    book = playing(a=5, c=5)
    with refused("pair.inactive", book.state):
        book.when(OpenDispute(against=B, text="?"), by=C)
    with refused("points.short", book.state):
        book.when(OpenDispute(against=A, text="?"), by=B)
    events = book.when(OpenDispute(against=C, text="?"), by=A)
    assert of_kind(events, DisputeOpened, ConflictOpened) == [
        event_like(DisputeOpened, by=A, against=C),
        event_like(ConflictOpened, invoker=A, challenger=C, about=None),
    ]
    with refused("prompt.open", book.state):
        book.when(OpenDispute(against=A, text="?"), by=C)


@pytest.mark.rule("DW-DC-6", "DW-PTS-6", "DW-AMB-7")
def test_during_a_conflict_no_other_act_of_the_turn_is_done():
    book = disputing(a=9, b=9, c=9)
    elves = people(book, A)
    for command, seat, code in (
        (GivePoints(to=A, amount=1), C, "conflict.open"),
        (MakeOffer(to=A, give=1, want=1), C, "conflict.open"),
        (OpenMotion(length=6), C, "conflict.open"),
        (EndTurn(), A, "prompt.open"),
        (OfferPlace(to=C, price=1), A, "prompt.open"),
        (GiftEdge(target=elves, name="music", kind=EdgeKind.OTHER), A, "prompt.open"),
        (OpenDispute(against=A, text="And the stars?"), C, "prompt.open"),
    ):
        with refused(code, book.state):
            book.when(command, by=seat)


@pytest.mark.rule("DW-DC-6", "DW-AGE-5")
def test_in_a_conflict_the_vote_goes_on():
    book = playing(a=9, b=9, c=9)
    (moved,) = of_kind(book.when(OpenMotion(length=6), by=C), MotionOpened)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    book.when(CastBallot(motion=moved.motion, yes=True), by=A)
    bid(book, B, 1)
    book.when(CastBallot(motion=moved.motion, yes=True), by=B)
    events = book.when(CastBallot(motion=moved.motion, yes=False), by=C)
    assert of_kind(events, MotionClosed) == [event_like(MotionClosed, passed=True)]
    fold(book, A)
    assert book.state.course.length == 6 and book.state.inner() is None and sound(book)


@pytest.mark.rule("DW-DC-3", "DW-AMB-31")
def test_a_silent_side_folds_and_the_turns_clock_stood_still():
    book = disputing(a=9, b=9)
    bid(book, B, 1)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, DeadlinePassed, BidFolded, ConflictResolved) == [
        event_like(DeadlinePassed, seats=(A,)),
        event_like(BidFolded, side=Bidder.CHALLENGER),
        event_like(ConflictResolved, winner=Bidder.INVOKER),
    ]
    book.wait(timedelta(minutes=9))
    assert book.state.course.active == A
    book.wait(timedelta(minutes=1))
    assert book.state.course.active == B


def test_the_log_has_a_sentence_for_each_event_of_a_conflict():
    book = begin()
    book.when(OpenDispute(against=C, text="Who made the moon?"), by=A)
    bid(book, A, 1)
    bid(book, C, 2)
    fold(book, A)
    assert log_folds_to_state(book) and sound(book)
