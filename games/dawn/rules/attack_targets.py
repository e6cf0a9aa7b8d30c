"""Which events attack which gods: wars on what they control, catastrophes that hurt, corruption of their peoples."""

from collections.abc import Iterable
from uuid import UUID

from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.events import AlignmentShifted
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.schema_types import Works
from games.dawn.rules.state.state import State
from games.dawn.rules.war.battle_events import CityFell
from games.dawn.rules.war.events import WarDeclared
from games.dawn.rules.wonders.events import WonderWorked
from games.dawn.rules.wonders.rules import armies_in
from games.engine.attacks import Attacks


def _defenders(event: WarDeclared, state: State) -> set[UUID]:
    """Who controls the city, or has the avatar, that is attacked."""
    return (_controllers(state, [event.city]) | _owners(state, [event.avatar])) - {event.attacker}


def _losers_of_city(event: CityFell, state: State) -> set[UUID]:
    return _controllers(state, [event.city]) - {event.controller}


def _losers_of_avatar(event: AvatarDestroyed, state: State) -> set[UUID]:
    return _owners(state, [event.avatar]) - {event.by}


def _victims_of_wonder(event: WonderWorked, state: State) -> set[UUID]:
    """Whose avatars, cities, armies or people a catastrophe takes (DW-MIR-2); a miracle hurts nobody."""
    hurt: set[UUID] = set()
    match event.works:
        case Works.KILL_AVATAR:
            hurt = _owners(state, event.targets)
        case Works.RAZE_CITY:
            hurt = _controllers(state, event.targets)
        case Works.RAVAGE:
            lost = armies_in(state, [place.at for place in event.squares])
            hurt = _controllers(state, [state.armies[army].city for army in lost])
        case Works.EXTINGUISH_RACE:
            hurt = {god for race in event.targets if race in state.races for god in state.races[race].creators}
    return hurt - {event.by}


def _victims_of_corruption(event: AlignmentShifted, state: State) -> set[UUID]:
    """The creators of the people that is corrupted, or whose city is, and who controls that; never who corrupts it."""
    if event.after >= event.before:
        return set()
    race = state.races.get(state.cities[event.target].race if event.target in state.cities else event.target)
    creators = set(race.creators) if race is not None else set()
    casters = {power.caster for power in state.powers.values() if power.does == ShiftAlignment.slug()}
    return (creators | _controllers(state, [event.target])) - casters


def _controllers(state: State, cities: Iterable[UUID | None]) -> set[UUID]:
    return {state.cities[city].controller for city in cities if city is not None and city in state.cities}


def _owners(state: State, avatars: Iterable[UUID | None]) -> set[UUID]:
    return {state.avatars[avatar].owner for avatar in avatars if avatar is not None and avatar in state.avatars}


ATTACKS: Attacks = {
    WarDeclared: _defenders,
    CityFell: _losers_of_city,
    AvatarDestroyed: _losers_of_avatar,
    WonderWorked: _victims_of_wonder,
    AlignmentShifted: _victims_of_corruption,
}
