"""Points between gods: gifts, offers, and who leaves (section 3, DW-AMB-37)."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.conflict.commands import Fold, OpenDispute, PlaceBid
from games.dawn.rules.conflict.events import ConflictResolved
from games.dawn.rules.powers.events import ObjectionWaived
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.state.schema_types import Step
from games.dawn.rules.trade.commands import AcceptOffer, CancelOffer, DeclineOffer, GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.trade.events import OfferClosed, OfferMade, PointsGiven
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.dawn.rules.turn.events import IncomeRolled, OrderFixed, SeatLeft, TurnEnded, TurnStarted
from games.dawn.rules.turn.motion_commands import OpenMotion
from games.engine.audience import seats
from games.engine.economy.trade_offers import Result
from games.engine.kernel import Event
from games.engine.lifecycle.seating import HandOver
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.shaping import shape
from tests.rules.dawn.stage import (
    HOST,
    A,
    B,
    C,
    D,
    balances,
    begin,
    give,
    log_folds_to_state,
    people,
    playing,
    rounds,
    sound,
)


@pytest.mark.rule("DW-PTS-2", "DW-PTS-3", "DW-PTS-4")
def test_points_are_given_to_and_by_the_active_god_alone_and_for_good():
    book = playing(a=5, b=5, c=5)
    assert book.when(GivePoints(to=B, amount=2, memo="for the moon"), by=A) == [
        event_like(PointsGiven, giver=A, receiver=B, amount=2, memo="for the moon")
    ]
    book.when(GivePoints(to=A, amount=1), by=C)
    assert balances(book, A, B, C) == [4, 7, 4] and sound(book)
    with refused("pair.inactive", book.state):
        book.when(GivePoints(to=B, amount=1), by=C)
    with refused("points.short", book.state):
        book.when(GivePoints(to=A, amount=8), by=B)
    with refused("seat.missing", book.state):
        book.when(GivePoints(to=A, amount=1), by=A)


@pytest.mark.rule("DW-PTS-1")
def test_the_last_point_may_be_given_and_no_more():
    book = playing(a=5)
    with refused("points.short", book.state):
        book.when(GivePoints(to=B, amount=6), by=A)
    for amount in (0, -1):
        with pytest.raises(ValidationError):
            GivePoints(to=B, amount=amount)
    book.when(GivePoints(to=B, amount=5), by=A)
    with refused("points.short", book.state):
        book.when(GivePoints(to=B, amount=1), by=A)
    assert balances(book, A, B) == [0, 5] and sound(book)


@pytest.mark.rule("DW-PTS-2")
def test_points_are_given_within_a_turn_alone():
    book = begin(2)
    rounds(book, 4)
    book.when(OpenMotion(length=6), by=A)
    for _ in range(2):
        book.when(EndTurn(), by=book.state.course.active)
    assert book.state.course.step is Step.ROUND_END
    with refused("phase.closed", book.state):
        book.when(GivePoints(to=B, amount=1), by=A)


@pytest.mark.rule("DW-PTS-3", "DW-PTS-4")
def test_a_gift_asks_nobody_and_a_promise_binds_nobody():
    book = playing(a=5)
    events = book.when(GivePoints(to=B, amount=5, memo="You leave my sea alone."), by=A)
    assert events == [event_like(PointsGiven, giver=A, receiver=B, amount=5, memo="You leave my sea alone.")]
    assert balances(book, A, B) == [0, 5]
    book.when(EndTurn(), by=A)
    book.when(shape((0, 0)), by=B)
    (made,) = of_kind(book.when(MakeOffer(to=A, give=0, want=0, memo="Peace."), by=B), OfferMade)
    assert made.memo == "Peace." and book.state.offers[made.offer].memo == "Peace."
    book.when(AcceptOffer(offer=made.offer), by=A)
    book.when(OpenDispute(against=A, text="No peace."), by=B)


@pytest.mark.rule("DW-PTS-5")
def test_one_offer_of_each_kind_is_open_between_two_and_only_its_maker_takes_it_back():
    book = playing(a=5, b=5, c=5)
    (points,) = of_kind(book.when(MakeOffer(to=B, give=1, want=1), by=A), OfferMade)
    (place,) = of_kind(book.when(OfferPlace(to=B, price=1), by=A), OfferMade)
    book.when(MakeOffer(to=A, give=1, want=1), by=C)
    with refused("offer.pending", book.state):
        book.when(MakeOffer(to=B, give=2, want=2), by=A)
    for offer in (points.offer, place.offer):
        with refused("offer.not_yours", book.state):
            book.when(CancelOffer(offer=offer), by=B)
        with refused("offer.not_yours", book.state):
            book.when(DeclineOffer(offer=offer), by=A)
        with refused("offer.closed", book.state):
            book.when(DeclineOffer(offer=offer), by=C)
    with refused("pair.inactive", book.state):
        book.when(MakeOffer(to=C, give=1, want=1), by=B)
    book.when(CancelOffer(offer=points.offer), by=A)
    with refused("offer.closed", book.state):
        book.when(AcceptOffer(offer=points.offer), by=B)
    book.when(MakeOffer(to=A, give=2, want=2), by=B)


@pytest.mark.rule("DW-PTS-5")
@pytest.mark.parametrize(
    ("_case", "spends"),
    [("the maker", lambda book: book.when(shape((0, 0)), by=A)), ("the taker", lambda book: _give_point(book))],
)
def test_an_offer_lapses_as_soon_as_a_side_can_no_longer_pay(_case: str, spends: Callable[[Playbook], list[Event]]):
    book = playing(a=3, b=2)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=3, want=2), by=A), OfferMade)
    (open_offer,) = of_kind(book.when(MakeOffer(to=A, give=0, want=2), by=C), OfferMade)
    assert of_kind(spends(book), OfferClosed) == [event_like(OfferClosed, offer=made.offer, result=Result.LAPSED)]
    assert list(book.state.offers) == [open_offer.offer]


def _give_point(book: Playbook) -> list[Event]:
    """The taker gives a point to the active god."""
    return book.when(GivePoints(to=A, amount=1), by=B)


@pytest.mark.rule("DW-PTS-5")
def test_an_offer_of_more_than_the_maker_or_the_taker_has_is_refused_when_it_is_made():
    book = playing(a=3, b=2)
    for gives, wants in ((4, 0), (3, 3)):
        with refused("points.short", book.state):
            book.when(MakeOffer(to=B, give=gives, want=wants), by=A)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=3, want=2), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=B)
    assert balances(book, A, B) == [2, 3] and sound(book)


@pytest.mark.rule("DW-PTS-5", "DW-PTS-1")
def test_what_a_correction_has_left_unpayable_is_not_accepted():
    book = playing(a=3, b=2)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=3, want=2), by=A), OfferMade)
    for seat in (A, B):
        was = book.state.balance(seat)
        give(book, seat, 1)
        with refused("points.short", book.state):
            book.when(AcceptOffer(offer=made.offer), by=B)
        give(book, seat, was)
    book.when(AcceptOffer(offer=made.offer), by=B)


@pytest.mark.rule("DW-PTS-6", "DW-AMB-7")
def test_while_an_auction_is_open_no_points_move_except_its_bids():
    book = playing(4, a=5, b=5, c=5, d=5)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=3, want=1), by=A), OfferMade)
    (place,) = of_kind(book.when(OfferPlace(to=D, price=1), by=A), OfferMade)
    book.when(OpenDispute(against=A, text="?"), by=C)
    for command, seat in (
        (GivePoints(to=C, amount=1), A),
        (GivePoints(to=A, amount=1), C),
        (MakeOffer(to=D, give=1, want=1), A),
        (AcceptOffer(offer=made.offer), B),
        (AcceptOffer(offer=place.offer), D),
    ):
        with refused("conflict.open", book.state):
            book.when(command, by=seat)
    with refused("prompt.open", book.state):
        book.when(OfferPlace(to=B, price=1), by=A)
    (conflict,) = book.state.conflicts
    book.when(PlaceBid(conflict=conflict, total=2), by=C)
    assert balances(book, A, B, C, D) == [5, 5, 3, 5]
    book.when(Fold(conflict=conflict), by=A)
    book.when(GivePoints(to=C, amount=1), by=A)


@pytest.mark.rule("DW-PTS-5")
def test_an_offer_moves_both_sides_at_once():
    book = playing(a=5, b=5)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=3, want=1, memo="peace"), by=A), OfferMade)
    with refused("offer.pending", book.state):
        book.when(MakeOffer(to=A, give=1, want=1), by=B)
    with refused("offer.not_yours", book.state):
        book.when(AcceptOffer(offer=made.offer), by=A)
    with refused("offer.closed", book.state):
        book.when(AcceptOffer(offer=made.offer), by=C)
    events = book.when(AcceptOffer(offer=made.offer), by=B)
    assert of_kind(events, OfferClosed, PointsGiven) == [
        event_like(OfferClosed, result=Result.ACCEPTED),
        event_like(PointsGiven, giver=A, receiver=B, amount=3),
        event_like(PointsGiven, giver=B, receiver=A, amount=1),
    ]
    assert balances(book, A, B) == [3, 7] and sound(book)


@pytest.mark.rule("DW-PTS-5")
def test_an_offer_is_declined_cancelled_or_lapses():
    book = playing(a=5, b=5, c=5)
    results = []
    for end in (
        lambda offer: book.when(DeclineOffer(offer=offer), by=B),
        lambda offer: book.when(CancelOffer(offer=offer), by=A),
        lambda offer: book.when(GivePoints(to=C, amount=3), by=A),
        lambda offer: book.when(EndTurn(), by=A),
    ):
        give = 3 if not results or len(results) < 3 else 1
        (made,) = of_kind(book.when(MakeOffer(to=B, give=give, want=2), by=A), OfferMade)
        results += [e.result for e in of_kind(end(made.offer), OfferClosed)]
    assert results == [Result.DECLINED, Result.CANCELLED, Result.LAPSED, Result.LAPSED]
    assert book.state.offers == {}


@pytest.mark.rule("DW-PTS-5")
def test_only_the_two_see_an_offer():
    book = playing(a=5, b=5)
    book.when(MakeOffer(to=B, give=3, want=1), by=A)
    assert {h.audience for h in book.log if isinstance(h.event, OfferMade)} == {seats(A, B, gm=True)}
    assert not book.state.view_for(frozenset({C})).offers and book.state.view_for(frozenset({B})).offers


@pytest.mark.rule("DW-PTS-5", "DW-PTS-6")
def test_nothing_is_accepted_while_a_conflict_is_open():
    book = playing(a=5, b=5, c=5)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=3, want=1), by=A), OfferMade)
    book.when(OpenDispute(against=A, text="?"), by=C)
    with refused("conflict.open", book.state):
        book.when(AcceptOffer(offer=made.offer), by=B)
    book.when(DeclineOffer(offer=made.offer), by=B)


@pytest.mark.rule("DW-AMB-37", "DW-AMB-55")
def test_a_god_who_leaves_is_passed_over_until_another_player_takes_the_seat():
    book = begin()
    events = book.when(LeaveSeat(), by=A)
    assert of_kind(events, SeatLeft, TurnEnded, TurnStarted) == [
        event_like(SeatLeft, seat=A),
        event_like(TurnEnded, seat=A),
        event_like(TurnStarted, seat=B),
    ]
    events = rounds(book, 1)
    assert {e.seat for e in of_kind(events, IncomeRolled)} == {B, C}
    assert {s for e in of_kind(events, OrderFixed) for s in e.order} == {B, C}
    book.when(HandOver(seat=A, user=UUID(int=9), reason="A new player."), by=HOST)
    assert A in {s for e in of_kind(rounds(book, 1), OrderFixed) for s in e.order}
    assert log_folds_to_state(book) and sound(book)


@pytest.mark.rule("DW-AMB-37")
def test_the_turn_of_a_god_who_has_left_does_not_begin_and_their_possessions_stay():
    book = begin()
    mine = people(book, B)
    points = balances(book, B)
    book.when(LeaveSeat(), by=B)
    events = book.when(EndTurn(), by=A)
    assert of_kind(events, TurnStarted, TurnEnded) == [
        event_like(TurnEnded, seat=A),
        event_like(TurnStarted, seat=C),
    ]
    assert book.state.races[mine].creators == (B,) and balances(book, B) == points and sound(book)
    with refused("seat.missing", book.state):
        book.when(GivePoints(to=B, amount=1), by=C)


@pytest.mark.rule("DW-AMB-37", "DW-AMB-31")
def test_what_a_leaver_owes_is_answered_as_silence_would_be():
    book = playing(age=2, a=9, b=9)
    book.when(ShiftAlignment(target=people(book, B), dir=1), by=A)
    events = book.when(LeaveSeat(), by=B)
    assert of_kind(events, ObjectionWaived) == [event_like(ObjectionWaived, seat=B)]
    book = playing(a=9, b=9)
    book.when(OpenDispute(against=A, text="?"), by=B)
    assert len(of_kind(book.when(LeaveSeat(), by=B), ConflictResolved)) == 1


@pytest.mark.rule("DW-AMB-55")
def test_the_last_god_who_leaves_leaves_the_clock_running():
    book = begin(2)
    book.when(LeaveSeat(), by=B)
    book.when(LeaveSeat(), by=A)
    before = book.state.course.rounds
    book.wait(timedelta(hours=1))
    assert book.state.course.rounds > before and sound(book)


@pytest.mark.rule("DW-PTS-5")
def test_an_accepted_offer_lapses_another_that_can_no_longer_be_paid_and_a_transfer_of_0_has_no_event():
    book = playing(a=3, b=2, c=2)
    (one,) = of_kind(book.when(MakeOffer(to=B, give=2, want=0), by=A), OfferMade)
    (other,) = of_kind(book.when(MakeOffer(to=C, give=2, want=0), by=A), OfferMade)
    assert of_kind(book.when(AcceptOffer(offer=one.offer), by=B), OfferClosed, PointsGiven) == [
        event_like(OfferClosed, offer=one.offer, result=Result.ACCEPTED),
        event_like(PointsGiven, giver=A, receiver=B, amount=2),
        event_like(OfferClosed, offer=other.offer, result=Result.LAPSED),
    ]
    assert balances(book, A, B, C) == [1, 4, 2] and sound(book)
