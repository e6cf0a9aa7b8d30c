"""Kinds of squares: squares that no rule distinguishes when a power is aimed at one of them.

A casting on one square is decided by its terrain, who lives there, what stands on it, whether a city is beside it, how
many of a new people it holds, and
the conditions that the power, its effects and its roll tables put to squares. Squares alike in all of these are refused
alike and cost alike. A rule that looks at more has to be named here: a test compares every square with its kind.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from games.engine.board.grid import Mask, touching
from games.gods2.rules.effects.peoples import room_for
from games.gods2.rules.geometry.adjacency import corners, features_at
from games.gods2.rules.geometry.conditions import squares_where
from games.gods2.rules.pack.operations import RaceAdd
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.schema_types import Condition, Operation
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.pricing import CITY_FEATURES

Labels = NDArray[np.int64]


def kinds(state: State, power: Power, where: Mask) -> Labels:
    """The kind of each square of a mask, by row and column: equal numbers for squares that are alike for a power."""
    board, features = state.board, features_at(state)
    labels: Labels = board.terrain[where].astype(np.int64)
    labels = _with(labels, board.owner[where].astype(np.int64) + 1)
    for mask in features.values():
        labels = _with(labels, mask[where].astype(np.int64))
    for kind in CITY_FEATURES:
        if kind in features:
            labels = _with(labels, touching(features[kind], corners(state))[where].astype(np.int64))
    for effect in power.effects:
        if isinstance(effect, RaceAdd):
            labels = _with(labels, room_for(state, effect)[where])
    for condition in dict.fromkeys(_conditions_on_squares(state, power)):
        labels = _with(labels, squares_where(state, (condition,), features)[where].astype(np.int64))
    return labels


def _with(labels: Labels, more: Labels) -> Labels:
    """Labels that distinguish what either distinguishes; small numbers again, so that they never grow too large."""
    if not more.any():
        return labels
    joined: Labels = labels * (int(more.max()) + 1) + more
    if int(joined.max()) < 1 << 20:
        return joined
    return np.unique(joined, return_inverse=True)[1].astype(np.int64)


def _conditions_on_squares(state: State, power: Power) -> Iterator[Condition]:
    """The conditions about squares of a power's effects, and of the rows of its roll tables."""
    for effect in (*power.effects, *_rows(state, power.effects)):
        yield from (condition for condition in effect.conditions if condition.on_squares)


def _rows(state: State, effects: Iterable[Operation]) -> Iterator[Operation]:
    for effect in effects:
        key = str(getattr(effect, "table", None) or getattr(effect, "from_", None))
        if key in state.pack.tables:
            for row in state.pack.tables[key].rows:
                yield from row.effects
