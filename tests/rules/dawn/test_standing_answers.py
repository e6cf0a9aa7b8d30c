"""What a seat says in advance: leave, objections, how far it bids (section 9)."""

import pytest

from games.dawn.rules.conflict.commands import OpenDispute
from games.dawn.rules.conflict.events import BidFolded, BidPlaced, ConflictResolved
from games.dawn.rules.powers.events import DeclinedWithoutPoints, ObjectionWaived
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.events import AlignmentShifted
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.standing_answers.events import AdvanceSet, AdvancesShown, StandingAnswerUsed
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Asked, Bidder, Cause
from games.dawn.rules.turn.events import GameFinished
from games.engine.audience import GM, seats
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import bid
from tests.rules.dawn.stage import (
    A,
    B,
    begin,
    people,
    playing,
    rounds,
)


@pytest.mark.rule("DW-EX-42", "DW-DC-3")
def test_a_standing_bid_goes_one_higher_until_its_limit():
    book = playing(b=20, a=9)
    book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=6), by=A)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    assert of_kind(bid(book, B, 3), BidPlaced, StandingAnswerUsed) == [
        event_like(BidPlaced, total=3),
        event_like(StandingAnswerUsed, seat=A),
        event_like(BidPlaced, side=Bidder.CHALLENGER, total=4, paid=4),
    ]
    events = bid(book, B, 7)
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.CHALLENGER, no_reach=False),
        event_like(ConflictResolved, winner=Bidder.INVOKER, paid_invoker=7, paid_challenger=4),
    ]


@pytest.mark.rule("DW-ALN-2")
@pytest.mark.rule("DW-ASK-2")
def test_a_standing_answer_is_given_at_once_and_visible_to_no_other_seat():
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, seat=A, answer=AdvanceWord.NEVER), by=B)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=AdvanceWord.ALWAYS), by=B)
    events = book.when(ShiftAlignment(target=elves, dir=1), by=A)
    assert of_kind(events, StandingAnswerUsed, ObjectionWaived, AlignmentShifted) == [
        event_like(StandingAnswerUsed, seat=B),
        event_like(ObjectionWaived, seat=B),
        event_like(AlignmentShifted, after=1),
    ]
    readers = {h.audience for h in book.log if isinstance(h.event, AdvanceSet)}
    assert readers == {seats(B)}
    with refused("answer.invalid", book.state):
        book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, max_bid=3), by=B)
    for misplaced in ({"seat": A}, {"answer": AdvanceWord.ALWAYS}):
        with refused("answer.invalid", book.state):
            book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=3, **misplaced), by=B)
    with refused("answer.invalid", book.state):
        book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, seat=B, answer=AdvanceWord.NEVER), by=B)


@pytest.mark.rule("DW-ALN-2")
@pytest.mark.parametrize(
    ("to_all", "to_one", "is_asked", "objects"),
    [
        (AdvanceWord.ALWAYS, None, False, True),
        (AdvanceWord.NEVER, None, False, False),
        (AdvanceWord.ALWAYS, AdvanceWord.NEVER, False, False),
        (AdvanceWord.NEVER, AdvanceWord.ALWAYS, False, True),
        (AdvanceWord.ALWAYS, AdvanceWord.ASK, True, False),
        (AdvanceWord.NEVER, AdvanceWord.ASK, True, False),
        (None, AdvanceWord.ASK, True, False),
    ],
)
def test_a_standing_answer_to_one_god_goes_before_the_one_to_all(
    to_all: AdvanceWord | None, to_one: AdvanceWord | None, is_asked: bool, objects: bool
):
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    if to_all:
        book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=to_all), by=B)
    if to_one:
        book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, seat=A, answer=to_one), by=B)
    events = book.when(ShiftAlignment(target=elves, dir=1), by=A)
    assert len(of_kind(events, StandingAnswerUsed)) == int(not is_asked)
    inner = book.state.inner()
    assert (inner.kind if inner else None) == (Asked.OBJECT if is_asked else Asked.AUCTION if objects else None)


@pytest.mark.rule("DW-ASK-2", "DW-ALN-2")
def test_a_cleared_standing_answer_to_one_god_leaves_the_one_to_all():
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=AdvanceWord.NEVER), by=B)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, seat=A, answer=AdvanceWord.ASK), by=B)
    (event,) = book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, seat=A, answer=None), by=B)
    assert event == event_like(AdvanceSet, about=str(A), cleared=True)
    assert [key[2] for key in book.state.advances] == [""]
    events = book.when(ShiftAlignment(target=elves, dir=1), by=A)
    assert of_kind(events, StandingAnswerUsed) == [event_like(StandingAnswerUsed, seat=B)]
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=None), by=B)
    assert not book.state.advances


@pytest.mark.rule("DW-ASK-2", "DW-DC-3")
@pytest.mark.parametrize(("again", "bids"), [(None, [3, 4]), (0, [3])])
def test_a_cleared_bid_for_one_cause_leaves_the_one_for_all_and_0_is_an_answer(again: int | None, bids: list[int]):
    book = playing(b=20, a=9)
    book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=6), by=A)
    for most in (2, again):
        book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, cause=Cause.DISPUTE, max_bid=most), by=A)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    assert [event.total for event in bid(book, B, 3) if isinstance(event, BidPlaced)] == bids


@pytest.mark.rule("DW-DC-3")
@pytest.mark.rule("DW-ASK-2")
def test_a_standing_bid_for_one_kind_of_conflict_goes_before_the_one_for_all():
    for cause, most, bids in ((Cause.DISPUTE, 4, [3, 4]), (Cause.OBJECTION, 4, [3, 4, 5, 6]), (Cause.DISPUTE, 0, [3])):
        book = playing(b=20, a=9)
        book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=6), by=A)
        book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, cause=cause, max_bid=most), by=A)
        book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
        found = bid(book, B, 3)
        if len(bids) == 4:
            found += bid(book, B, 5)
        assert [event.total for event in found if isinstance(event, BidPlaced)] == bids


@pytest.mark.rule("DW-DC-2", "DW-DC-3")
@pytest.mark.parametrize(("most", "balance", "bids", "left"), [(3, 9, [1, 3], 6), (1, 9, [1], 8), (9, 3, [1, 3], 0)])
def test_an_invoker_with_a_standing_bid_begins_with_one(most: int, balance: int, bids: list[int], left: int):
    book = playing(a=9, b=balance)
    book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=most), by=B)
    events = book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    events += bid(book, A, 2)
    if book.state.conflicts:
        events += bid(book, A, 4)
    assert [e.total for e in events if isinstance(e, BidPlaced) and e.seat == B] == bids
    assert of_kind(events, ConflictResolved) == [event_like(ConflictResolved, winner=Bidder.CHALLENGER)]
    assert book.state.balance(B) == left


@pytest.mark.rule("DW-ASK-3", "DW-ALN-2", "DW-DC-2")
def test_a_god_who_always_objects_and_has_no_point_lets_it_pass_without_being_asked():
    book = playing(age=2, a=10, b=0)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=AdvanceWord.ALWAYS), by=B)
    events = book.when(ShiftAlignment(target=people(book, B), dir=1), by=A)
    assert of_kind(events, StandingAnswerUsed, DeclinedWithoutPoints, AlignmentShifted) == [
        event_like(DeclinedWithoutPoints, seat=B),
        event_like(AlignmentShifted, after=1),
    ]


@pytest.mark.rule("DW-AMB-56")
def test_the_gms_read_the_standing_answers_when_the_game_is_over():
    book = begin(2)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=AdvanceWord.ALWAYS), by=B)
    book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, cause=Cause.DISPUTE, max_bid=7), by=A)
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, answer=AdvanceWord.NEVER), by=A)
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE), by=A)
    assert not [h for h in book.log if isinstance(h.event, AdvanceSet) and h.audience not in (seats(A), seats(B))]

    rounds(book, 15)

    (row,) = [h for h in book.log if isinstance(h.event, AdvancesShown)]
    assert row.audience == GM
    assert [(s.seat, s.kind, s.about, s.answer, s.most) for s in row.event.advances] == [
        (A, AdvanceKind.MAX_BID, Cause.DISPUTE.value, AdvanceWord.ASK, 7),
        (B, AdvanceKind.OBJECT, "", AdvanceWord.ALWAYS, 0),
    ]
    after = book.log[book.log.index(row) + 1 :]
    assert GameFinished in [type(h.event) for h in after]
