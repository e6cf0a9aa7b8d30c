"""Words for people: where the game is, what belongs to which step, names of dice and bands."""

from collections.abc import Sequence

from games.dietower.rules.state.schema_types import Step
from games.engine.errors import Refused
from games.engine.phases import are_past, closed_phase, ended_game
from games.engine.wording import capital, full_sentence

STANDS = {
    Step.LOBBY: "it has not begun",
    Step.SETUP: "sheets are written",
    Step.FREE: "play outside encounters",
    Step.TURN: "an encounter",
    Step.CLOSED: "between two sessions",
    Step.FINISHED: "it is over",
}
"""What a session is in, below its picture."""
NOW = {
    Step.LOBBY: "the game has not begun",
    Step.SETUP: "the sheets are being written",
    Step.FREE: "play is outside encounters",
    Step.TURN: "an encounter runs",
    Step.CLOSED: "the game is between two sessions",
    Step.FINISHED: "the game is over",
}
"""Where a game is, as a clause."""
TIMES = {
    Step.LOBBY: "before the start",
    Step.SETUP: "while the sheets are written",
    Step.FREE: "in play outside encounters",
    Step.TURN: "in an encounter",
    Step.CLOSED: "between two sessions",
}
"""When something is done."""
BEFORE = frozenset((Step.LOBBY, Step.SETUP))


def step_refusal(step: Step, wanted: Sequence[Step], *, rules: tuple[str, ...]) -> Refused:
    """Why something that belongs to other steps is refused; lobby and set-up come once."""
    if step is Step.FINISHED:
        return ended_game(NOW[step], step=step, rules=rules)
    over = BEFORE.issuperset(wanted) and are_past(wanted, step, Step)
    return closed_phase(NOW[step], (TIMES[each] for each in wanted), step=step, over=over, rules=rules)


def remark(words: str) -> str:
    """What somebody has written as a sentence behind another; nothing where nothing was written."""
    return f" {capital(full_sentence(words))}" if words.strip() else ""
