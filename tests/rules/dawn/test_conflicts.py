"""Powers, questions and Divine Conflicts (sections 3 to 6): the frame, edges and alignment."""

from datetime import timedelta

import pytest

from games.dawn.rules.advances import AdvanceSet, AdvancesShown, SetStandingAnswer, StandingAnswerUsed
from games.dawn.rules.alignment import AlignmentShifted, ShiftAlignment
from games.dawn.rules.answering import RaiseChallenge, RaiseObjection, WaiveObjection
from games.dawn.rules.answers import ObjectionRaised, ObjectionWaived
from games.dawn.rules.bidding import DisputeOpened, Fold, OpenDispute, PlaceBid
from games.dawn.rules.conflicts import BidFolded, BidPlaced, ConflictOpened, ConflictResolved
from games.dawn.rules.dealing import GivePoints, MakeOffer
from games.dawn.rules.edges import EdgeGifted, GiftEdge
from games.dawn.rules.motions import OpenMotion
from games.dawn.rules.powers import PowerDeclared, PowerFailed, PowerResolved
from games.dawn.rules.turning import EndTurn
from games.dawn.rules.turns import GameFinished
from games.dawn.rules.vocabulary import AdvanceKind, AdvanceWord, Bidder, Cause, EdgeKind, EdgeTag, Life
from games.engine.audience import GM, seats
from games.engine.prompt import DeadlinePassed, PromptOpened
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    A,
    B,
    C,
    asked,
    balances,
    begun,
    city,
    log_tells_the_state,
    people,
    playing,
    rounds,
    sound,
)


def disputing(**points: int) -> Playbook:
    """B disputes with A, whose turn it is: B is Invoker."""
    book = playing(**points)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    return book


def conflict(book: Playbook):
    (one,) = book.state.conflicts
    return one


def bid(book: Playbook, seat, total: int):
    return book.when(PlaceBid(conflict=conflict(book), total=total), by=seat)


@pytest.mark.rule("DW-EX-16", "DW-DC-1", "DW-DC-2", "DW-DC-4", "DW-DC-5", "DW-AMB-22")
def test_bids_are_totals_and_both_sides_are_rid_of_them():
    book = disputing(b=12, a=8)
    bid(book, B, 3)
    bid(book, A, 5)
    events = bid(book, B, 6)
    assert of_kind(events, BidPlaced) == [event_like(BidPlaced, side=Bidder.INVOKER, total=6, paid=3, balance=6)]
    events = book.when(Fold(conflict=conflict(book)), by=A)
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.CHALLENGER, no_reach=False),
        event_like(ConflictResolved, winner=Bidder.INVOKER, paid_invoker=6, paid_challenger=5),
    ]
    assert balances(book, A, B) == [3, 6] and book.state.conflicts == {} and sound(book)


@pytest.mark.rule("DW-EX-17", "DW-DC-3")
def test_who_cannot_exceed_the_bid_folds_by_itself():
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


@pytest.mark.rule("DW-EX-42", "DW-DC-3")
def test_a_standing_bid_goes_one_higher_until_its_limit():
    book = playing(b=20, a=9)
    book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=6), by=A)
    book.when(OpenDispute(against=A, text="Who made the moon?"), by=B)
    assert of_kind(bid(book, B, 3), BidPlaced) == [
        event_like(BidPlaced, total=3),
        event_like(BidPlaced, side=Bidder.CHALLENGER, total=4, paid=4),
    ]
    events = bid(book, B, 7)
    assert of_kind(events, BidFolded, ConflictResolved) == [
        event_like(BidFolded, side=Bidder.CHALLENGER, no_reach=False),
        event_like(ConflictResolved, winner=Bidder.INVOKER, paid_invoker=7, paid_challenger=4),
    ]


@pytest.mark.rule("DW-DC-2", "DW-DC-3", "DW-AMB-21")
def test_bids_that_cannot_be_are_refused():
    book = disputing(b=5, a=9)
    with refused("bid.not_yours", book.state):
        bid(book, A, 3)
    with refused("points.short", book.state):
        bid(book, B, 6)
    bid(book, B, 2)
    with refused("bid.low", book.state):
        bid(book, A, 2)


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
    with refused("conflict.open", book.state):
        book.when(OpenDispute(against=A, text="?"), by=C)


@pytest.mark.rule("DW-DC-6", "DW-PTS-6", "DW-AMB-7")
def test_in_a_conflict_nothing_else_is_done_in_the_turn():
    book = disputing(a=9, b=9, c=9)
    for command, seat in (
        (GivePoints(to=A, amount=1), C),
        (MakeOffer(to=A, give=1, want=1), C),
        (EndTurn(), A),
        (OpenMotion(length=6), C),
    ):
        with refused("conflict.open", book.state):
            book.when(command, by=seat)


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


@pytest.mark.rule("DW-EX-29", "DW-ALN-2", "DW-DC-4", "DW-DC-5", "DW-AMB-23")
def test_a_power_lost_in_a_conflict_returns_its_price_but_not_the_bids():
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    events = book.when(ShiftAlignment(target=elves, dir=1), by=A)
    assert of_kind(events, PowerDeclared) == [event_like(PowerDeclared, caster=A, price=3, escrow=3)]
    assert balances(book, A) == [7]
    events = book.when(RaiseObjection(prompt=asked(book)), by=B)
    assert of_kind(events, ObjectionRaised, ConflictOpened) == [
        event_like(ObjectionRaised, seat=B),
        event_like(ConflictOpened, invoker=B, challenger=A),
    ]
    bid(book, B, 2)
    events = book.when(Fold(conflict=conflict(book)), by=A)
    assert of_kind(events, ConflictResolved, PowerFailed) == [
        event_like(ConflictResolved, winner=Bidder.INVOKER),
        event_like(PowerFailed, refund=3),
    ]
    assert balances(book, A, B) == [10, 8] and book.state.races[elves].alignment == 0 and sound(book)


@pytest.mark.rule("DW-EX-30", "DW-DC-4")
def test_a_power_that_wins_its_conflict_takes_effect():
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    book.when(RaiseObjection(prompt=asked(book)), by=B)
    bid(book, B, 2)
    bid(book, A, 3)
    events = book.when(Fold(conflict=conflict(book)), by=B)
    assert of_kind(events, AlignmentShifted, PowerResolved) == [
        event_like(AlignmentShifted, target=elves, before=0, after=1),
        event_like(PowerResolved),
    ]
    assert balances(book, A, B) == [4, 8] and book.state.powers == {} and sound(book)


@pytest.mark.rule("DW-ALN-2")
def test_the_first_objection_closes_the_question_and_waivers_of_all_let_it_pass():
    book = playing(age=2, a=10, b=10, c=10)
    elves = people(book, B, C)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    question = asked(book)
    book.when(RaiseObjection(prompt=question), by=C)
    with refused("prompt.closed", book.state):
        book.when(RaiseObjection(prompt=question), by=B)
    book.when(Fold(conflict=conflict(book)), by=C)
    dwarves = people(book, B, C, race=book.state.gods[A].id)
    book.when(ShiftAlignment(target=dwarves, dir=1), by=A)
    question = asked(book)
    with refused("prompt.not_yours", book.state):
        book.when(WaiveObjection(prompt=question), by=A)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    assert of_kind(book.when(WaiveObjection(prompt=question), by=B), AlignmentShifted) == []
    events = book.when(WaiveObjection(prompt=question), by=C)
    assert of_kind(events, ObjectionWaived, AlignmentShifted) == [
        event_like(ObjectionWaived, seat=C),
        event_like(AlignmentShifted, after=1),
    ]


@pytest.mark.rule("DW-ALN-2", "DW-AMB-16", "DW-AMB-31")
def test_a_creator_is_not_asked_about_his_own_and_silence_waives():
    book = playing(age=2, a=10, b=0)
    haven = city(book, people(book, A), controller=B)
    assert of_kind(book.when(ShiftAlignment(target=haven, dir=-1), by=A), PromptOpened) == []
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    with refused("points.short", book.state):
        book.when(RaiseObjection(prompt=asked(book)), by=B)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, ObjectionWaived, AlignmentShifted) == [
        event_like(ObjectionWaived, seat=B),
        event_like(AlignmentShifted, target=elves),
    ]
    told = {type(h.event).__name__: h.by for h in book.log[-len(events) :]}
    assert (told["ObjectionWaived"], told["AlignmentShifted"]) == ("deadline", "")


@pytest.mark.rule("DW-EX-27", "DW-PRC-1", "DW-AMB-30")
def test_a_marked_power_hits_its_target_once_a_turn():
    book = playing(age=2, a=20, b=20)
    elves = people(book, A)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)
    book.when(ShiftAlignment(target=elves, dir=-1), by=A)
    book.when(EndTurn(), by=A)
    assert book.state.marks == {}


@pytest.mark.rule("DW-PRC-1", "DW-AMB-23")
def test_the_mark_is_used_up_even_if_the_power_fails():
    book = playing(age=2, a=20, b=20)
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    book.when(RaiseObjection(prompt=asked(book)), by=B)
    bid(book, B, 1)
    book.when(Fold(conflict=conflict(book)), by=A)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)


@pytest.mark.rule("DW-EX-28", "DW-ALN-1", "DW-EX-50")
def test_the_scale_has_two_ends():
    book = playing(age=3, a=20)
    elves = people(book, A, alignment=2)
    with refused("scale.end", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)
    haven = city(book, alignment=-1)
    book.when(ShiftAlignment(target=haven, dir=-1), by=A)
    assert (book.state.cities[haven].alignment, balances(book, A)) == (-2, [18])
    with refused("scale.end", book.state):
        book.when(ShiftAlignment(target=haven, dir=-1), by=A)
    assert book.state.races[elves].alignment == 2


@pytest.mark.rule("DW-ALN-3")
def test_an_alignment_has_a_word():
    book = playing(age=2, a=20)
    book.when(ShiftAlignment(target=people(book, A, alignment=1), dir=1), by=A)
    assert "is angelic now" in next(h.text for h in book.log if isinstance(h.event, AlignmentShifted))


@pytest.mark.rule("DW-EX-32", "DW-EDGE-1", "DW-EDGE-3", "DW-PRC-3")
@pytest.mark.parametrize(("age", "other", "combat"), [(1, 6, 8), (2, 3, 4), (3, 4, 5)])
def test_an_edge_of_a_city_costs_by_its_kind_and_age(age, other, combat):
    book = playing(age=age, a=20)
    haven = city(book, people(book, B), controller=B)
    events = book.when(GiftEdge(target=haven, name="music", kind=EdgeKind.OTHER), by=A)
    assert of_kind(events, EdgeGifted, PowerResolved) == [
        event_like(EdgeGifted, target=haven, edge="music", tags=(), by=A),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [20 - other]
    book.when(GiftEdge(target=haven, name="archery", kind=EdgeKind.OFFENSIVE), by=A)
    assert balances(book, A) == [20 - other - combat] and sound(book)


@pytest.mark.rule("DW-EDGE-2")
def test_an_edge_has_a_name_of_its_own_and_only_others_carry_tags():
    book = playing(age=2, a=20)
    elves = people(book, B)
    book.when(GiftEdge(target=elves, name="Ships", kind=EdgeKind.OTHER, tags=(EdgeTag.CROSSES_WATER,)), by=A)
    assert book.state.edges[elves, "Ships"].tags == (EdgeTag.CROSSES_WATER,)
    with refused("edge.exists", book.state):
        book.when(GiftEdge(target=elves, name="ships", kind=EdgeKind.DEFENSIVE), by=A)
    with refused("tag.kind", book.state):
        book.when(GiftEdge(target=elves, name="wings", kind=EdgeKind.OFFENSIVE, tags=(EdgeTag.FLIES,)), by=A)
    people(book, B, life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(GiftEdge(target=elves, name="songs", kind=EdgeKind.OTHER), by=A)


@pytest.mark.rule("DW-PTS-1")
def test_what_costs_more_than_the_balance_is_refused_whole():
    book = playing(age=2, a=4)
    elves = people(book, A)
    with refused("points.short", book.state):
        book.when(GiftEdge(target=elves, name="archery", kind=EdgeKind.OFFENSIVE), by=A)


@pytest.mark.rule("DW-DC-7", "DW-AMB-42")
def test_under_the_option_anybody_challenges_a_power_and_by_default_nobody_is_asked():
    book = playing(age=2, a=20, b=5, c=5)
    elves = people(book, A)
    book.state.set_course(open_challenge=True)
    book.when(GiftEdge(target=elves, name="music", kind=EdgeKind.OTHER), by=A)
    question = asked(book)
    book.when(WaiveObjection(prompt=question), by=B)
    events = book.when(RaiseChallenge(prompt=question), by=C)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=C, challenger=A)]
    bid(book, C, 1)
    assert of_kind(book.when(Fold(conflict=conflict(book)), by=A), PowerFailed) == [event_like(PowerFailed, refund=4)]
    assert (elves, "music") not in book.state.edges and balances(book, A) == [20]
    book.state.set_course(open_challenge=False)
    events = book.when(GiftEdge(target=elves, name="music", kind=EdgeKind.OTHER), by=A)
    assert of_kind(events, PromptOpened) == []


@pytest.mark.rule("DW-ALN-2")
def test_what_was_said_in_advance_is_answered_at_once_and_is_nobody_elses_business():
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
    with refused("answer.invalid", book.state):
        book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, seat=B, answer=AdvanceWord.NEVER), by=B)


@pytest.mark.rule("DW-AMB-56")
def test_the_gms_read_what_was_said_in_advance_when_the_game_is_over():
    book = begun(2)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=AdvanceWord.ALWAYS), by=B)
    book.when(SetStandingAnswer(kind=AdvanceKind.MAX_BID, cause=Cause.DISPUTE, max_bid=7), by=A)
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, answer=AdvanceWord.NEVER), by=A)
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE), by=A)
    assert not [h for h in book.log if isinstance(h.event, AdvanceSet) and h.audience not in (seats(A), seats(B))]

    rounds(book, 15)

    (told,) = [h for h in book.log if isinstance(h.event, AdvancesShown)]
    assert told.audience == GM
    assert [(s.seat, s.kind, s.about, s.answer, s.most) for s in told.event.advances] == [
        (A, AdvanceKind.MAX_BID, Cause.DISPUTE.value, AdvanceWord.ASK, 7),
        (B, AdvanceKind.OBJECT, "", AdvanceWord.ALWAYS, 0),
    ]
    after = book.log[book.log.index(told) + 1 :]
    assert GameFinished in [type(h.event) for h in after]


def test_the_log_tells_a_conflict():
    book = begun()
    book.when(OpenDispute(against=C, text="Who made the moon?"), by=A)
    bid(book, A, 1)
    bid(book, C, 2)
    book.when(Fold(conflict=conflict(book)), by=A)
    assert log_tells_the_state(book) and sound(book)
