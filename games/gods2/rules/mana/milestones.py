"""Numbers of units that a race reaches for the first time, for the sources that count them (G2-MANA-7)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.mana.events import RaceReached
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.state.state import State


def report_milestones(state: State, race: UUID, before: int) -> Iterator[Event]:
    """Say which numbers of units a race has for the first time, to the sources that count it (G2-MANA-7)."""
    now, most = state.board.units_of(race), max(before, state.races[race].peak)
    for counter in sorted({s.counter for s in state.pack.mana_sources.values()}):
        name, _, wanted = counter.partition(":")
        if name == "race_reaches" and most < int(wanted) <= now:
            yield RaceReached(race=race, units=int(wanted))
            yield from count_event(state, counter)
