"""Migration (G2-GROW-7, 8, 9, 11; G2-MOVE-7; AMB-7): a race moves in a direction or towards a square as it grows.

Squares are filled from the front: by projection on the direction, or by ring about the target; ties nearer to the
centre, or by the straight distance to the target (exact, squared), then lowest row, column. Moves inside the territory
are free, so that the rear may jump ahead. Reach is that of the moment before (G2-MOVE-8).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from games.engine.board import Square
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.fields import Place
from games.gods2.rules.ground import Centre, ring
from games.gods2.rules.lasting import Migration
from games.gods2.rules.operations import Migrate
from games.gods2.rules.placing import Ground, Units, place
from games.gods2.rules.records import Level
from games.gods2.rules.state import State
from games.gods2.rules.targets import Direction
from games.gods2.rules.working import Doing, Working

Steps = Iterator[Event]
COMPASS: dict[str, tuple[int, int]] = {
    "n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1),
}  # fmt: skip
"""Rows down and columns along of each direction."""


class MigrationOrdered(Event):
    """A race will migrate at its next growth."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-11",)

    race: UUID
    direction: Direction | None = None
    square: Place | None = None
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        goal = self.square.square if self.square else None
        state.migrations[self.race] = Migration(self.race, self.direction, goal, self.casting)

    def text(self, state: State) -> str:
        to = f"towards {self.square.x}, {self.square.y}" if self.square else f"to the {self.direction}"
        return f"{state.races[self.race].name} will migrate {to}."


class MigrationEnded(Event):
    """An order of migration is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-11",)

    race: UUID

    def apply(self, state: State) -> None:
        del state.migrations[self.race]

    def text(self, state: State) -> str:
        return f"{state.races[self.race].name} have migrated."


@dataclass(frozen=True, slots=True)
class Way:
    """Where a migration goes, seen from a race's centre."""

    order: Migration
    centre: Centre

    def rank(self, square: Square) -> tuple[Any, ...]:
        """The order in which squares are filled: the most forward first."""
        if self.order.square is not None:
            return (ring(square, self.order.square), straight(square, self.order.square), square)
        return (-self.projection(square), self.centre.distance(square), square)

    def projection(self, square: Square) -> int:
        """How far a square lies in the direction."""
        down, along = COMPASS[self.order.direction or "n"]
        return down * square.row + along * square.column

    def ahead(self, square: Square) -> bool:
        """Whether a square lies ahead of the centre: beyond its projection, or nearer to the target than it is."""
        n, centre = self.centre.squares, self.centre
        if self.order.square is not None:
            return n * n * straight(square, self.order.square) < centre.distance(self.order.square)
        down, along = COMPASS[self.order.direction or "n"]
        return n * self.projection(square) > down * centre.rows + along * centre.columns


def straight(one: Square, other: Square) -> int:
    """The squared straight distance of two squares."""
    return (one.row - other.row) ** 2 + (one.column - other.column) ** 2


def migrated(order: Migration, level: Level, ground: Ground, gained: int) -> Units:
    """Where a race stands after it has migrated and grown; who fits nowhere is left out.

    Primitive races move as a whole, barbarians leave one unit on each old square, of the civilized only the new units
    go, into squares ahead (G2-GROW-7, 8, 9).
    """
    way = Way(order, ground.centre)
    everybody = sum(ground.units.values()) + gained
    if level is Level.PRIMITIVE:
        units: Units = {}
        _fill(ground, units, sorted((*ground.units, *ground.free), key=way.rank), everybody)
        return units
    if level is Level.BARBARIAN:
        units = {s: min(1, ground.limits[s]) for s in ground.units}
        _fill(ground, units, sorted((*ground.units, *ground.free), key=way.rank), everybody - sum(units.values()))
        return units
    units = dict(ground.units)
    front = sorted((s for s in ground.free if way.ahead(s)), key=way.rank)
    place(level, ground, units, _fill(ground, units, front, gained))
    return units


def _fill(ground: Ground, units: Units, squares: Iterable[Square], count: int) -> int:
    """Fill squares to their limits in this order; returns what is left."""
    for square in squares:
        taken = min(count, max(0, ground.room(units, square)))
        if taken:
            units[square] = units.get(square, 0) + taken
            count -= taken
    return count


def check_migrate(state: State, working: Working, effect: Migrate) -> None:
    """Refuse (`target.invalid`) a goal that the effect does not take."""
    wanted: dict[str, Callable[[], bool]] = {
        "direction": lambda: working.direction is not None,
        "target": lambda: working.goal is not None,
        "direction_or_target": lambda: (working.direction is None) is not (working.goal is None),
    }
    if not wanted[effect.mode]():
        words = f"This migration takes a {effect.mode.replace('_', ' ')}."
        raise Refused("target.invalid", words, rules=("G2-GROW-11",))


def _migrate(state: State, ctx: Context, working: Working, effect: Migrate) -> Steps:
    yield MigrationOrdered(
        race=working.race,
        direction=working.direction,
        square=Place.of(working.goal) if working.goal else None,
        casting=working.casting,
    )


MIGRATE = Doing(_migrate, check_migrate)
MIGRATION_EVENTS: tuple[type[Event], ...] = (MigrationOrdered, MigrationEnded)
