"""How a war is fought (G2-WAR-18): lapse, modifiers, diplomacy, losses, vacated squares, retreat, moving in, cities.

Wars that are combined are fought as one: what they wake and their diplomacy first, then each in the order of its
declaration with the numbers from before it, and settling once at the end (G2-WAR-17). The dice are those of diplomacy
and one for each city that a civilized winner takes.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from games.engine.board.board import Square
from games.engine.kernel import Context, Event
from games.engine.wording import quantity
from games.gods2.rules.artifacts.rules import pass_on_from_city
from games.gods2.rules.cascade.aftermath import run_and_settle, settle_races
from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.cities.rules import destroy_city
from games.gods2.rules.declarations.events import name_of
from games.gods2.rules.declarations.gm_prompts import close_war_questions
from games.gods2.rules.declarations.groups import combined_wars, forces
from games.gods2.rules.effects.triggers import at_die, fire_trigger, run_with_triggers
from games.gods2.rules.geometry.adjacency import owned_cities
from games.gods2.rules.geometry.reach import in_contact
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.mana.events import WAR
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.state.records import Level, War, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, held_units, moves, places
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from games.gods2.rules.units.rules import anger
from games.gods2.rules.war.battle import Footing, averts, outcome, razes
from games.gods2.rules.war.events import (
    CityFell,
    DiplomacyTried,
    SquaresTaken,
    SquaresVacated,
    UnitsRetreated,
    WarAverted,
    WarFought,
)
from games.gods2.rules.war.forecast import Plan, footings, plan_of, wants_diplomacy
from games.gods2.rules.workings.modifications import war_over

Steps = Iterator[Event]


@dataclass(frozen=True, slots=True)
class Pair:
    """One war of those that are fought together, with the numbers from before all of them (G2-WAR-17)."""

    war: UUID
    attacker: Footing
    defender: Footing


def fight(state: State, ctx: Context, war: UUID) -> Steps:
    """Fight a declared war, and those it is combined with, to their end: lapsed, averted, or fought and settled."""
    pairs = yield from open_fighting(state, ctx, war)
    for pair in pairs:
        yield from battle(state, ctx, pair)
    yield from conclude_wars(state, ctx, [pair.war for pair in pairs])


def open_fighting(state: State, ctx: Context, war: UUID) -> Generator[Event, None, list[Pair]]:
    """What comes before the fighting: lapse, what the war wakes, diplomacy. The wars that are then fought."""
    wars = combined_wars(state, state.wars[war])
    occasion = occasion_of(wars[0])
    for each in wars:
        yield from close_war_questions(state, ctx, each.id)
    yield from _lapse_wars(state, wars)
    wars = _standing(state, wars)
    sides = sides_of(wars)
    triggered = chain.from_iterable(fire_trigger(state, ctx, race, "war_fought", war=occasion) for race in sides)
    yield from run_and_settle(state, ctx, triggered, WAR, sides)
    wars = _standing(state, wars)
    shares = forces(state, wars)
    for each in wars:
        yield from _diplomacy(state, ctx, each, Pair(each.id, *footings(state, each, shares.get(each.id))))
    fought = _standing(state, wars)
    shares = forces(state, fought)
    for each in wars:
        if each not in fought:
            yield from war_over(state, each.id)
    if not fought:
        yield from war_over(state, occasion)
    return [Pair(each.id, *footings(state, each, shares.get(each.id))) for each in fought]


def sides_of(wars: Sequence[War]) -> list[UUID]:
    """Both sides of each war, each race once."""
    return list(dict.fromkeys(race for war in wars for race in (war.attacker, war.defender)))


def occasion_of(war: War) -> UUID:
    """What a war's length means for what it wakes: the combined war, or the war itself."""
    return war.group or war.id


def _standing(state: State, wars: Sequence[War]) -> list[War]:
    return [state.wars[w.id] for w in wars if state.wars[w.id].status is WarStatus.DECLARED]


def _lapse_wars(state: State, wars: Sequence[War]) -> Steps:
    for war in wars:
        if reason := lapse_of(state, war):
            yield WarLapsed(war=war.id, reason=reason)
            yield from war_over(state, war.id)


def lapse_of(state: State, war: War) -> str:
    """Why a war cannot be fought any more; "" when it can (G2-WAR-1, AMB-9)."""
    for race in (war.attacker, war.defender):
        if state.races[race].extinct:
            return f"{state.races[race].name} are extinct"
    return "" if in_contact(state, war.attacker, war.defender) else "neither side reaches the other"


def _diplomacy(state: State, ctx: Context, war: War, pair: Pair) -> Steps:
    """Both sides try to avert a war or refrain, the defender first (G2-DIP-2 to 4)."""
    expected = outcome(state, pair.attacker, pair.defender)
    for race, enemy, role in ((war.defender, war.attacker, "defender"), (war.attacker, war.defender, "attacker")):
        if not wants_diplomacy(state, race, role, expected, war.id):
            continue
        awake = yield from at_die(state, ctx, race, "diplomacy_used", role=role, war=war.id)
        diplomacy = stat(state, race, "diplomacy", role, war.id).value
        aggression = stat(state, enemy, "aggression", war=war.id).value
        yield from awake.over(state)
        die = awake.throw(ctx, f"war:{war.id}/diplomacy/{role}", 6, "G2-DIP-4")
        averted = averts(die, diplomacy, aggression)
        yield DiplomacyTried(war=war.id, race=race, diplomacy=diplomacy, aggression=aggression, yes=averted)
        if averted:
            yield WarAverted(war=war.id, race=race)
            yield from count_event(state, "wars_averted")
            yield from _record_war(state, ctx, war.id, f"{state.races[race].name} avert it by diplomacy")
            return


def battle(state: State, ctx: Context, pair: Pair, plan: Plan | None = None) -> Steps:
    """Fight one war by its plan, the one of the rules unless a GM has made another."""
    if state.wars[pair.war].status is WarStatus.DECLARED:
        plan = plan or plan_of(state, outcome(state, pair.attacker, pair.defender))
        yield from run_with_triggers(state, ctx, _carry_out_plan(state, ctx, pair.war, plan))


def _carry_out_plan(state: State, ctx: Context, war: UUID, plan: Plan) -> Steps:
    expected, loser, winner = plan.expected, plan.expected.loser, plan.winner
    sides = (expected.attacker, expected.defender)
    yield WarFought(war=war, sides=sides, race=loser, count=expected.squares)
    for side in sides:
        if side.losses:
            yield UnitsDied(
                race=side.race, losses=held_units(plan.dead[side.race]), counted=side.losses, units=side.losses, box=WAR
            )
    if loser is not None and winner is not None and plan.gone:
        yield SquaresVacated(war=war, race=loser, squares=places(plan.gone))
        if plan.ways:
            yield UnitsRetreated(war=war, race=loser, moves=moves(plan.ways))
        if plan.starved:
            units = sum(plan.starved.values())
            yield UnitsStarved(
                race=loser, losses=held_units(plan.starved), units=units, aggression=anger(state), cause=WAR
            )
        if plan.taking:
            yield SquaresTaken(war=war, race=winner, moves=moves(plan.taking))
        yield from _cities(state, ctx, war, plan, loser, winner)
    yield from count_event(state, "war_fought")


def _cities(state: State, ctx: Context, war: UUID, plan: Plan, loser: UUID, winner: UUID) -> Steps:
    """Cities on vacated squares fall or burn (G2-WAR-13, G2-WAR-14)."""
    taken = {to for _, to in plan.taking}
    cities = {city.square: city for city in owned_cities(state, loser)}
    for square in (s for s in plan.gone if s in cities):
        city = cities[square]
        if state.races[winner].level is Level.CIVILIZED and square in taken:
            awake = yield from at_die(state, ctx, winner, war=war)
            aggression = stat(state, winner, "aggression", war=war).value
            yield from awake.over(state)
            die = awake.throw(ctx, f"war:{war}/city/{city.id}", 6, "G2-WAR-14")
            if not razes(die, aggression):
                yield CityFell(city=city.id, race=winner, square=Place.of(square), war=war, kind=city.kind)
                yield from pass_on_from_city(state, city, winner)
                continue
        yield from destroy_city(state, city, WAR, winner)


def conclude_wars(state: State, ctx: Context, wars: Sequence[UUID]) -> Steps:
    """What follows from wars that were fought together: settling, what victory and defeat wake, the record."""
    fought = [state.wars[war] for war in wars if state.wars[war].status is WarStatus.FOUGHT]
    sides = sides_of(fought)
    if sides:
        yield from settle_races(state, ctx, WAR, sides)
        triggered = chain.from_iterable(_wake_by_outcome(state, ctx, war) for war in fought)
        yield from run_and_settle(state, ctx, triggered, WAR, sides)
    for war_id in wars:
        yield from war_over(state, war_id)
        yield from war_over(state, occasion_of(state.wars[war_id]))
    for war in fought:
        yield from _record_war(state, ctx, war.id, _outcome(state, war), war.vacated)


def _wake_by_outcome(state: State, ctx: Context, war: War) -> Steps:
    """Wake what waited for a victory or a defeat."""
    for race, enemy in ((war.attacker, war.defender), (war.defender, war.attacker)):
        trigger = {race: "war_lost", enemy: "war_won"}.get(war.loser) if war.loser is not None else None
        if trigger is not None and not state.races[race].extinct:
            yield from fire_trigger(state, ctx, race, trigger)


def _outcome(state: State, war: War) -> str:
    one, other = state.races[war.attacker].name, state.races[war.defender].name
    losses = f"{one} lose {quantity(war.attacker_lost, 'unit')}, {other} {war.defender_lost}"
    if war.loser is None:
        return f"{losses}; nobody has lost"
    return f"{losses}; {state.races[war.loser].name} have lost and vacate {quantity(len(war.vacated), 'square')}"


def _record_war(state: State, ctx: Context, war_id: UUID, outcome: str, squares: Sequence[Square] = ()) -> Steps:
    war = state.wars[war_id]
    against = f"{state.races[war.attacker].name} against {state.races[war.defender].name}"
    text = f"{name_of(state, war_id)}, {against}: {outcome}."
    yield from enter_history(state, ctx, kind=WAR, cause=war.kind.value, words=text, squares=squares, war=war_id)
