"""The live demo game as a list of commands: one person and three bots; nobody referees, and nobody has to play."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from games.engine.kernel import Command
from games.forgeborn.rules.setup.commands import DefineSmith
from games.forgeborn.rules.state.constants import PLAIN_DICE
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import Referee, Size

TITLE = "The Forge, live"
PRACTICE: Mapping[str, int] = {}
ATTRIBUTION = ""
BOTS = (("Olis", "steady"), ("Nyca", "steady"), ("Bandi", "wild"))
PERSON = "Hele"
KEEPER = "steady"
WHO = "player-1"
"""Which of the demo's people plays the person's seat."""
ANSWERS = 3
"""A question is open for this part of a step, a turn for a whole one."""
ROUNDS = 60
"""The last round, where nobody faces the Dragon before it."""


def options(step_seconds: int) -> ForgebornOptions:
    """A turn waits for a step, a question inside it for a third of one; set-up for as long as a turn."""
    return ForgebornOptions(
        referee=Referee.NONE,
        round_limit=ROUNDS,
        setup_seconds=step_seconds,
        turn_seconds=step_seconds,
        answer_seconds=max(1, step_seconds // ANSWERS),
    )


def players() -> tuple[tuple[str, str], ...]:
    """The seats of the game: name, and who plays it."""
    return ((PERSON, WHO), *BOTS)


def commands(seats: Mapping[str, UUID], options: ForgebornOptions) -> list[tuple[str, Command]]:
    """Nothing is prepared: the start drops the map."""
    return []


def opening(now: Callable[[], Any]) -> list[tuple[str, Command]]:
    """A Smith for the person, who may define another until all are in."""
    dice = tuple(map(Size, PLAIN_DICE))
    return [(PERSON, DefineSmith(name="Hele", text="Burnt sleeves, a steady hand.", dice=dice))]
