"""Layers: nodes put in columns by level and in rows so that edges cross seldom; nothing lies upon anything (pure).

An edge that passes a level gets a place of its own there, so that it never runs through a node.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

SWEEPS = 12
Via = tuple[str, str, int]
Item = str | Via
"""A node by its key, or where an edge passes a level."""


@dataclass(slots=True)
class Layers:
    """Columns of items from top to bottom, and the steps from each column to the next."""

    columns: list[list[Item]] = field(default_factory=list)
    steps: list[tuple[Item, Item]] = field(default_factory=list)


def layer_nodes(levels: Sequence[tuple[str, int]], edges: Iterable[tuple[str, str]]) -> Layers:
    """Nodes (key, level from 1) in columns. Edges lead from a lower level to a higher one; ValueError for another.

    The order in a column follows from that of the nodes and from their neighbours, so the same tree looks the same.
    """
    level_of = dict(levels)
    found = Layers([[] for _ in range(max(level_of.values(), default=0))])
    for key, level in levels:
        found.columns[level - 1].append(key)
    for low, high in edges:
        if level_of[low] >= level_of[high]:
            raise ValueError(f"{high} needs {low} and does not lie above it")
        path: list[Item] = [low]
        for level in range(level_of[low] + 1, level_of[high]):
            # Edges that leave one node together share their way as long as they can.
            via = (low, "", level)
            if via not in found.columns[level - 1]:
                found.columns[level - 1].append(via)
            path.append(via)
        path.append(high)
        found.steps += [step for step in pairwise(path) if step not in found.steps]
    _untangle(found)
    return found


def _untangle(layers: Layers) -> None:
    """Order each column by the middle of its neighbours, forth and back; keep the order with the fewest crossings."""
    before: dict[Item, list[Item]] = {}
    behind: dict[Item, list[Item]] = {}
    for low, high in layers.steps:
        before.setdefault(high, []).append(low)
        behind.setdefault(low, []).append(high)
    best, fewest = [list(column) for column in layers.columns], crossings(layers.columns, layers.steps)
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        places = range(1, len(layers.columns)) if forth else range(len(layers.columns) - 2, -1, -1)
        for place in places:
            _sort(layers.columns[place], layers.columns[place - 1 if forth else place + 1], before if forth else behind)
        if (now := crossings(layers.columns, layers.steps)) < fewest:
            best, fewest = [list(column) for column in layers.columns], now
    layers.columns = best


def _sort(column: list[Item], beside: Sequence[Item], neighbours: dict[Item, list[Item]]) -> None:
    place = {item: (at + 0.5) / len(beside) for at, item in enumerate(beside)}
    own = {item: (at + 0.5) / len(column) for at, item in enumerate(column)}

    def middle(item: Item) -> float:
        near = [place[n] for n in neighbours.get(item, ()) if n in place]
        return sum(near) / len(near) if near else own[item]

    column.sort(key=middle)


def crossings(columns: Sequence[Sequence[Item]], steps: Iterable[tuple[Item, Item]]) -> int:
    """How many pairs of steps cross between two columns."""
    place = {item: (c, row) for c, column in enumerate(columns) for row, item in enumerate(column)}
    spots = sorted((place[low], place[high]) for low, high in steps)
    return sum(
        1
        for at, (low, high) in enumerate(spots)
        for low2, high2 in spots[at + 1 :]
        if low[0] == low2[0] and (low[1] - low2[1]) * (high[1] - high2[1]) < 0
    )
