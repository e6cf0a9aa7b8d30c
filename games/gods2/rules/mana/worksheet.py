"""What is counted during a century (G2-CALC-1, G2-MANA-7, 8): deaths by their box, what happens by its source."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.state.state import State


def count_event(state: State, counter: str, race: UUID | None = None) -> Iterator[Event]:
    """Say that something happened, for each mana source of the pack that counts it. counter: as `war_fought`.

    race: to whom it happened. A source with `once: race` counts it once in a century (G2-MANA-8).
    """
    for source in sorted(state.pack.mana_sources.values(), key=lambda s: s.id):
        if source.counter == counter:
            once = race if source.once == "race" else None
            if once is None or source.id not in state.races[once].counted:
                yield SourceCounted(source=source.id, count=1, century=state.era.century, race=once)
