"""What happens to units on the map: they move, starve, die. The events carry what each square loses and gains."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.board import Square
from games.engine.kernel import Event
from games.gods2.rules.fields import Held, Move
from games.gods2.rules.state import State
from games.gods2.rules.worksheet import BOX, STARVATION, enter


class UnitsMoved(Event):
    """Units of a race went to other squares."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MOVE-7", "G2-LIM-4")

    race: UUID
    moves: tuple[Move, ...]
    cause: str

    def apply(self, state: State) -> None:
        carry_out(state, self.race, self.moves)

    def text(self, state: State) -> str:
        return f"{total(self.moves)} unit(s) of {state.races[self.race].name} move ({self.cause})."


class UnitsStarved(Event):
    """Units of a race found no room and starved (box starvation)."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-6", "G2-LIM-4", "G2-WAR-11")

    race: UUID
    losses: tuple[Held, ...]
    """Those who lived on a square."""
    units: int
    """All that starved, with the new ones that never found a square."""
    aggression: int
    """2 at growth, else 0 (G2-AGG-2)."""
    cause: str

    def apply(self, state: State) -> None:
        change(state, self.race, {h.square.square: -h.units for h in self.losses})
        if self.aggression:
            state.races[self.race] = replace(state.races[self.race], starved=True)
        enter(state, BOX, STARVATION, self.units)

    def text(self, state: State) -> str:
        more = f"; Aggression +{self.aggression} until the century ends" if self.aggression else ""
        return f"{self.units} unit(s) of {state.races[self.race].name} starve ({self.cause}){more}."


class UnitsDied(Event):
    """Units of a race died."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-1",)

    race: UUID
    losses: tuple[Held, ...]
    counted: int
    """Deaths before resistances."""
    units: int
    """Deaths."""
    box: str
    """`war`, `sacrifice`, or the elements of the cause."""
    elements: tuple[str, ...] = ()
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        change(state, self.race, {h.square.square: -h.units for h in self.losses})
        enter(state, BOX, self.box, self.units)

    def text(self, state: State) -> str:
        return f"{self.units} unit(s) of {state.races[self.race].name} die ({self.box})."


def change(state: State, race: UUID, by: Mapping[Square, int]) -> None:
    """Add to the units of a race on squares, or take away. Called by events while they are applied."""
    for square, units in by.items():
        if units:
            state.board.put(square, race, int(state.board.units[square]) + units)


def carry_out(state: State, race: UUID, moves: Iterable[Move]) -> None:
    """Carry movements out, all at once. Called by events while they are applied."""
    net: dict[Square, int] = {}
    for move in moves:
        net[move.from_square.square] = net.get(move.from_square.square, 0) - move.units
        net[move.to_square.square] = net.get(move.to_square.square, 0) + move.units
    change(state, race, net)


def total(moves: Iterable[Move]) -> int:
    """How many units move."""
    return sum(m.units for m in moves)


UNIT_EVENTS: tuple[type[Event], ...] = (UnitsMoved, UnitsStarved, UnitsDied)
