"""The lie of the land: adjacency, rings, coasts, centres, and where features and cities stand.

Masks and numbers are arrays of the board's shape. Adjacent means eight neighbours, or four by a setting (G2-MAP-4); a
ring is always the larger of row and column distance (G2-WAR-8).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.engine.board import Board, Square
from games.gods2.rules.options import options_of
from games.gods2.rules.records import CityKind
from games.gods2.rules.tables import LAND, TERRAINS, WATER

if TYPE_CHECKING:
    from games.gods2.rules.state import State

Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
LAND_NUMBERS = [TERRAINS.index(t) for t in LAND]
CITY_FEATURE = {CityKind.CITY: "city", CityKind.GREAT: "great_city"}


def corners(state: "State") -> bool:
    """Whether squares that touch at a corner are adjacent (G2-MAP-4, AMB-1)."""
    return options_of(state).adjacency == 8


def adjacent_count(mask: Mask, with_corners: bool = True) -> Numbers:
    """How many squares of the mask touch each square."""
    height, width = mask.shape
    framed = np.zeros((height + 2, width + 2), dtype=np.int64)
    framed[1:-1, 1:-1] = mask
    total: Numbers = np.zeros((height, width), dtype=np.int64)
    for row, column in (*SIDES, *(CORNERS if with_corners else ())):
        total += framed[1 + row : 1 + row + height, 1 + column : 1 + column + width]
    return total


def touching(mask: Mask, with_corners: bool = True) -> Mask:
    """The squares that touch one of the mask."""
    found: Mask = adjacent_count(mask, with_corners) > 0
    return found


def land(board: Board) -> Mask:
    """Plains, forest, desert, mountains (G2-MAP-2)."""
    found: Mask = np.isin(board.terrain, LAND_NUMBERS)
    return found


def coastal(state: "State") -> Mask:
    """Land that touches water, and water that touches land (G2-MAP-5)."""
    water: Mask = state.board.terrain == WATER
    ground, near = land(state.board), corners(state)
    found: Mask = (ground & touching(water, near)) | (water & touching(ground, near))
    return found


def squares_in(mask: Mask) -> list[Square]:
    """The squares of a mask by row, then column (G2-DICE-3)."""
    rows, columns = np.nonzero(mask)
    return [Square(r, c) for r, c in zip(rows.tolist(), columns.tolist(), strict=True)]


def mask_of(board: Board, squares: Iterable[Square]) -> Mask:
    """A mask of these squares."""
    mask: Mask = np.zeros((board.height, board.width), dtype=np.bool_)
    for square in squares:
        mask[square] = True
    return mask


def units_by_square(state: "State", race: UUID) -> dict[Square, int]:
    """The units of a race by square, by row and column."""
    return {s: int(state.board.units[s]) for s in squares_in(state.board.own(race))}


def ring(one: Square, other: Square) -> int:
    """The larger of row and column distance (G2-WAR-8)."""
    return max(abs(one.row - other.row), abs(one.column - other.column))


def rings(squares: Iterable[Square], others: Iterable[Square]) -> dict[Square, int]:
    """For each square the ring of the nearest of the others: 1 = adjacent; 0 for all when there are no others."""
    ones, many = list(squares), list(others)
    if not ones or not many:
        return dict.fromkeys(ones, 0)
    gaps = np.abs(np.array(ones)[:, None, :] - np.array(many)[None, :, :]).max(axis=2).min(axis=1)
    return dict(zip(ones, gaps.tolist(), strict=True))


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

    def distance(self, square: Square) -> int:
        """The squared distance of a square, times the constant squares x squares: exact, for comparison only."""
        down, along = self.squares * square.row - self.rows, self.squares * square.column - self.columns
        return down * down + along * along


def features_at(state: "State") -> Mapping[str, Mask]:
    """Where each kind of feature stands; cities too, as `city` and `great_city`."""
    found: dict[str, Mask] = {}
    shape = (state.board.height, state.board.width)
    for kind, square in (
        *((f.kind, f.square) for f in state.features.values()),
        *((CITY_FEATURE[c.kind], c.square) for c in state.cities.values()),
    ):
        if kind not in found:
            found[kind] = np.zeros(shape, dtype=np.bool_)
        found[kind][square] = True
    return found


def cities_of(state: "State", race: UUID) -> Mask:
    """The squares with a city of a race."""
    return mask_of(state.board, (c.square for c in state.cities.values() if c.race == race))
