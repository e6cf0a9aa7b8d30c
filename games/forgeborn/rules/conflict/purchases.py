"""What follows from the sum of a creation or a recruiting: it fails, or it is to be spent (FB-ART-5, 6; FB-HER-1)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row
from games.forgeborn.rules.conflict.failure import bring_failure
from games.forgeborn.rules.conflict.pool import GainChoice
from games.forgeborn.rules.conflict.purchase_events import FOR, CreationFailed, PointsDue
from games.forgeborn.rules.gains.events import Loss
from games.forgeborn.rules.gains.rules import lose_dice
from games.forgeborn.rules.state.constants import LEAST_SUM
from games.forgeborn.rules.state.records import Action
from games.forgeborn.rules.state.schema_types import Asked, Bought, Deed
from games.forgeborn.rules.state.state import State

HEROINE = "a Heroine"
"""The case in which a sum is spent on one."""


def bought_by(action: Action) -> Bought:
    """What the sum of an action buys."""
    return Bought.HEROINE if action.kind is Deed.RECRUIT_HEROINE else Bought.ARTIFACT


def settle_sum(state: State, ctx: Context, action: Action, gain: GainChoice | None = None) -> Iterator[Event]:
    """The dice of a creation or a recruiting have fallen: the sum is to be spent, or it is a failure.

    gain: what a failure shall bring, where it came with the same command.
    """
    total, bought = action.total or 0, bought_by(action)
    if total < LEAST_SUM:
        yield CreationFailed(seat=action.seat, total=total, bought=bought)
        yield from lose_sacrifices(state, action)
        yield from bring_failure(state, ctx, action, gain)
        return
    yield PointsDue(seat=action.seat, total=total, bought=bought)
    case = HEROINE if bought is Bought.HEROINE else ""
    yield from ask_row(state, ctx, Asked.SPEND, action.id, case=case, total=total, thing=FOR[bought])


def lose_sacrifices(state: State, action: Action) -> Iterator[Event]:
    """The Sacrifices of a creation or a recruiting are lost, whatever comes of it: the roller's, then the helpers'."""
    yield from lose_dice(action.character, state.pools[action.id].sacrifice, Loss.SACRIFICE)
    for seat in helpers_of(state, action):
        smith = state.smith_of(seat)
        if smith is not None:
            yield from lose_dice(smith.id, state.offers[action.id, seat].sacrifice, Loss.SACRIFICE)


def helpers_of(state: State, action: Action) -> tuple[UUID, ...]:
    """The seats whose dice were rolled with the maker's, in the order of turns after the maker."""
    return tuple(
        seat
        for seat in seats_after(state, action.seat)
        if (action.id, seat) in state.offers and state.offers[action.id, seat].is_accepted
    )


def seats_after(state: State, seat: UUID) -> tuple[UUID, ...]:
    """The other seats in the order of turns, from the one after this on."""
    order = state.course.order
    at = order.index(seat)
    return (*order[at + 1 :], *order[:at])
