"""What is counted during a century (G2-CALC-1, G2-MANA-7): deaths by their box, things that happen by their source."""

from collections.abc import Iterator
from typing import ClassVar

from games.engine.kernel import Event
from games.gods2.rules.records import Line
from games.gods2.rules.state import State

BOX, SOURCE = "box", "source"
WAR, STARVATION = "war", "starvation"


class SourceCounted(Event):
    """Something happened for which gods are paid at the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7",)

    source: str
    count: int
    century: int

    def apply(self, state: State) -> None:
        enter(state, SOURCE, self.source, self.count)


def enter(state: State, kind: str, key: str, count: int) -> None:
    """Add to a line of the worksheet. Called by events while they are applied."""
    line = state.lines.get((kind, key)) or Line(kind, key, 0)
    if count:
        state.lines[kind, key] = Line(kind, key, line.count + count)


def counted(state: State, counter: str) -> Iterator[Event]:
    """Say that something happened, for each mana source of the pack that counts it. counter: as `war_fought`."""
    for source in sorted(state.pack.mana_sources.values(), key=lambda s: s.id):
        if source.counter == counter:
            yield SourceCounted(source=source.id, count=1, century=state.era.century)


WORKSHEET_EVENTS: tuple[type[Event], ...] = (SourceCounted,)
