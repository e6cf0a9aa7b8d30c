"""The GM's order of growth (G2-GROW-1, AMB-4): set before a century's third step, a secret until it is announced."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row
from games.gods2.rules.state.options import CENTURIES, options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.window.prompts import close_at_deadline

ORDERED = 2  # races of which there is an order
BEFORE = (Phase.TRANSITION, Phase.CLOSING, Phase.RECKONING, Phase.PAYING, Phase.CLOSED)
"""From the end of the Activity Phase until the next century's growth is ordered."""


def order_questions(state: State) -> list[Prompt]:
    """The open question in which order the races grow."""
    return [prompt for prompt in state.prompts.values() if prompt.kind == Asked.ORDER]


def ask_order(state: State, ctx: Context) -> Iterator[Event]:
    """Ask the GMs, where they see previews, in which order the races grow in the next century.

    Its deadline is the third step of that century; an answer may be changed until then.
    """
    following = state.era.century + 1
    if not options_of(state).previews or following > CENTURIES or len(state.living()) < ORDERED:
        return
    yield from ask_row(state, ctx, Asked.ORDER, century=following)


def close_order_question(state: State, ctx: Context) -> Iterator[Event]:
    """Step 3 has come: nobody is asked for the order any more."""
    for asked in order_questions(state):
        yield from close_at_deadline(state, ctx, asked)


def planned_order(state: State) -> tuple[UUID, ...] | None:
    """The order that a GM has set for this century; None when there is none, or another set of races lives now."""
    plan = state.growth_plans.get(state.info.id)
    if plan is None or plan.century != state.era.century:
        return None
    return plan.races if sorted(plan.races) == [race.id for race in state.living()] else None
