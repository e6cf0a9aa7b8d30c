"""The lie of the land: adjacency, rings, coasts, centres, and where features and cities stand.

Masks and numbers are arrays of the board's shape. Adjacent means eight neighbours, or four by a setting (G2-MAP-4); a
ring is always the larger of row and column distance (G2-WAR-8).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from games.engine.board.board import Board, Square, Window
from games.engine.board.grid import Mask, Numbers, mask_of, nearest_rings, steps, touching
from games.gods2.rules.state.constants import LAND, TERRAINS, WATER
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import CityKind

if TYPE_CHECKING:
    from games.engine.state import Rows
    from games.gods2.rules.state.records import City, Feature
    from games.gods2.rules.state.state import State

IS_LAND: Mask = np.array([letter in LAND for letter in TERRAINS])
"""By terrain number: plains, forest, desert, mountains (G2-MAP-2)."""
CITY_FEATURE = {CityKind.CITY: "city", CityKind.GREAT: "great_city"}


def corners(state: "State") -> bool:
    """Whether squares that touch at a corner are adjacent (G2-MAP-4, AMB-1)."""
    return options_of(state).adjacency == 8


def land(board: Board) -> Mask:
    """Plains, forest, desert, mountains (G2-MAP-2)."""
    found: Mask = IS_LAND[board.terrain]
    return found


def feature_fits(terrains: tuple[str, ...], terrain: str) -> bool:
    """Whether a feature may stand on a terrain: `L` is any land, `any` all."""
    return terrain in terrains or "any" in terrains or ("L" in terrains and terrain in LAND)


def coastal(state: "State", window: Window = (slice(None), slice(None))) -> Mask:
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


def units_by_square(state: "State", race: UUID) -> dict[Square, int]:
    """The units of a race by square, by row and column."""
    rows, columns = own_squares(state, race)
    units = state.board.units[rows, columns].tolist()
    return {Square(*s): n for *s, n in zip(rows.tolist(), columns.tolist(), units, strict=True)}


def own_squares(state: "State", race: UUID) -> tuple[Numbers, Numbers]:
    """Rows and columns of the squares of a race, by row and column."""
    window = state.board.window(race)
    rows, columns = np.nonzero(state.board.own_in(race, window))
    return rows + window[0].start, columns + window[1].start


def ring(one: Square, other: Square) -> int:
    """The larger of row and column distance (G2-WAR-8)."""
    return max(abs(one.row - other.row), abs(one.column - other.column))


@dataclass(frozen=True, slots=True)
class Standing:
    """Units by square as arrays, one place a square."""

    rows: Numbers
    columns: Numbers
    units: Numbers

    @classmethod
    def of(cls, units: "Standing | Iterable[Square]") -> "Standing":
        """These squares in their order, with their units when they have any."""
        if isinstance(units, Standing):
            return units
        squares = list(units)
        places = np.array(squares, dtype=np.int64).reshape(-1, 2)
        held = list(units.values()) if isinstance(units, Mapping) else [0] * len(squares)
        return cls(places[:, 0], places[:, 1], np.array(held, dtype=np.int64))

    @classmethod
    def now(cls, state: "State", race: UUID) -> "Standing":
        """The units of a race by row and column."""
        rows, columns = own_squares(state, race)
        return cls(rows, columns, state.board.units[rows, columns].astype(np.int64))

    def __len__(self) -> int:
        return len(self.rows)

    def square(self, place: int) -> Square:
        """The square of a place."""
        return Square(int(self.rows[place]), int(self.columns[place]))

    def at(self, places: Numbers, units: Numbers) -> "Standing":
        """So many units on each of these places, in this order."""
        return Standing(self.rows[places], self.columns[places], units)

    def occupied_squares(self) -> "Standing":
        """Those with units, in their order."""
        some = np.flatnonzero(self.units > 0)
        return self.at(some, self.units[some])

    def in_order(self) -> "Standing":
        """Those with units, by row and column."""
        some = self.occupied_squares()
        order = np.lexsort((some.columns, some.rows))
        return some.at(order, some.units[order])

    def rings(self, others: "Standing") -> Numbers:
        """The ring of each of them about the nearest of the others; 0 for all when there are no others."""
        if not len(self.rows) or not len(others.rows):
            return np.zeros(len(self.rows), dtype=np.int64)
        mask, row, column = self._frame(others)
        return nearest_rings(self.rows - row, self.columns - column, mask)

    def beside(self, others: "Standing", diagonal: bool) -> Numbers:
        """How many of the others touch each of them."""
        mask, row, column = self._frame(others)
        offsets = ((self.rows - row + down, self.columns - column + along) for down, along in steps(diagonal))
        found: Numbers = np.sum([mask[r, c] for r, c in offsets], axis=0, dtype=np.int64)
        return found

    def _frame(self, others: "Standing") -> tuple[Mask, int, int]:
        """The others on the part of the map that holds both and a frame of one square; its first row and column."""
        rows, columns = np.concatenate((self.rows, others.rows)), np.concatenate((self.columns, others.columns))
        row, column = int(rows.min()) - 1, int(columns.min()) - 1
        mask: Mask = np.zeros((int(rows.max()) - row + 2, int(columns.max()) - column + 2), dtype=np.bool_)
        mask[others.rows - row, others.columns - column] = True
        return mask, row, column


@dataclass(frozen=True, slots=True)
class Passage:
    """Units that go from squares to others as arrays, one place a way: those leave here that arrive there."""

    leaving: Standing
    arriving: Standing

    def __len__(self) -> int:
        return len(self.leaving)


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


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Where features and cities stand, and which writing of which tables says so."""

    features: "Rows[UUID, Feature]"
    cities: "Rows[UUID, City]"
    writes: tuple[int, int]
    shape: tuple[int, int]
    masks: Mapping[str, Mask]
    owned: "Mapping[UUID, tuple[City, ...]]"
    """The cities of each race that has some, by row and column."""

    @classmethod
    def of(cls, state: "State") -> "Landmarks":
        """What stands on the map now, kind by kind in their order."""
        squares: dict[str, list[Square]] = {}
        for feature in state.features.values():
            squares.setdefault(feature.kind, []).append(feature.square)
        owned: dict[UUID, tuple[City, ...]] = {}
        for city in sorted(state.cities.values(), key=lambda c: (c.square, c.id)):
            squares.setdefault(CITY_FEATURE[city.kind], []).append(city.square)
            owned[city.race] = (*owned.get(city.race, ()), city)
        shape = (state.board.height, state.board.width)
        masks = {kind: mask_of(shape, squares[kind]) for kind in sorted(squares)}
        for mask in masks.values():
            mask.flags.writeable = False  # they are shared by all who ask
        return cls(state.features, state.cities, (state.features.writes, state.cities.writes), shape, masks, owned)

    def true_of(self, state: "State") -> bool:
        """Whether nothing was written since."""
        return (
            self.features is state.features
            and self.cities is state.cities
            and self.writes == (state.features.writes, state.cities.writes)
            and self.shape == (state.board.height, state.board.width)
        )


def features_at(state: "State") -> Mapping[str, Mask]:
    """Where each kind of feature stands, and cities as `city` and `great_city`: masks to read, not to write."""
    return state.landmarks.masks


def owned_cities(state: "State", race: UUID) -> "tuple[City, ...]":
    """The cities of a race, by row and column."""
    return state.landmarks.owned.get(race, ())


def cities_of(state: "State", race: UUID) -> Mask:
    """The squares with a city of a race."""
    return mask_of(state.board.terrain.shape, (city.square for city in owned_cities(state, race)))
