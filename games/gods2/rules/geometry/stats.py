"""The numbers of a race with their sources: Aggression, Military, Diplomacy, Wealth, ranges, growth.

A number is the sum of what attributes, knowledges, level, wealth, occupied squares and cities give, then bounded.
Strength and units stand here too (G2-POP-1, G2-POP-2), and the ranges of a race with whom it is in contact: a range is
such a number, and a number may depend on contact (G2-MOVE-1 to 6).

A step into land or ice costs 1 of the Movement Range, a step into water 1 of the Sea-faring Range, in any mixture. All
own squares are starting points. Squares held by others are reached, not crossed (G2-MOVE-5); impassable ones are
neither (reached by a setting). Nothing here changes anything.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from games.engine.board import grid
from games.engine.board.board import NOBODY, Window
from games.engine.board.grid import Mask
from games.gods2.rules.geometry.adjacency import WHOLE_MAP, corners, features_at, owned_cities
from games.gods2.rules.geometry.carried_effects import carried_effects, on_squares
from games.gods2.rules.geometry.conditions import Asker, all_hold, are_met, squares_where
from games.gods2.rules.pack.operations import DiplomacyChoice, Grow, Passable, StatAdd, StatClamp
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.constants import (
    BARBARIAN_AGGRESSION,
    BARBARIAN_MILITARY,
    CITY_STRENGTH,
    GROWTH_PERCENT,
    START_MOVE,
    START_SEA,
    STARVED_AGGRESSION,
    WATER,
    WEALTH_STEP,
)
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State

RULES: Mapping[str, str] = {
    "aggression": "G2-AGG-1",
    "military": "G2-MIL-1",
    "diplomacy": "G2-DIP-1",
    "wealth": "G2-WLTH-1",
    "move": "G2-MOVE-1",
    "sea": "G2-MOVE-1",
    "growth_pct": "G2-POP-4",
    "growth_flat": "G2-POP-4",
}


@dataclass(frozen=True, slots=True)
class Part:
    """What one source adds to a number. source: `attribute:warlike`, `level:barbarian`, `feature:earthworks` ..."""

    source: str
    rule: str
    amount: int
    bound: bool = False
    """Whether it is what a bound lets in or takes away."""


@dataclass(frozen=True, slots=True)
class Stat:
    """A number and where it comes from; the parts add up to the value."""

    value: int
    parts: tuple[Part, ...]


def stat(state: State, race: UUID, name: str, role: str | None = None, war: UUID | None = None) -> Stat:
    """One number of a race.

    name: aggression, military, diplomacy, wealth, move, sea, growth_pct (points above the 25 %), growth_flat.
    role: attacker or defender; without it parts that are marked for a role do not count (G2-MIL-2).
    war: in this war; what another war has activated does not count (G2-MOD-5).
    """
    parts = [*_own(state, race, name, war), *_parts_of_pack(state, race, name, role, war)]
    value = sum(p.amount for p in parts)
    for source, clamp in carried_effects(state, race, StatClamp, war):
        if clamp.stat == name and works_for(state, race, clamp, role, war):
            bounded = value if clamp.max is None else min(value, clamp.max)
            bounded = bounded if clamp.min is None else max(bounded, clamp.min)
            if bounded != value:
                parts.append(Part(source, RULES[name], bounded - value, bound=True))
                value = bounded
    if name in ("wealth", "move", "sea") and value < 0:
        parts.append(Part("never below 0", RULES[name], -value, bound=True))
        value = 0
    return Stat(value, tuple(parts))


def _own(state: State, race: UUID, name: str, war: UUID | None = None) -> Iterator[Part]:
    """What level, starvation, cities and wealth give by the rules themselves."""
    record = state.races[race]
    barbarian = record.level is Level.BARBARIAN
    if name == "move":
        yield Part("start", "G2-MOVE-1", START_MOVE)
    elif name == "sea":
        yield Part("start", "G2-MOVE-1", START_SEA)
    elif name == "aggression":
        if barbarian:
            yield Part("level:barbarian", "G2-LVL-3", BARBARIAN_AGGRESSION)
        if record.starved:
            yield Part("starved", "G2-AGG-2", STARVED_AGGRESSION)
    elif name == "wealth":
        if cities := len(owned_cities(state, race)):
            yield Part("cities", "G2-CITY-2", cities)
    elif name in ("military", "diplomacy"):
        if barbarian and name == "military":
            yield Part("level:barbarian", "G2-LVL-3", BARBARIAN_MILITARY)
        if bonus := wealth_bonus(stat(state, race, "wealth", war=war).value):
            yield Part("wealth", "G2-WLTH-2", bonus)


def _parts_of_pack(state: State, race: UUID, name: str, role: str | None, war: UUID | None = None) -> Iterator[Part]:
    """What the pack's effects give: attributes, knowledges, features of occupied squares."""
    asker, features, window = _asker(state, race, role, war), features_at(state), state.board.window(race)
    own = state.board.own_in(race, window)
    cities = len(owned_cities(state, race))
    for source, effect in carried_effects(state, race, StatAdd, war):
        if _counts(state, effect, name, asker):
            there = own
            if not _everywhere(effect):
                there = own & squares_where(state, effect.conditions, features)[window]
            where = not _everywhere(effect) or effect.stack == "per_square"
            if times := _times(effect, int(there.sum()) if where else 1, cities):
                yield Part(source, RULES[name], effect.amount * times)
    for source, effect, mask in on_squares(state, StatAdd, features):
        if _counts(state, effect, name, asker):
            there = own & mask[window]
            if not _everywhere(effect):
                there &= squares_where(state, effect.conditions, features)[window]
            if times := _times(effect, int(there.sum()), cities if there.any() else 0):
                yield Part(source, RULES[name], effect.amount * times)


def _everywhere(effect: Operation) -> bool:
    """Whether an effect asks nothing of squares."""
    return not any(condition.on_squares for condition in effect.conditions)


def _counts(state: State, effect: StatAdd, name: str, asker: Asker) -> bool:
    return effect.stat == name and effect.role in (None, asker.role) and all_hold(state, effect.conditions, asker)


def _times(effect: StatAdd, squares: int, cities: int) -> int:
    """How often an effect counts: once (the default), on each square that fits, or for each city of either kind."""
    if effect.stack == "per_square":
        return squares
    return (cities if effect.stack == "per_city" else 1) if squares else 0


def _asker(state: State, race: UUID, role: str | None = None, war: UUID | None = None) -> Asker:
    def number(name: str) -> int:
        return len(contacts(state, race)) if name == "contacts" else stat(state, race, name, war=war).value

    return Asker(race=race, number=number, role=role)


def in_force(state: State, race: UUID, effect: Operation, role: str | None = None, war: UUID | None = None) -> bool:
    """Whether an effect's conditions about the race hold."""
    return all_hold(state, effect.conditions, _asker(state, race, role, war))


def works_for(state: State, race: UUID, effect: Operation, role: str | None = None, war: UUID | None = None) -> bool:
    """Whether an effect that a race carries works for it: of conditions about squares one of its own is enough."""
    return are_met(state, effect.conditions, _asker(state, race, role, war))


def wealth_bonus(wealth: int) -> int:
    """Military and Diplomacy for wealth: one for each full 3 points (G2-WLTH-2)."""
    return max(0, wealth) // WEALTH_STEP


def growth_rate(state: State, race: UUID) -> int:
    """Percent by which a race grows: 25 and what modifies it (G2-POP-3, G2-POP-4)."""
    given = [e.pct for _, e in carried_effects(state, race, Grow) if works_for(state, race, e)]
    return GROWTH_PERCENT + stat(state, race, "growth_pct").value + sum(given)


def strength(state: State, race: UUID) -> int:
    """Units, 3 for each city, 6 for each great city (G2-POP-2)."""
    cities = sum(CITY_STRENGTH[city.kind] for city in owned_cities(state, race))
    return state.board.units_of(race) + cities


def diplomacy_by_nature(state: State, race: UUID, role: str | None = None, war: UUID | None = None) -> bool | None:
    """Whether its nature makes a race try diplomacy (True) or refrain (False); None when it is free (G2-DIP-2).

    Natures that contradict each other leave it free.
    """
    given = carried_effects(state, race, DiplomacyChoice, war)
    policies = {e.policy for _, e in given if works_for(state, race, e, role, war)}
    wanted = policies & {"always", "never"}
    return None if len(wanted) != 1 else wanted == {"always"}


def enterable(state: State, race: UUID, window: Window = WHOLE_MAP) -> Mask:
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


def bordering(state: State, race: UUID, start: Mask | None = None) -> tuple[Window, Mask]:
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


def contacts(state: State, race: UUID) -> list[UUID]:
    """The races with which a race is in contact, by id: their units stand on squares that border it (MOVE-6)."""
    window, near = bordering(state, race)
    positions = np.unique(state.board.owner[window][near])
    return sorted(state.board.peoples[p] for p in positions.tolist() if p != NOBODY)
