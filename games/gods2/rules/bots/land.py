"""What a power that is aimed at squares is worth to a bot, for every square of the map at once.

First what it does to those who stand there, in tenths of a unit; then what that is worth to the bot: its own peoples
are never hurt, those that it leaves alone neither, and what hurts an enemy is a gain.
"""

from collections.abc import Callable, Iterator
from typing import get_args
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.engine.board.board import NOBODY, Square
from games.engine.board.grid import mask_of, squares_in, steps, touching
from games.gods2.rules.bots.view import FACES, LARGE, TENTHS, View
from games.gods2.rules.bots.worth import CITY, POINTS_OF_OTHERS, PROTECTION, land_gain, stat_gain
from games.gods2.rules.effects.migration import Way
from games.gods2.rules.effects.peoples import room_for
from games.gods2.rules.geometry.adjacency import Centre, corners
from games.gods2.rules.geometry.conditions import of_terrain, squares_where
from games.gods2.rules.geometry.limits import changes_at, limits
from games.gods2.rules.pack import operations as op
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.constants import LIMITS, number
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.value_types import Direction

Worth = NDArray[np.int64]
NEVER = -(10**6)
DREAD = 4  # tenths of a unit: of a neighbour that grows on, or of a die at each century
MARCH = 4  # steps of land that a migration is thought to reach in time
FEWER = 3  # so many times less with each people that it has already
WASTED = 3  # a people that may lose one unit in so many to the wars of a century makes way
ON_IT = ("target", "target+adjacent", "chosen", "here")
BESIDE = ("adjacent", "target+adjacent")


def worth_of_squares(view: View, power: Power) -> Worth:
    """What the power is worth on each square; `NEVER` where it may not be cast or hurts whom the bot spares."""
    board = view.state.board
    for effect in power.effects:
        if isinstance(effect, op.RaceAdd):
            return np.where(squares_where(view.state, power.requires), _birthplaces(view, effect), NEVER)
    on_it, beside = np.zeros(board.terrain.shape, np.int64), np.zeros(board.terrain.shape, np.int64)
    for effect in power.effects:
        here, near = _gains(view, effect)
        on_it, beside = on_it + here, beside + near
    worth = _regard(view, on_it)
    if beside.any():
        worth = worth + _sum_beside(_regard(view, beside), corners(view.state))
    worth = np.where(worth > 0, worth + sum(_mana_of_features(view, power)), worth)
    worth = np.where(worth >= 0, worth + _spread_income(view, power), worth)
    return np.where(squares_where(view.state, power.requires), worth, NEVER)


def _birthplaces(view: View, effect: op.RaceAdd) -> Worth:
    """What a new people is worth that begins on a square: its units there and beside it, as far as they worship.

    The more peoples a bot has, the less it wants another one; on squares that hold nobody of it there is none.
    """
    room = np.where(view.state.board.owner == NOBODY, room_for(view.state, effect), 0)
    around = room + _sum_beside(room, corners(view.state))
    units = np.minimum(around, effect.units) * TENTHS + around
    return np.where(room > 0, units * effect.share // 100 // (1 + FEWER * len(view.shares)), NEVER)


def best_squares(view: View, power: Power, most: int) -> list[tuple[int, tuple[Square, ...]]]:
    """The best aims of a power at squares with their worth, the best first; no aim without worth."""
    worth = worth_of_squares(view, power)
    kind, _, count = power.target.partition(":")
    order = np.argsort(-worth, axis=None, kind="stable")[:most]
    firsts = [Square(*divmod(int(place), worth.shape[1])) for place in order if worth.flat[place] > 0]
    if kind == "square":
        return [(int(worth[square]), (square,)) for square in firsts]
    found = []
    for first in firsts:
        squares = _best_squares(worth, first, int(count), corners(view.state), joined=kind == "connected")
        found.append((int(sum(worth[square] for square in squares)), squares))
    return sorted(found, key=lambda aim: -aim[0])


def _best_squares(worth: Worth, first: Square, count: int, diagonal: bool, *, joined: bool) -> tuple[Square, ...]:
    """A square and the best others, each joined to one before it where they have to be."""
    chosen, left = [first], np.where(worth > 0, worth, 0)
    left[first] = 0
    while len(chosen) < count:
        open_to = np.where(touching(mask_of(worth.shape, chosen), diagonal), left, 0) if joined else left
        place = int(open_to.argmax())
        if open_to.flat[place] <= 0:
            break
        square = Square(*divmod(place, worth.shape[1]))
        left[square] = 0
        chosen.append(square)
    return tuple(sorted(chosen))


def _gains(view: View, effect: Operation) -> tuple[Worth, Worth]:
    """What an effect does to those who stand on its target, and to those beside it."""
    nothing = np.zeros(view.state.board.terrain.shape, np.int64)
    scope = getattr(effect, "scope", None)
    here, near = nothing, nothing
    units = view.state.board.units.astype(np.int64)
    if isinstance(effect, op.Kill):
        here = near = -TENTHS * _deaths_by_square(view, effect, units)
    elif isinstance(effect, op.LimitCut):
        here = near = -TENTHS * 2 * np.minimum(units, effect.amount) // 3
    elif isinstance(effect, op.DestroyCity):
        cities = mask_of(nothing.shape, (city.square for city in view.state.cities.values()))
        here = np.where(cities, -CITY, 0)
    elif isinstance(effect, op.TerrainSet):
        here = _new_terrain(view, effect)
    elif isinstance(effect, op.FeatureAdd):
        here, near = _new_feature(view, view.state.pack.features[effect.feature].effects)
        return _where(view, effect, here), near
    else:
        return nothing, nothing
    return _where(view, effect, here) if scope in ON_IT else nothing, near if scope in BESIDE else nothing


def _where(view: View, effect: Operation, gains: Worth) -> Worth:
    """Gains on the squares on which an effect's own conditions hold."""
    if not any(condition.on_squares for condition in effect.conditions):
        return gains
    return np.where(squares_where(view.state, effect.conditions), gains, 0)


def _deaths_by_square(view: View, effect: op.Kill, units: Worth) -> Worth:
    """How many die on each square."""
    if effect.mode == "percent":
        return -(-units * (effect.amount or 0) // 100)
    if effect.mode == "over":
        return np.zeros_like(units)
    return units if effect.mode == "all" else np.minimum(units, effect.amount or 0)


def _by_people(view: View, worth: Callable[..., int]) -> Worth:
    """A number for each square by who stands there; 0 where nobody does."""
    board = view.state.board
    found = np.zeros(len(board.peoples) + 1, np.int64)
    for race in view.living:
        found[board.position(race.id)] = worth(race.id)
    return found[board.owner]  # nobody is -1: the last place, which stays 0


def _new_terrain(view: View, effect: op.TerrainSet) -> Worth:
    """Room that a new terrain gives or takes; who stands above the new limit dies or leaves."""
    state, board = view.state, view.state.board
    found = np.zeros(board.terrain.shape, np.int64)
    for race in view.living:
        own = board.own(race.id)
        if effect.from_ is not None:
            own = own & of_terrain(board.terrain, effect.from_)
        own = own & (board.terrain != number(effect.to))
        if not own.any():
            continue
        base = int(LIMITS[race.level][number(effect.to)])
        base = max([base, *(c.amount for _, c in changes_at(state, race.id, op.LimitSet, effect.to, None))])
        added = sum(c.amount for _, c in changes_at(state, race.id, op.LimitAdd, effect.to, None))
        new = base + added if base else 0
        rows, columns = np.nonzero(own)
        here = new - limits(state, race.id, part=(rows, columns))
        dead = np.maximum(0, board.units[own] - new)
        found[own] = np.where(here > 0, here * land_gain(view, race.id, 1), here * 2 - dead * TENTHS)
    return found


def _new_feature(view: View, effects: tuple[Operation, ...]) -> tuple[Worth, Worth]:
    """What a feature does to those who stand on its square, and beside it; effects that are not listed do nothing."""
    board = view.state.board
    here, near = np.zeros(board.terrain.shape, np.int64), np.zeros(board.terrain.shape, np.int64)
    for effect in effects:
        match effect:
            case op.LimitAdd(amount=amount, where="here"):
                here = here + _by_people(view, lambda race, amount=amount: land_gain(view, race, amount))
            case op.LimitSet(amount=amount, where="here"):
                here = here - TENTHS * np.maximum(0, board.units.astype(np.int64) - amount)
                near = near if amount else near - DREAD  # nobody settles there any more
            case op.StatAdd():
                here = here + _by_people(view, lambda race, it=effect: stat_gain(view, race, it, view.span))
            case op.Protect():
                here = here + PROTECTION
            case op.CostMult():
                here = here - PROTECTION
            case op.Cult() if effect.deity != "caster":
                here = here - effect.points * POINTS_OF_OTHERS * (view.span if effect.on else 2) // 2
            case op.Kill() if effect.scope == "here":
                here = here - TENTHS * (effect.amount or 1) * view.span // 2
            case op.TerrainSpread():
                near = near + (DREAD if effect.what == "P" else -DREAD)
            case op.RollTable():
                here, near = here - DREAD, near - DREAD
    return here, near


def _regard(view: View, gains: Worth) -> Worth:
    """What gains of those who stand on the squares are worth to the bot."""
    board = view.state.board
    owned = view.once(("owned",), lambda: _by_people(view, lambda race: _own_percent(view, race)))
    hated = view.once(("hated",), lambda: _by_people(view, view.enmity))
    own, free = owned > 0, board.owner == NOBODY
    of_own: Worth = np.where(gains >= 0, gains * owned // 100, NEVER)
    of_others: Worth = np.where(gains >= 0, -gains * hated // 200, np.where(hated > 0, -gains * hated // 100, NEVER))
    return np.where(free, 0, np.where(own, of_own, of_others))


def _own_percent(view: View, race: UUID) -> int:
    """Percent of what a people gains that counts for the bot: for its own the more, the more it holds of them."""
    return 100 + view.shares[race] // 100 if race in view.shares else 0


def _sum_beside(worth: Worth, diagonal: bool) -> Worth:
    """For each square the sum over the squares that touch it."""
    height, width = worth.shape
    framed = np.zeros((height + 2, width + 2), np.int64)
    framed[1:-1, 1:-1] = worth
    parts = [framed[1 + r : 1 + r + height, 1 + c : 1 + c + width] for r, c in steps(diagonal)]
    found: Worth = np.sum(parts, axis=0)
    return found


def _mana_of_features(view: View, power: Power) -> Iterator[int]:
    """Tenths of mana for features that the bot's sources count."""
    if any(isinstance(effect, op.FeatureAdd) for effect in power.effects):
        yield view.income("feature_created")


def _spread_income(view: View, power: Power) -> Worth:
    """Tenths of mana for the ice that a new feature will make of the land beside it."""
    state = view.state
    found = np.zeros(state.board.terrain.shape, np.int64)
    features = [effect.feature for effect in power.effects if isinstance(effect, op.FeatureAdd)]
    for effect in (effect for feature in features for effect in state.pack.features[feature].effects):
        if isinstance(effect, op.TerrainSpread) and effect.what == "I":
            squares = effect.max * view.span * (FACES + 1 - effect.odds) // FACES
            beside = touching(of_terrain(state.board.terrain, effect.into), corners(state))
            found = found + np.where(beside, view.income("glacier_spread", squares), 0)
    return found


def retreats(view: View, race: UUID) -> Iterator[tuple[int, Direction]]:
    """What it is worth to send a people that wars would waste away from those who make them, to free land.

    Of a civilized people none: it stays where it is (G2-GROW-9). A large one stands its ground.
    """
    if view.state.races[race].level is Level.CIVILIZED or view.units(race) >= LARGE:
        return
    danger = view.danger(race)
    if danger * WASTED < view.units(race) * TENTHS:
        return
    foes = [np.nonzero(view.state.board.own(other)) for other in view.contacts(race) if view.threatens(other, race)]
    centre = Centre.of(squares_in(view.state.board.own(race)))
    for worth, direction in ways_out(view, race):
        way = Way(Migration(race, direction, None, None, None), centre)
        if worth > 0 and not any(way.ahead(rows, columns).any() for rows, columns in foes):
            yield min(danger, worth * 3), direction


def ways_out(view: View, race: UUID) -> Iterator[tuple[int, Direction]]:
    """What it is worth to send a people in each direction: the free land there that it could fill by and by."""
    state, board = view.state, view.state.board
    own, habitable = board.own(race), LIMITS[state.races[race].level][board.terrain]
    land = front = own
    for _ in range(MARCH):
        front = touching(front, corners(state)) & (board.owner == NOBODY) & (habitable > 0) & ~land
        land = land | front
    rows, columns = np.nonzero(land & ~own)
    centre, units = Centre.of(squares_in(own)), view.units(race)
    for direction in get_args(Direction):
        ahead = Way(Migration(race, direction, None, None, None), centre).ahead(rows, columns)
        yield min(units, int(habitable[rows[ahead], columns[ahead]].sum())) * TENTHS // 3, direction
