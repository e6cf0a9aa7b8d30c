"""The choices made when a game is opened (FB-SET-6); host and game-master may change them until the start."""

from typing import Any

from pydantic import Field

from games.engine.errors import Refused
from games.engine.ruleset import Options
from games.forgeborn.rules.state.constants import (
    HEIGHT,
    LEAST_FIXED_DRAGON,
    LEAST_SIDE,
    MOST_FIXED_DRAGON,
    MOST_ROUNDS,
    MOST_SIDE,
    WIDTH,
)
from games.forgeborn.rules.state.schema_types import DropBy, Pace, Referee

LONGEST = 30 * 86_400


class ForgebornOptions(Options):
    """The settings of one game of Forgeborn; the first seat is named in the lobby, and stands in the course."""

    width: int = Field(default=WIDTH, ge=LEAST_SIDE, le=MOST_SIDE)
    """The width of the sheet, in whole units (FB-MAP-1)."""
    height: int = Field(default=HEIGHT, ge=LEAST_SIDE, le=MOST_SIDE)
    """Its height."""
    dragon_fixed: int | None = Field(default=None, ge=LEAST_FIXED_DRAGON, le=MOST_FIXED_DRAGON)
    """The Power of the Dragon; by the die when null (FB-MAP-4)."""
    drop: DropBy = DropBy.SERVICE
    """Who drops the dice of the map: the service, or the table, which enters a real drop (FB-MAP-3)."""
    referee: Referee = Referee.PERSON
    """Whether a game-master describes and rules, or nobody is asked (FB-GM-5)."""
    round_limit: int | None = Field(default=None, ge=1, le=MOST_ROUNDS)
    """The last round if the Dragon still stands; null for none (FB-END-1)."""
    pace: Pace = Pace.LIVE
    """Which windows hold: minutes in live play, a day or two by post."""
    setup_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window for the map, and for Smiths; goes before the pace."""
    turn_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of a turn; goes before the pace."""
    answer_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of every other question; goes before the pace."""

    def check(self, state: Any) -> None:
        """Refuse (`config.range`) a real drop without a referee, who would enter it."""
        super().check(state)
        if self.drop is DropBy.TABLE and self.referee is Referee.NONE:
            raise Refused(
                "config.range",
                "A real drop is entered by the referee; ask for a person as referee, or let the service drop.",
                rules=("FB-SET-6", "FB-MAP-3"),
                drop=self.drop,
                referee=self.referee,
            )


options_of = ForgebornOptions.of
"""The settings of this game."""
