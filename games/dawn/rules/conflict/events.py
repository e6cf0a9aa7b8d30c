"""The Divine Conflict as facts: opened, bids, folded, resolved (DW-DC-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Conflict
from games.dawn.rules.state.schema_types import Bidder, Cause
from games.dawn.rules.state.state import State
from games.engine.economy import purses
from games.engine.economy.auction import Auction, raise_bid
from games.engine.kernel import Event
from games.engine.wording import quantity


class ConflictOpened(Event[State]):
    """A god has called another to a Divine Conflict; the Invoker bids first."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-1",)

    conflict: UUID
    cause: Cause
    invoker: UUID
    challenger: UUID
    about: UUID | None
    key: str
    """Which question of a power it settles."""
    words: str

    def apply(self, state: State) -> None:
        state.conflicts[self.conflict] = Conflict(
            self.conflict, self.cause, self.invoker, self.challenger, self.about, self.key, self.words
        )

    def sentence(self, state: State) -> str:
        suffix = f" {self.words}" if self.words else ""
        return f"{state.title(self.invoker)} calls {state.title(self.challenger)} to a Divine Conflict.{suffix}"


class BidPlaced(Event[State]):
    """A side has bid more than the other; the increase is paid and gone."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-2", "DW-DC-5")

    conflict: UUID
    side: Bidder
    seat: UUID
    total: int
    paid: int
    balance: int

    def apply(self, state: State) -> None:
        conflict = state.conflicts[self.conflict]
        after = raise_bid(auction_of(conflict), self.total)
        state.conflicts[self.conflict] = replace(
            conflict, paid_invoker=after.opener, paid_challenger=after.answerer, to_act=after.to_act
        )
        purses.spend(state.purses, self.seat, self.paid)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} bids {quantity(self.total, 'point')}."


class BidFolded(Event[State]):
    """A side has given up."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-3",)

    conflict: UUID
    side: Bidder
    seat: UUID
    no_reach: bool
    """It could not exceed the other's total."""

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} {'cannot bid more' if self.no_reach else 'folds'}."


class ConflictResolved(Event[State]):
    """A Divine Conflict is decided; all that was bid is gone."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-4", "DW-DC-5")

    conflict: UUID
    winner: Bidder
    paid_invoker: int
    paid_challenger: int

    def apply(self, state: State) -> None:
        conflict = state.conflicts[self.conflict]
        del state.conflicts[self.conflict]
        victor = conflict.invoker if self.winner is Bidder.INVOKER else conflict.challenger
        if conflict.about is None:
            return
        if conflict.about in state.powers:
            power = state.powers[conflict.about]
            if victor == power.caster:
                state.set_power(power.id, settled=(*power.settled, conflict.key))
            else:
                state.set_power(power.id, beaten=True)
        elif conflict.about in state.avatars and self.winner is Bidder.INVOKER:
            state.avatars[conflict.about] = replace(state.avatars[conflict.about], returning=True)

    def sentence(self, state: State) -> str:
        paid = f"the invoker has spent {quantity(self.paid_invoker, 'point')}, the challenger {self.paid_challenger}"
        return f"The {self.winner} wins the Divine Conflict; {paid}."


def auction_of(conflict: Conflict) -> Auction:
    """Where the bids of a conflict stand."""
    return Auction(conflict.paid_invoker, conflict.paid_challenger, conflict.to_act)


class DisputeOpened(Event[State]):
    """A god brings a dispute of their own before the others; the conflict decides its text alone."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-1",)

    by: UUID
    against: UUID
    words: str

    def sentence(self, state: State) -> str:
        return f"{state.title(self.by)} disputes with {state.title(self.against)}: {self.words}"
