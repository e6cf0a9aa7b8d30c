"""Which events attack which gods: what others' races and powers do to the races, cities and artifacts of theirs.

Races belong to the gods in their pantheons. Who cast a power is attacked by none of its effects, and a god of both
sides of a war by neither. What comes without a casting, of the land or by growth, is nobody's attack.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar
from uuid import UUID

from games.engine.artifacts.events import ArtifactPassed
from games.engine.attacks import Attacks
from games.gods2.rules.cities.events import CityDestroyed
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.effects.events import DisasterStruck, LimitsCut, TerrainChanged
from games.gods2.rules.effects.terraforming import BARREN
from games.gods2.rules.knowledge.events import KnowledgeLost
from games.gods2.rules.mana.events import WAR, ManaGained
from games.gods2.rules.pantheon.turmoil_events import CultGrew, TurmoilStarted
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.records import WarStatus
from games.gods2.rules.state.shares import shares_of
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.events import CityFell

BOOTY = {"G2-ART-5", "G2-ART-6"}
"""The rules by which an artifact passes to who has taken it, or has ended its holder."""
OfRace = UnitsDied | LimitsCut | KnowledgeLost | TurmoilStarted
OfPower = OfRace | DisasterStruck | TerrainChanged | CultGrew | ManaGained
"""What a power may cause, with the casting behind it."""
Happened = TypeVar("Happened", bound=OfPower)


def _gods_of(state: State, races: Iterable[UUID]) -> set[UUID]:
    return {god for race in races for god in god_members(state, race)}


def _casters(state: State, casting: UUID | None) -> set[UUID]:
    found = state.authorships.get(casting) if casting is not None else None
    return set(found.seats) if found is not None else set()


def _by_casting(struck: Callable[[Happened, State], set[UUID]]) -> Callable[[Happened, State], set[UUID]]:
    """The gods whom an event strikes, where a power has caused it, without its casters."""

    def targets(event: Happened, state: State) -> set[UUID]:
        return struck(event, state) - _casters(state, event.casting) if event.casting is not None else set()

    return targets


def _gods_of_race(event: OfRace, state: State) -> set[UUID]:
    return _gods_of(state, [event.race])


def _defenders(event: WarDeclared, state: State) -> set[UUID]:
    attackers = _gods_of(state, [event.attacker]) | _casters(state, event.casting)
    return _gods_of(state, [event.defender]) - attackers


def _losers_of_city(event: CityFell, state: State) -> set[UUID]:
    former = state.cities[event.city].race if event.city in state.cities else event.race
    return _gods_of(state, [former]) - _gods_of(state, [event.race])


def _losers_of_razed_city(event: CityDestroyed, state: State) -> set[UUID]:
    """Those of a city that has burnt in a war. What a power destroys, its disaster or change of terrain has told."""
    if event.cause != WAR:
        return set()
    fought = (war for war in state.wars.values() if war.status is WarStatus.FOUGHT and war.ended_at == state.now)
    enemies = [
        war.defender if event.race == war.attacker else war.attacker
        for war in fought
        if event.race in (war.attacker, war.defender)
    ]
    return _gods_of(state, [event.race]) - _gods_of(state, enemies) if enemies else set()


def _victims_of_disaster(event: DisasterStruck, state: State) -> set[UUID]:
    return _gods_of(state, event.races)


def _losers_of_land(event: TerrainChanged, state: State) -> set[UUID]:
    """Those of the cities that do not outlast a change of terrain."""
    if event.terrain not in BARREN:
        return set()
    changed = {place.square for place in event.squares}
    return _gods_of(state, [city.race for city in state.cities.values() if city.square in changed])


def _losers_of_share(event: CultGrew, state: State) -> set[UUID]:
    """The gods whose share of a pantheon shrinks."""
    after = shares_of(event.pantheon)
    shrunk = {member for member, share in state.pantheon(event.race).items() if after.get(member, 0) < share}
    return {god for god in god_members(state, event.race) if str(god) in shrunk}


def _losers_of_mana(event: ManaGained, state: State) -> set[UUID]:
    return {event.seat} if event.amount < 0 else set()


def _losers_of_artifact(event: ArtifactPassed, state: State) -> set[UUID]:
    if event.former is None or not BOOTY & set(event.under):
        return set()
    return _gods_of_holder(state, event.former) - _gods_of_holder(state, event.holder)


def _gods_of_holder(state: State, holder: UUID | None) -> set[UUID]:
    if holder is None:
        return set()
    if holder in state.gods:
        return {holder}
    return _gods_of(state, [state.cities[holder].race if holder in state.cities else holder])


ATTACKS: Attacks = {
    WarDeclared: _defenders,
    CityFell: _losers_of_city,
    CityDestroyed: _losers_of_razed_city,
    ArtifactPassed: _losers_of_artifact,
    DisasterStruck: _by_casting(_victims_of_disaster),
    UnitsDied: _by_casting(_gods_of_race),
    LimitsCut: _by_casting(_gods_of_race),
    TerrainChanged: _by_casting(_losers_of_land),
    KnowledgeLost: _by_casting(_gods_of_race),
    CultGrew: _by_casting(_losers_of_share),
    TurmoilStarted: _by_casting(_gods_of_race),
    ManaGained: _by_casting(_losers_of_mana),
}
