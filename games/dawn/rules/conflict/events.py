"""The Divine Conflict: an open auction of two gods (DW-DC-*). Events and course; the commands are in
`conflict.commands`.

One conflict is open at a time. Who bids is asked inside the turn; a side that cannot exceed the other's total folds by
itself, one that has said in advance how far it goes bids by itself. What it was about reads its end in the state.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.powers.standing_answers import StandingAnswerUsed, max_bid
from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.records import Conflict
from games.dawn.rules.state.schema_types import Asked, Bidder, Cause
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC, reader
from games.engine.economy import purses
from games.engine.economy.auction import ANSWERER, OPENER, Auction, increase, must_fold, next_bid, raise_bid
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row
from games.engine.wording import quantity

SIDES = (Bidder.INVOKER, Bidder.CHALLENGER)


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


def conflict_opening(
    ctx: Context,
    cause: Cause,
    *,
    invoker: UUID,
    challenger: UUID,
    about: UUID | None = None,
    key: str = "",
    words: str = "",
) -> Event:
    """A god calls another to a conflict. about: a power (`key`: its question) or an avatar; none for a dispute."""
    return ConflictOpened(
        conflict=ctx.mint(PUBLIC),
        cause=cause,
        invoker=invoker,
        challenger=challenger,
        about=about,
        key=key,
        words=words,
    )


def require_points(state: State, seat: UUID) -> None:
    """Refuse (`points.short`) an Invoker without a point: the first bid is at least 1."""
    purses.require(state.purses, seat, 1, "The first bid of a Divine Conflict", rules=PAID)


def auction_of(conflict: Conflict) -> Auction:
    """Where the bids of a conflict stand."""
    return Auction(conflict.paid_invoker, conflict.paid_challenger, conflict.to_act)


def bidder(conflict: Conflict) -> UUID:
    """Whose turn it is to bid or fold."""
    return conflict.invoker if conflict.to_act == OPENER else conflict.challenger


def conflict_goes_on(state: State, ctx: Context) -> Iterator[Event]:
    """One step of the open conflict: it is folded where there is no reach or no god, else the next side is asked."""
    conflict = next(iter(state.conflicts.values()))
    seat, auction = bidder(conflict), auction_of(conflict)
    no_reach = must_fold(auction, state.balance(seat))
    if no_reach or state.has_left(seat):
        yield from fold(state, conflict, no_reach=no_reach)
        return
    yield from ask_row(state, ctx, Asked.AUCTION, conflict.id, owners=[reader(seat)], bid=auction.to_beat)
    most = max_bid(state, seat, conflict.cause)
    if most is not None:
        yield StandingAnswerUsed(prompt=_open_question(state).id, seat=seat)
        total = next_bid(auction, most, state.balance(seat))
        if total is None:
            yield from fold(state, conflict)
        else:
            yield from bid(state, conflict, total)


def bid(state: State, conflict: Conflict, total: int) -> Iterator[Event]:
    """The side to act bids. Raises `bid.low`, `points.short`."""
    seat, side = bidder(conflict), SIDES[conflict.to_act]
    balance = state.balance(seat)
    paid = increase(auction_of(conflict), total, balance, rules=("DW-DC-2", "DW-DC-3"))
    yield from close(state, _open_question(state).id, "bid")
    yield BidPlaced(conflict=conflict.id, side=side, seat=seat, total=total, paid=paid, balance=balance - paid)


def fold(state: State, conflict: Conflict, *, no_reach: bool = False) -> Iterator[Event]:
    """The side to act folds; the other has won."""
    if state.open_prompt(Asked.AUCTION) is not None:
        yield from close(state, _open_question(state).id, "fold")
    yield BidFolded(conflict=conflict.id, side=SIDES[conflict.to_act], seat=bidder(conflict), no_reach=no_reach)
    yield ConflictResolved(
        conflict=conflict.id,
        winner=Bidder.CHALLENGER if conflict.to_act == OPENER else Bidder.INVOKER,
        paid_invoker=auction_of(conflict).total(OPENER),
        paid_challenger=auction_of(conflict).total(ANSWERER),
    )


def open_conflict(state: State, conflict: UUID) -> Conflict:
    """The conflict of this id. Raises `prompt.closed`."""
    if conflict not in state.conflicts:
        raise Refused("prompt.closed", "This conflict is not open; it has been decided.", rules=("DW-DC-4",))
    return state.conflicts[conflict]


def _open_question(state: State) -> Prompt:
    prompt = state.open_prompt(Asked.AUCTION)
    if prompt is None:
        raise RuntimeError("a conflict in which nobody is asked")
    return prompt
