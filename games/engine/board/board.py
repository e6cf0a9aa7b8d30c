"""The board: terrain, owners and units of a map as NumPy integer arrays, written through two functions that remember.

Arrays are [row, column]; row 0 is north, column 0 west. `owner` holds positions in `peoples`, -1 for nobody.
Nothing may depend on a people's position: it differs between a loaded board and a folded one.
"""

from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.engine.savepoint import Restore, Undoable

NOBODY = -1
Window = tuple[slice, slice]
"""A part of the map: rows and columns."""


class Square(NamedTuple):
    """A place on the map. In the APIs it is `{x, y}`: x = column, y = row."""

    row: int
    column: int


class Board(Undoable):
    """A map of `height` rows by `width` columns."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.terrain: NDArray[np.int8] = np.zeros((height, width), dtype=np.int8)
        self.owner: NDArray[np.int16] = np.full((height, width), NOBODY, dtype=np.int16)
        self.units: NDArray[np.int32] = np.zeros((height, width), dtype=np.int32)
        self.peoples: list[UUID] = []
        self.dirty_units: NDArray[np.bool_] = np.zeros((height, width), dtype=np.bool_)
        self.dirty_terrain: NDArray[np.bool_] = np.zeros((height, width), dtype=np.bool_)
        self._position: dict[UUID, int] = {}
        self._boxes: dict[int, list[int]] | None = None
        """First and last row and column between which each people stands, by its position; looked up when asked."""

    def position(self, people: UUID) -> int:
        """The number that stands for a people in `owner`; a new one is added."""
        if people not in self._position:
            self._position[people] = len(self.peoples)
            self.peoples.append(people)
        return self._position[people]

    def holds(self, square: Square) -> bool:
        """Whether the square is on the map."""
        return 0 <= square.row < self.height and 0 <= square.column < self.width

    def people_at(self, square: Square) -> UUID | None:
        """Whose units stand on a square."""
        position = int(self.owner[square])
        return None if position == NOBODY else self.peoples[position]

    def own(self, people: UUID) -> NDArray[np.bool_]:
        """The squares on which units of a people stand."""
        mask: NDArray[np.bool_] = self.owner == self.position(people)
        return mask

    def window(self, people: UUID, margin: int = 0) -> Window:
        """A part of the map with every square of a people, and so many squares around it; empty when it has none.

        It may be larger than it must be.
        """
        if self._boxes is None:
            self._boxes = self._boxes_of_peoples()
        box = self._boxes.get(self.position(people))
        if box is None:
            return slice(0, 0), slice(0, 0)
        top, bottom, left, right = box
        rows = slice(max(0, top - margin), min(self.height, bottom + margin + 1))
        return rows, slice(max(0, left - margin), min(self.width, right + margin + 1))

    def _boxes_of_peoples(self) -> dict[int, list[int]]:
        """The boxes of all peoples, in one look at the map."""
        rows, columns = np.nonzero(self.owner != NOBODY)
        owners, count = self.owner[rows, columns], len(self.peoples)
        low, high = np.full((2, count), max(self.height, self.width)), np.full((2, count), -1)
        for axis, places in enumerate((rows, columns)):
            np.minimum.at(low[axis], owners, places)
            np.maximum.at(high[axis], owners, places)
        found = zip(low[0].tolist(), high[0].tolist(), low[1].tolist(), high[1].tolist(), strict=True)
        return {position: list(box) for position, box in enumerate(found) if box[1] >= 0}

    def own_in(self, people: UUID, window: Window) -> NDArray[np.bool_]:
        """The squares of a part of the map on which units of a people stand."""
        mask: NDArray[np.bool_] = self.owner[window] == self.position(people)
        return mask

    def units_of(self, people: UUID) -> int:
        """All units of a people on the map."""
        window = self.window(people)
        return int(self.units[window][self.own_in(people, window)].sum())

    def put(self, square: Square, people: UUID | None, units: int) -> None:
        """Set the units on a square. 0 units leave it to nobody."""
        if units < 0 or (units and people is None):
            raise ValueError(f"{units} units of {people or 'nobody'} on {square}")
        self.remember()
        self.units[square] = units
        position = self.position(people) if people is not None and units else NOBODY
        self.owner[square] = position
        if position != NOBODY:
            self._widen(position, *square)
        self.dirty_units[square] = True

    def _widen(self, position: int, row: int, column: int) -> None:
        """Let the box of a people hold one more square."""
        if self._boxes is None:
            return
        box = self._boxes.setdefault(position, [row, row, column, column])
        box[0], box[1] = min(box[0], row), max(box[1], row)
        box[2], box[3] = min(box[2], column), max(box[3], column)

    def put_many(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], people: UUID | None, units: NDArray[np.int64]
    ) -> None:
        """Set the units on many squares at once: arrays, one place a square."""
        if (units < 0).any() or (people is None and units.any()):
            raise ValueError("negative units, or units of nobody")
        self.remember()
        position = NOBODY if people is None else self.position(people)
        self.units[rows, columns] = units
        self.owner[rows, columns] = np.where(units > 0, position, NOBODY)
        self.dirty_units[rows, columns] = True
        if position != NOBODY and len(rows):
            self._widen(position, int(rows.min()), int(columns.min()))
            self._widen(position, int(rows.max()), int(columns.max()))

    def set_terrain(self, square: Square, terrain: int) -> None:
        """Change the base terrain of a square."""
        self.remember()
        self.terrain[square] = terrain
        self.dirty_terrain[square] = True

    def lay(self, terrain: NDArray[np.int8]) -> None:
        """Set the whole terrain."""
        self.remember()
        self.terrain = terrain.astype(np.int8)
        self.dirty_terrain[:] = True

    def mark_saved(self) -> None:
        """Forget what was touched."""
        self.dirty_units[:] = False
        self.dirty_terrain[:] = False

    def become(self, other: "Board") -> None:
        """Take over another board's content; only squares that differ count as touched."""
        if (other.width, other.height) != (self.width, self.height):
            raise ValueError("boards of two sizes")
        self.remember()
        translated = np.full_like(other.owner, NOBODY)
        for people in other.peoples:
            translated[other.own(people)] = self.position(people)
        self.dirty_units |= (self.owner != translated) | (self.units != other.units)
        self.dirty_terrain |= self.terrain != other.terrain
        self.terrain, self.owner, self.units = other.terrain.copy(), translated, other.units.copy()
        self._boxes = None

    def copy(self) -> "Board":
        """A board of one's own, untouched."""
        twin = Board(self.width, self.height)
        twin.terrain, twin.owner, twin.units = self.terrain.copy(), self.owner.copy(), self.units.copy()
        twin.peoples, twin._position = list(self.peoples), dict(self._position)
        if self._boxes is not None:
            twin._boxes = {position: list(box) for position, box in self._boxes.items()}
        return twin

    def restore(self) -> Restore:
        before, units, terrain = self.copy(), self.dirty_units.copy(), self.dirty_terrain.copy()

        def bring_back() -> None:
            self.terrain, self.owner, self.units = before.terrain, before.owner, before.units
            self.dirty_units, self.dirty_terrain = units, terrain
            self._boxes = before._boxes

        return bring_back

    def content(self) -> dict[str, object]:
        """Content by names, for comparison: terrain rows, and units by square and people."""
        rows, columns = np.nonzero(self.units)
        return {
            "terrain": self.terrain.tolist(),
            "units": {
                f"{r},{c}": [str(self.peoples[self.owner[r, c]]), int(self.units[r, c])]
                for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
            },
        }
