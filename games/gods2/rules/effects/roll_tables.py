"""Roll tables (section 4.5 of the rulebook): a recorded die, and what its row does; powers that work again.

The table's codes are those of what its rows do. A result without a row does nothing.
"""

from collections.abc import Generator, Iterator
from dataclasses import replace
from uuid import UUID

import numpy as np

from games.engine.board.board import Square
from games.engine.board.grid import Mask
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.events import TABLE_RULE, PowerRepeated, TableRolled
from games.gods2.rules.effects.terraforming import locked_squares
from games.gods2.rules.geometry.adjacency import land
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.pack.operations import Repeat, RollTable
from games.gods2.rules.pack.pack import Power, RollRows, Row
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.effect_records import Modification
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.workings.active_triggers import ASLEEP, DIE, Awake, activate_waiting, perform_effects
from games.gods2.rules.workings.context import Doing, Working, held_squares, works_there
from games.gods2.rules.workings.modifications import add_modification, check_duplicate, lasts
from games.gods2.rules.workings.pricing import check_protection
from games.gods2.rules.workings.targets import check_requires

Steps = Iterator[Event]


def draw_squares(ctx: Context, use: str, mask: Mask, count: int, rule: str) -> list[Square]:
    """So many squares of a mask, drawn by dN, dN-1, ... without repetition from those left by row and column."""
    rest, chosen = np.flatnonzero(mask), list[Square]()
    while len(rest) and len(chosen) < count:
        place = ctx.tray.roll(use, len(rest), rule) - 1
        chosen.append(Square(*divmod(int(rest[place]), mask.shape[1])))
        rest = np.delete(rest, place)
    return chosen


def row_of(table: RollRows, result: int) -> Row | None:
    """The row of a result, if it has one."""
    return next((row for row in table.rows if row.from_ <= result <= row.to), None)


def _roll(state: State, ctx: Context, working: Working, effect: RollTable) -> Steps:
    if working.repeated and _repeats(state.pack.tables[effect.table]):
        return
    if effect.scope is None:
        if works_there(state, working, effect):
            yield from _once(state, ctx, working, effect)
        return
    field = land(state.board) & ~locked_squares(state) & held_squares(state, working, effect)
    use = working.label(f"c{state.era.century}/{effect.table}/squares")
    for square in draw_squares(ctx, use, field, effect.count or 1, TABLE_RULE):
        there = state.board.people_at(square)
        here = replace(working, earth=False, squares=(square,), races=() if there is None else (there,))
        yield from _once(state, ctx, here, effect)


def _repeats(table: RollRows) -> bool:
    """Whether a table's die is one by which a power spreads."""
    return any(isinstance(effect, Repeat) for row in table.rows for effect in row.effects)


def _once(state: State, ctx: Context, working: Working, effect: RollTable) -> Steps:
    """One die, and the row it shows."""
    table = state.pack.tables[effect.table]
    square = working.squares[0] if working.squares else None
    race = working.races[0] if working.races else None
    place = f"{square.row},{square.column}" if square is not None else race
    awake = ASLEEP if race is None else (yield from _activate_for(state, ctx, working, race))
    result = awake.throw(ctx, working.label(f"c{state.era.century}/{table.id}/{place}"), effect.die, TABLE_RULE)
    row = row_of(table, result)
    yield TableRolled(
        table=table.id,
        square=Place.of(square) if square is not None else None,
        race=race,
        row=row.from_ if row is not None else None,
        casting=working.casting,
    )
    if row is not None:
        inside = replace(working, codes=table.codes, table=table.id)
        yield from working.perform(state, ctx, inside, row.effects)
    yield from awake.over(state)


def _activate_for(state: State, ctx: Context, working: Working, race: UUID) -> Generator[Event, None, Awake]:
    """What waits for a die of the race that is aimed at. A die that a modification throws wakes nothing."""

    def doing(here: Modification, effects: list[Operation]) -> Steps:
        return perform_effects(state, ctx, working.perform, here, effects)

    return ASLEEP if working.modification else (yield from activate_waiting(state, race, (DIE,), doing))


def _repeat(state: State, ctx: Context, working: Working, effect: Repeat) -> Steps:
    if working.repeated or working.power is None or not working.races:
        return
    power = state.pack.powers[working.power]
    rest = contacts(state, working.race)
    use = working.label(f"c{state.era.century}/repeat/{working.race}")
    for _ in range(min(effect.max, len(rest))):
        race = rest.pop(ctx.tray.roll(use, len(rest), TABLE_RULE) - 1)
        yield PowerRepeated(casting=working.casting, power=power.id, race=race)
        again = replace(working, races=(race,), squares=(), codes=power.codes, table=None, repeated=True)
        if _open_to(state, power, again):
            if lasts(power):
                yield from add_modification(state, ctx, race, power, working.casting)
            yield from working.perform(state, ctx, again, [e for e in power.effects if e.on is None])


def _open_to(state: State, power: Power, working: Working) -> bool:
    """Whether a race can be hit by a power that goes on: what would bar a caster bars it too."""
    try:
        check_requires(state, power, working)
        check_protection(state, power, working)
        if lasts(power):
            check_duplicate(state, working.race, power)
    except Refused:
        return False
    return True


ROLL = Doing(_roll, on_race=False)
REPEAT = Doing(_repeat)
