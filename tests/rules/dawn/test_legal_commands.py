"""Legal commands of dealing (DW-PTS-*, DW-ORD-3, 4): those who may accept, else the reason and its rule. And bots."""

from datetime import timedelta
from uuid import UUID

import pytest

from games.dawn.rules.avatars.commands import CreateAvatar
from games.dawn.rules.bots.trade import patience
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.state.schema_types import Place, ShapeKind, Terrain
from games.dawn.rules.trade.commands import AcceptOffer, DeclineOffer, GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.engine.bots import PlayBot, bot_key
from games.engine.game_state import Role, Seat
from games.engine.insight.domains import Range
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Command
from games.engine.timer import TimerSet
from tests.playbook import Playbook, of_kind
from tests.rules.dawn.field import actor_of
from tests.rules.dawn.stage import A, B, C, begin, give, playing


def legal_command(book: Playbook, command: type[Command], seat: UUID = A) -> LegalCommand:
    """The legal form of a command of dealing for a god."""
    (candidate,) = legal_commands_for(book.state, (command,), actor_of(seat))
    return candidate


def takers(book: Playbook, command: type[Command], seat: UUID = A) -> tuple[UUID, ...]:
    """With whom a god may deal."""
    legal = legal_commands_for(book.state, (command,), actor_of(seat))
    assert all(candidate.legal for candidate in legal)
    return tuple(taker for candidate in legal for taker in candidate.arguments["to"].values or ())


def bar_of(book: Playbook, command: type[Command], seat: UUID = A) -> tuple[str, tuple[str, ...]]:
    """Why the command is barred: code and rules."""
    why = legal_command(book, command, seat).barred
    assert why is not None
    return why.code, why.rules


@pytest.mark.rule("DW-ORD-3", "DW-ORD-4")
def test_a_place_is_listed_for_those_gods_alone_who_may_buy_it() -> None:
    book = begin()
    assert takers(book, OfferPlace) == (B, C)
    book.when(OfferPlace(to=C, price=0), by=A)
    assert takers(book, OfferPlace) == (B,)
    (offer,) = book.state.offers
    book.when(AcceptOffer(offer=offer), by=C)
    assert bar_of(book, OfferPlace)[0] == "turn.not_yours"
    assert takers(book, OfferPlace, C) == (A, B)
    book.when(EndTurn(), by=C)
    assert takers(book, OfferPlace) == (B,)
    book.when(EndTurn(), by=A)
    assert bar_of(book, OfferPlace, B) == ("place.acted", ("DW-ORD-4",))


@pytest.mark.rule("DW-ORD-3", "DW-ORD-4", "DW-PTS-5")
def test_a_place_that_nobody_may_buy_says_why() -> None:
    book = begin(2)
    book.when(OfferPlace(to=B, price=0), by=A)
    assert bar_of(book, OfferPlace) == ("offer.pending", ("DW-PTS-5",))
    (offer,) = book.state.offers
    book.when(AcceptOffer(offer=offer), by=B)
    book.when(OfferPlace(to=A, price=0), by=B)
    (offer,) = book.state.offers
    book.when(AcceptOffer(offer=offer), by=A)
    assert bar_of(book, OfferPlace) == ("place.limit", ("DW-ORD-4",))
    book = playing(2, a=9)
    square = (Place(x=0, y=0),)
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=square, terrain=Terrain.PLAINS), by=A)
    assert bar_of(book, OfferPlace) == ("turn.begun", ("DW-ORD-3",))


@pytest.mark.rule("DW-PTS-1", "DW-PRC-3")
def test_what_a_god_cannot_pay_is_barred_by_the_rule_of_balances() -> None:
    book = playing(a=2)
    assert bar_of(book, CreateAvatar) == ("points.short", ("DW-PTS-1",))
    assert bar_of(playing(), GivePoints) == ("points.short", ("DW-PTS-1",))
    assert bar_of(book, CreateAvatar, B) == ("turn.not_yours", ("DW-TRN-1",))


@pytest.mark.rule("DW-PTS-2", "DW-PTS-5")
def test_points_are_listed_for_those_gods_alone_who_may_be_dealt_with() -> None:
    book = playing(a=5, b=5)
    assert takers(book, MakeOffer) == takers(book, GivePoints) == (B, C)
    assert takers(book, MakeOffer, B) == takers(book, GivePoints, B) == (A,)
    book.when(MakeOffer(to=A, give=1, want=0), by=B)
    assert (takers(book, MakeOffer), takers(book, GivePoints)) == ((C,), (B, C))
    assert bar_of(book, MakeOffer, B) == ("offer.pending", ("DW-PTS-5",))
    for seat in (B, C):
        book.when(LeaveSeat(), by=seat)
    assert bar_of(book, MakeOffer) == bar_of(book, GivePoints) == ("pair.inactive", ("DW-PTS-2",))
    assert bar_of(book, OfferPlace) == ("seat.missing", ("DW-ORD-3",))


@pytest.mark.rule("DW-PTS-5")
def test_an_offer_asks_for_what_the_taker_has_at_most():
    book = playing(a=7, b=2)
    for command, wanted in ((MakeOffer, "want"), (OfferPlace, "price")):
        legal = legal_commands_for(book.state, (command,), actor_of(A))
        wanted_by_taker = {candidate.arguments["to"].values: candidate.arguments[wanted] for candidate in legal}
        assert wanted_by_taker == {(B,): Range(low=0, high=2), (C,): Range(low=0, high=0)}


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
    assert patience(begin(**options).state) == timedelta(seconds=seconds)


@pytest.mark.parametrize("answer", [AcceptOffer, DeclineOffer])
def test_a_bot_that_waits_is_activated_by_the_answer(answer: type[AcceptOffer] | type[DeclineOffer]) -> None:
    book = playing(2, b=5)
    book.state.seats.load(A, Seat(A, Role.PLAYER, "Bot", bot="plain"))
    give(book, A, 3)
    book.when(MakeOffer(to=B, give=1, want=1), by=A)
    late = book.now + patience(book.state)
    timer = TimerSet.of(bot_key(A), late, PlayBot(seat=A))
    timer.apply(book.state)
    (offer,) = book.state.offers
    events = book.when(answer(offer=offer), by=B)
    (timer_set,) = of_kind(events, TimerSet)
    assert book.state.timers[bot_key(A)].due == book.now + timedelta(seconds=1) < late
    assert getattr(timer_set, "key", "") == bot_key(A)
