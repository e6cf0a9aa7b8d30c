"""What bots wish of avatars in cities: one to reside there, to lead an army out of it, or to attack another.

A wish names a command that the rules accept, or none. Each is thrown for, so that a turn comes to its end.
"""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.bots.march_odds import WORTHWHILE, odds_of_march
from games.dawn.rules.bots.naming import WALKERS, fresh_name
from games.dawn.rules.bots.war import is_possible
from games.dawn.rules.command.arguments import Target
from games.dawn.rules.land.presence import avatars_of
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.records import Avatar, City
from games.dawn.rules.state.schema_types import AvatarKind, Place, Price
from games.dawn.rules.state.state import State
from games.dawn.rules.war.march import targets
from games.engine.dice import Tray
from games.engine.kernel import Command

RULE = "bot"
Errand = tuple[Action, ...]


def walk(state: State, seat: UUID, tray: Tray) -> Command | None:
    """One time in three an avatar goes to a city: to defend it, to lead its army to war, or to attack another."""
    use = f"bot/{seat}/{state.info.timers_set}/walk"
    cities = sorted(state.cities.values(), key=lambda c: c.id)
    if not cities or tray.roll(use, 3, RULE) > 1:
        return None
    own, mine = [city for city in cities if city.controller == seat], avatars_of(state, seat)
    if not mine:
        city = tray.draw(f"{use}/city", own or cities, RULE)
        kind = tray.draw(f"{use}/kind", tuple(AvatarKind), RULE)
        able = state.balance(seat) >= PRICES[Price.CREATE_AVATAR][state.course.age - 1]
        name = fresh_name(state, seat, WALKERS)
        return CreateAvatar(square=Place(x=city.x, y=city.y), kind=kind, name=name) if able else None
    if state.balance(seat) < PRICES[Price.COMMAND_AVATAR][state.course.age - 1]:
        return None
    avatar = tray.draw(f"{use}/avatar", mine, RULE)
    errands = (_defending(avatar, own), _leading(state, seat, own), _attacking(state, seat, avatar))
    commands = ([CommandAvatar(avatar=avatar.id, actions=does) for does in kind] for kind in errands)
    fit = [possible for kind in commands if (possible := [c for c in kind if is_possible(state, seat, c)])]
    return tray.draw(f"{use}/which", tray.draw(f"{use}/errand", fit, RULE), RULE) if fit else None


def _defending(avatar: Avatar, own: list[City]) -> Iterator[Errand]:
    """To reside in a city of its god's, where the avatar does not yet."""
    for city in own:
        if not (avatar.defending and (avatar.x, avatar.y) == (city.x, city.y)):
            yield _to(city), Action(action=Doing.DEFEND_CITY)


def _leading(state: State, seat: UUID, own: list[City]) -> Iterator[Errand]:
    """To lead an army, against whom it is likely enough to beat; else to be at its head when it is called."""
    for city in own:
        for army in state.armies_in(city.id)[:1]:
            lead = Action(action=Doing.LEAD_ARMY, army=army.id)
            yield _to(city), lead
            for target in targets(state, seat):
                if odds_of_march(state, seat, target, (army.id,), leader=True) >= WORTHWHILE:
                    yield _to(city), lead, _attack(target)


def _attacking(state: State, seat: UUID, avatar: Avatar) -> Iterator[Errand]:
    """To attack from where the avatar is, with the army they lead or alone: whom they are likely enough to beat."""
    led = (avatar.leads,) if avatar.leads is not None else ()
    for target in targets(state, seat):
        if odds_of_march(state, seat, target, led) >= WORTHWHILE:
            yield (_attack(target),)


def _to(city: City) -> Action:
    return Action(action=Doing.MOVE, square=Place(x=city.x, y=city.y))


def _attack(target: Target) -> Action:
    return Action(action=Doing.ATTACK_CITY, target=target)
