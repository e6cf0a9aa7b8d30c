"""The values inside commands and events of The Gods II: squares, counts and shares, in the words of the APIs.

A square is `{x, y}` outside and `Square(row, column)` inside: x = column, y = row (section 12.3 of the rulebook).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from games.engine.board.board import Square
from games.engine.model import Model
from games.gods2.rules.state.unit_arrays import Passage, Standing

MAX_SIDE = 1000  # squares of a map's side

TerrainLetter = Literal["P", "F", "D", "M", "I", "W"]
CityKindName = Literal["city", "great"]


class Value(Model):
    """What the values have in common: frozen, exact fields."""


class Place(Value):
    """A square of the map."""

    x: int = Field(ge=0, lt=MAX_SIDE)
    """Column, counted from the west."""
    y: int = Field(ge=0, lt=MAX_SIDE)
    """Row, counted from the north."""

    @property
    def square(self) -> Square:
        """The square as the board knows it."""
        return Square(self.y, self.x)

    @classmethod
    def of(cls, square: Square) -> "Place":
        """The place of a square."""
        return _place(square.row, square.column)


@lru_cache(maxsize=8192)
def _place(row: int, column: int) -> Place:
    """Places of late: the same squares appear in several events of a deed."""
    return Place(x=column, y=row)


class Held(Value):
    """Units on a square."""

    square: Place
    """Where."""
    units: int = Field(ge=0)
    """How many."""


class Move(Value):
    """Units that go from one square to another."""

    from_square: Place
    """The square they leave."""
    to_square: Place
    """The square they reach."""
    units: int = Field(ge=1)
    """How many."""


class ShareOf(Value):
    """A member of a pantheon and its share."""

    member: str = Field(max_length=60)
    """A seat's id, `diabolism` or `atheism`."""
    share: int
    """In hundredths of a percent; 10 000 is all."""


class PartOf(Value):
    """What a seat pays."""

    seat: UUID
    """Whose mana."""
    amount: int = Field(default=0, ge=0)
    """How much."""


class CardOf(Value):
    """Cards of a sphere."""

    sphere: str = Field(max_length=40)
    """The sphere's code."""
    count: int = Field(ge=0)
    """How many cards."""


class FactorOf(Value):
    """A factor for a mana source."""

    source: str = Field(max_length=80)
    """The source's key."""
    factor: Decimal
    """At most 8 places."""


class Side(Value):
    """One side of a war, before it."""

    race: UUID
    """Whose side."""
    strength: int
    """Units and cities that fight (G2-POP-2)."""
    military: int
    """Military in this role."""
    percent: int
    """Percent of its strength that kill an enemy (G2-WAR-2)."""
    losses: int
    """Units that it loses."""


class Fighter(Value):
    """With what a race goes into a war."""

    race: UUID
    """Which race."""
    strength: int
    """Units and cities that fight."""
    military: int
    """Military in its role."""


class PairOf(Value):
    """A war with the numbers from before it."""

    war: UUID
    """Which war."""
    attacker: Fighter
    """Who declared it."""
    defender: Fighter
    """Who is attacked."""


class StrengthOf(Value):
    """With how much of its strength a race fights an enemy."""

    race: UUID
    """The enemy."""
    strength: int = Field(ge=0)
    """How much."""


class DueOf(Value):
    """When a war is due."""

    war: UUID
    """Which war."""
    due: datetime
    """UTC."""


class LineOf(Value):
    """A line of the worksheet: exactly one of box, source and race."""

    box: str | None = None
    """A cause of death, as `war` or `fire+earth`."""
    source: str | None = None
    """A mana source."""
    race: UUID | None = None
    """A race whose effective worshippers are counted."""
    count: int
    """Units, things or worshippers."""


class RowOf(Value):
    """A row of a roll table that may be chosen."""

    row: int
    """Its first number."""
    text: str
    """What it does."""


class CityAt(Value):
    """A city on a square."""

    square: Place
    """Where."""
    kind: CityKindName = "city"
    """A city or a great city."""


class Cell(Value):
    """A square of a new map."""

    terrain: TerrainLetter
    """Plains, forest, desert, mountains, ice or water."""
    features: tuple[Annotated[str, Field(max_length=60)], ...] = Field(default=(), max_length=20)
    """Keys of features of the pack."""


_PLACES, _HELD, _MOVES = TypeAdapter(tuple[Place, ...]), TypeAdapter(tuple[Held, ...]), TypeAdapter(tuple[Move, ...])


def places(squares: Standing | Iterable[Square]) -> tuple[Place, ...]:
    """Squares as places, in their order."""
    if isinstance(squares, Standing):
        return _PLACES.validate_python(_spots(squares))
    return tuple(Place.of(s) for s in squares)


def held_units(units: Standing | Mapping[Square, int]) -> tuple[Held, ...]:
    """Units by square, by row and column, without the empty ones."""
    if isinstance(units, Standing):
        ordered = units.in_order()
        counts = ordered.units.tolist()
        return _HELD.validate_python([{"square": s, "units": n} for s, n in zip(_spots(ordered), counts, strict=True)])
    return tuple(Held(square=Place.of(s), units=n) for s, n in sorted(units.items()) if n)


def moves(units: Passage | Mapping[tuple[Square, Square], int]) -> tuple[Move, ...]:
    """Movements by way, in the order they were made."""
    if isinstance(units, Passage):
        ways = zip(_spots(units.leaving), _spots(units.arriving), units.arriving.units.tolist(), strict=True)
        return _MOVES.validate_python([{"from_square": a, "to_square": b, "units": n} for a, b, n in ways])
    return tuple(Move(from_square=Place.of(a), to_square=Place.of(b), units=n) for (a, b), n in units.items() if n)


def _spots(squares: Standing) -> list[dict[str, int]]:
    """Squares as the fields of places: to make many values at once costs less than one after the other."""
    return [{"x": x, "y": y} for x, y in zip(squares.columns.tolist(), squares.rows.tolist(), strict=True)]


Direction = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]


class Target(Value):
    """What a power is aimed at, in the order of the power's target; exactly what that target asks for is given."""

    race: UUID | None = None
    """A race."""
    squares: tuple[Place, ...] = Field(default=(), max_length=1000)
    """Squares of the map."""
    city: UUID | None = None
    """A city."""
    subject: UUID | None = None
    """Another thing, as the power's text says."""
    direction: Direction | None = None
    """Where a migration goes, by compass; or one square."""
