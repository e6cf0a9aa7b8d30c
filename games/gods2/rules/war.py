"""How one war is fought (G2-WAR-18): lapse, diplomacy, losses, vacated squares, retreat, moving in, cities, settling.

Both sides' losses come from the numbers before the war and are removed together. The dice are those of diplomacy and
one for each city that a civilized winner takes.
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.board import Square
from games.engine.kernel import Context, Event
from games.gods2.rules.battle import (
    Forecast,
    averts,
    casualties,
    fears,
    forecast,
    razes,
    retreat,
    settlers,
    vacated,
)
from games.gods2.rules.cities import cities_owned, city_destroyed
from games.gods2.rules.fields import Place, held, moves, places
from games.gods2.rules.ground import units_by_square
from games.gods2.rules.history import entered
from games.gods2.rules.placing import Units
from games.gods2.rules.posting import name_of
from games.gods2.rules.ranges import in_contact
from games.gods2.rules.records import DiplomacyPolicy, Level, War
from games.gods2.rules.settling import WarLapsed, settle
from games.gods2.rules.state import State
from games.gods2.rules.stats import forced_diplomacy, stat
from games.gods2.rules.units import UnitsDied, UnitsStarved
from games.gods2.rules.war_events import (
    CityFell,
    DiplomacyTried,
    SquaresTaken,
    SquaresVacated,
    UnitsRetreated,
    WarAverted,
    WarFought,
)
from games.gods2.rules.worksheet import WAR, counted


def fight(state: State, ctx: Context, war: UUID) -> Iterator[Event]:
    """Fight a declared war to its end: lapsed, averted, or fought and settled."""
    found = state.wars[war]
    if reason := lapse_of(state, found):
        yield WarLapsed(war=war, reason=reason)
        return
    expected = forecast(state, found.attacker, found.defender)
    for race, enemy, role in (
        (found.defender, found.attacker, "defender"),
        (found.attacker, found.defender, "attacker"),
    ):
        if tries_diplomacy(state, found, race, expected):
            diplomacy = stat(state, race, "diplomacy", role).value
            aggression = stat(state, enemy, "aggression").value
            die = ctx.tray.roll(f"war:{war}/diplomacy/{role}", 6, "G2-DIP-4")
            averted = averts(die, diplomacy, aggression)
            yield DiplomacyTried(war=war, race=race, diplomacy=diplomacy, aggression=aggression, yes=averted)
            if averted:
                yield WarAverted(war=war, race=race)
                yield from counted(state, "wars_averted")
                yield from _recorded(state, ctx, found, f"{state.races[race].name} avert it by diplomacy", ())
                return
    yield from _battle(state, ctx, found, expected)


def lapse_of(state: State, war: War) -> str:
    """Why a war cannot be fought any more; "" when it can (G2-WAR-1, AMB-9)."""
    for race in (war.attacker, war.defender):
        if state.races[race].extinct:
            return f"{state.races[race].name} are extinct"
    return "" if in_contact(state, war.attacker, war.defender) else "neither side reaches the other"


def tries_diplomacy(state: State, war: War, race: UUID, expected: Forecast) -> bool:
    """Whether a side tries diplomacy: by its nature, else by the GM's word, else by what it fears (G2-DIP-2, DIP-3)."""
    forced = forced_diplomacy(state, race, "attacker" if race == war.attacker else "defender")
    if forced is not None:
        return forced
    said = state.policies.get((war.id, race))
    if said is not None and said.policy is not DiplomacyPolicy.AUTO:
        return said.policy is DiplomacyPolicy.TRY
    return fears(expected.side(race).losses, state.board.units_of(race))


def _battle(state: State, ctx: Context, war: War, expected: Forecast) -> Iterator[Event]:
    """From the percentages to the record."""
    sides = (war.attacker, war.defender)
    before: dict[UUID, Units] = {race: units_by_square(state, race) for race in sides}
    dead: dict[UUID, Units] = {}
    yield WarFought(
        war=war.id, sides=(expected.attacker, expected.defender), race=expected.loser, count=expected.squares
    )
    for race, enemy in (sides, sides[::-1]):
        lost = expected.side(race).losses
        dead[race] = casualties(before[race], before[enemy], lost)
        if lost:
            yield UnitsDied(race=race, losses=held(dead[race]), counted=lost, units=lost, box=WAR)
    gone: Sequence[Square] = ()
    if expected.loser is not None and expected.squares:
        winner = sides[1] if expected.loser == sides[0] else sides[0]
        gone = vacated(state, before[expected.loser], dead[expected.loser], list(before[winner]), expected.squares)
        yield SquaresVacated(war=war.id, race=expected.loser, squares=places(gone))
        yield from _retreated(state, war, expected.loser, gone)
        yield from _taken(state, ctx, war, winner, expected.loser, gone, list(before[winner]))
    yield from counted(state, "war_fought")
    yield from settle(state, ctx, WAR, sides)
    yield from _recorded(state, ctx, war, _outcome(state, expected, len(gone)), gone)


def _retreated(state: State, war: War, loser: UUID, gone: Sequence[Square]) -> Iterator[Event]:
    ways, starved = retreat(state, loser, gone)
    if ways:
        yield UnitsRetreated(war=war.id, race=loser, moves=moves(ways))
    if starved:
        yield UnitsStarved(race=loser, losses=held(starved), units=sum(starved.values()), aggression=0, cause=WAR)


def _taken(
    state: State, ctx: Context, war: War, winner: UUID, loser: UUID, gone: Sequence[Square], home: Sequence[Square]
) -> Iterator[Event]:
    """The winner moves in, unless it is primitive (G2-LVL-2); cities there fall or burn (G2-WAR-13, G2-WAR-14)."""
    level = state.races[winner].level
    ways = settlers(state, winner, gone, home) if level is not Level.PRIMITIVE else {}
    if ways:
        yield SquaresTaken(war=war.id, race=winner, moves=moves(ways))
    taken = {to for _, to in ways}
    cities = {city.square: city for city in cities_owned(state, loser)}
    for square in (s for s in gone if s in cities):
        city = cities[square]
        if level is Level.CIVILIZED and square in taken:
            die = ctx.tray.roll(f"war:{war.id}/city/{city.id}", 6, "G2-WAR-14")
            if not razes(die, stat(state, winner, "aggression").value):
                yield CityFell(city=city.id, race=winner, square=Place.of(square), war=war.id, kind=city.kind)
                continue
        yield from city_destroyed(state, city, WAR)


def _outcome(state: State, expected: Forecast, squares: int) -> str:
    names = [state.races[side.race].name for side in (expected.attacker, expected.defender)]
    words = f"{names[0]} lose {expected.attacker.losses} unit(s), {names[1]} {expected.defender.losses}"
    if expected.loser is None:
        return f"{words}; nobody has lost"
    return f"{words}; {state.races[expected.loser].name} have lost and vacate {squares} square(s)"


def _recorded(state: State, ctx: Context, war: War, words: str, squares: Sequence[Square]) -> Iterator[Event]:
    against = f"{state.races[war.attacker].name} against {state.races[war.defender].name}"
    said = f"{name_of(state, war.id)}, {against}: {words}."
    yield from entered(state, ctx, kind=WAR, cause=war.kind.value, words=said, squares=squares, war=war.id)
