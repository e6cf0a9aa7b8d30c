"""Ranges: which squares a race reaches, which of them border it, and with whom it is in contact (G2-MOVE-1 to 9).

A step into land or ice costs 1 of the Movement Range, a step into water 1 of the Sea-faring Range, in any mixture. All
own squares are starting points. Squares held by others are reached, not crossed (G2-MOVE-5); impassable ones are
neither (reached by a setting). Reach is computed once at the start of an operation.
"""

from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from games.engine.board import grid
from games.engine.board.board import NOBODY, Window
from games.engine.board.grid import Mask
from games.gods2.rules.geometry.adjacency import corners, features_at
from games.gods2.rules.geometry.conditions import squares_where
from games.gods2.rules.geometry.limits import WHOLE_MAP, limits
from games.gods2.rules.geometry.stats import carried_effects, in_force, on_squares, stat, works_for
from games.gods2.rules.pack.operations import Passable
from games.gods2.rules.state.constants import WATER
from games.gods2.rules.state.options import options_of

if TYPE_CHECKING:
    from games.gods2.rules.state.state import State


def enterable(state: "State", race: UUID, window: Window = WHOLE_MAP) -> Mask:
    """The squares of a part of the map that a race may enter and cross (G2-MOVE-4): a yes beats a no."""
    record = state.races[race]
    features = {key: mask[window] for key, mask in features_at(state).items()}
    barred: Mask = np.zeros(state.board.terrain[window].shape, dtype=np.bool_)
    allowed = barred.copy()
    for _, own in carried_effects(state, race, Passable):
        if own.what in features and own.for_ in ("race", "all") and works_for(state, race, own):
            (allowed if own.allow else barred)[features[own.what]] = True
    for _, effect, mask in on_squares(state, Passable, features):
        concerned = effect.for_ == "all" or (
            effect.for_.startswith("not:") and effect.for_.removeprefix("not:") not in record.attributes
        )
        if concerned and in_force(state, race, effect):
            there = mask & features.get(effect.what, mask)
            if any(condition.on_squares for condition in effect.conditions):
                there &= squares_where(state, effect.conditions)[window]
            (allowed if effect.allow else barred)[there] = True
    open_to: Mask = allowed | ~barred
    return open_to


def reach(state: "State", race: UUID, start: Mask | None = None) -> Mask:
    """The squares that a race reaches, without its own (G2-MOVE-2, G2-MOVE-3): they border it.

    start: the squares to start from, all own ones by default (G2-MOVE-9).
    """
    window, near = bordering(state, race, start)
    found: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    found[window] = near
    return found


def bordering(state: "State", race: UUID, start: Mask | None = None) -> tuple[Window, Mask]:
    """The same as `reach`, within a part of the map that holds all of it."""
    move, sea = stat(state, race, "move").value, stat(state, race, "sea").value
    window = state.board.window(race, max(0, move) + max(0, sea)) if start is None else WHOLE_MAP
    own, free = state.board.own_in(race, window), state.board.owner[window] == NOBODY
    passable = enterable(state, race, window)
    held = options_of(state).impassable_held  # AMB-69: entered and held, still not crossed
    found: Mask = grid.reach(
        own if start is None else start,
        water=state.board.terrain[window] == WATER,
        enterable=np.ones_like(passable) if held else passable,
        crossable=(free | own) & passable,
        land_range=move,
        sea_range=sea,
        diagonal=corners(state),
    )
    return window, found & ~own


def free_border(state: "State", race: UUID) -> Mask:
    """The free squares that border a race and can hold a unit of it (G2-GROW-2)."""
    window, near = bordering(state, race)
    found: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    found[window] = near & (state.board.owner[window] == NOBODY) & (limits(state, race, part=window) > 0)
    return found


def contacts(state: "State", race: UUID) -> list[UUID]:
    """The races with which a race is in contact, by id: their units stand on squares that border it (MOVE-6)."""
    window, near = bordering(state, race)
    positions = np.unique(state.board.owner[window][near])
    return sorted(state.board.peoples[p] for p in positions.tolist() if p != NOBODY)


def in_contact(state: "State", race: UUID, other: UUID) -> bool:
    """Whether either race is in contact with the other (G2-WAR-1, AMB-9)."""
    return other in contacts(state, race) or race in contacts(state, other)
