"""Places in the turn order of a round, sold and bought (DW-ORD-3, DW-ORD-4)."""

from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.conflict.commands import Fold, OpenDispute, PlaceBid
from games.dawn.rules.powers.answer_commands import WithdrawPower
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.state.schema_types import Place
from games.dawn.rules.trade.commands import AcceptOffer, GivePoints, MakeOffer, OfferPlace, order_with_buyer
from games.dawn.rules.trade.events import OfferClosed, OfferMade, PlaceSold
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.turn.events import TurnStarted
from games.engine.economy.trade_offers import Result
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.shaping import answer, set_shaper, shape
from tests.rules.dawn.stage import A, B, C, D, avatar, balances, inner_prompt, people, playing, rising, sound


@pytest.mark.rule("DW-EX-04", "DW-ORD-3", "DW-AMB-6")
def test_the_buyer_acts_right_before_the_seller_and_pays_them():
    book = playing(4, a=1, d=5)
    (made,) = of_kind(book.when(OfferPlace(to=D, price=3), by=A), OfferMade)
    events = book.when(AcceptOffer(offer=made.offer), by=D)
    assert of_kind(events, OfferClosed, PlaceSold, TurnStarted) == [
        event_like(OfferClosed, result=Result.ACCEPTED),
        event_like(PlaceSold, seller=A, buyer=D, price=3, order=(D, A, B, C)),
        event_like(TurnStarted, seat=D),
    ]
    assert balances(book, A, D) == [4, 2] and sound(book)
    book.when(EndTurn(), by=D)
    assert book.state.course.active == A


@pytest.mark.rule("DW-EX-05", "DW-AMB-40")
def test_a_later_god_sells_their_place_too():
    book = playing(4, d=5)
    book.when(EndTurn(), by=A)
    (made,) = of_kind(book.when(OfferPlace(to=D, price=0), by=B), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=D)
    assert book.state.course.order == (A, D, B, C)


@pytest.mark.rule("DW-EX-49", "DW-ORD-4")
def test_a_buyer_may_sell_on_but_buys_once_and_a_god_who_acted_buys_nothing():
    book = playing(4)
    (made,) = of_kind(book.when(OfferPlace(to=C, price=0), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=C)
    assert book.state.course.order == (C, A, B, D)
    (made,) = of_kind(book.when(OfferPlace(to=B, price=0), by=C), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=B)
    assert book.state.course.order == (B, C, A, D)
    with refused("place.limit", book.state):
        book.when(OfferPlace(to=C, price=0), by=B)
    book.when(EndTurn(), by=B)
    with refused("place.acted", book.state):
        book.when(OfferPlace(to=B, price=0), by=C)


@pytest.mark.rule("DW-ORD-4")
def test_a_buyer_may_buy_again_in_the_next_round_and_one_offer_stands_between_two():
    book = playing(3)
    (made,) = of_kind(book.when(OfferPlace(to=B, price=0), by=A), OfferMade)
    with refused("offer.pending", book.state):
        book.when(OfferPlace(to=B, price=1), by=A)
    book.when(AcceptOffer(offer=made.offer), by=B)
    acted = []
    while book.state.course.rounds == 1:
        acted.append(book.state.course.active)
        book.when(EndTurn(), by=acted[-1], dice=rising(3) if len(acted) == 3 else None)
    assert acted == [B, A, C], "each acts once a round"
    (made,) = of_kind(book.when(OfferPlace(to=B, price=0), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=B)
    assert book.state.course.active == B


@pytest.mark.rule("DW-ORD-3")
def test_gifts_and_offers_leave_the_place_for_sale_and_it_is_sold_for_what_the_buyer_has():
    book = playing(4, a=5, b=5, c=3)
    book.when(GivePoints(to=B, amount=1), by=A)
    book.when(GivePoints(to=A, amount=1), by=B)
    book.when(MakeOffer(to=D, give=1, want=0), by=A)
    with refused("points.short", book.state):
        book.when(OfferPlace(to=C, price=4), by=A)
    (made,) = of_kind(book.when(OfferPlace(to=C, price=3), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=C)
    assert book.state.course.order == (C, A, B, D) and balances(book, A, B, C, D) == [8, 5, 0, 0] and sound(book)
    book.when(EndTurn(), by=C)
    (made,) = of_kind(book.when(OfferPlace(to=D, price=0), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=D)
    assert book.state.course.order == (C, D, A, B), "the seller is at the start of the turn again"


@pytest.mark.rule("DW-ORD-3")
@pytest.mark.parametrize("buyer", [A, UUID(int=77)])
def test_a_place_is_sold_to_another_god_of_this_round(buyer: UUID):
    book = playing(3)
    with refused("seat.missing", book.state):
        book.when(OfferPlace(to=buyer, price=0), by=A)
    with refused("turn.not_yours", book.state):
        book.when(OfferPlace(to=C, price=0), by=B)
    book.state.set_course(order=(A, B))
    with refused("seat.missing", book.state):
        book.when(OfferPlace(to=C, price=0), by=A)
    with pytest.raises(ValidationError):
        OfferPlace(to=B, price=-1)


@pytest.mark.rule("DW-ORD-3")
def test_the_first_power_ends_the_start_of_the_turn_and_lapses_every_place():
    book = playing(a=10, b=5)
    people(book, A)
    (made,) = of_kind(book.when(OfferPlace(to=B, price=1), by=A), OfferMade)
    events = book.when(ShiftAlignment(target=people(book, A), dir=1), by=A)
    assert of_kind(events, OfferClosed) == [event_like(OfferClosed, offer=made.offer, result=Result.LAPSED)]
    with refused("offer.closed", book.state):
        book.when(AcceptOffer(offer=made.offer), by=B)
    with refused("turn.begun", book.state):
        book.when(OfferPlace(to=B, price=1), by=A)


@pytest.mark.rule("DW-ORD-3", "DW-AMB-54")
def test_an_accepted_place_lapses_the_others():
    book = playing(4, b=5, c=5)
    (gift,) = of_kind(book.when(MakeOffer(to=A, give=1, want=0), by=C), OfferMade)
    (one,) = of_kind(book.when(OfferPlace(to=B, price=1), by=A), OfferMade)
    (other,) = of_kind(book.when(OfferPlace(to=C, price=1), by=A), OfferMade)
    events = book.when(AcceptOffer(offer=one.offer), by=B)
    assert event_like(OfferClosed, offer=other.offer, result=Result.LAPSED) in events
    assert event_like(OfferClosed, offer=gift.offer, result=Result.LAPSED) in events
    assert order_with_buyer((A, B, C, D), D, B) == (A, D, B, C)


@pytest.mark.rule("DW-ORD-3")
def test_a_power_that_was_dropped_has_ended_the_start_of_the_turn_too():
    book = playing(a=5, b=5)
    set_shaper(book, B, (0, 0))
    book.when(OfferPlace(to=C, price=0), by=A)
    events = book.when(shape((0, 0)), by=A)
    assert of_kind(events, OfferClosed) == [event_like(OfferClosed, result=Result.LAPSED)]
    answer(book, B, False)
    book.when(WithdrawPower(prompt=inner_prompt(book)), by=A)
    with refused("turn.begun", book.state):
        book.when(OfferPlace(to=C, price=0), by=A)
    book.when(EndTurn(), by=A)
    book.when(OfferPlace(to=C, price=0), by=B)


@pytest.mark.rule("DW-ORD-3")
def test_commanding_an_avatar_is_a_power_and_a_dispute_is_none():
    book = playing(a=5, b=5)
    hero = avatar(book, A)
    book.when(OpenDispute(against=B, text="?"), by=A)
    (conflict,) = book.state.conflicts
    book.when(PlaceBid(conflict=conflict, total=1), by=A)
    book.when(Fold(conflict=conflict), by=B)
    book.when(OfferPlace(to=C, price=0), by=A)
    walk = Action(action=Doing.MOVE, square=Place(x=2, y=2))
    events = book.when(CommandAvatar(avatar=hero, actions=(walk,)), by=A)
    assert len(of_kind(events, OfferClosed)) == 1
    with refused("turn.begun", book.state):
        book.when(OfferPlace(to=B, price=0), by=A)
