"""The choices made when a game of Albraxas is opened: numbers of the group (AX-SET-4, 5, AX-END-6) and windows."""

from typing import Literal, Self

from pydantic import Field, model_validator

from games.albraxas.rules.state.constants import (
    LEAST_PHASES,
    LEAST_SIDES,
    MOST_PHASES,
    MOST_SIDES,
    PHASES,
    SIDES,
)
from games.engine.ruleset import Options

LONGEST = 30 * 86_400


class AlbraxasOptions(Options):
    """The settings of one game of Albraxas."""

    phases: int = Field(default=PHASES, ge=LEAST_PHASES, le=MOST_PHASES)
    """Number of phases; a number that is no square gives a warning (AX-SET-5)."""
    sides: int = Field(default=SIDES, ge=LEAST_SIDES, le=MOST_SIDES)
    """Sides of every die (AX-SET-4)."""
    check_from: int = Field(default=1, ge=1, lt=MOST_PHASES, examples=[PHASES - 1])
    """First turn whose CHECK may end the game. phases - 1, when Albraxas arrives, is advised; 1 is as printed: half of
    all games end in the first two turns (AX-END-6)."""
    pace: Literal["live", "by_post"] = "live"
    """Which windows hold: minutes in live play, a day by post (section 9)."""
    early_close: bool = Field(default=False, exclude_if=lambda closes: not closes)
    """Whether the set-up ends with the last character of those who hold a seat, Albraxas and a rebel at least, before
    its time is up (AX-SET-9)."""
    characters_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window for characters; goes before the pace."""
    locate_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window for places; goes before the pace."""
    order_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window for orders; goes before the pace."""
    opening_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window in which orders are opened of which only the digest was handed in; goes before the pace."""

    @model_validator(mode="after")
    def _a_turn_that_comes(self) -> Self:
        if self.check_from >= self.phases:
            raise ValueError("check_from is a turn of the game: 1 to phases - 1")
        return self


options_of = AlbraxasOptions.of
"""The settings of this game."""
