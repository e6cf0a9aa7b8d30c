"""What bots wish of avatars in cities: one to reside there, to lead an army out of it, or to attack another.

A wish names a command that the rules accept, or none. Each is thrown for, so that a turn comes to its end.
"""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.actions import Action, Doing
from games.dawn.rules.acts import Target
from games.dawn.rules.avatars import CommandAvatar, CreateAvatar
from games.dawn.rules.marching import targets
from games.dawn.rules.powers import Cast
from games.dawn.rules.presence import avatars_of
from games.dawn.rules.records import City
from games.dawn.rules.state import State
from games.dawn.rules.tables import PRICES
from games.dawn.rules.vocabulary import AvatarKind, Place, Price
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.kernel import Command

RULE = "bot"


def walk(state: State, seat: UUID, tray: Tray) -> Command | None:
    """One time in three an avatar goes to a city: to defend it, to lead its army to war, or to attack another."""
    use = f"bot/{seat}/{state.table.timers_set}/walk"
    cities = sorted(state.cities.values(), key=lambda c: c.id)
    if not cities or tray.roll(use, 3, RULE) > 1:
        return None
    city, mine = tray.draw(f"{use}/city", cities, RULE), avatars_of(state, seat)
    if not mine:
        kind = tray.draw(f"{use}/kind", tuple(AvatarKind), RULE)
        able = state.balance(seat) >= PRICES[Price.CREATE_AVATAR][state.course.age - 1]
        name = f"Walker {len(state.avatars) + 1} of {state.called(seat)}"[:80].rstrip()
        return CreateAvatar(square=Place(x=city.x, y=city.y), kind=kind, name=name) if able else None
    if state.balance(seat) < PRICES[Price.COMMAND_AVATAR][state.course.age - 1]:
        return None
    avatar = tray.draw(f"{use}/avatar", mine, RULE)
    commands = (CommandAvatar(avatar=avatar.id, actions=does) for does in _errands(state, seat, city))
    fit = [command for command in commands if _possible(state, seat, command)]
    return tray.draw(f"{use}/which", fit, RULE) if fit else None


def _errands(state: State, seat: UUID, city: City) -> Iterator[tuple[Action, ...]]:
    """What an avatar may do who goes to a city: defend it, lead an army of it, or march from there."""
    there = Action(action=Doing.MOVE, square=Place(x=city.x, y=city.y))
    yield there, Action(action=Doing.DEFEND_CITY)
    against = targets(state, seat)
    for army in state.armies_in(city.id)[:1]:
        lead = Action(action=Doing.LEAD_ARMY, army=army.id)
        yield there, lead
        yield from ((there, lead, _attack(target)) for target in against)
    yield from ((_attack(target),) for target in against)


def _attack(target: Target) -> Action:
    return Action(action=Doing.ATTACK_CITY, target=target)


def _possible(state: State, seat: UUID, command: CommandAvatar) -> bool:
    try:
        command.check(state, Cast(seat))
    except Refused:
        return False
    return True
