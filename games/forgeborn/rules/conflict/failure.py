"""What a failure brings: a d4, or a step for a die of the one who rolled (FB-CON-5, FB-CON-8)."""

from collections.abc import Iterator

from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row
from games.forgeborn.rules.conflict.pool import GainChoice
from games.forgeborn.rules.gains.events import Gain
from games.forgeborn.rules.gains.rules import gain_die
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Action
from games.forgeborn.rules.state.schema_types import Asked, Size, StandingAnswer, StandingKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.rules import standing_answer
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn


def bring_failure(state: State, ctx: Context, action: Action, gain: GainChoice | None = None) -> Iterator[Event]:
    """After a failed roll: what was sent along, what is answered in advance, or what is forced; else it is asked.

    gain: what came with the same command; what was sent earlier stands with the action.
    """
    character = state.characters[action.character]
    ctx.open_secret_of(action.seat)
    sent = state.sent_pools.get(action.id)
    if gain is None and sent is not None and sent.has_gain:
        gain = GainChoice.model_validate({"raise": sent.raised})
    is_forced = all(size is Size.D12 for size in dice_of(character))
    if gain is None and (is_forced or standing_answer(state, ctx, action.seat, StandingKind.GAIN) is StandingAnswer.D4):
        gain = GainChoice()
    if gain is not None:
        yield from learn(state, action, gain.raise_)
        return
    yield from ask_row(state, ctx, Asked.GAIN, action.id, character=character.name)


def learn(state: State, action: Action, size: Size | None) -> Iterator[Event]:
    """The failed character gains a d4 or raises a die; the turn is over."""
    yield from gain_die(state.characters[action.character], size, Gain.FAILURE)
    yield from end_turn(state, TurnEnd.ACTION)
