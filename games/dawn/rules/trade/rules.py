"""Offers that lapse: on points that are gone, and on places that are taken (DW-PTS-*, DW-ORD-3)."""

from collections.abc import Iterator

from games.dawn.rules.state.schema_types import OfferKind
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.events import OfferClosed
from games.engine.economy.trade_offers import Exchange, Result, end
from games.engine.kernel import Event


def end_offer(state: State, offer: Exchange, result: Result) -> Iterator[Event]:
    """An offer is open no longer."""
    yield from end(state, OfferClosed(offer=offer.id, maker=offer.maker, taker=offer.taker, result=result))


def payable(state: State, offer: Exchange) -> bool:
    """Whether both sides can pay what an offer names."""
    return state.balance(offer.maker) >= offer.give and state.balance(offer.taker) >= offer.want


def lapse_offers(state: State) -> Iterator[Event]:
    """Every open offer lapses: the turn has ended, or passed to another."""
    for offer in sorted(state.offers.values(), key=lambda o: o.id):
        yield from end_offer(state, offer, Result.LAPSED)


def lapse_places(state: State) -> Iterator[Event]:
    """Every open offer of a place lapses: the first power was used (DW-ORD-3)."""
    for offer in sorted(state.offers.values(), key=lambda o: o.id):
        if offer.kind == OfferKind.PLACE:
            yield from end_offer(state, offer, Result.LAPSED)


def unpayable(state: State) -> list[Exchange]:
    """The open offers that a side can no longer pay."""
    return sorted((offer for offer in state.offers.values() if not payable(state, offer)), key=lambda o: o.id)


def lapse_unpayable(state: State) -> Iterator[Event]:
    """Offers lapse that a side can no longer pay (DW-PTS-5)."""
    for offer in unpayable(state):
        yield from end_offer(state, offer, Result.LAPSED)
