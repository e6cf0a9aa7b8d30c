"""Population limits (G2-LIM-1, G2-LIM-2): how many units of a race each square can hold.

Order: table by level and terrain; `limit_set` by terrain in its place (several: the largest); `limit_add` where the
value is above 0; `limit_set` of the square itself (the smallest); never below 0. What happens to the units above a
limit stands in `cascade.settling` (LIM-4) and `growth.rules` (GROW-6).
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.engine.board.board import Square, Window
from games.engine.board.grid import Mask, Numbers, mask_of
from games.gods2.rules.geometry.adjacency import WHOLE_MAP, cities_of, coastal, features_at
from games.gods2.rules.geometry.carried_effects import carried_effects, on_squares
from games.gods2.rules.geometry.conditions import of_terrain, squares_where, terrain_mask
from games.gods2.rules.geometry.stats import in_force
from games.gods2.rules.pack.operations import LimitAdd, LimitChange, LimitSet
from games.gods2.rules.pack.schema_types import Condition
from games.gods2.rules.state.constants import LAND, LIMITS
from games.gods2.rules.state.effect_records import Cut
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State

Change = TypeVar("Change", bound=LimitChange)


Part = Window | tuple[Numbers, Numbers]
"""Some squares of the map: a window, or their rows and columns."""


def limits(state: State, race: UUID, level: Level | None = None, part: Part = WHOLE_MAP) -> NDArray[np.int64]:
    """The limit of each square for a race: an array of the board's shape, whole units, 0 where nobody can live.

    level: the cultural level to ask for, the race's own by default. part: only these squares, in an array of their
    shape. Rules: G2-LIM-1, G2-LIM-2.
    """
    at = level or state.races[race].level
    features = features_at(state)
    found: NDArray[np.int64] = LIMITS[at][state.board.terrain[part]].astype(np.int64)
    sets = [(effect, mask) for _, effect, mask in _changes(state, race, at, LimitSet, features, part)]

    if terrain_sets := [(effect, mask) for effect, mask in sets if effect.where != "here"]:
        largest = np.full_like(found, -1)
        for effect, mask in terrain_sets:
            largest[mask] = np.maximum(largest[mask], effect.amount)
        found = np.where(largest >= 0, largest, found)

    if adds := list(_changes(state, race, at, LimitAdd, features, part)):
        added = np.zeros_like(found)
        for _, change, mask in adds:
            added[mask] += change.amount
        found = np.where(found > 0, found + added, found)

    if here := [(effect, mask) for effect, mask in sets if effect.where == "here"]:
        smallest = np.full_like(found, np.iinfo(np.int64).max)
        for effect, mask in here:
            smallest[mask] = np.minimum(smallest[mask], effect.amount)
        found = np.where(smallest < np.iinfo(np.int64).max, smallest, found)
    for cut in state.cuts.values():
        if cut.race == race:
            found -= cut.amount * _squares_of_cut(state, cut)[part]
    return np.maximum(found, 0)


def _squares_of_cut(state: State, cut: Cut) -> Mask:
    """The squares that a cut concerns (G2-LIM-3)."""
    shape = (state.board.height, state.board.width)
    mask = mask_of(shape, cut.squares) if cut.squares else np.ones(shape, dtype=np.bool_)
    return mask & terrain_mask(state, cut.terrain) if cut.terrain is not None else mask


def _changes(
    state: State,
    race: UUID,
    level: Level,
    kind: type[Change],
    features: Mapping[str, Mask],
    part: Part = WHOLE_MAP,
) -> Iterator[tuple[str, Change, Mask]]:
    """The changes of one kind that count for a race at a level, with their sources and the squares they touch."""
    terrain = state.board.terrain[part]
    everywhere: Mask = np.ones(terrain.shape, dtype=np.bool_)
    sources = [(source, effect, everywhere) for source, effect in carried_effects(state, race, kind)]
    sources += [(source, effect, mask[part]) for source, effect, mask in on_squares(state, kind, features)]
    for source, effect, mask in sources:
        if (effect.levels == "all" or level.value in effect.levels) and in_force(state, race, effect):
            if any(condition.on_squares for condition in effect.conditions):
                mask = mask & squares_where(state, effect.conditions, features)[part]
            if effect.terrain is not None:
                mask = mask & of_terrain(terrain, effect.terrain)
            if effect.where is not None and effect.where != "here":
                mask = mask & _place(state, race, effect.where, features, part)
            yield source, effect, mask


def _place(state: State, race: UUID, where: str, features: Mapping[str, Mask], part: Part) -> Mask:
    """The squares of a place: coastal, city (of this race), feature:x."""
    if where == "coastal":
        return _coastal(state, part)
    nowhere: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    mask = cities_of(state, race) if where == "city" else features.get(where.removeprefix("feature:"), nowhere)
    return mask[part]


def _coastal(state: State, part: Part) -> Mask:
    """Where the coast is; of scattered squares it is looked up on the part of the map that holds them."""
    rows, columns = part
    if isinstance(rows, slice) or isinstance(columns, slice):
        return coastal(state, (rows, columns))  # type: ignore[arg-type]  # both are slices, or neither
    if not len(rows):
        return np.zeros(0, dtype=np.bool_)
    top, left = int(rows.min()), int(columns.min())
    found = coastal(state, (slice(top, int(rows.max()) + 1), slice(left, int(columns.max()) + 1)))
    return found[rows - top, columns - left]


def changes_at(
    state: State, race: UUID, kind: type[Change], terrain: str, square: Square | None
) -> Iterator[tuple[str, Change]]:
    """The changes of one kind that count for a race on a square, with their sources.

    Without a square: on this terrain anywhere, so that what asks for a place or for features does not count.
    """
    level, features = state.races[race].level, features_at(state)
    if square is not None:
        for source, effect, mask in _changes(state, race, level, kind, features):
            if mask[square]:
                yield source, effect
        return
    for source, effect in carried_effects(state, race, kind):
        counts = effect.levels == "all" or level.value in effect.levels
        anywhere = effect.where is None and all(_on_any(c, terrain) for c in effect.conditions if c.on_squares)
        if counts and anywhere and is_terrain(effect.terrain, terrain) and in_force(state, race, effect):
            yield source, effect


def _on_any(condition: Condition, terrain: str) -> bool:
    """Whether a condition about squares holds on every square of a terrain."""
    if condition.name != "terrain":
        return False
    return any(is_terrain(str(value), terrain) for value in condition.values) is not condition.negated


def is_terrain(wanted: str | None, terrain: str) -> bool:
    """Whether a terrain letter is the one wanted; `L` is any land, None all."""
    return wanted is None or wanted == terrain or (wanted == "L" and terrain in LAND)


def cuts_at(state: State, race: UUID, terrain: str, square: Square | None) -> list[Cut]:
    """The cuts that a race bears on a square; without one those of this terrain that name no squares (G2-LIM-3)."""
    return sorted(
        (
            cut
            for cut in state.cuts.values()
            if cut.race == race
            and is_terrain(cut.terrain, terrain)
            and (not cut.squares or (square is not None and square in cut.squares))
        ),
        key=lambda cut: cut.id,
    )
