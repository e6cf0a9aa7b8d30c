"""What a war would do (AMB-37): the plan of its losses, vacated squares, retreat and moving in, before it happens.

The same plan is what happens: `war.rules` carries it out. It is worked out on a copy of the map, so nothing is changed
here and nothing is rolled. A forecast knows the modifiers of its moment, without what a declaration would yet wake.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from uuid import UUID

from games.engine.board.board import Square
from games.engine.wording import quantity
from games.gods2.rules.declarations.groups import Forces, combined_wars, forces
from games.gods2.rules.geometry.adjacency import owned_cities
from games.gods2.rules.geometry.placement import Units
from games.gods2.rules.geometry.reach import reach
from games.gods2.rules.geometry.stats import diplomacy_by_nature, stat
from games.gods2.rules.state.records import DiplomacyPolicy, Level, War
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.war.battle import (
    Footing,
    Forecast,
    Ways,
    averts,
    casualties,
    fears,
    footing,
    outcome,
    retreat,
    settlers,
    vacated_squares,
)

FACES = 6


@dataclass(frozen=True, slots=True)
class Plan:
    """What one war does to the map, in its order."""

    expected: Forecast
    dead: Mapping[UUID, Units]
    gone: tuple[Square, ...] = ()
    """The squares that the loser vacates, in their order (G2-WAR-9)."""
    ways: Ways = field(default_factory=dict)
    """Retreat of those left there."""
    starved: Units = field(default_factory=dict)
    taking: Ways = field(default_factory=dict)
    """The winner's units that move in."""

    @property
    def winner(self) -> UUID | None:
        """The side that has not lost, if one has."""
        one, other = self.expected.attacker.race, self.expected.defender.race
        return {one: other, other: one}.get(self.expected.loser) if self.expected.loser else None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A war as it would end if it were fought now: exact, but for the dice of diplomacy and of cities."""

    plan: Plan
    cities: tuple[UUID, ...]
    """Cities of the loser on squares that it vacates."""
    trying: tuple[UUID, ...]
    """The sides that would try diplomacy, the defender first."""
    averted: int
    """In how many of 36 equally likely cases diplomacy averts it."""


def plan_of(
    state: State,
    expected: Forecast,
    *,
    dead: Mapping[UUID, Units] | None = None,
    gone: Sequence[Square] | None = None,
) -> Plan:
    """The plan of a war: who dies where, which squares go, who retreats and who moves in (G2-WAR-8 to 12).

    dead, gone: as a GM wants them; by the rules where absent.
    """
    sides = (expected.attacker.race, expected.defender.race)
    before = {race: Standing.now(state.board, race) for race in sides}
    if dead is None:
        dead = {
            race: casualties(before[race], before[enemy], expected.side(race).losses)
            for race, enemy in (sides, sides[::-1])
        }
    if expected.loser is None or not expected.squares:
        return Plan(expected, dead)
    loser, winner = expected.loser, sides[1] if expected.loser == sides[0] else sides[0]
    after = on_own_map(state)
    bury(after, dead)
    if gone is None:
        gone = vacated_squares(after, before[loser], dead[loser], before[winner], expected.squares)
    ways, starved = retreat(after, loser, gone)
    leave(after, loser, gone, ways)
    moving = state.races[winner].level is not Level.PRIMITIVE
    taking = settlers(after, winner, gone, before[winner], reach(state, winner)) if moving else {}
    return Plan(expected, dead, tuple(gone), ways, starved, taking)


def bury(state: State, dead: Mapping[UUID, Units]) -> None:
    """Take the dead off the map of a forecast."""
    for race, losses in dead.items():
        fallen = Standing.of(losses)
        left = state.board.units[fallen.rows, fallen.columns] - fallen.units
        state.board.put_many(fallen.rows, fallen.columns, race, left)


def leave(state: State, loser: UUID, gone: Sequence[Square], ways: Ways) -> None:
    """Let the loser leave squares of the map of a forecast; units without a way out starve."""
    left = Standing.of(gone)
    state.board.put_many(left.rows, left.columns, None, left.units)
    coming: Units = {}
    for (_, refuge), units in ways.items():
        coming[refuge] = coming.get(refuge, 0) + units
    there = Standing.of(coming)
    stand = state.board.units[there.rows, there.columns] + there.units
    state.board.put_many(there.rows, there.columns, loser, stand)


def on_own_map(state: State) -> State:
    """The same state on a map of its own: changing that map changes nothing that is."""
    twin = copy(state)
    twin.board = state.board.copy()
    return twin


def forecast_of(state: State, attacker: UUID, defender: UUID, war: UUID | None = None) -> Foreseen:
    """How a war between two races would end now; of a declared one with what it has activated.

    A declared war of a combined one is forecast with its part of the strength (G2-DIP-3).
    """
    if war is None:
        one, other = footing(state, attacker, "attacker"), footing(state, defender, "defender")
    else:
        found = state.wars[war]
        one, other = footings(state, found, forces(state, combined_wars(state, found)).get(war))
    plan = plan_of(state, outcome(state, one, other))
    places = {city.square: city.id for city in owned_cities(state, plan.expected.loser)} if plan.expected.loser else {}
    trying, fails = [], 1
    for race, enemy, role in ((defender, attacker, "defender"), (attacker, defender, "attacker")):
        tries = wants_diplomacy(state, race, role, plan.expected, war)
        if tries:
            trying.append(race)
            fails *= FACES - faces_that_avert(state, race, enemy, role, war)
        else:
            fails *= FACES
    cities = tuple(places[square] for square in plan.gone if square in places)
    return Foreseen(plan, cities, tuple(trying), FACES * FACES - fails)


def footings(state: State, war: War, split: Forces | None = None) -> tuple[Footing, Footing]:
    """The numbers of both sides of a declared war, the attacker first. split: with how much a race fights this one."""
    split = split or {}
    return (
        footing(state, war.attacker, "attacker", war.id, split.get(war.attacker)),
        footing(state, war.defender, "defender", war.id, split.get(war.defender)),
    )


def wants_diplomacy(state: State, race: UUID, role: str, expected: Forecast, war: UUID | None) -> bool:
    """Whether a side tries diplomacy: by its nature, else by the GM's word, else by what it fears (G2-DIP-2, DIP-3)."""
    forced = diplomacy_by_nature(state, race, role, war)
    if forced is not None:
        return forced
    chosen = state.policies.get((war, race)) if war is not None else None
    if chosen is not None and chosen.policy is not DiplomacyPolicy.AUTO:
        return chosen.policy is DiplomacyPolicy.TRY
    return fears(expected.side(race).losses, state.board.units_of(race))


def faces_that_avert(state: State, race: UUID, enemy: UUID, role: str, war: UUID | None) -> int:
    """How many faces of the die avert the war for a side (G2-DIP-4)."""
    diplomacy = stat(state, race, "diplomacy", role, war).value
    aggression = stat(state, enemy, "aggression", war=war).value
    return sum(averts(die, diplomacy, aggression) for die in range(1, FACES + 1))


def forecast_sentence(state: State, foreseen: Foreseen) -> str:
    """A forecast in one sentence, for the legal commands."""
    expected = foreseen.plan.expected
    sides = [
        f"{state.races[s.race].name} {s.percent}%, lose {s.losses}" for s in (expected.attacker, expected.defender)
    ]
    lost = "nobody loses"
    if expected.loser is not None:
        lost = f"{state.races[expected.loser].name} lose and vacate {quantity(len(foreseen.plan.gone), 'square')}"
        lost += f" with {len(foreseen.cities)} city" if len(foreseen.cities) == 1 else ""
        lost += f" with {len(foreseen.cities)} cities" if len(foreseen.cities) > 1 else ""
    who = ", ".join(state.races[race].name for race in foreseen.trying)
    peace = f"{who} would try diplomacy ({foreseen.averted} of 36 avert it)" if who else "nobody would try diplomacy"
    return f"{'; '.join(sides)}; {lost}; {peace}."
