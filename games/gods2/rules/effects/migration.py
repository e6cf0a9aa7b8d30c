"""Migration (G2-GROW-7, 8, 9, 11; G2-MOVE-7; AMB-7): a race moves in a direction or towards a square as it grows.

Squares are filled from the front: by projection on the direction, or by ring about the target; ties nearer to the
centre, or by the straight distance to the target (exact, squared), then lowest row, column. Moves inside the territory
are free, so that the rear may jump ahead. Reach is that of the moment before (G2-MOVE-8).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from games.engine.board.grid import Mask, Numbers
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.geometry.adjacency import Centre
from games.gods2.rules.geometry.placement import Ground, first_of, stood
from games.gods2.rules.growth.events import MigrationOrdered
from games.gods2.rules.pack.operations import Migrate
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.workings.context import Doing, Working

Steps = Iterator[Event]

COMPASS: dict[str, tuple[int, int]] = {
    "n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1),
}  # fmt: skip
"""Rows down and columns along of each direction."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where a migration goes, seen from a race's centre."""

    order: Migration
    centre: Centre

    def keys(self, rows: Numbers, columns: Numbers) -> tuple[Numbers, Numbers]:
        """By what squares are filled, the lowest first: how far forward they lie, then how near."""
        goal = self.order.square
        if goal is None:
            return -self._projections(rows, columns), self.centre.distances(rows, columns)
        down, along = np.abs(rows - goal.row), np.abs(columns - goal.column)
        return np.maximum(down, along), down * down + along * along

    def sequence(self, rows: Numbers, columns: Numbers) -> Numbers:
        """The order in which squares are filled, as places: the most forward first."""
        forward, near = self.keys(rows, columns)
        return np.lexsort((columns, rows, near, forward))

    def ahead(self, rows: Numbers, columns: Numbers) -> Mask:
        """Which squares lie ahead of the centre: beyond its projection, or nearer to the target than it is."""
        n, centre, goal = self.centre.squares, self.centre, self.order.square
        found: Mask
        if goal is not None:
            _, straight = self.keys(rows, columns)
            found = n * n * straight < centre.distance(goal)
        else:
            down, along = COMPASS[self.order.direction or "n"]
            found = n * self._projections(rows, columns) > down * centre.rows + along * centre.columns
        return found

    def _projections(self, rows: Numbers, columns: Numbers) -> Numbers:
        """How far squares lie in the direction."""
        down, along = COMPASS[self.order.direction or "n"]
        found: Numbers = down * rows + along * columns
        return found


def migrate_and_grow(order: Migration, level: Level, ground: Ground, gained: int) -> tuple[Numbers, Numbers]:
    """Where a race stands after it has migrated and grown, by the ground's places; who fits nowhere is left out.

    Primitive races move as a whole (G2-GROW-7), barbarians leave one unit on each old square (G2-GROW-8), of the
    civilized only the new units go, into squares ahead (G2-GROW-9). Returns the units, and all places in the order in
    which they were filled.
    """
    way = Way(order, ground.centre)
    everywhere, own = way.sequence(ground.rows, ground.columns), np.arange(ground.own)
    free = everywhere[everywhere >= ground.own]
    if level is Level.CIVILIZED:
        ahead = way.ahead(ground.rows, ground.columns)
        front, others = free[ahead[free]], np.flatnonzero(~ahead)
        stand = ground.held.copy()
        stood(level, ground, stand, _fill(ground, stand, front, gained))
        return stand, np.concatenate((own, front, others[others >= ground.own]))
    stand = np.zeros_like(ground.held)
    if level is Level.BARBARIAN:
        stand[own] = np.minimum(1, ground.bounds[own])
    _fill(ground, stand, everywhere, int(ground.held.sum() + gained - stand.sum()))
    return stand, everywhere if level is Level.PRIMITIVE else np.concatenate((own, free))


def _fill(ground: Ground, stand: Numbers, places: Numbers, count: int) -> int:
    """Fill places to their limits in this order; `stand` is changed. Returns what is left."""
    taken = first_of(count, np.maximum(0, ground.bounds[places] - stand[places]))
    stand[places] += taken
    return count - int(taken.sum())


def check_migrate(state: State, working: Working, effect: Migrate) -> None:
    """Refuse (`target.invalid`) a goal that the effect does not take."""
    wanted: dict[str, Callable[[], bool]] = {
        "direction": lambda: working.direction is not None,
        "target": lambda: working.goal is not None,
        "direction_or_target": lambda: (working.direction is None) is not (working.goal is None),
    }
    if not wanted[effect.mode]():
        message = f"This migration takes a {effect.mode.replace('_', ' ')}."
        raise Refused("target.invalid", message, rules=("G2-GROW-11",))


def until(state: State, working: Working, effect: Migrate) -> int | None:
    """The last century in whose growth an order counts, where its data say longer than the next one (G2-GROW-11)."""
    power = state.pack.powers[working.power] if working.power else None
    duration = effect.duration or (power.duration if power is not None else None) or "century"
    if duration in ("era", "permanent"):
        return CENTURIES
    return state.era.century + int(duration.partition(":")[2]) if duration.startswith("centuries:") else None


def _migrate(state: State, ctx: Context, working: Working, effect: Migrate) -> Steps:
    yield MigrationOrdered(
        race=working.race,
        direction=working.direction,
        square=Place.of(working.goal) if working.goal else None,
        casting=working.casting,
        until=until(state, working, effect),
    )


MIGRATE = Doing(_migrate, check_migrate)
