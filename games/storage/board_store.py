"""The board in rows: squares with their terrain, and the units that stand on them. For every ruleset with a map."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import numpy as np

from core.columns import RowEraser, RowWriter, Writes
from games import models
from games.engine.board.board import Board, Square
from games.engine.model import Model
from worlds.ids import square_id, square_xy
from worlds.models import Presence, World
from worlds.models import Square as SquareRow

SQUARES = RowWriter(SquareRow, ("id", "world_id", "x", "y", "terrain"), ("id",), ("terrain",))
PRESENCES = RowWriter(Presence, ("race_id", "square_id", "units"))
PLACES = RowEraser(Presence, ("square_id",))


class SquareShape(Model):
    """A square, named by its column and row."""

    x: int
    y: int


class UnitsShape(Model):
    """The units of a race on a square."""

    square: SquareShape
    race: UUID
    units: int


class MapShape(Model):
    """The map: terrain and units."""

    world: UUID
    width: int
    """Columns."""
    height: int
    """Rows."""
    terrain: list[str]
    """A row of letters for each row of squares, from the north; a letter for each column."""
    units: list[UnitsShape]


def load_board(world: World | None, letters: str) -> Board:
    """The board of a world in two queries. letters: the terrain letter of each number of the array."""
    if world is None or not world.width:
        return Board(0, 0)
    board = Board(world.width, world.height)
    first, last = world.square_range
    squares = SquareRow.objects.filter(id__range=(first, last)).order_by("id").values_list("terrain", flat=True)
    codes = np.frombuffer("".join(squares.iterator(20_000)).encode("ascii"), dtype=np.uint8)
    table = np.zeros(256, dtype=np.int8)
    for number, letter in enumerate(letters):
        table[ord(letter)] = number
    board.terrain[:] = table[codes].reshape(world.height, world.width)
    standing = Presence.objects.filter(square_id__gte=first, square_id__lte=last).order_by("square_id")
    held = standing.values_list("square_id", "race_id", "units")
    for square, race, units in held.iterator(20_000):
        x, y = square_xy(square, world.width)
        board.owner[y, x] = board.position(race)
        board.units[y, x] = units
    return board


def save_board(board: Board, world: World, letters: str, writes: Writes) -> None:
    """Write the touched squares: their terrain, whether they are new or not; presence by delete and insert."""
    if not board.width:
        return
    _save_terrain(board, world, letters, writes)
    _save_units(board, world, writes)
    board.mark_saved()


def _save_terrain(board: Board, world: World, letters: str, writes: Writes) -> None:
    rows, columns = np.nonzero(board.dirty_terrain)
    if not len(rows):
        return
    first = world.square_range[0]
    writes.write(
        SQUARES,
        [
            [first + y * board.width + x, world.pk, x, y, letters[board.terrain[y, x]]]
            for y, x in zip(rows.tolist(), columns.tolist(), strict=True)
        ],
    )


def _save_units(board: Board, world: World, writes: Writes) -> None:
    rows, columns = np.nonzero(board.dirty_units)
    if not len(rows):
        return
    first = world.square_range[0]
    ids = (first + rows.astype(np.int64) * board.width + columns).tolist()
    writes.erase(PLACES, [[square] for square in ids])
    units = board.units[rows, columns].tolist()
    owners = board.owner[rows, columns].tolist()
    writes.write(
        PRESENCES,
        [
            [board.peoples[owner], square, count]
            for square, owner, count in zip(ids, owners, units, strict=True)
            if count
        ],
    )


def view_board(game: models.Game, presence: Any) -> Mapping[str, Any]:
    """The map as JSON values: terrain as rows of letters, units by square. `presence` is what the viewer may see."""
    world = game.world
    if world is None or not world.width:
        return {"map": None}
    first, last = world.square_range
    squares = SquareRow.objects.filter(id__range=(first, last)).order_by("id").values_list("terrain", flat=True)
    letters = "".join(squares)
    held = presence.filter(square_id__gte=first, square_id__lte=last).order_by("square_id")
    held = held.values_list("square_id", "race_id", "units")
    units = []
    for square, race, count in held:
        x, y = square_xy(square, world.width)
        units.append({"square": {"x": x, "y": y}, "race": str(race), "units": count})
    terrain = [letters[i : i + world.width] for i in range(0, len(letters), world.width)]
    size = {"width": world.width, "height": world.height}
    return {"map": {"world": str(world.pk), **size, "terrain": terrain, "units": units}}


def id_of(world: World, square: Square) -> int:
    """The id of a square's row."""
    return square_id(world.number, world.width, square.column, square.row)


def square_of(world: World, square: int) -> Square:
    """The square of a row's id."""
    x, y = square_xy(square, world.width)
    return Square(y, x)
