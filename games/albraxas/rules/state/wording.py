"""What the words of the rules are called in sentences: steps and actions (pure)."""

from collections.abc import Collection, Mapping
from typing import Final

from games.albraxas.rules.state.schema_types import Step
from games.engine.wording import capital, listing

STANDS: Final[Mapping[Step, str]] = {
    Step.LOBBY: "the game has not begun",
    Step.CHARACTERS: "the characters are being written",
    Step.LOCATE: "the rebels choose their phases",
    Step.ORDER: "the orders are being written",
    Step.RESOLVE: "the junctures are being resolved",
    Step.CHECK: "Tide and Ebb are being compared",
    Step.FINISHED: "the game is over",
}
"""Where a game is, in words."""
TIMES: Final[Mapping[Step, str]] = {
    Step.LOBBY: "before the start",
    Step.CHARACTERS: "while the characters are written",
    Step.LOCATE: "while the rebels choose their phases",
    Step.ORDER: "while the orders are written",
    Step.RESOLVE: "while the junctures are resolved",
    Step.CHECK: "while Tide and Ebb are compared",
    Step.FINISHED: "after the game",
}
"""When something is done, in words."""
BEFORE: Final = frozenset((Step.LOBBY, Step.CHARACTERS))


def step_refusal(step: Step, wanted: Collection[Step]) -> str:
    """Why something cannot be done now: where the game is, when it is done, what would do."""
    now = capital(STANDS[step])
    if step is Step.FINISHED:
        return f"{now}; nothing more can be done in it, but all that happened can be read."
    times = listing((TIMES[each] for each in Step if each in wanted), "or")
    if BEFORE.issuperset(wanted) and step not in BEFORE:
        return f"{now}; this is done {times}, and that is over. A GM may correct rows still."
    return f"{now}; this is done {times}. Wait until then."
