"""The lie of the land: adjacency, rings, coasts, centres; features and cities on the map.

Masks and numbers are arrays of the board's shape. Adjacent means eight neighbours, or four by a setting (G2-MAP-4); a
ring is always the larger of row and column distance (G2-WAR-8).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from games.engine.board.board import Board, Square, Window
from games.engine.board.grid import Mask, Numbers, mask_of, touching
from games.gods2.rules.state.constants import LAND, TERRAINS, WATER
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import City
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import own_squares

IS_LAND: Mask = np.array([letter in LAND for letter in TERRAINS])
"""By terrain number: plains, forest, desert, mountains (G2-MAP-2)."""
WHOLE_MAP: Window = (slice(None), slice(None))


def corners(state: State) -> bool:
    """Whether squares that touch at a corner are adjacent (G2-MAP-4, AMB-1)."""
    return options_of(state).adjacency == 8


def land(board: Board) -> Mask:
    """Plains, forest, desert, mountains (G2-MAP-2)."""
    found: Mask = IS_LAND[board.terrain]
    return found


def feature_fits(terrains: tuple[str, ...], terrain: str) -> bool:
    """Whether a feature may stand on a terrain: `L` is any land, `any` all."""
    return terrain in terrains or "any" in terrains or ("L" in terrains and terrain in LAND)


def coastal(state: State, window: Window = (slice(None), slice(None))) -> Mask:
    """Land that touches water, and water that touches land (G2-MAP-5): on the whole map, or in a part of it."""
    frame, inner = _window_with_frame(state.board, window)
    terrain = state.board.terrain[frame]
    water, ground, near = terrain == WATER, IS_LAND[terrain], corners(state)
    found: Mask = (ground & touching(water, near)) | (water & touching(ground, near))
    return found[inner]


def _window_with_frame(board: Board, window: Window) -> tuple[Window, Window]:
    """A part of the map with what touches it, and where the part lies in that."""
    frame, inner = [], []
    for cut, size in zip(window, (board.height, board.width), strict=True):
        first, last, _ = cut.indices(size)
        low, high = max(0, first - 1), min(size, last + 1)
        frame.append(slice(low, high))
        inner.append(slice(first - low, last - low))
    return (frame[0], frame[1]), (inner[0], inner[1])


def units_by_square(state: State, race: UUID) -> dict[Square, int]:
    """The units of a race by square, by row and column."""
    rows, columns = own_squares(state.board, race)
    units = state.board.units[rows, columns].tolist()
    return {Square(*s): n for *s, n in zip(rows.tolist(), columns.tolist(), units, strict=True)}


def ring(one: Square, other: Square) -> int:
    """The larger of row and column distance (G2-WAR-8)."""
    return max(abs(one.row - other.row), abs(one.column - other.column))


@dataclass(frozen=True, slots=True)
class Centre:
    """The centre of a territory: mean row and column of its squares, unweighted, exact (AMB-17)."""

    squares: int
    rows: int
    columns: int
    """Sums over the squares; the means are rows / squares and columns / squares."""

    @classmethod
    def of(cls, squares: Iterable[Square]) -> "Centre":
        """The centre of these squares."""
        each = list(squares)
        return cls(max(1, len(each)), sum(s.row for s in each), sum(s.column for s in each))

    def distances(self, rows: Numbers, columns: Numbers) -> Numbers:
        """The same as `distance` for many squares; exact in 64 bits on a map of 1,000 x 1,000."""
        down, along = self.squares * rows - self.rows, self.squares * columns - self.columns
        found: Numbers = down * down + along * along
        return found

    def distance(self, square: Square) -> int:
        """The squared distance of a square, times the constant squares x squares: exact, for comparison only."""
        down, along = self.squares * square.row - self.rows, self.squares * square.column - self.columns
        return down * down + along * along


def features_at(state: State) -> Mapping[str, Mask]:
    """Where each kind of feature stands, and cities as `city` and `great_city`: masks to read, not to write."""
    return state.landmarks.masks


def owned_cities(state: State, race: UUID) -> tuple[City, ...]:
    """The cities of a race, by row and column."""
    return state.landmarks.owned.get(race, ())


def cities_of(state: State, race: UUID) -> Mask:
    """The squares with a city of a race."""
    return mask_of(state.board.terrain.shape, (city.square for city in owned_cities(state, race)))
