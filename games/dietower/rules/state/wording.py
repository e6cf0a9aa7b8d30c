"""Words for people: where the game is, what belongs to which step, names of dice and bands."""

from collections.abc import Mapping

from games.dietower.rules.state.schema_types import Means, Step
from games.engine.phases import Steps
from games.engine.wording import capital, full_sentence

PLAY = (Step.FREE, Step.TURN)
"""The steps of a session."""
STANDS: Mapping[str, str] = {
    Step.LOBBY: "it has not begun",
    Step.SETUP: "sheets are written",
    Step.FREE: "play outside encounters",
    Step.TURN: "an encounter",
    Step.CLOSED: "between two sessions",
    Step.FINISHED: "it is over",
}
"""What a session is in, below its picture."""
NOW: Mapping[str, str] = {
    Step.LOBBY: "the game has not begun",
    Step.SETUP: "the sheets are being written",
    Step.FREE: "play is outside encounters",
    Step.TURN: "an encounter runs",
    Step.CLOSED: "the game is between two sessions",
    Step.FINISHED: "the game is over",
}
"""Where a game is, as a clause."""
TIMES: Mapping[str, str] = {
    Step.LOBBY: "before the start",
    Step.SETUP: "while the sheets are written",
    Step.FREE: "in play outside encounters",
    Step.TURN: "in an encounter",
    Step.CLOSED: "between two sessions",
}
"""When something is done."""
STEPS = Steps(order=Step, last=Step.FINISHED, now=NOW, times=TIMES, once=(Step.LOBBY, Step.SETUP), rules=("DT-TBL-2",))


def means(trait: str, uses: Means) -> str:
    """What a check relies on, in brackets: the word for the trait, and whether weapon, power or a trait is used."""
    named = "a trait" if uses is Means.TRAIT and not trait.strip() else trait.strip()
    used = f"with the {uses}" if uses in (Means.WEAPON, Means.POWER) else ""
    relied_on = "; ".join(filter(None, (named, used)))
    return f" ({relied_on})" if relied_on else ""


def remark(words: str) -> str:
    """What somebody has written as a sentence behind another; nothing where nothing was written."""
    return f" {capital(full_sentence(words))}" if words.strip() else ""
