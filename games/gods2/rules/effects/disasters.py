"""Disasters and other deaths by powers (G2-DIS-1 to 5, G2-GLOB-1 to 3, G2-RES-3 to 8, G2-CALC-1).

All kills of one working are one sum for each race: counted first, on the units that stand there now, then changed once
by the race's resistances, then removed. What has no code of a disaster or a global power asks for no resistance. Named
city losses follow by the same codes. Nothing is settled here, and no modification is activated: see
`triggers.run_with_triggers`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

import numpy as np

from games.engine.board.grid import Mask, Numbers, mask_of, rings, squares_in
from games.engine.board.rounding import percent_up
from games.engine.kernel import Context, Event
from games.gods2.rules.cities.rules import destroy_city
from games.gods2.rules.effects.events import DisasterStruck
from games.gods2.rules.geometry.adjacency import owned_cities, ring
from games.gods2.rules.geometry.carried_effects import carried_effects, on_squares
from games.gods2.rules.geometry.conditions import squares_where
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import in_force
from games.gods2.rules.pack.filters import SMALL, is_disaster
from games.gods2.rules.pack.operations import DestroyCity, Kill, LimitCut, Protect
from games.gods2.rules.pack.resistance import Code, applicable, deaths, give_back, spread_deaths, take_from_most
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Place, places
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.workings.context import Together, Working, codes_of
from games.gods2.rules.workings.scopes import WHOLE_RACES, concerned_races, dwellers, fitting, ground, target_squares

Steps = Iterator[Event]

DEADLY = (Kill, DestroyCity, LimitCut)
"""What makes a power with a code B strike."""
Deadly = TypeVar("Deadly", bound=Kill | DestroyCity | LimitCut)


@dataclass(frozen=True, slots=True)
class Strike(Generic[Deadly]):
    """Where one effect of a working falls."""

    effect: Deadly
    ground: Mask | None
    """Its squares; none when it falls on whole races."""
    races: tuple[UUID, ...]
    """Whom it hits, by id."""


@dataclass(frozen=True, slots=True)
class Toll:
    """What all kills of one working count against one race, by its squares in the order of row and column."""

    race: UUID
    own: Mask
    mortal: Numbers
    """Units that a kill can reach."""
    counted: Numbers
    struck: Mask
    """The affected squares of the map."""


def strikes(state: State, working: Working, effects: Sequence[Deadly]) -> list[Strike[Deadly]]:
    """Where the effects of a working fall, each on its own: races by whom they find there (G2-DIS-1, DIS-4)."""
    found = []
    for effect in effects:
        if effect.scope in WHOLE_RACES:
            found.append(Strike(effect, None, tuple(concerned_races(state, working, effect, effect.scope))))
            continue
        there = ground(state, working, effect, effect.scope)
        hit = _owners(state, there) if isinstance(effect, DestroyCity) else dwellers(state, there)
        found.append(Strike(effect, there, tuple(fitting(state, working, effect, hit))))
    return found


def _owners(state: State, mask: Mask) -> list[UUID]:
    """Whose cities stand on these squares, by id."""
    return sorted({city.race for city in state.cities.values() if mask[city.square]})


def announce_disaster(state: State, working: Working, effects: Sequence[Operation]) -> Steps:
    """Say, before it works, whom a disaster hits. A working that is no disaster says nothing."""
    if not is_disaster(working.codes):
        return
    found = strikes(state, working, [e for e in effects if isinstance(e, DEADLY)])
    squares = mask_of((state.board.height, state.board.width), ())
    for strike in found:
        if strike.ground is not None:
            squares |= strike.ground
    races = sorted({race for strike in found for race in strike.races})
    if races or squares.any():
        yield DisasterStruck(
            casting=working.casting,
            table=working.table,
            elements=elements_of(working),
            squares=places(squares_in(squares)),
            races=tuple(races),
        )


def elements_of(working: Working) -> tuple[str, ...]:
    """The elements of a working in the order of the worksheet's boxes."""
    return tuple(name for name in SMALL.values() if name in working.elements)


def resisting(state: State, working: Working, race: UUID) -> list[Code]:
    """The codes of a race that work against a working.

    Against a disaster those of its elements and those against everything, without an element the latter alone
    (G2-DIS-2); against a global power with an element the same (G2-GLOB-2), without one none (G2-GLOB-3).
    """
    return applicable(codes_of(state, race), working.elements, everywhere=is_disaster(working.codes))


def tolls(state: State, working: Working, effects: Sequence[Kill]) -> list[Toll]:
    """The base deaths of every race by all kills of a working, races by id (G2-DIS-3, DIS-4)."""
    found = strikes(state, working, effects)
    races = sorted({race for strike in found for race in strike.races})
    return [_toll(state, race, [s for s in found if race in s.races]) for race in races]


def _toll(state: State, race: UUID, found: Sequence[Strike[Kill]]) -> Toll:
    own = state.board.own(race)
    units: Numbers = state.board.units[own].astype(np.int64)
    mortal: Numbers = np.where(sheltered_squares(state, race)[own], 0, units)
    counted: Numbers = np.zeros_like(units)
    affected: Mask = np.zeros_like(own)
    for strike in found:
        affected |= own if strike.ground is None else strike.ground
        counted += _base(state, race, strike, units, mortal - counted)
    return Toll(race, own, mortal, counted, affected)


def _base(state: State, race: UUID, strike: Strike[Kill], units: Numbers, left: Numbers) -> Numbers:
    """What one kill counts on each square of a race (G2-DIS-5): at most who is left there.

    A percentage is rounded up on each square of a scope of squares, and once on a whole race. Deaths counted on a whole
    race are taken one at a time from the square with most units left.
    """
    effect, own = strike.effect, state.board.own(race)
    amount = effect.amount or 0
    if strike.ground is None and effect.mode in ("count", "percent"):
        total = amount if effect.mode == "count" else percent_up(int(units.sum()), amount)
        return take_from_most(left, min(total, int(left.sum())))
    wanted = units
    if effect.mode == "over":
        wanted = np.maximum(units - limits(state, race)[own], 0)
    elif effect.mode == "count":
        wanted = np.full_like(units, amount)
    elif effect.mode == "percent":
        wanted = -(-units * amount // 100)
    there = wanted if strike.ground is None else np.where(strike.ground[own], wanted, 0)
    base: Numbers = np.minimum(there, left)
    return base


def sheltered_squares(state: State, race: UUID) -> Mask:
    """The squares on which no unit of a race dies by a kill."""
    found: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    for _, effect, mask in on_squares(state, Protect):
        if effect.against == "kill_here" and in_force(state, race, effect):
            found |= mask & squares_where(state, effect.conditions)
    for _, effect in carried_effects(state, race, Protect):
        if effect.against == "kill_here" and in_force(state, race, effect):
            found |= squares_where(state, effect.conditions)
    return found


def _kill(state: State, ctx: Context, working: Working, effects: list[Kill]) -> Steps:
    """Count for all races, then let each die what its resistances leave (G2-RES-3 to 7, G2-DIS-4)."""
    for toll in tolls(state, working, effects):
        base = int(toll.counted.sum())
        total = deaths(base, resisting(state, working, toll.race), int(toll.mortal.sum()))
        if not total:
            continue
        dead = toll.counted
        if total < base:
            dead = give_back(dead, total)
        elif total > base:
            dead = spread_deaths(dead, toll.mortal, rings(toll.struck)[toll.own], total)
        yield UnitsDied(
            race=toll.race,
            losses=by_square(toll.own, dead),
            counted=base,
            units=total,
            box=working.box,
            elements=elements_of(working),
            casting=working.casting,
        )


def by_square(own: Mask, amounts: Numbers) -> tuple[Held, ...]:
    """Units by square from an array over the squares of a race, without the empty ones."""
    rows, columns = (axis[amounts > 0].tolist() for axis in np.nonzero(own))
    counts = zip(rows, columns, amounts[amounts > 0].tolist(), strict=True)
    return tuple(Held(square=Place(x=column, y=row), units=units) for row, column, units in counts)


def _destroy_city(state: State, ctx: Context, working: Working, effects: list[DestroyCity]) -> Steps:
    """Named city losses (G2-RES-8): the named cities first, then those nearest to the affected squares."""
    found = strikes(state, working, effects)
    for race in sorted({race for strike in found for race in strike.races}):
        owned, named = owned_cities(state, race), []
        for strike in found:
            here = [c for c in owned if c not in named and (strike.ground is None or strike.ground[c.square])]
            named += here[: strike.effect.count] if race in strike.races else []
        affected = squares_in(target_squares(state, working)) or [city.square for city in named]
        others = [c for c in owned if c not in named]
        others.sort(key=lambda c: (min((ring(c.square, s) for s in affected), default=0), c.square))
        total = deaths(len(named), resisting(state, working, race), len(owned))
        for city in [*named, *others][:total]:
            yield from destroy_city(state, city, working.cause)


KILL = Together(_kill)
DESTROY_CITY = Together(_destroy_city)
