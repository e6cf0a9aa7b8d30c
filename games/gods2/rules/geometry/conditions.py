"""Conditions of effects (section 4.2 of the rulebook): some are tested on squares, the others on a race.

All must hold; a list of values means one of them; `not_` turns a condition round.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.engine.board.grid import Mask, touching
from games.gods2.rules.geometry.adjacency import IS_LAND, coastal, corners, features_at, owned_cities
from games.gods2.rules.pack.schema_types import Condition
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.state import State


@dataclass(frozen=True, slots=True)
class Asker:
    """On whom a condition is tested, and how it learns numbers that other chapters know."""

    race: UUID
    number: Callable[[str], int]
    """`wealth`, `aggression`, `contacts` of the race."""
    role: str | None = None
    caster: UUID | None = None


def squares_where(state: State, conditions: Iterable[Condition], features: Mapping[str, Mask] | None = None) -> Mask:
    """The squares on which every condition about squares holds. features: those of `features_at`, if at hand."""
    mask: Mask = np.ones((state.board.height, state.board.width), dtype=np.bool_)
    for condition in conditions:
        if condition.on_squares:
            one = _one_of(state, condition, features_at(state) if features is None else features)
            mask &= ~one if condition.negated else one
    return mask


def _one_of(state: State, condition: Condition, features: Mapping[str, Mask]) -> Mask:
    found: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    for value in condition.values:
        found |= _squares(state, condition.name, value, features)
    return found


def _squares(state: State, name: str, value: object, features: Mapping[str, Mask]) -> Mask:
    """The squares on which one condition holds for one value."""
    nowhere: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    if name == "coastal":
        return coastal(state) if value else ~coastal(state)
    if name == "populated":
        there: Mask = state.board.units > 0
        return there if value else ~there
    if name == "feature":
        return features.get(str(value), nowhere)
    of_kind = terrain_mask(state, str(value)) if str(value) in (*TERRAINS, "L") else features.get(str(value), nowhere)
    if name == "terrain":
        return of_kind
    beside = pole(state) if value == "pole" else touching(of_kind, corners(state))
    return beside if name == "beside" else beside | of_kind


def terrain_mask(state: State, terrain: str) -> Mask:
    """The squares of a terrain letter; `L` is any land."""
    return of_terrain(state.board.terrain, terrain)


def of_terrain(ground: NDArray[np.int8], terrain: str) -> Mask:
    """Where this ground is of a terrain letter; `L` is any land."""
    found: Mask = IS_LAND[ground] if terrain == "L" else ground == TERRAINS.index(terrain)
    return found


def pole(state: State) -> Mask:
    """The row of the cold pole (G2-MAP-3)."""
    mask: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    if state.board.height:
        mask[0 if options_of(state).cold_pole == "north" else -1] = True
    return mask


def holds(state: State, condition: Condition, asker: Asker) -> bool:
    """Whether a condition about a race holds for one of its values."""
    return any(_true(state, condition.name, value, asker) for value in condition.values) is not condition.negated


def all_hold(state: State, conditions: Iterable[Condition], asker: Asker) -> bool:
    """Whether every condition about the race holds; those about squares are tested elsewhere."""
    return all(holds(state, c, asker) for c in conditions if not c.on_squares)


def are_met(state: State, conditions: Iterable[Condition], asker: Asker) -> bool:
    """Whether every condition holds for a race: of those about squares one of its squares is enough (section 4.1)."""
    asked = tuple(conditions)
    if not all_hold(state, asked, asker):
        return False
    if not any(condition.on_squares for condition in asked):
        return True
    return bool((state.board.own(asker.race) & squares_where(state, asked)).any())


def believes(state: State, race: UUID, member: str) -> bool:
    """Whether a pantheon has a member: diabolism, atheism, a god by the seat's id or by name."""
    names = {god.name.casefold(): str(god.id) for god in state.gods.values()}
    held = state.pantheon(race)
    return member in held or names.get(member.casefold()) in held


def _true(state: State, name: str, value: str | int | bool, asker: Asker) -> bool:
    race, board = state.races[asker.race], state.board
    match name:
        case "knows":
            return value in race.knowledges
        case "lacks":
            return value not in race.knowledges
        case "attr":
            return value in race.attributes
        case "level":
            return race.level == value
        case "role":
            return asker.role == value
        case "in_turmoil":
            return race.turmoil is bool(value)
        case "member":
            return believes(state, race.id, str(value))
        case "worships":
            return believes(state, race.id, str(asker.caster) if value == "caster" else str(value))
        case "caster_in_pantheon":
            return (str(asker.caster) in state.pantheon(race.id)) is bool(value)
        case "has_city":
            return bool(owned_cities(state, race.id)) is bool(value)
        case "contact":
            return (asker.number("contacts") > 0) is bool(value)
        case "cities_gte":
            return len(owned_cities(state, race.id)) >= int(value)
        case "squares_gte":
            return int(board.own(race.id).sum()) >= int(value)
        case "units_gte":
            return board.units_of(race.id) >= int(value)
        case "century_gte":
            return state.era.century >= int(value)
        case "wealth_gte" | "aggression_gte":
            return asker.number(name.removesuffix("_gte")) >= int(value)
    raise ValueError(f"there is no condition {name}")
