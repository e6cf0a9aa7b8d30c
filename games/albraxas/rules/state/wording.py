"""What the words of the rules are called in sentences: steps and actions (pure)."""

from collections.abc import Collection, Mapping
from typing import Final

from games.albraxas.rules.state.schema_types import Step
from games.engine.errors import Refused
from games.engine.phases import are_past, closed_phase, ended_game

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


def step_refusal(step: Step, wanted: Collection[Step], *, rules: tuple[str, ...]) -> Refused:
    """Why something that belongs to other steps cannot be done now; those before the first turn come once."""
    if step is Step.FINISHED:
        return ended_game(STANDS[step], step=step, rules=rules)
    over = BEFORE.issuperset(wanted) and are_past(wanted, step, Step)
    return closed_phase(STANDS[step], (TIMES[e] for e in Step if e in wanted), step=step, over=over, rules=rules)
