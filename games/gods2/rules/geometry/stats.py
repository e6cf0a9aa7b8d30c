"""The numbers of a race with their sources: Aggression, Military, Diplomacy, Wealth, ranges, growth.

A number is the sum of what attributes, knowledges, level, wealth, occupied squares and cities give, then bounded.
Strength and units stand here too (G2-POP-1, G2-POP-2). Nothing here changes anything.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from games.engine.board.grid import Mask
from games.gods2.rules.geometry.adjacency import features_at, owned_cities
from games.gods2.rules.geometry.conditions import Asker, all_hold, are_met, squares_where
from games.gods2.rules.pack.filters import has
from games.gods2.rules.pack.operations import DiplomacyChoice, Grow, StatAdd, StatClamp
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.constants import (
    BARBARIAN_AGGRESSION,
    BARBARIAN_MILITARY,
    CITY_STRENGTH,
    GROWTH_PERCENT,
    START_MOVE,
    START_SEA,
    STARVED_AGGRESSION,
    WEALTH_STEP,
)
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.records import Level, Phase

if TYPE_CHECKING:
    from games.gods2.rules.state.state import State

Op = TypeVar("Op", bound=Operation)
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


BEFORE_GROWN = (Phase.OPENING, Phase.GROWTH)
EARLY = (StatAdd, StatClamp, Grow)


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


def stat(state: "State", race: UUID, name: str, role: str | None = None, war: UUID | None = None) -> Stat:
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


def _own(state: "State", race: UUID, name: str, war: UUID | None = None) -> Iterator[Part]:
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


def _parts_of_pack(state: "State", race: UUID, name: str, role: str | None, war: UUID | None = None) -> Iterator[Part]:
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


def _counts(state: "State", effect: StatAdd, name: str, asker: Asker) -> bool:
    return effect.stat == name and effect.role in (None, asker.role) and all_hold(state, effect.conditions, asker)


def _times(effect: StatAdd, squares: int, cities: int) -> int:
    """How often an effect counts: once (the default), on each square that fits, or for each city of either kind."""
    if effect.stack == "per_square":
        return squares
    return (cities if effect.stack == "per_city" else 1) if squares else 0


def _asker(state: "State", race: UUID, role: str | None = None, war: UUID | None = None) -> Asker:
    def number(name: str) -> int:
        return len(state.contacts(race)) if name == "contacts" else stat(state, race, name, war=war).value

    return Asker(race=race, number=number, role=role)


def carried_effects(state: "State", race: UUID, kind: type[Op], war: UUID | None = None) -> Iterator[tuple[str, Op]]:
    """The effects of one operation that a race has now, by attributes, knowledges and modifications, with sources.

    war: in this war; what another war has activated is left out.
    """
    record, pack = state.races[race], state.pack
    attributes, knowledges = pack.passive("attributes", kind), pack.passive("knowledges", kind)
    for key in record.attributes:
        for effect in attributes[key]:
            yield f"attribute:{key}", effect
    for key in record.knowledges:
        for effect in knowledges[key]:
            yield f"knowledge:{key}", effect
    for here, given in modification_effects(state, race, kind, war):
        yield f"modification:{here.power}", given


def modification_effects(
    state: "State", race: UUID, kind: type[Op], war: UUID | None = None
) -> Iterator[tuple[Modification, Op]]:
    """The effects of one operation that active modifications give a race, in casting order."""
    if not state.modifications:
        return
    events = (None,) if war is None else (None, war, state.wars[war].group)
    running = [m for m in state.modifications.values() if m.race == race and m.status is ModStatus.ACTIVE]
    for here in sorted(running, key=lambda m: m.place):
        for given in state.pack.powers[here.power].effects:
            if isinstance(given, kind) and _works(state, here, given) and (war is None or here.event in events):
                yield here, given


def _works(state: "State", here: Modification, effect: Operation) -> bool:
    """Whether an effect of an active modification works now.

    One that a trigger woke works for that trigger alone (G2-MOD-5). Of what begins with the century only stat values
    and growth count before all races have grown (AMB-34).
    """
    power = state.pack.powers[here.power]
    first = next((e.on for e in power.effects if e.on is not None), None)
    if here.fired is not None and (effect.on or first) != here.fired:
        return False
    if here.fired is None and effect.on is not None:
        return False
    begins = has(power.codes, "Mc") and here.century == state.era.century - 1
    return not (begins and state.era.phase in BEFORE_GROWN) or isinstance(effect, EARLY)


def on_squares(
    state: "State", kind: type[Op], features: Mapping[str, Mask] | None = None
) -> Iterator[tuple[str, Op, Mask]]:
    """The passive effects of one operation that stand on the map by features, with their squares; by kind."""
    given = state.pack.passive("features", kind)
    for key, mask in sorted((features_at(state) if features is None else features).items()):
        for effect in given[key]:
            yield f"feature:{key}", effect, mask


def in_force(state: "State", race: UUID, effect: Operation, role: str | None = None, war: UUID | None = None) -> bool:
    """Whether an effect's conditions about the race hold."""
    return all_hold(state, effect.conditions, _asker(state, race, role, war))


def works_for(state: "State", race: UUID, effect: Operation, role: str | None = None, war: UUID | None = None) -> bool:
    """Whether an effect that a race carries works for it: of conditions about squares one of its own is enough."""
    return are_met(state, effect.conditions, _asker(state, race, role, war))


def wealth_bonus(wealth: int) -> int:
    """Military and Diplomacy for wealth: one for each full 3 points (G2-WLTH-2)."""
    return max(0, wealth) // WEALTH_STEP


def growth_rate(state: "State", race: UUID) -> int:
    """Percent by which a race grows: 25 and what modifies it (G2-POP-3, G2-POP-4)."""
    given = [e.pct for _, e in carried_effects(state, race, Grow) if works_for(state, race, e)]
    return GROWTH_PERCENT + stat(state, race, "growth_pct").value + sum(given)


def strength(state: "State", race: UUID) -> int:
    """Units, 3 for each city, 6 for each great city (G2-POP-2)."""
    cities = sum(CITY_STRENGTH[city.kind] for city in owned_cities(state, race))
    return state.board.units_of(race) + cities


def diplomacy_by_nature(state: "State", race: UUID, role: str | None = None, war: UUID | None = None) -> bool | None:
    """Whether its nature makes a race try diplomacy (True) or refrain (False); None when it is free (G2-DIP-2).

    Natures that contradict each other leave it free.
    """
    given = carried_effects(state, race, DiplomacyChoice, war)
    policies = {e.policy for _, e in given if works_for(state, race, e, role, war)}
    wanted = policies & {"always", "never"}
    return None if len(wanted) != 1 else wanted == {"always"}
