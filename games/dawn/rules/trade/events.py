"""Points between gods as facts: gifts, offers, and places sold (DW-PTS-*, DW-ORD-3)."""

from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.schema_types import OfferKind
from games.dawn.rules.state.state import State
from games.dawn.rules.state.wording import RESULTS
from games.engine.economy import purses
from games.engine.economy.trade_offers import ExchangeClosed, ExchangeMade
from games.engine.kernel import Event
from games.engine.wording import quantity


class PointsGiven(Event[State]):
    """Points have passed from one god to another, for good."""

    rules: ClassVar[tuple[str, ...]] = ("DW-PTS-2", "DW-PTS-3")

    giver: UUID
    receiver: UUID
    amount: int
    memo: str

    def apply(self, state: State) -> None:
        purses.move(state.purses, self.giver, self.receiver, self.amount)

    def sentence(self, state: State) -> str:
        memo, amount = f" ({self.memo})" if self.memo else "", quantity(self.amount, "point")
        return f"{state.title(self.giver)} gives {state.title(self.receiver)} {amount}{memo}."


class OfferMade(ExchangeMade[State]):
    """A god has offered another god points, or their own place in this round."""

    rules: ClassVar[tuple[str, ...]] = ("DW-PTS-5",)

    def apply(self, state: State) -> None:
        state.offers[self.offer] = self.exchange()

    def sentence(self, state: State) -> str:
        maker, taker = state.title(self.maker), state.title(self.taker)
        if self.kind == OfferKind.PLACE:
            return f"{maker} offers {taker} the place before {maker} for {quantity(self.want, 'point')}."
        return f"{maker} offers {taker} {quantity(self.give, 'point')} for {quantity(self.want, 'point')}."


class OfferClosed(ExchangeClosed[State]):
    """An offer was accepted, declined, cancelled, or has lapsed."""

    rules: ClassVar[tuple[str, ...]] = ("DW-PTS-5",)

    def apply(self, state: State) -> None:
        del state.offers[self.offer]

    def sentence(self, state: State) -> str:
        return f"The offer of {state.title(self.maker)} to {state.title(self.taker)} {RESULTS[self.result]}."


class PlaceSold(Event[State]):
    """The active god has sold their place: the buyer acts right before the seller."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORD-3", "DW-AMB-6")

    seller: UUID
    buyer: UUID
    price: int
    order: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        purses.move(state.purses, self.buyer, self.seller, self.price)
        state.set_course(order=self.order, bought=(*state.course.bought, self.buyer))

    def sentence(self, state: State) -> str:
        seller, price = state.title(self.seller), quantity(self.price, "point")
        return f"{state.title(self.buyer)} buys the place before {seller} for {price}."
