"""New units, and units that are sent elsewhere, by a power (G2-MOVE-7, G2-LIM-4): `units_add`, `units_move`.

New units on a square stay there, those of a race are placed as its level places new ones; what is above a limit then
moves or starves when all is settled. Units are sent from the chosen squares on which they live, or from the fullest of
their race, to the chosen free squares, or to free bordering squares in the order of placing.
"""

from collections.abc import Iterator, Mapping
from uuid import UUID

import numpy as np

from games.engine.board.board import Square
from games.engine.board.grid import squares_in
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.events import UnitsAdded
from games.gods2.rules.geometry.adjacency import units_by_square
from games.gods2.rules.geometry.placement import Ground, Units, change_between, ground_of, place
from games.gods2.rules.mana.milestones import report_milestones
from games.gods2.rules.pack.operations import UnitsAdd, UnitsMove
from games.gods2.rules.pack.resistance import take_from_most
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import held_units, moves
from games.gods2.rules.units.events import UnitsMoved
from games.gods2.rules.workings.context import Doing, Working
from games.gods2.rules.workings.scopes import WHOLE_RACES, concerned_races, dwellers, fitting, ground, target_races

Steps = Iterator[Event]


def _nobody(state: State, working: Working, why: str) -> Refused:
    return Refused(
        "target.unfit", f"{cause_name(state, working.cause)} has no race to work on: {why}.", rules=("G2-HIST-1",)
    )


def check_add(state: State, working: Working, effect: UnitsAdd) -> None:
    """Refuse (`target.unfit`) a target where nobody lives."""
    if not working.earth and not gains(state, working, effect):
        raise _nobody(state, working, "nobody lives there")


def gains(state: State, working: Working, effect: UnitsAdd) -> dict[UUID, Units]:
    """The new units of each race by square."""
    if effect.scope in WHOLE_RACES:
        found = {
            race: _places_for(state, race, effect.amount)
            for race in concerned_races(state, working, effect, effect.scope)
        }
        return {race: units for race, units in found.items() if units}
    there = ground(state, working, effect, effect.scope)
    return {
        race: dict.fromkeys(squares_in(there & state.board.own(race)), effect.amount)
        for race in fitting(state, working, effect, dwellers(state, there))
    }


def _places_for(state: State, race: UUID, count: int) -> Units:
    """Where new units of a race go; who finds no room stays on its first square until all is settled."""
    before = ground_of(state, race)
    units: Units = dict(before.units)
    if not units:
        return {}
    left = place(state.races[race].level, before, units, count)
    units[min(before.units)] += left
    return {s: n - before.units.get(s, 0) for s, n in units.items() if n > before.units.get(s, 0)}


def _add(state: State, ctx: Context, working: Working, effect: UnitsAdd) -> Steps:
    for race, units in gains(state, working, effect).items():
        before = state.board.units_of(race)
        yield UnitsAdded(race=race, placed=held_units(units), cause=working.cause, casting=working.casting)
        yield from report_milestones(state, race, before)


def check_move(state: State, working: Working, effect: UnitsMove) -> None:
    """Refuse (`target.unfit`, `square.unfit`) units of nobody or of several races, and squares out of their reach."""
    race = mover(state, working)
    if working.earth:
        return
    if race is None:
        raise _nobody(state, working, "choose squares of one race")
    able = ground_of(state, race).free
    for square in working.squares:
        if state.board.people_at(square) is None and square not in able:
            message = f"No unit of {state.races[race].name} can go to {square.column}, {square.row}."
            raise Refused("square.unfit", message, rules=("G2-MOVE-7",), square=f"{square.column}, {square.row}")


def mover(state: State, working: Working) -> UUID | None:
    """Whose units move: the target race, or the one that lives on the chosen squares."""
    found = target_races(state, working)
    return found[0] if len(found) == 1 else None


def _move(state: State, ctx: Context, working: Working, effect: UnitsMove) -> Steps:
    race = mover(state, working)
    if race is None or not fitting(state, working, effect, [race]):
        return
    before = ground_of(state, race)
    chosen = [s for s in before.free if s in working.squares] or list(before.free)
    after = units_after_sending(before, _sources(state, working, race), chosen, effect.amount)
    done = change_between(before.units, after, 0)
    if len(done.moved):
        yield UnitsMoved(race=race, moves=moves(done.moved), cause=working.cause)


def _sources(state: State, working: Working, race: UUID) -> Mapping[Square, int]:
    """The units that may be sent, by row and column."""
    own = units_by_square(state, race)
    return {s: n for s, n in own.items() if s in working.squares} or own


def units_after_sending(before: Ground, sources: Mapping[Square, int], goals: list[Square], amount: int) -> Units:
    """The units of a race by square after so many have gone, one at a time round the goals, as far as there is room.

    They leave the square with most units left (tie: lowest row, column).
    """
    count = min(amount, sum(sources.values()), sum(before.limits[s] for s in goals))
    taken = take_from_most(np.array(list(sources.values()), dtype=np.int64), count)
    after: Units = dict(before.units)
    for square, units in zip(sources, taken.tolist(), strict=True):
        after[square] -= units
    while count:
        for square in goals:
            if count and before.room(after, square) > 0:
                after[square] = after.get(square, 0) + 1
                count -= 1
    return after


UNITS_ADD = Doing(_add, check_add, on_race=False)
UNITS_MOVE = Doing(_move, check_move, on_race=False)
