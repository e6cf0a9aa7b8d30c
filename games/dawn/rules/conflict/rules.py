"""The Divine Conflict: an open auction of two gods (DW-DC-*); its commands are in `conflict.commands`.

One conflict is open at a time. Who bids is asked inside the turn; a side that cannot exceed the other's total folds by
itself, one that has said in advance how far it goes bids by itself. What it was about reads its end in the state.
"""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.conflict.events import BidFolded, BidPlaced, ConflictOpened, ConflictResolved, auction_of
from games.dawn.rules.standing_answers.events import StandingAnswerUsed
from games.dawn.rules.standing_answers.rules import max_bid
from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.records import Conflict
from games.dawn.rules.state.schema_types import Asked, Bidder, Cause
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC, reader
from games.engine.economy import purses
from games.engine.economy.auction import ANSWERER, OPENER, increase, must_fold, next_bid
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row

SIDES = (Bidder.INVOKER, Bidder.CHALLENGER)


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
