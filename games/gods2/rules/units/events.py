"""Units as facts: moved, starved, dead (G2-POP-*)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

import numpy as np

from games.engine.board.grid import Numbers
from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.mana.events import BOX, STARVATION, enter
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Move, Place
from games.gods2.rules.state.wording import box_name


class UnitsMoved(Event[State]):
    """Units of a race went to other squares."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MOVE-7", "G2-LIM-4")

    race: UUID
    moves: tuple[Move, ...]
    cause: str

    def apply(self, state: State) -> None:
        carry_out(state, self.race, self.moves)

    def sentence(self, state: State) -> str:
        moved = quantity(total(self.moves), "unit")
        return f"{state.races[self.race].name} move {moved} ({cause_name(state, self.cause)})."


class UnitsStarved(Event[State]):
    """Units of a race found no room and starved (box starvation)."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-6", "G2-LIM-4", "G2-WAR-11")

    race: UUID
    losses: tuple[Held, ...]
    """Those who lived on a square."""
    units: int
    """All that starved, with the new ones that never found a square."""
    aggression: int
    """2 at growth, else 0; by a setting always 2 (G2-AGG-2, AMB-21)."""
    cause: str

    def apply(self, state: State) -> None:
        remove_units(state, self.race, self.losses)
        if self.aggression:
            state.races[self.race] = replace(state.races[self.race], starved=True)
        enter(state, BOX, STARVATION, self.units)

    def sentence(self, state: State) -> str:
        more = f"; Aggression +{self.aggression} until the century ends" if self.aggression else ""
        lost, why = quantity(self.units, "unit"), cause_name(state, self.cause)
        return f"{state.races[self.race].name} lose {lost} to starvation ({why}){more}."


class UnitsDied(Event[State]):
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
        remove_units(state, self.race, self.losses)
        enter(state, BOX, self.box, self.units)

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} lose {quantity(self.units, 'unit')} to {box_name(self.box)}."


def remove_units(state: State, race: UUID, losses: Sequence[Held]) -> None:
    """Take units of a race away. Called by events while they are applied."""
    _change(state, race, [h.square for h in losses], -np.array([h.units for h in losses], dtype=np.int64))


def carry_out(state: State, race: UUID, moves: Sequence[Move]) -> None:
    """Carry movements out, all at once. Called by events while they are applied."""
    units = np.array([m.units for m in moves], dtype=np.int64)
    ends = [m.from_square for m in moves] + [m.to_square for m in moves]
    _change(state, race, ends, np.concatenate((-units, units)))


def _change(state: State, race: UUID, places: Sequence[Place], by: Numbers) -> None:
    """Add to the units of a race on places, or take away: several entries of a place add up."""
    width = state.board.width
    where, place = np.unique(np.array([p.y * width + p.x for p in places], dtype=np.int64), return_inverse=True)
    net = np.zeros(len(where), dtype=np.int64)
    np.add.at(net, place, by)
    rows, columns = np.divmod(where[net != 0], width)
    state.board.put_many(rows, columns, race, state.board.units[rows, columns] + net[net != 0])


def total(moves: Iterable[Move]) -> int:
    """How many units move."""
    return sum(m.units for m in moves)


def add_units(state: State, race: UUID, born: Sequence[Held]) -> None:
    """Add units of a race. Called by events while they are applied."""
    _change(state, race, [h.square for h in born], np.array([h.units for h in born], dtype=np.int64))
