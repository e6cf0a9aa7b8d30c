"""Where units go when they are born or find no room (G2-GROW-2 to 6, G2-GROW-10): pure arithmetic on a race's squares.

Order of free squares: higher limit, more own adjacent squares, nearer to the centre, lower row, lower column. Among
occupied squares: more room, nearer to the centre, lower row, lower column, one unit at a time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from uuid import UUID

from games.engine.board import Square
from games.engine.grid import adjacent_count, squares_in
from games.gods2.rules.ground import Centre, corners, units_by_square
from games.gods2.rules.limits import limits
from games.gods2.rules.ranges import free_border
from games.gods2.rules.records import Level
from games.gods2.rules.state import State

Units = dict[Square, int]


@dataclass(frozen=True, slots=True)
class Ground:
    """What placing knows of a race's land, as it is when an operation starts (G2-MOVE-8)."""

    units: Mapping[Square, int]
    limits: Mapping[Square, int]
    """Of the occupied and the free squares."""
    free: tuple[Square, ...]
    """Free bordering squares with a limit above 0, in placing order."""
    centre: Centre

    def room(self, units: Units, square: Square) -> int:
        """How many more units a square holds."""
        return self.limits[square] - units.get(square, 0)


def ground_of(state: State, race: UUID) -> Ground:
    """The land of a race now."""
    bounds = limits(state, race)
    units = units_by_square(state, race)
    centre = Centre.of(units)
    own = adjacent_count(state.board.own(race), corners(state))
    free = squares_in(free_border(state, race))
    free.sort(key=lambda s: (-int(bounds[s]), -int(own[s]), centre.distance(s), s))
    return Ground(units, {s: int(bounds[s]) for s in (*units, *free)}, tuple(free), centre)


def place(level: Level, ground: Ground, units: Units, count: int) -> int:
    """Place `count` units as a level places new ones; `units` is changed. Returns how many found no room.

    Rules: G2-GROW-3 (primitive), G2-GROW-4 (barbarian), G2-GROW-5 (civilized).
    """
    occupied = [s for s in units if s not in ground.free]
    if level is Level.PRIMITIVE:
        left = _one_round(ground, units, count)
        return _fill(ground, units, [*occupied, *(s for s in ground.free if s in units)], left)
    if level is Level.BARBARIAN:
        spreading = -(-count // 2)
        spreading += _fill(ground, units, occupied, count - spreading)
        left = _rounds(ground, units, spreading)
        return _fill(ground, units, occupied, left)
    return _rounds(ground, units, _fill(ground, units, occupied, count))


def _one_round(ground: Ground, units: Units, count: int) -> int:
    """One unit to each free square in placing order; returns what is left."""
    for square in ground.free:
        if count and ground.room(units, square) > 0:
            units[square] = units.get(square, 0) + 1
            count -= 1
    return count


def _rounds(ground: Ground, units: Units, count: int) -> int:
    """Round the free squares one unit at a time until all are full; returns what is left."""
    while count:
        left = _one_round(ground, units, count)
        if left == count:
            break
        count = left
    return count


def _fill(ground: Ground, units: Units, squares: Iterable[Square], count: int) -> int:
    """Fill occupied squares one unit at a time, the one with most room first; returns what is left."""
    heap = [(-ground.room(units, s), ground.centre.distance(s), s) for s in squares if ground.room(units, s) > 0]
    heapify(heap)
    while count and heap:
        room, distance, square = heappop(heap)
        units[square] = units.get(square, 0) + 1
        count -= 1
        if room + 1 < 0:
            heappush(heap, (room + 1, distance, square))
    return count


def excess(ground: Ground, units: Mapping[Square, int]) -> Units:
    """Units above the limit of each square."""
    return {s: n - ground.limits[s] for s, n in units.items() if n > ground.limits[s]}


@dataclass(frozen=True, slots=True)
class Change:
    """How a race gets from one distribution to another."""

    born: Units
    """New units by the square they are placed on."""
    moved: dict[tuple[Square, Square], int]
    starved: Units
    """Old units that are lost, by square."""
    unborn: int
    """New units that found no square."""


def change_between(before: Mapping[Square, int], after: Mapping[Square, int], born: int) -> Change:
    """Tell births, movements and losses apart: new units fill what grew first, then units of squares that shrank.

    before, after: units by square; born: new units among those placed. Squares that shrank give in row, column order.
    """
    grown = [(s, n - before.get(s, 0)) for s, n in after.items() if n > before.get(s, 0)]
    shrunk = {s: n - after.get(s, 0) for s, n in sorted(before.items()) if n > after.get(s, 0)}
    placed: Units = {}
    moved: dict[tuple[Square, Square], int] = {}
    for square, units in grown:
        new = min(units, born)
        if new:
            placed[square], born = new, born - new
        wanted = units - new
        for source in list(shrunk):
            taken = min(wanted, shrunk[source])
            if taken:
                moved[source, square] = taken
                wanted -= taken
                shrunk[source] -= taken
    return Change(placed, moved, {s: n for s, n in shrunk.items() if n}, born)
