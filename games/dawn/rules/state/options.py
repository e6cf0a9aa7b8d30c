"""The choices made when a game of Dawn is opened (DW-SET-7): map, seats, two options and the deadlines."""

from datetime import timedelta
from typing import TYPE_CHECKING

from pydantic import Field

from games.dawn.rules.state.constants import ANSWER, HEIGHT, LEAST_GODS, LEAST_SIDE, MOST_GODS, WIDTH, WINDOWS
from games.dawn.rules.state.schema_types import MAX_SIDE, Asked, Pace, Preset
from games.engine.ruleset import Options

if TYPE_CHECKING:
    from games.dawn.rules.state.state import State

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
    setup_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window for gods and map; goes before the pace."""
    turn_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of a turn; goes before the pace."""
    answer_seconds: int | None = Field(default=None, ge=1, le=LONGEST)
    """The window of every other question; goes before the pace."""


def window(state: "State", asked: Asked) -> timedelta:
    """How long a question of this kind waits."""
    chosen = DawnOptions.of(state)
    by_kind = {Asked.SETUP: chosen.setup_seconds, Asked.TURN: chosen.turn_seconds}
    seconds = by_kind.get(asked, chosen.answer_seconds)
    if seconds is not None:
        return timedelta(seconds=seconds)
    return WINDOWS.get(asked, ANSWER)[state.course.deadlines]
