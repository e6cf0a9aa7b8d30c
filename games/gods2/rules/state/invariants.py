"""What always holds of a settled state (section 6 of the rulebook): asked after every amendment and by tests."""

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY
from games.engine.board.grid import squares_in
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.state.constants import SITE
from games.gods2.rules.state.records import WHOLE, Level, Race

if TYPE_CHECKING:
    from games.gods2.rules.state.state import State


def violations(state: "State") -> list[str]:
    """Everything that cannot be, one sentence each; an empty list is a sound state."""
    unsettled = {p.subject for p in state.prompts.values() if p.kind == SITE}
    found = [*_map(state), *_cities(state, unsettled)]
    for race in state.living():
        found += [*_shares(state, race), *(_limits(state, race) if race.id not in unsettled else ())]
    return found


def _map(state: "State") -> list[str]:
    """Units are never negative, and stand on a square exactly when somebody owns it."""
    board = state.board
    found = []
    if (board.units < 0).any():
        found.append("A square has fewer than 0 units.")
    if ((board.units > 0) != (board.owner != NOBODY)).any():
        found.append("A square has units of nobody, or an owner without units.")
    for position in np.unique(board.owner[board.owner != NOBODY]).tolist():
        people = state.races.get(board.peoples[position])
        if people is None or people.extinct:
            found.append("Units stand on the map whose race is missing or extinct.")
    return found


def _shares(state: "State", race: Race) -> list[str]:
    """Shares add up to 100%, each above 0 (G2-PAN-1)."""
    shares = state.pantheon(race.id)
    total = sum(shares.values())
    if total != WHOLE or any(share <= 0 for share in shares.values()):
        return [f"The pantheon of {race.name} adds up to {total / 100:g}%, not 100%, or a share is 0."]
    return []


def _limits(state: "State", race: Race) -> list[str]:
    """No square is above its limit (G2-LIM-1)."""
    bounds = limits(state, race.id)
    over = squares_in(state.board.own(race.id) & (state.board.units > bounds))
    return [
        f"{race.name} have {int(state.board.units[s])} units at {s.column}, {s.row}; the limit is {int(bounds[s])}."
        for s in over
    ]


def _cities(state: "State", unsettled: Collection[UUID | None]) -> list[str]:
    """Cities stand with their people, one on a square, and every civilized race has one (G2-CITY-7, 8; G2-MAP-7).

    unsettled: races whose city waits for its site.
    """
    found = []
    places = Counter(city.square for city in state.cities.values())
    found += [f"Two cities stand at {s.column}, {s.row}." for s, count in sorted(places.items()) if count > 1]
    for city in state.cities.values():
        at = f"{city.square.column}, {city.square.row}"
        owner = state.races.get(city.race)
        if not state.board.holds(city.square):
            found.append(f"The city at {at} is not on the map.")
        elif state.board.people_at(city.square) != city.race:
            found.append(f"The city at {at} has no people of its race.")
        if owner is None or owner.level is not Level.CIVILIZED:
            found.append(f"The city at {at} belongs to nobody who is civilized.")
    owners = {city.race for city in state.cities.values()}
    for race in state.living():
        if race.level is Level.CIVILIZED and race.id not in owners and race.id not in unsettled:
            found.append(f"{race.name} are civilized and own no city.")
    return found
