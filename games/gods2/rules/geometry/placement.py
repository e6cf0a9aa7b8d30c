"""Where units go when they are born or find no room (G2-GROW-2 to 6, G2-GROW-10): pure arithmetic on a race's squares.

Order of free squares: higher limit, more own adjacent squares, nearer to the centre, lower row, lower column. Among
occupied squares: more room, nearer to the centre, lower row, lower column, one unit at a time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY, Square
from games.engine.board.grid import Numbers, adjacent_count
from games.engine.board.rounding import ceil_div
from games.gods2.rules.geometry.adjacency import Centre, corners
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import bordering
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Passage, Standing, own_squares

Units = dict[Square, int]


@dataclass(frozen=True)
class Ground:
    """What placing knows of a race's land, as it is when an operation starts (G2-MOVE-8): arrays, one place a square.

    First its own squares by row and column, then the free bordering ones with a limit above 0 in placing order.
    """

    rows: Numbers
    columns: Numbers
    held: Numbers
    """Units on them."""
    bounds: Numbers
    """Their limits."""
    own: int
    """How many are its own."""
    centre: Centre

    @cached_property
    def squares(self) -> list[Square]:
        """All of them."""
        return [Square(r, c) for r, c in zip(self.rows.tolist(), self.columns.tolist(), strict=True)]

    @cached_property
    def units(self) -> Mapping[Square, int]:
        """Units by own square."""
        return dict(zip(self.squares[: self.own], self.held.tolist(), strict=False))

    @cached_property
    def limits(self) -> Mapping[Square, int]:
        """Limits of the own and the free squares."""
        return dict(zip(self.squares, self.bounds.tolist(), strict=True))

    @cached_property
    def free(self) -> tuple[Square, ...]:
        """Free bordering squares with a limit above 0, in placing order."""
        return tuple(self.squares[self.own :])

    def room(self, units: Units, square: Square) -> int:
        """How many more units a square holds."""
        return self.limits[square] - units.get(square, 0)

    def standing(self, units: Mapping[Square, int]) -> Numbers:
        """Units by square as an array of its places."""
        return np.array([units.get(square, 0) for square in self.squares], dtype=np.int64)

    def square_at(self, place: int) -> Square:
        """The square of a place."""
        return Square(int(self.rows[place]), int(self.columns[place]))


def ground_of(state: State, race: UUID) -> Ground:
    """The land of a race now."""
    rows, columns = own_squares(state.board, race)
    window, near = bordering(state, race)
    free_rows, free_columns = np.nonzero(near & (state.board.owner[window] == NOBODY))
    beside = adjacent_count(state.board.own_in(race, window), corners(state))[free_rows, free_columns]
    free_rows, free_columns = free_rows + (window[0].start or 0), free_columns + (window[1].start or 0)
    own, centre = len(rows), Centre(max(1, len(rows)), int(rows.sum()), int(columns.sum()))
    rows, columns = np.concatenate((rows, free_rows)), np.concatenate((columns, free_columns))
    bounds = limits(state, race, part=(rows, columns))
    order = np.lexsort((free_columns, free_rows, centre.distances(free_rows, free_columns), -beside, -bounds[own:]))
    places = np.concatenate((np.arange(own), own + order[bounds[own:][order] > 0]))
    rows, columns = rows[places], columns[places]
    held = state.board.units[rows, columns].astype(np.int64)  # none on the free squares
    return Ground(rows, columns, held, bounds[places], own, centre)


def place(level: Level, ground: Ground, units: Units, count: int) -> int:
    """Place `count` units as a level places new ones; `units` is changed. Returns how many found no room.

    Rules: G2-GROW-3 (primitive), G2-GROW-4 (barbarian), G2-GROW-5 (civilized).
    """
    stand = ground.standing(units)
    before = stand.copy()
    left = stood(level, ground, stand, count)
    for at in np.flatnonzero(stand > before).tolist():
        units[ground.squares[at]] = int(stand[at])
    return left


def stood(level: Level, ground: Ground, stand: Numbers, count: int) -> int:
    """The same as `place`, on an array of units that is changed."""
    occupied = np.arange(len(stand)) < ground.own
    if level is Level.PRIMITIVE:
        left = _one_round(ground, stand, count)
        return _fill(ground, stand, np.flatnonzero(occupied | (stand > 0)), left)
    if level is Level.BARBARIAN:
        spreading = ceil_div(count, 2)
        spreading += _fill(ground, stand, np.flatnonzero(occupied), count - spreading)
        left = _rounds(ground, stand, spreading)
        return _fill(ground, stand, np.flatnonzero(occupied), left)
    return _rounds(ground, stand, _fill(ground, stand, np.flatnonzero(occupied), count))


def _one_round(ground: Ground, stand: Numbers, count: int) -> int:
    """One unit to each free square in placing order; returns what is left."""
    open_to = ground.own + np.flatnonzero(stand[ground.own :] < ground.bounds[ground.own :])[:count]
    stand[open_to] += 1
    return count - len(open_to)


def _rounds(ground: Ground, stand: Numbers, count: int) -> int:
    """Round the free squares one unit at a time until all are full; returns what is left."""
    while count:
        left = _one_round(ground, stand, count)
        if left == count:
            break
        count = left
    return count


def _fill(ground: Ground, stand: Numbers, places: Numbers, count: int) -> int:
    """Fill occupied squares one unit at a time, the one with most room first; returns what is left."""
    places = places[stand[places] < ground.bounds[places]]
    if not count or not len(places):
        return count
    rows, columns = ground.rows[places], ground.columns[places]
    places = places[np.lexsort((columns, rows, ground.centre.distances(rows, columns)))]
    for room in range(int((ground.bounds[places] - stand[places]).max()), 0, -1):
        next_ones = places[ground.bounds[places] - stand[places] == room][:count]
        stand[next_ones] += 1
        count -= len(next_ones)
    return count


@dataclass(frozen=True, slots=True)
class Change:
    """How a race gets from one distribution to another."""

    born: Standing
    """New units by the square they are placed on."""
    moved: Passage
    starved: Standing
    """Old units that are lost, by square."""
    unborn: int
    """New units that found no square."""


def change_to(ground: Ground, stand: Numbers, born: int, sequence: Numbers | None = None) -> Change:
    """The same as `change_between`, from the ground's units to an array of its places.

    sequence: all places in the order in which they were filled; by default their own order.
    """
    gains = stand - ground.held
    order = np.arange(len(gains)) if sequence is None else sequence
    whole = Standing(ground.rows, ground.columns, -gains)
    return _classified_change(whole.at(order, gains[order]).occupied_squares(), whole.occupied_squares(), born)


def change_between(before: Mapping[Square, int], after: Mapping[Square, int], born: int) -> Change:
    """Tell births, movements and losses apart: new units fill what grew first, then units of squares that shrank.

    before, after: units by square; born: new units among those placed. Squares that shrank give in row, column order.
    """
    grown = {s: n - before.get(s, 0) for s, n in after.items() if n > before.get(s, 0)}
    shrunk = {s: n - after.get(s, 0) for s, n in sorted(before.items()) if n > after.get(s, 0)}
    return _classified_change(Standing.of(grown), Standing.of(shrunk), born)


def _classified_change(grown: Standing, shrunk: Standing, born: int) -> Change:
    """The same for squares that gain and squares that lose units, each in their order.

    Laid end to end, what is wanted and what is given up are two lines of units: a movement is a stretch of both
    between two neighbouring ends.
    """
    new = first_of(born, grown.units)
    wanted, given = (grown.units - new).cumsum(), shrunk.units.cumsum()
    moved = min(wanted[-1:].sum(), given[-1:].sum())
    ends = np.unique(np.concatenate((wanted, given)))
    ends = ends[(ends > 0) & (ends <= moved)]
    stretches = np.diff(ends, prepend=0)
    return Change(
        born=grown.at(np.arange(len(new)), new).occupied_squares(),
        moved=Passage(
            leaving=shrunk.at(np.searchsorted(given, ends), stretches),
            arriving=grown.at(np.searchsorted(wanted, ends), stretches),
        ),
        starved=shrunk.at(np.arange(len(given)), shrunk.units - first_of(moved, shrunk.units)).occupied_squares(),
        unborn=int(born - new.sum()),
    )


def first_of(count: int, units: Numbers) -> Numbers:
    """How many of the first `count` units of a line lie in each of its pieces, which are so long."""
    found: Numbers = np.clip(count - (units.cumsum() - units), 0, units)
    return found
