"""What is offered of dealing (DW-PTS-*, DW-ORD-3, 4): those who may accept, else the reason and its rule. And bots."""

from datetime import timedelta
from uuid import UUID

import pytest

from games.dawn.rules.avatars.avatars import CreateAvatar
from games.dawn.rules.bots.trade import patience
from games.dawn.rules.land.shaping import ShapeLand
from games.dawn.rules.state.schema_types import Place, ShapeKind, Terrain
from games.dawn.rules.trade.commands import AcceptOffer, DeclineOffer, GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.engine.bots import PlayBot, bot_key
from games.engine.game_state import Role, Seat
from games.engine.insight.legal_commands import Domain, LegalCommand, legal_commands_for
from games.engine.kernel import Command
from games.engine.timer import TimerSet
from tests.playbook import Playbook, of_kind
from tests.rules.dawn.field import seated
from tests.rules.dawn.stage import A, B, C, begun, give, playing


def offered(book: Playbook, command: type[Command], seat: UUID = A) -> LegalCommand:
    """What a god is offered of a command of dealing."""
    (offer,) = legal_commands_for(book.state, (command,), seated(seat))
    return offer


def takers(book: Playbook, command: type[Command], seat: UUID = A) -> tuple[UUID, ...]:
    """With whom a god may deal."""
    offers = legal_commands_for(book.state, (command,), seated(seat))
    assert all(offer.legal for offer in offers)
    return tuple(taker for offer in offers for taker in offer.arguments["to"].values or ())


def barred(book: Playbook, command: type[Command], seat: UUID = A) -> tuple[str, tuple[str, ...]]:
    """Why he may not: code and rules."""
    why = offered(book, command, seat).barred
    assert why is not None
    return why.code, why.rules


@pytest.mark.rule("DW-ORD-3", "DW-ORD-4")
def test_a_place_is_offered_to_those_alone_who_may_buy_it() -> None:
    book = begun()
    assert takers(book, OfferPlace) == (B, C)
    book.when(OfferPlace(to=C, price=0), by=A)
    assert takers(book, OfferPlace) == (B,)
    (offer,) = book.state.offers
    book.when(AcceptOffer(offer=offer), by=C)
    assert barred(book, OfferPlace)[0] == "turn.not_yours"
    assert takers(book, OfferPlace, C) == (A, B)
    book.when(EndTurn(), by=C)
    assert takers(book, OfferPlace) == (B,)
    book.when(EndTurn(), by=A)
    assert barred(book, OfferPlace, B) == ("place.acted", ("DW-ORD-4",))


@pytest.mark.rule("DW-ORD-3", "DW-ORD-4", "DW-PTS-5")
def test_a_place_that_nobody_may_buy_says_why() -> None:
    book = begun(2)
    book.when(OfferPlace(to=B, price=0), by=A)
    assert barred(book, OfferPlace) == ("offer.pending", ("DW-PTS-5",))
    (offer,) = book.state.offers
    book.when(AcceptOffer(offer=offer), by=B)
    book.when(OfferPlace(to=A, price=0), by=B)
    (offer,) = book.state.offers
    book.when(AcceptOffer(offer=offer), by=A)
    assert barred(book, OfferPlace) == ("place.limit", ("DW-ORD-4",))
    book = playing(2, a=9)
    square = (Place(x=0, y=0),)
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=square, terrain=Terrain.PLAINS), by=A)
    assert barred(book, OfferPlace) == ("turn.begun", ("DW-ORD-3",))


@pytest.mark.rule("DW-PTS-1", "DW-PRC-3")
def test_what_a_god_cannot_pay_is_barred_by_the_rule_of_balances() -> None:
    book = playing(a=2)
    assert barred(book, CreateAvatar) == ("points.short", ("DW-PTS-1",))
    assert barred(playing(), GivePoints) == ("points.short", ("DW-PTS-1",))
    assert barred(book, CreateAvatar, B) == ("turn.not_yours", ("DW-TRN-1",))


@pytest.mark.rule("DW-PTS-2", "DW-PTS-5")
def test_points_are_offered_to_those_alone_with_whom_one_may_deal() -> None:
    book = playing(a=5, b=5)
    assert takers(book, MakeOffer) == takers(book, GivePoints) == (B, C)
    assert takers(book, MakeOffer, B) == takers(book, GivePoints, B) == (A,)
    book.when(MakeOffer(to=A, give=1, want=0), by=B)
    assert (takers(book, MakeOffer), takers(book, GivePoints)) == ((C,), (B, C))
    assert barred(book, MakeOffer, B) == ("offer.pending", ("DW-PTS-5",))
    for seat in (B, C):
        book.when(LeaveSeat(), by=seat)
    assert barred(book, MakeOffer) == barred(book, GivePoints) == ("pair.inactive", ("DW-PTS-2",))
    assert barred(book, OfferPlace) == ("seat.missing", ("DW-ORD-3",))


@pytest.mark.rule("DW-PTS-5")
def test_an_offer_asks_for_what_the_taker_has_at_most():
    book = playing(a=7, b=2)
    for command, wanted in ((MakeOffer, "want"), (OfferPlace, "price")):
        offers = legal_commands_for(book.state, (command,), seated(A))
        asked = {offer.arguments["to"].values: offer.arguments[wanted] for offer in offers}
        assert asked == {(B,): Domain(low=0, high=2), (C,): Domain(low=0, high=0)}


# -- bots that offer --------------------------------------------------------------------------------------------------
@pytest.mark.rule("DW-PTS-5")
@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ({}, 90),
        ({"deadlines": "post"}, 24 * 3600),
        ({"answer_seconds": 20, "turn_seconds": 60}, 20),
        ({"answer_seconds": 60, "turn_seconds": 60}, 30),
    ],
)
def test_a_bot_waits_for_an_answer_as_long_as_a_question_does_and_at_most_half_of_its_turn(
    options: dict[str, object], seconds: int
) -> None:
    assert patience(begun(**options).state) == timedelta(seconds=seconds)


@pytest.mark.parametrize("answer", [AcceptOffer, DeclineOffer])
def test_a_bot_that_waits_is_woken_by_the_answer(answer: type[AcceptOffer] | type[DeclineOffer]) -> None:
    book = playing(2, b=5)
    book.state.seats.load(A, Seat(A, Role.PLAYER, "Bot", bot="plain"))
    give(book, A, 3)
    book.when(MakeOffer(to=B, give=1, want=1), by=A)
    late = book.now + patience(book.state)
    timer = TimerSet.of(bot_key(A), late, PlayBot(seat=A))
    timer.apply(book.state)
    (offer,) = book.state.offers
    events = book.when(answer(offer=offer), by=B)
    (woken,) = of_kind(events, TimerSet)
    assert book.state.timers[bot_key(A)].due == book.now + timedelta(seconds=1) < late
    assert getattr(woken, "key", "") == bot_key(A)
