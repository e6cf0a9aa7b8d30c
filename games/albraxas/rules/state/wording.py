"""What the words of the rules are called in sentences: steps and actions (pure)."""

from collections.abc import Mapping
from typing import Final

from games.albraxas.rules.state.schema_types import Step
from games.engine.phases import Steps

STANDS: Final[Mapping[str, str]] = {
    Step.LOBBY: "the game has not begun",
    Step.CHARACTERS: "the characters are being written",
    Step.LOCATE: "the rebels choose their phases",
    Step.ORDER: "the orders are being written",
    Step.RESOLVE: "the junctures are being resolved",
    Step.CHECK: "Tide and Ebb are being compared",
    Step.FINISHED: "the game is over",
}
"""Where a game is, in words."""
TIMES: Final[Mapping[str, str]] = {
    Step.LOBBY: "before the start",
    Step.CHARACTERS: "while the characters are written",
    Step.LOCATE: "while the rebels choose their phases",
    Step.ORDER: "while the orders are written",
    Step.RESOLVE: "while the junctures are resolved",
    Step.CHECK: "while Tide and Ebb are compared",
    Step.FINISHED: "after the game",
}
"""When something is done, in words."""
STEPS: Final = Steps(
    order=Step, last=Step.FINISHED, now=STANDS, times=TIMES, once=(Step.LOBBY, Step.CHARACTERS), rules=("AX-TRN-1",)
)
