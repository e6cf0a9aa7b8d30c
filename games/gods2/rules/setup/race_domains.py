"""What a race may be that is defined now (G2-ATTR-1, G2-LIM-1), as far as a schema can say it.

How many units a square holds follows from attributes, knowledges, terrain and features together. What of it is certain
whatever is chosen stands in `settlers`: one unit on each of some free squares, of a people that owns no city.
"""

from collections.abc import Iterable, Mapping

from games.engine.board.board import NOBODY
from games.engine.board.grid import Mask, squares_in
from games.engine.insight.domains import SHOWN, Choices, Domain, Fields, FreeText, ListOf, Range
from games.gods2.rules.pack.entries import Entry
from games.gods2.rules.pack.operations import LimitChange
from games.gods2.rules.pantheon.orders import pantheon_domain
from games.gods2.rules.setup.newcomers import limits_of_newcomers
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place

SETTLERS = "More units, cities and other shares are good as well, as far as the squares hold them."
"""The note of what is certain to be accepted."""


def people(state: State) -> dict[str, Domain]:
    """A race of any culture: squares of this map, units from 1, keys of the pack, members that a pantheon may have."""
    square = Fields({"x": Range(0, state.board.width - 1), "y": Range(0, state.board.height - 1)}, ("x", "y"))
    held = Fields({"square": square, "units": Range(low=1)}, ("square", "units"))
    city = Fields({"square": square, "kind": Choices.of(kind.value for kind in CityKind)}, ("square",))
    return {
        "name": _free_name(state),
        "attributes": ListOf(Choices.of(state.pack.attributes)),
        "knowledges": ListOf(Choices.of(state.pack.knowledges)),
        "pantheon": pantheon_domain(state),
        "placed": ListOf(held, low=1),
        "cities": ListOf(city),
    }


def settlers(state: State) -> dict[str, Domain] | None:
    """A race without cities whose units each stand on a square that holds them; None where no square does."""
    squares = squares_in(_habitable(state))
    if not squares:
        return None
    units = tuple({"square": Place.of(each).model_dump(), "units": 1} for each in squares[:SHOWN])
    civilized = state.pack.giving(Level.CIVILIZED)
    return {
        "name": _free_name(state),
        "attributes": ListOf(Choices.of(_keys_without_less_room(state.pack.attributes))),
        "knowledges": ListOf(Choices.of(_keys_without_less_room(state.pack.knowledges, civilized))),
        "pantheon": pantheon_domain(state),
        "placed": ListOf(Choices(units, max(0, len(squares) - SHOWN)), low=1),
    }


def _free_name(state: State) -> FreeText:
    return FreeText().but(race.name for race in state.races.values())


def _habitable(state: State) -> Mask:
    """The free squares that hold a unit of every race that is not civilized, before what it brings with it."""
    free: Mask = state.board.owner == NOBODY
    for level in (Level.PRIMITIVE, Level.BARBARIAN):
        free = free & (limits_of_newcomers(state, level=level) > 0)
    return free


def _keys_without_less_room(entries: Mapping[str, Entry], but: Iterable[str] = ()) -> list[str]:
    """The keys of what takes no unit's room away: no limit that it brings is below 1, nor lowers another."""
    left_out = set(but)
    return [
        key
        for key, entry in entries.items()
        if key not in left_out and all(change.amount > 0 for change in entry.of_kind(LimitChange))
    ]
