"""What is counted during a century (G2-CALC-1, G2-MANA-7, 8): deaths by their box, what happens by its source."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.state.records import Line
from games.gods2.rules.state.state import State

BOX, SOURCE = "box", "source"
WAR, STARVATION = "war", "starvation"


class SourceCounted(Event[State]):
    """Something happened for which gods are paid at the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7", "G2-MANA-8")

    source: str
    count: int
    century: int
    race: UUID | None = None
    """The race that the source does not count again in this century; only of sources with `once: race`."""

    def apply(self, state: State) -> None:
        enter(state, SOURCE, self.source, self.count)
        if self.race is not None:
            here = state.races[self.race]
            state.races[self.race] = replace(here, counted=tuple(sorted({*here.counted, self.source})))


def enter(state: State, kind: str, key: str, count: int) -> None:
    """Add to a line of the worksheet. Called by events while they are applied."""
    line = state.lines.get((kind, key)) or Line(kind, key, 0)
    if count:
        state.lines[kind, key] = Line(kind, key, line.count + count)


def count_event(state: State, counter: str, race: UUID | None = None) -> Iterator[Event]:
    """Say that something happened, for each mana source of the pack that counts it. counter: as `war_fought`.

    race: to whom it happened. A source with `once: race` counts it once in a century (G2-MANA-8).
    """
    for source in sorted(state.pack.mana_sources.values(), key=lambda s: s.id):
        if source.counter == counter:
            once = race if source.once == "race" else None
            if once is None or source.id not in state.races[once].counted:
                yield SourceCounted(source=source.id, count=1, century=state.era.century, race=once)
