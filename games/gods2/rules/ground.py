"""The lie of the land: adjacency, rings, coasts, centres, and where features and cities stand.

Masks and numbers are arrays of the board's shape. Adjacent means eight neighbours, or four by a setting (G2-MAP-4); a
ring is always the larger of row and column distance (G2-WAR-8).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from games.engine.board import Board, Square
from games.engine.grid import Mask, mask_of, squares_in, touching
from games.gods2.rules.options import options_of
from games.gods2.rules.records import CityKind
from games.gods2.rules.tables import LAND, TERRAINS, WATER

if TYPE_CHECKING:
    from games.gods2.rules.state import State

LAND_NUMBERS = [TERRAINS.index(t) for t in LAND]
CITY_FEATURE = {CityKind.CITY: "city", CityKind.GREAT: "great_city"}


def corners(state: "State") -> bool:
    """Whether squares that touch at a corner are adjacent (G2-MAP-4, AMB-1)."""
    return options_of(state).adjacency == 8


def land(board: Board) -> Mask:
    """Plains, forest, desert, mountains (G2-MAP-2)."""
    found: Mask = np.isin(board.terrain, LAND_NUMBERS)
    return found


def feature_fits(terrains: tuple[str, ...], terrain: str) -> bool:
    """Whether a feature may stand on a terrain: `L` is any land, `any` all."""
    return terrain in terrains or "any" in terrains or ("L" in terrains and terrain in LAND)


def coastal(state: "State") -> Mask:
    """Land that touches water, and water that touches land (G2-MAP-5)."""
    water: Mask = state.board.terrain == WATER
    ground, near = land(state.board), corners(state)
    found: Mask = (ground & touching(water, near)) | (water & touching(ground, near))
    return found


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
    return mask_of(state.board.terrain.shape, (c.square for c in state.cities.values() if c.race == race))
