"""The arithmetic of a war (G2-WAR-2 to 12): percentages, losses, the loser, and which squares and units are concerned.

Pure functions on units by square. Percentages round up, squares to vacate down. Nothing here rolls or changes anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from games.engine.board.board import Square
from games.engine.board.grid import Mask, Numbers
from games.engine.board.rounding import percent_up
from games.gods2.rules.geometry.adjacency import corners
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.placement import Ground, Units, ground_of
from games.gods2.rules.geometry.stats import stat, strength
from games.gods2.rules.state.constants import DIPLOMACY_FEARS, DIPLOMACY_SUCCEEDS, SETTLERS, WAR_PERCENT
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.state.value_types import Side

Ways = dict[tuple[Square, Square], int]


def percentage(military: int, enemy_military: int) -> int:
    """Percent of its strength that a side kills of the enemy; never below 0 (G2-WAR-2, G2-WAR-4)."""
    return max(0, WAR_PERCENT + military - enemy_military)


def kills(percent: int, strength: int, enemy_units: int) -> int:
    """Enemy units that a side kills: rounded up, at most all of them (G2-WAR-3)."""
    return min(percent_up(strength, percent), enemy_units)


def loses(losses: int, enemy_losses: int) -> bool:
    """Whether a side with these losses has lost: more than the enemy's, and at least half as many again (G2-WAR-5)."""
    return losses > enemy_losses and 2 * losses >= 3 * enemy_losses


def vacated_count(losses: int, enemy_losses: int) -> int:
    """Squares that the loser vacates: half the difference, rounded down (G2-WAR-6)."""
    return (losses - enemy_losses) // 2


def fears(losses: int, units: int) -> bool:
    """Whether a race tries diplomacy by itself: it expects to lose more than 15% of its units (G2-DIP-3)."""
    return losses * 100 > DIPLOMACY_FEARS * units


def averts(die: int, diplomacy: int, enemy_aggression: int) -> bool:
    """Whether an attempt at diplomacy averts the war (G2-DIP-4)."""
    return die + diplomacy - enemy_aggression >= DIPLOMACY_SUCCEEDS


def razes(die: int, aggression: int) -> bool:
    """Whether a civilized winner destroys the city that it took, instead of keeping it (G2-WAR-14)."""
    return die <= aggression


@dataclass(frozen=True, slots=True)
class Footing:
    """With what a race goes into a war: its numbers from before it, which later events do not change (G2-WAR-17)."""

    race: UUID
    strength: int
    military: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """How a war would end if it were fought now. loser: a race, or None; squares: how many it would vacate."""

    attacker: Side
    defender: Side
    loser: UUID | None
    squares: int

    def side(self, race: UUID) -> Side:
        """The side of one of the two races."""
        return self.attacker if self.attacker.race == race else self.defender


def footing(state: State, race: UUID, role: str, war: UUID | None = None, force: int | None = None) -> Footing:
    """What a race brings into a war in its role. force: with how much of its strength; all of it by default."""
    military = stat(state, race, "military", role, war).value
    return Footing(race, strength(state, race) if force is None else force, military)


def outcome(state: State, attacker: Footing, defender: Footing) -> Forecast:
    """The exact outcome of a war from the numbers of both sides; nobody loses more units than it has now."""
    sides = [
        Side(
            race=own.race,
            strength=own.strength,
            military=own.military,
            percent=percentage(own.military, enemy.military),
            losses=kills(percentage(enemy.military, own.military), enemy.strength, state.board.units_of(own.race)),
        )
        for own, enemy in ((attacker, defender), (defender, attacker))
    ]
    one, other = sides
    loser = next((s.race for s, t in ((one, other), (other, one)) if loses(s.losses, t.losses)), None)
    squares = vacated_count(max(one.losses, other.losses), min(one.losses, other.losses)) if loser else 0
    return Forecast(one, other, loser, squares)


def casualties(units: Standing | Mapping[Square, int], enemy: Standing | Iterable[Square], losses: int) -> Units:
    """Where units die: nearest ring to the enemy first (G2-WAR-8).

    units: of the race, before the war. Inside a ring the square with fewest deaths so far, then most units left, then
    lowest row, column. Returns deaths by square.
    """
    own = Standing.of(units).occupied_squares()
    distance, left = own.rings(Standing.of(enemy)), losses
    order = np.lexsort((own.columns, own.rows, -own.units, distance))
    deaths = np.zeros_like(own.units)
    for near in np.unique(distance).tolist():
        ring = order[distance[order] == near]
        while left and len(ring):  # one on each square that has units left; the fuller squares come first
            struck = ring[:left]
            deaths[struck] += 1
            left -= len(struck)
            ring = ring[own.units[ring] > deaths[ring]]
        if not left:
            break
    dead = order[deaths[order] > 0]
    return {own.square(place): int(deaths[place]) for place in dead.tolist()}


def vacated_squares(
    state: State,
    units: Standing | Mapping[Square, int],
    dead: Mapping[Square, int],
    enemy: Standing | Iterable[Square],
    count: int,
) -> list[Square]:
    """The squares that the loser vacates, in order (G2-WAR-9).

    units, enemy: squares of loser and winner before the war. Nearest ring, then most deaths in this war, then most
    adjacent enemy squares, then lowest row, column. Squares emptied by the losses count; all go when `count` is larger.
    """
    own, theirs = Standing.of(units), Standing.of(enemy)
    deaths, fallen = np.zeros_like(state.board.units), Standing.of(dead)
    deaths[fallen.rows, fallen.columns] = fallen.units
    first = (own.columns, own.rows, -own.beside(theirs, corners(state)), -deaths[own.rows, own.columns])
    order = np.lexsort((*first, own.rings(theirs)))
    return [own.square(place) for place in order[:count].tolist()]


def retreat(state: State, loser: UUID, leaving: Sequence[Square]) -> tuple[Ways, Units]:
    """Where the units left on vacated squares go, and those who find no room and starve (G2-WAR-10, G2-WAR-11).

    One by one to own or free bordering squares with room: nearest to the square left, own before free, more room, row,
    column. A free square that a unit has gone to is an own one for the next. Vacated squares are no refuge.
    """
    ground, width = ground_of(state, loser), state.board.width
    gone = [square.row * width + square.column for square in leaving]
    room = np.where(np.isin(ground.rows * width + ground.columns, gone), 0, ground.bounds - ground.held)
    free = np.arange(len(room)) >= ground.own
    ways: Ways = {}
    starved: Units = {}
    for square in leaving:
        away = np.maximum(np.abs(ground.rows - square.row), np.abs(ground.columns - square.column))
        for _ in range(int(state.board.units[square]) if state.board.people_at(square) == loser else 0):
            refuge = _refuge(ground, room, away, free)
            if refuge is None:
                starved[square] = starved.get(square, 0) + 1
            else:
                to = ground.square_at(refuge)
                ways[square, to] = ways.get((square, to), 0) + 1
                room[refuge] -= 1
                free[refuge] = False
    return ways, starved


def _refuge(ground: Ground, room: Numbers, away: Numbers, free: Mask) -> int | None:
    """The place where the next unit goes: nearest, own before free, more room, row, column; None without room."""
    able = np.flatnonzero(room > 0)
    if not len(able):
        return None
    near = able[away[able] == away[able].min()]
    return int(near[np.lexsort((ground.columns[near], ground.rows[near], -room[near], free[near]))[0]])


def settlers(
    state: State, winner: UUID, squares: Sequence[Square], home: Standing | Iterable[Square], border: Mask
) -> Ways:
    """The winner's units that move into vacated squares, of a civilized race alone (G2-WAR-12, G2-LVL-4, AMB-14).

    squares: vacated, in their order; home: the winner's squares before the war; border: what bordered them then. Two
    units (one if the limit is 1) go into each square of the border, one at a time from the square with most units left,
    two at least; tie: nearest, then row, column. A square out of reach or with limit 0 stays empty.
    """
    before, goals, there = Standing.of(home), Standing.of(squares), Standing.now(state.board, winner)
    was = np.zeros_like(border)
    was[before.rows, before.columns] = True
    left = np.where(was[there.rows, there.columns], there.units, 0)
    bounds = limits(state, winner, part=(goals.rows, goals.columns)) * border[goals.rows, goals.columns]
    ways: Ways = {}
    for square, wanted in zip(squares, np.minimum(bounds, SETTLERS).tolist(), strict=True):
        for _ in range(wanted):
            most = int(left.max(initial=0))
            if most < 2:
                return ways
            able = np.flatnonzero(left == most)
            away = np.maximum(np.abs(there.rows[able] - square.row), np.abs(there.columns[able] - square.column))
            place = int(able[away.argmin()])
            left[place] -= 1
            source = there.square(place)
            ways[source, square] = ways.get((source, square), 0) + 1
    return ways
