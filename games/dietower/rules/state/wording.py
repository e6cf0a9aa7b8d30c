"""Words for people: where the game is, what belongs to which step, names of dice and bands."""

from collections.abc import Sequence

from games.dietower.rules.state.schema_types import Step
from games.engine.wording import capital, full_sentence, listing

STANDS = {
    Step.LOBBY: "it has not begun",
    Step.SETUP: "sheets are written",
    Step.FREE: "play outside encounters",
    Step.TURN: "an encounter",
    Step.CLOSED: "between two sessions",
    Step.FINISHED: "it is over",
}


def step_refusal(step: Step, wanted: Sequence[Step]) -> str:
    """Why something that belongs to other steps is refused."""
    return f"This belongs to {listing([STANDS[s] for s in wanted], 'or')}; now: {STANDS[step]}."


def remark(words: str) -> str:
    """What somebody has written as a sentence behind another; nothing where nothing was written."""
    return f" {capital(full_sentence(words))}" if words.strip() else ""
