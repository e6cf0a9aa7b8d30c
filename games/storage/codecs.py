"""How the fields of a record stand in the columns of its row, by their types."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter

from games import models
from games.engine.board.board import Square
from games.engine.wording import decimal_text
from games.storage import board_store


@dataclass(frozen=True, slots=True)
class Codec:
    """How one field of a record stands in its column."""

    to_row: Callable[[Any], Any]
    from_row: Callable[[Any], Any]
    to_json: Callable[[Any], Any] = lambda value: value
    """From the column to what an API sends."""
    shown: Any = None
    """The type of what an API sends, where that is not the type of the field."""


@cache
def json_codec(hint: Any) -> Codec:
    """A field stored as JSON text: tuples and other shapes that no column holds."""
    adapter: TypeAdapter[Any] = TypeAdapter(hint)
    return Codec(lambda value: adapter.dump_json(value).decode(), adapter.validate_json, json.loads)


def xy(square: Square) -> dict[str, int]:
    """A square as the APIs send it."""
    return {"x": square.column, "y": square.row}


def square_at(place: dict[str, int]) -> Square:
    """The square of {x, y}."""
    return Square(place["y"], place["x"])


SQUARES = Codec(
    lambda squares: json.dumps([xy(square) for square in squares]),
    lambda text: tuple(square_at(place) for place in json.loads(text)),
    json.loads,
)
"""Squares, stored as JSON of {x, y}."""

SQUARE_OR_NONE = Codec(
    lambda square: json.dumps(None if square is None else xy(square)),
    lambda text: square_at(place) if (place := json.loads(text)) else None,
    json.loads,
)
"""A square or nothing, stored as JSON."""


def square_codec(game: models.Game) -> Codec:
    """A square of a record stands as the id of its row; APIs send {x, y}."""
    world = game.world
    if world is None:
        raise RuntimeError("squares need a world")
    return Codec(
        lambda square: board_store.id_of(world, square),
        lambda square: board_store.square_of(world, square),
        lambda square: xy(board_store.square_of(world, square)),
    )


@cache
def codec_of(record: type, name: str) -> Codec:
    """The codec of a field by its type: enums by value (or nothing), tuples as JSON, everything else as it is.

    That of one square follows from its game's world as well: `square_codec`.

    A decimal has as many noughts in its column as that has places; it loses them, and their exponent, on the way out.
    """
    hint = get_type_hints(record)[name]
    if getattr(hint, "__origin__", None) is tuple:
        return SQUARES if hint == tuple[Square, ...] else json_codec(hint)
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not NoneType]
    if kinds == [Square]:
        return SQUARE_OR_NONE
    if kinds == [Decimal]:
        return Codec(lambda value: value, lambda value: Decimal(decimal_text(value)), decimal_text)
    if len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], str) and kinds[0] is not str:
        kind = kinds[0]
        return Codec(
            lambda value: None if value is None else str(value), lambda value: None if value is None else kind(value)
        )
    return Codec(lambda value: value, lambda value: value)
