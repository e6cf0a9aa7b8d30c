"""Units by square as arrays: those of a race, and those that go from squares to others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from games.engine.board.board import Board, Square
from games.engine.board.grid import Mask, Numbers, nearest_rings, steps


def own_squares(board: Board, race: UUID) -> tuple[Numbers, Numbers]:
    """Rows and columns of the squares of a race, by row and column."""
    window = board.window(race)
    rows, columns = np.nonzero(board.own_in(race, window))
    return rows + window[0].start, columns + window[1].start


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
    def now(cls, board: Board, race: UUID) -> "Standing":
        """The units of a race by row and column."""
        rows, columns = own_squares(board, race)
        return cls(rows, columns, board.units[rows, columns].astype(np.int64))

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
