"""The choices made when a game is opened (section 8 of the rulebook)."""

from typing import Literal

from pydantic import Field

from games.dietower.rules.state.constants import (
    CHARACTERS,
    HALF_WIDTH,
    IDLE_ROUNDS,
    LEAST_HALF_WIDTH,
    MOST_CHARACTERS,
    MOST_HALF_WIDTH,
    MOST_IDLE_ROUNDS,
    MOST_SEATS,
    SEATS,
)
from games.dietower.rules.state.schema_types import Mode
from games.engine.ruleset import Options

LONGEST = 30 * 86_400


class DieTowerOptions(Options):
    """The settings of one game of the Die Tower."""

    seats: int = Field(default=SEATS, ge=1, le=MOST_SEATS)
    """Most player seats (DT-TBL-1)."""
    characters: int = Field(default=CHARACTERS, ge=1, le=MOST_CHARACTERS)
    """Most characters of a seat (DT-TBL-1)."""
    mode: Mode = Mode.SIMULATED
    """How dice are placed on the first tower (DT-TWR-2)."""
    half_width: int = Field(default=HALF_WIDTH, ge=LEAST_HALF_WIDTH, le=MOST_HALF_WIDTH)
    """How steady the first tower is: 5 rickety, 6 standard, 7 steady, 8 for children (DT-SIM-1)."""
    idle_rounds: int = Field(default=IDLE_ROUNDS, ge=1, le=MOST_IDLE_ROUNDS)
    """Rounds of silence after which an encounter closes by itself (DT-CMB-17)."""
    dice_by_hand: bool = False
    """Whether dice are rolled at a real table and entered (DT-AMB-51)."""
    pace: Literal["live", "by_post"] = "live"
    """Which windows hold: minutes in live play, a day by post."""
    turn_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of a turn; goes before the pace."""
    answer_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of Wish dice, of placing, of a defence and of a held action; goes before the pace."""
    ruling_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of rulings on checks and attacks, and of a miracle; goes before the pace."""
    consequence_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of a terrible thing; goes before the pace."""
    wish_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of a story Wish; goes before the pace."""


options_of = DieTowerOptions.of
"""The settings of this game."""
