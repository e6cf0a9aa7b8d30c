"""The choices made when a game of Dawn is opened (DW-SET-7): map, seats, two options and the deadlines."""

from pydantic import Field

from games.dawn.rules.state.constants import HEIGHT, LEAST_GODS, LEAST_SIDE, MOST_GODS, WIDTH
from games.dawn.rules.state.schema_types import MAX_SIDE, Pace, Preset
from games.engine.ruleset import Options

LONGEST = 30 * 86_400


class DawnOptions(Options):
    """The settings of one game of Dawn of Worlds; the host may change all but the windows until the start."""

    seats: int = Field(default=MOST_GODS, ge=LEAST_GODS, le=MOST_GODS)
    """The most gods."""
    width: int = Field(default=WIDTH, ge=LEAST_SIDE, le=MAX_SIDE)
    """Columns of the map."""
    height: int = Field(default=HEIGHT, ge=LEAST_SIDE, le=MAX_SIDE)
    """Rows of the map."""
    preset: Preset = Preset.ALL_OCEAN
    """What the map is before the first shaping."""
    free_alignment: bool = False
    """Whether a race may be created with any alignment (DW-AMB-46)."""
    open_challenge: bool = False
    """Whether every power may be challenged (DW-DC-7)."""
    deadlines: Pace = Pace.LIVE
    """`live`: minutes; `post`: days (section 9)."""
    early_close: bool = Field(default=False, exclude_if=lambda closes: not closes)
    """Whether the set-up ends with the last god of those who hold a seat, two at least, before its time is up
    (DW-SET-8)."""
    setup_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window for gods and map; goes before the pace."""
    turn_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of a turn; goes before the pace."""
    answer_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of every other question; goes before the pace."""


options_of = DawnOptions.of
"""The settings of this game."""
