"""Exchanges: an offer of one seat to another, in a lane of its own, until it is answered, cancelled or lapses.

An exchange is a prompt to the seat it is made to; only the two and the GMs see it. One is open a pair and kind (CF-12).
The ruleset keeps the table, names its own events (subclasses of `ExchangeMade` and `ExchangeClosed`) and carries out
what was agreed; it lapses what its turn or a purse has made void.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from games.engine.audience import Audience, reader, seats
from games.engine.errors import Refused
from games.engine.game_state import GameState, S_contra
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row

OFFER = "offer"
"""The kind of question that an offer is."""


class Result(StrEnum):
    """What became of an offer."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An open offer. Its id is that of the prompt."""

    id: UUID
    kind: str
    maker: UUID
    taker: UUID
    give: int
    """What the maker gives, in the ruleset's unit."""
    want: int
    """What the maker asks for."""
    memo: str = ""

    @staticmethod
    def audience(record: "Exchange") -> Audience:
        """The two, and the GMs."""
        return between(record.maker, record.taker)


class ExchangeMade(Event[S_contra], abstract=True):
    """A seat has made another an offer."""

    offer: UUID
    maker: UUID
    taker: UUID
    kind: str
    give: int
    want: int
    memo: str

    def audience(self, state: S_contra) -> Audience:
        return between(self.maker, self.taker)

    def exchange(self) -> Exchange:
        """The record of this offer."""
        return Exchange(self.offer, self.kind, self.maker, self.taker, self.give, self.want, self.memo)


class ExchangeClosed(Event[S_contra], abstract=True):
    """An offer is open no longer."""

    offer: UUID
    maker: UUID
    taker: UUID
    result: Result

    def audience(self, state: S_contra) -> Audience:
        return between(self.maker, self.taker)


def between(maker: UUID, taker: UUID) -> Audience:
    """The readers of an offer."""
    return seats(maker, taker, gm=True)


def require_room(
    open_offers: Mapping[UUID, Exchange], kind: str, maker: UUID, taker: UUID, *, rules: tuple[str, ...] = ()
) -> None:
    """Refuse (`offer.pending`, citing `rules`) a second offer of a kind between two seats, in either direction."""
    if any(o.kind == kind and {o.maker, o.taker} == {maker, taker} for o in open_offers.values()):
        raise Refused("offer.pending", "An offer of this kind is open between you two; settle it first.", rules=rules)


def offer_to(open_offers: Mapping[UUID, Exchange], offer: UUID, seat: UUID, *, rules: tuple[str, ...] = ()) -> Exchange:
    """An open offer that is made to a seat. Raises `offer.closed`, `offer.not_yours`."""
    found = _open(open_offers, offer, seat, rules)
    if found.taker != seat:
        raise Refused(
            "offer.not_yours",
            "You have made this offer yourself; the other answers it, you may cancel it.",
            rules=rules,
        )
    return found


def offer_by(open_offers: Mapping[UUID, Exchange], offer: UUID, seat: UUID, *, rules: tuple[str, ...] = ()) -> Exchange:
    """An open offer that a seat has made. Raises `offer.closed`, `offer.not_yours`."""
    found = _open(open_offers, offer, seat, rules)
    if found.maker != seat:
        raise Refused("offer.not_yours", "Another has made this offer; decline it instead.", rules=rules)
    return found


def make_offer(
    state: GameState,
    ctx: Context,
    made: ExchangeMade,
    **words: Any,
) -> Iterator[Event]:
    """Report an offer and ask the seat it is made to. Mint its id for `between(maker, taker)` right before.

    words: those of the row `OFFER` of the game's course, beside the id of the offer.
    """
    yield made
    readers = between(made.maker, made.taker)
    yield from ask_row(
        state, ctx, OFFER, owners=[reader(made.taker)], prompt=made.offer, readers=readers, offer=made.offer, **words
    )


def end(state: GameState, closed: ExchangeClosed) -> Iterator[Event]:
    """Close an offer's question and report what became of it."""
    yield from close(state, closed.offer, closed.result)
    yield closed


def _open(open_offers: Mapping[UUID, Exchange], offer: UUID, seat: UUID, rules: tuple[str, ...]) -> Exchange:
    """An open offer; for those it does not concern it was never there."""
    found = open_offers.get(offer)
    if found is None or seat not in (found.maker, found.taker):
        raise Refused(
            "offer.closed", "This offer is not open: it was answered, taken back, or it has lapsed.", rules=rules
        )
    return found
