"""Where an effect falls that names its scope (section 4.2 of the rulebook): squares of the map, or whole races.

A power aimed at a race has that race's squares for its target; a place (a feature, a square drawn) has who lives there
for its race.
"""

from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY
from games.engine.board.grid import Mask, border, mask_of, touching
from games.gods2.rules.geometry.adjacency import coastal, corners
from games.gods2.rules.geometry.conditions import all_hold, squares_where, terrain_mask
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Working, applies, asker

WHOLE_RACES = ("race", "all_races")
"""Scopes that name races, not squares."""


def area(state: State, working: Working, scope: str) -> Mask:
    """The squares that a scope names: target, chosen, here, adjacent, target+adjacent, coastal_plains."""
    if scope == "coastal_plains":
        shore: Mask = coastal(state) & terrain_mask(state, "P")
        return shore
    target = target_squares(state, working)
    if scope == "adjacent":
        return border(target, corners(state))
    return target | touching(target, corners(state)) if scope == "target+adjacent" else target


def target_squares(state: State, working: Working) -> Mask:
    """The target squares of a working; without any those on which its target race lives."""
    if working.squares or not working.races:
        return mask_of((state.board.height, state.board.width), working.squares)
    return state.board.own(working.races[0])


def ground(state: State, working: Working, effect: Operation, scope: str) -> Mask:
    """As `area`, where the effect's conditions about squares hold."""
    found: Mask = area(state, working, scope) & squares_where(state, effect.conditions)
    return found


def dwellers(state: State, mask: Mask) -> list[UUID]:
    """The races whose units stand on these squares, by id."""
    positions = np.unique(state.board.owner[mask])
    return sorted(state.board.peoples[p] for p in positions.tolist() if p != NOBODY)


def subjects(state: State, working: Working, scope: str) -> list[UUID]:
    """The races of a scope that names races, by id: all living ones, or the one that is aimed at."""
    if scope == "all_races" or (working.earth and not working.races):
        return [race.id for race in state.living()]
    return target_races(state, working)


def target_races(state: State, working: Working) -> list[UUID]:
    """The race that a working is aimed at, or those who live on its squares, by id."""
    return list(working.races[:1]) or dwellers(state, target_squares(state, working))


def concerned_races(state: State, working: Working, effect: Operation, scope: str) -> list[UUID]:
    """As `subjects`, where the effect's conditions hold; of those about squares one of its squares is enough."""
    return [race for race in subjects(state, working, scope) if applies(state, race, working, effect)]


def fitting(state: State, working: Working, effect: Operation, races: list[UUID]) -> list[UUID]:
    """Those of some races on which an effect's conditions about races hold."""
    return [race for race in races if all_hold(state, effect.conditions, asker(state, race, working))]
