"""Population limits (G2-LIM-1, G2-LIM-2): how many units of a race each square can hold.

Order: table by level and terrain; `limit_set` by terrain in its place (several: the largest); `limit_add` where the
value is above 0; `limit_set` of the square itself (the smallest); never below 0. What happens to the units above a
limit stands in `settling` (LIM-4) and `growth` (GROW-6).
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.engine.grid import Mask, mask_of
from games.gods2.rules.conditions import squares_where, terrain_mask
from games.gods2.rules.ground import cities_of, coastal, features_at
from games.gods2.rules.lasting import Cut
from games.gods2.rules.operations import LimitAdd, LimitChange, LimitSet
from games.gods2.rules.records import Level
from games.gods2.rules.stats import carried, in_force, on_squares
from games.gods2.rules.tables import LIMITS

if TYPE_CHECKING:
    from games.gods2.rules.state import State

Change = TypeVar("Change", bound=LimitChange)


def limits(state: "State", race: UUID, level: Level | None = None) -> NDArray[np.int64]:
    """The limit of each square for a race: an array of the board's shape, whole units, 0 where nobody can live.

    level: the cultural level to ask for, the race's own by default. Rules: G2-LIM-1, G2-LIM-2.
    """
    at = level or state.races[race].level
    features = features_at(state)
    found: NDArray[np.int64] = LIMITS[at][state.board.terrain].astype(np.int64)
    sets = list(_changes(state, race, at, LimitSet, features))

    largest = np.full_like(found, -1)
    for effect, mask in sets:
        if effect.where != "here":
            largest[mask] = np.maximum(largest[mask], effect.amount)
    found = np.where(largest >= 0, largest, found)

    added = np.zeros_like(found)
    for change, mask in _changes(state, race, at, LimitAdd, features):
        added[mask] += change.amount
    found = np.where(found > 0, found + added, found)

    smallest = np.full_like(found, np.iinfo(np.int64).max)
    for effect, mask in sets:
        if effect.where == "here":
            smallest[mask] = np.minimum(smallest[mask], effect.amount)
    found = np.where(smallest < np.iinfo(np.int64).max, smallest, found)
    for cut in state.cuts.values():
        if cut.race == race:
            found -= cut.amount * _cut_squares(state, cut)
    return np.maximum(found, 0)


def _cut_squares(state: "State", cut: Cut) -> Mask:
    """The squares that a cut concerns (G2-LIM-3)."""
    shape = (state.board.height, state.board.width)
    mask = mask_of(shape, cut.squares) if cut.squares else np.ones(shape, dtype=np.bool_)
    return mask & terrain_mask(state, cut.terrain) if cut.terrain is not None else mask


def _changes(
    state: "State", race: UUID, level: Level, kind: type[Change], features: Mapping[str, Mask]
) -> Iterator[tuple[Change, Mask]]:
    """The changes of one kind that count for a race at a level, with the squares they touch."""
    everywhere: Mask = np.ones((state.board.height, state.board.width), dtype=np.bool_)
    sources = [(effect, everywhere) for _, effect in carried(state, race, kind)]
    sources += [(effect, mask) for _, effect, mask in on_squares(state, kind, features)]
    for effect, ground in sources:
        if (effect.levels == "all" or level.value in effect.levels) and in_force(state, race, effect):
            mask = ground & squares_where(state, effect.conditions, features)
            if effect.terrain is not None:
                mask = mask & terrain_mask(state, effect.terrain)
            if effect.where is not None and effect.where != "here":
                mask = mask & _place(state, race, effect.where, features)
            yield effect, mask


def _place(state: "State", race: UUID, where: str, features: Mapping[str, Mask]) -> Mask:
    """The squares of a place: coastal, city (of this race), feature:x."""
    if where == "coastal":
        return coastal(state)
    if where == "city":
        return cities_of(state, race)
    nowhere: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    return features.get(where.removeprefix("feature:"), nowhere)
