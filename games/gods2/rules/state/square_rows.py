"""Squares as rows that a GM may amend: key `x,y`, values terrain (a letter), race (an id or null), units."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from games.engine.board.board import Board, Square
from games.engine.errors import Refused
from games.gods2.rules.state.constants import TERRAINS, letter, number
from games.gods2.rules.state.records import Race

FIELDS = ("terrain", "race", "units")
MOST_UNITS = 1_000_000


def square_of(board: Board, row: str) -> Square | None:
    """The square of a key, or None when it is none of this map."""
    x, _, y = row.partition(",")
    if not (x.isascii() and x.isdigit() and y.isascii() and y.isdigit()):
        return None
    square = Square(int(y), int(x))
    return square if board.holds(square) and f"{square.column},{square.row}" == row else None


def plain_square(board: Board, row: str) -> dict[str, Any] | None:
    """A square as JSON values, or None."""
    square = square_of(board, row)
    if square is None:
        return None
    people = board.people_at(square)
    return {
        "terrain": letter(int(board.terrain[square])),
        "race": str(people) if people is not None else None,
        "units": int(board.units[square]),
    }


def write_square(board: Board, races: Mapping[UUID, Race], row: str, values: dict[str, Any]) -> None:
    """Change a square. Raises `amend.invalid`, `square.off_map`, `race.missing`; then nothing has changed."""
    square, present = square_of(board, row), plain_square(board, row)
    if square is None or present is None:
        raise Refused(
            "square.off_map",
            f"There is no square {row}; the map is {board.width} by {board.height}.",
            rules=("G2-MAP-1",),
        )
    unknown = set(values) - set(FIELDS)
    if unknown or not values:
        raise Refused(
            "amend.invalid",
            f"A square is altered in {', '.join(FIELDS)}; it is neither made nor deleted.",
            rules=("G2-LOG-1",),
        )
    wanted = {**present, **values}
    terrain, people, units = wanted["terrain"], wanted["race"], wanted["units"]
    if not isinstance(terrain, str) or len(terrain) != 1 or terrain not in TERRAINS:
        raise Refused("amend.invalid", f"The terrain of a square is one of {', '.join(TERRAINS)}.", rules=("G2-MAP-2",))
    if isinstance(units, bool) or not isinstance(units, int) or not 0 <= units <= MOST_UNITS:
        raise Refused(
            "amend.invalid", f"The units on a square are a whole number, 0 to {MOST_UNITS}.", rules=("G2-LOG-1",)
        )
    if (people is None) != (units == 0):
        raise Refused(
            "amend.invalid", "Units belong to a race; a square without units belongs to nobody.", rules=("G2-MAP-6",)
        )
    race = _race(races, people)
    if terrain != present["terrain"]:
        board.set_terrain(square, number(terrain))
    board.put(square, race, units)


def _race(races: Mapping[UUID, Race], people: object) -> UUID | None:
    if people is None:
        return None
    found = next((r.id for r in races.values() if str(r.id) == people and not r.extinct), None)
    if found is None:
        raise Refused("race.missing", "There is no such living race in this game.")
    return found
