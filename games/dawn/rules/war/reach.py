"""Reach: which armies find a way to a square (DW-WAR-3). Reads alone.

A way goes from square to square over edges, out of the army's city and onto the target; its length does not matter.
Water and floating squares are closed; an edge of the army's race or city that crosses water opens water, one that flies
opens both.
"""

from collections.abc import Iterable

from games.dawn.rules.state.constants import WATER
from games.dawn.rules.state.records import Army, City, Square
from games.dawn.rules.state.schema_types import EdgeTag
from games.dawn.rules.state.state import At, State

Tags = frozenset[EdgeTag]


def is_open(square: Square, tags: Tags) -> bool:
    """Whether armies with these tags may enter a square."""
    if EdgeTag.FLIES in tags:
        return True
    return not square.floating and (square.terrain not in WATER or EdgeTag.CROSSES_WATER in tags)


def tags_of(state: State, city: City) -> Tags:
    """What the armies of a city can cross: by an edge of its race, or of its own."""
    edges = (*state.edges_of(city.race), *state.edges_of(city.id))
    return frozenset(tag for edge in edges for tag in edge.tags)


def squares_from(state: State, at: At, tags: Tags) -> set[At]:
    """The squares that hang together with one over open squares, and itself; nothing where it is closed itself."""
    if not is_open(state.squares[at], tags):
        return set()
    found, edge = {at}, [at]
    while edge:
        new = [n for n in state.neighbours(edge.pop()) if n not in found and is_open(state.squares[n], tags)]
        found.update(new)
        edge.extend(new)
    return found


def without_path(state: State, armies: Iterable[Army], at: At) -> list[Army]:
    """Those of the armies that find no way from their city to a square."""
    ways: dict[Tags, set[At]] = {}
    lost: list[Army] = []
    for army in armies:
        city = state.cities[army.city]
        tags = tags_of(state, city)
        if tags not in ways:
            ways[tags] = squares_from(state, at, tags)
        starts = (n for n in state.neighbours((city.x, city.y)))
        if not any(n in ways[tags] for n in starts):
            lost.append(army)
    return lost
