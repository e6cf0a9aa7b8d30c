"""What silence means, question by question (section 11 of the rulebook)."""

from collections.abc import Iterator

from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.forgeborn.rules.setup.rules import settle_map
from games.forgeborn.rules.setup.smiths import settle_smiths
from games.forgeborn.rules.state.schema_types import Asked
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn


def take_default(state: State, ctx: Context, prompt: Prompt) -> Iterator[Event]:
    """The events of silence; the question is closed by them."""
    match Asked(prompt.kind):
        case Asked.MAP:
            yield from settle_map(state, ctx)
        case Asked.SMITHS:
            yield from settle_smiths(state, ctx)
        case Asked.TURN:
            held = state.course.active is not None and state.is_held(state.course.active)
            yield from end_turn(state, TurnEnd.DEADLINE if held else TurnEnd.ABSENT)
        case _:
            raise RuntimeError(f"nothing follows the silence to {prompt.kind}")
