"""Growth (G2-POP-3, 4; G2-GROW-2 to 6): new units of a race, where they go, and who starves.

Populations are whole units; percentages round up. A race that starves here has +2 Aggression until the century ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import numpy as np

from games.engine.board.grid import Numbers
from games.engine.board.rounding import percent_up
from games.engine.kernel import Context, Event
from games.engine.wording import quantity
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.effects.migration import migrate_and_grow
from games.gods2.rules.geometry.placement import Change, Ground, Units, change_between, change_to, ground_of, stood
from games.gods2.rules.geometry.stats import growth_rate, stat
from games.gods2.rules.growth.events import MigrationEnded, RaceGrew
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.mana.milestones import report_milestones
from games.gods2.rules.state.constants import STARVED_AGGRESSION
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import held_units, moves
from games.gods2.rules.units.events import UnitsMoved, UnitsStarved

CAUSE = "growth"


def growth(units: int, rate: int, flat: int = 0) -> int:
    """New units of a race.

    units: on the map. rate: whole percent, modifiers added. Rounded up, then the flat modifiers; never below 0; a race
    with 0 units does not grow. Rules: G2-POP-3, G2-POP-4.
    """
    return max(0, percent_up(units, rate) + flat) if units else 0


@dataclass(frozen=True)
class Growth:
    """How a race will grow by the rules."""

    level: Level
    order: Migration | None
    ground: Ground
    rate: int
    gained: int
    """New units, with those that find no square."""
    stand: Numbers
    """Where all its units will stand, by the ground's places."""
    sequence: Numbers
    """All places in the order in which they were filled."""

    @cached_property
    def after(self) -> Units:
        """Where all its units will stand, by square."""
        return {s: n for s, n in zip(self.ground.squares, self.stand.tolist(), strict=True) if n}

    def change(self, after: Units | None = None) -> Change:
        """What becomes of new and old units, when they are to stand like this; as the rules place them by default."""
        if after is None:
            return change_to(self.ground, self.stand, self.gained, self.sequence)
        return change_between(self.ground.units, after, self.gained)


def growth_of(state: State, race: UUID) -> Growth:
    """How a race will grow. Changes nothing."""
    ground, level = ground_of(state, race), state.races[race].level
    rate = growth_rate(state, race)
    living = int(ground.held.sum())
    gained = growth(living, rate, stat(state, race, "growth_flat").value)
    order = state.migrations.get(race)
    if order is not None:
        stand, sequence = migrate_and_grow(order, level, ground, gained)
    else:
        stand, sequence, pool = ground.held.copy(), np.arange(len(ground.held)), gained
        if level is Level.PRIMITIVE:
            pool += living - ground.own
            stand[: ground.own] = 1
        stood(level, ground, stand, pool)
    return Growth(level, order, ground, rate, gained, np.minimum(stand, ground.bounds), sequence)


def grow(state: State, ctx: Context, race: UUID, stand: Units | None = None) -> Iterator[Event]:
    """Let one race grow: birth, placing, starvation, settling, and its line in the history.

    stand: where a GM lets its units stand.
    """
    before = state.board.units_of(race)
    plan = growth_of(state, race)
    rate, gained, done = plan.rate, plan.gained, plan.change(stand)
    yield RaceGrew(race=race, before=before, rate=rate, gained=gained, placed=held_units(done.born))
    if len(done.moved):
        yield UnitsMoved(race=race, moves=moves(done.moved), cause=CAUSE)
    if plan.order is not None and (plan.order.until is None or plan.order.until <= state.era.century):
        yield MigrationEnded(race=race)
    starved = int(done.starved.units.sum()) + done.unborn
    if starved:
        yield UnitsStarved(
            race=race, losses=held_units(done.starved), units=starved, aggression=STARVED_AGGRESSION, cause=CAUSE
        )
    yield from report_milestones(state, race, before)
    yield from settle(state, ctx, CAUSE, (race,))
    after = state.board.units_of(race)
    text = f"{state.races[race].name} grow from {before} to {quantity(after, 'unit')}" + (
        f"; {starved} starve." if starved else "."
    )
    yield from enter_history(state, ctx, kind=CAUSE, cause="the century began", words=text, squares=done.born)
