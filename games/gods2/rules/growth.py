"""Growth (G2-POP-3, 4; G2-GROW-2 to 6): new units of a race, where they go, and who starves.

Populations are whole units; percentages round up. A race that starves here has +2 Aggression until the century ends.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Context, Event
from games.gods2.rules.fields import Held, held, moves
from games.gods2.rules.history import entered
from games.gods2.rules.placing import Change, Units, change_between, excess, ground_of, place
from games.gods2.rules.records import Level
from games.gods2.rules.settling import settle
from games.gods2.rules.state import State
from games.gods2.rules.stats import growth_rate, stat
from games.gods2.rules.tables import STARVED_AGGRESSION
from games.gods2.rules.units import UnitsMoved, UnitsStarved, change
from games.gods2.rules.worksheet import counted

CAUSE = "growth"


class RaceGrew(Event):
    """A race has grown at the start of a century."""

    rules: ClassVar[tuple[str, ...]] = ("G2-POP-3", "G2-POP-4", "G2-GROW-10")

    race: UUID
    before: int
    rate: int
    gained: int
    """New units, with those that found no square."""
    placed: tuple[Held, ...]

    def apply(self, state: State) -> None:
        change(state, self.race, {h.square.square: h.units for h in self.placed})
        race = state.races[self.race]
        if race.peak < self.before:
            state.races[self.race] = replace(race, peak=self.before)
        if self.race in state.era.growing:
            state.set_era(growing=tuple(r for r in state.era.growing if r != self.race))

    def text(self, state: State) -> str:
        return f"{state.races[self.race].name} grow by {self.rate}%: {self.before} and {self.gained} new units."


class RaceReached(Event):
    """A race has so many units for the first time."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7",)

    race: UUID
    units: int

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], peak=max(state.races[self.race].peak, self.units))

    def text(self, state: State) -> str:
        return f"{state.races[self.race].name} have reached {self.units} units."


def growth(units: int, rate: int, flat: int = 0) -> int:
    """New units of a race.

    units: on the map. rate: whole percent, modifiers added. Rounded up, then the flat modifiers; never below 0; a race
    with 0 units does not grow. Rules: G2-POP-3, G2-POP-4.
    """
    return max(0, -(-units * rate // 100) + flat) if units else 0


def planned(state: State, race: UUID) -> tuple[int, int, Change]:
    """Rate, new units, and what becomes of them and of the old ones. Changes nothing."""
    ground, level = ground_of(state, race), state.races[race].level
    rate = growth_rate(state, race)
    gained = growth(sum(ground.units.values()), rate, stat(state, race, "growth_flat").value)
    units: Units = dict(ground.units)
    pool = gained
    if level is Level.PRIMITIVE:
        pool += sum(units.values()) - len(units)
        units = dict.fromkeys(units, 1)
    place(level, ground, units, pool)
    for square, over in excess(ground, units).items():
        units[square] -= over
    return rate, gained, change_between(ground.units, units, gained)


def grow(state: State, ctx: Context, race: UUID) -> Iterator[Event]:
    """Let one race grow: birth, placing, starvation, settling, and its line in the history."""
    before = state.board.units_of(race)
    rate, gained, done = planned(state, race)
    yield RaceGrew(race=race, before=before, rate=rate, gained=gained, placed=held(done.born))
    if done.moved:
        yield UnitsMoved(race=race, moves=moves(done.moved), cause=CAUSE)
    starved = sum(done.starved.values()) + done.unborn
    if starved:
        yield UnitsStarved(
            race=race, losses=held(done.starved), units=starved, aggression=STARVED_AGGRESSION, cause=CAUSE
        )
    yield from reached(state, race, before)
    yield from settle(state, ctx, CAUSE, (race,))
    after = state.board.units_of(race)
    words = f"{state.races[race].name} grow from {before} to {after} units" + (
        f"; {starved} starve." if starved else "."
    )
    yield from entered(state, ctx, kind=CAUSE, cause="the century began", words=words, squares=done.born)


def reached(state: State, race: UUID, before: int) -> Iterator[Event]:
    """Say which numbers of units a race has for the first time, to the sources that count it (G2-MANA-7)."""
    now, most = state.board.units_of(race), max(before, state.races[race].peak)
    for counter in sorted({s.counter for s in state.pack.mana_sources.values()}):
        name, _, wanted = counter.partition(":")
        if name == "race_reaches" and most < int(wanted) <= now:
            yield RaceReached(race=race, units=int(wanted))
            yield from counted(state, counter)


GROWTH_EVENTS: tuple[type[Event], ...] = (RaceGrew, RaceReached)
