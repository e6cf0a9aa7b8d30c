"""Every command of Dawn ends in the same settling step (section 10): none of them can leave it out."""

from uuid import UUID

import pytest

from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.schema_types import AdvanceKind
from games.dawn.rules.trade.commands import CancelOffer, DeclineOffer, MakeOffer, OfferPlace
from games.dawn.rules.trade.events import OfferClosed, OfferMade
from games.dawn.rules.turn.motion_commands import OpenMotion
from games.engine.economy.trade_offers import Result
from games.engine.kernel import Command
from tests.playbook import Playbook, event_like, of_kind
from tests.rules.dawn.stage import A, B, C, give, playing


def stale() -> tuple[Playbook, OfferMade]:
    """A's offer to B that B could pay when it was made, and no longer can, by a correction."""
    book = playing(4, a=5, b=2, c=5)
    (made,) = of_kind(book.when(MakeOffer(to=B, give=1, want=2), by=A), OfferMade)
    give(book, B, 1)
    return book, made


@pytest.mark.rule("DW-PTS-5")
@pytest.mark.parametrize(
    "command",
    [
        MakeOffer(to=C, give=1, want=1),
        OfferPlace(to=C, price=1),
        OpenMotion(length=6),
        SetStandingAnswer(kind=AdvanceKind.LEAVE),
    ],
    ids=lambda command: command.slug(),
)
def test_whatever_is_commanded_settles_what_can_no_longer_be_paid(command: Command):
    book, made = stale()
    events = book.when(command, by=A)
    assert of_kind(events, OfferClosed) == [event_like(OfferClosed, offer=made.offer, result=Result.LAPSED)]


@pytest.mark.rule("DW-PTS-5")
@pytest.mark.parametrize(("answer", "by"), [(CancelOffer, A), (DeclineOffer, B)])
def test_the_end_of_one_offer_settles_the_others(answer: type[CancelOffer] | type[DeclineOffer], by: UUID):
    book = playing(4, a=5, b=2, c=5)
    (dear,) = of_kind(book.when(MakeOffer(to=A, give=2, want=0), by=C), OfferMade)
    (place,) = of_kind(book.when(OfferPlace(to=B, price=0), by=A), OfferMade)
    give(book, C, 1)
    events = book.when(answer(offer=place.offer), by=by)
    assert event_like(OfferClosed, offer=dear.offer, result=Result.LAPSED) in of_kind(events, OfferClosed)
