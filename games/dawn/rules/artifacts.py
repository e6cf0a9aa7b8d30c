"""To whom artifacts pass when cities fall and peoples end (DW-ART-2 to 4). A miracle makes one (`wonders.miracles`)."""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.state.records import City
from games.dawn.rules.state.state import State
from games.engine.artifacts.rules import pass_all_on
from games.engine.kernel import Event


def pass_on_with_last_city(state: State, former: UUID, victors: UUID) -> Iterator[Event]:
    """What a race has that has just lost its last city passes to the race of the victors (DW-ART-2)."""
    if all(city.race != former for city in state.cities.values()):
        yield from pass_all_on(state, former, victors, reason="their last city has fallen", rules=("DW-ART-2",))


def pass_on_from_city(state: State, city: City) -> Iterator[Event]:
    """What lies in a city that is about to be razed passes to its race (DW-ART-3)."""
    yield from pass_all_on(state, city.id, city.race, reason="the city is no more", rules=("DW-ART-3",))


def pass_on_from_race(state: State, race: UUID) -> Iterator[Event]:
    """What a race has that is about to become extinct is nobody's (DW-ART-4)."""
    yield from pass_all_on(state, race, None, reason="its people are no more", rules=("DW-ART-4",))
