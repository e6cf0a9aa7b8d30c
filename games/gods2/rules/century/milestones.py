"""Numbers of units that a race reaches for the first time, for the sources that count them (G2-MANA-7)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.century.worksheet import count_event
from games.gods2.rules.state.state import State


class RaceReached(Event[State]):
    """A race has so many units for the first time."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7",)

    race: UUID
    units: int

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], peak=max(state.races[self.race].peak, self.units))

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} have reached {self.units} units."


def report_milestones(state: State, race: UUID, before: int) -> Iterator[Event]:
    """Say which numbers of units a race has for the first time, to the sources that count it (G2-MANA-7)."""
    now, most = state.board.units_of(race), max(before, state.races[race].peak)
    for counter in sorted({s.counter for s in state.pack.mana_sources.values()}):
        name, _, wanted = counter.partition(":")
        if name == "race_reaches" and most < int(wanted) <= now:
            yield RaceReached(race=race, units=int(wanted))
            yield from count_event(state, counter)
