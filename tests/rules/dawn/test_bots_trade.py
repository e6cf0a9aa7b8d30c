"""What bots wish beside powers, for peoples and of avatars: the rules accept it. And what activates them."""

from datetime import timedelta

import pytest

from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.bots.avatars import walk
from games.dawn.rules.bots.gifts import gift
from games.dawn.rules.bots.trade import answer_offer, deal, retract
from games.dawn.rules.conflict.commands import OpenDispute
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.trade.commands import AcceptOffer, CancelOffer, DeclineOffer, GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.turn.motion_commands import OpenMotion
from games.engine.bots import PlayBot, bot_key
from games.engine.dice import SecretDice, Tray
from games.engine.game_state import Role, Seat
from games.engine.kernel import Command
from games.engine.timer import TimerSet
from tests.playbook import Playbook
from tests.rules.dawn.field import field
from tests.rules.dawn.stage import A, B, avatar, playing, sound

DEALS = {GivePoints, MakeOffer, OfferPlace, OpenDispute, OpenMotion, SetStandingAnswer, type(None)}


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


def accept(book: Playbook, command: Command | None) -> type:
    """The kind of a wish; the rules accept it."""
    if command is not None:
        book.when(command, by=A)
        assert sound(book)
    return type(command)


@pytest.mark.parametrize(
    ("points", "wanted"), [(10, DEALS), (0, {OfferPlace, OpenMotion, SetStandingAnswer, type(None)})]
)
def test_every_deal_is_accepted(points: int, wanted: set[type]) -> None:
    books = [playing(2, a=points, b=5) for _ in range(150)]
    assert {accept(book, deal(book.state, A, tray(number))) for number, book in enumerate(books)} == wanted


def test_every_gift_is_accepted() -> None:
    books = [field() for _ in range(30)]
    wanted = {GiftEdge, ShiftAlignment, type(None)}
    assert {accept(book, gift(book.state, A, tray(number))) for number, book in enumerate(books)} == wanted
    poor = [field(a=0) for _ in range(12)]
    assert {type(gift(book.state, A, tray(number))) for number, book in enumerate(poor)} == {type(None)}


@pytest.mark.parametrize(("owned", "wanted"), [(True, CommandAvatar), (False, CreateAvatar)])
def test_every_errand_of_an_avatar_is_accepted(owned: bool, wanted: type) -> None:
    found = set()
    for number in range(30):
        book = field(1, 1)
        if owned:
            avatar(book, A)
        found.add(accept(book, walk(book.state, A, tray(number))))
    assert found == {wanted, type(None)}


@pytest.mark.rule("DW-PTS-5")
def test_a_bot_takes_what_costs_it_nothing_and_else_throws_a_coin() -> None:
    book = playing(2, a=5, b=2)
    book.when(MakeOffer(to=B, give=1, want=1), by=A)
    (offer,) = book.state.offers.values()
    assert answer_offer(book.state, offer, coin=False) == AcceptOffer(offer=offer.id)
    assert retract(book.state, A, coin=True) == CancelOffer(offer=offer.id)
    assert retract(book.state, B, coin=True) is None
    book.when(CancelOffer(offer=offer.id), by=A)
    book.when(MakeOffer(to=B, give=1, want=2), by=A)
    (offer,) = book.state.offers.values()
    assert answer_offer(book.state, offer, coin=False) == DeclineOffer(offer=offer.id)
    assert answer_offer(book.state, offer, coin=True) == AcceptOffer(offer=offer.id)


@pytest.mark.rule("DW-PTS-5")
def test_a_bot_is_activated_by_an_offer_and_by_what_it_has_waited_for() -> None:
    book = playing(2, a=5, b=5)
    for seat in (A, B):
        book.state.seats.load(seat, Seat(seat, Role.PLAYER, f"Bot {seat.int}", bot="plain"))
    book.when(MakeOffer(to=B, give=1, want=1), by=A)
    assert bot_key(B) in book.state.timers
    (offer,) = book.state.offers
    book.plant(TimerSet.of(bot_key(A), book.now + timedelta(hours=1), PlayBot(seat=A)))
    answered = book.when(AcceptOffer(offer=offer), by=B)
    assert bot_key(A) in [event.key for event in answered if isinstance(event, TimerSet)]
