"""What an avatar does in person: up to three actions, judged as if those before them had happened (DW-AVA-6)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID

from games.dawn.rules.avatars.events import ArmyLed, AvatarMoved, CityDefended
from games.dawn.rules.command.arguments import Target, WarOrder, act_invalid, require_argument, require_only
from games.dawn.rules.command.events import DeedRecorded
from games.dawn.rules.command.rules import aims
from games.dawn.rules.land.shaping import any_square
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.state.constants import MOST_ACTIONS
from games.dawn.rules.state.records import Army, Avatar
from games.dawn.rules.state.schema_types import Place, Text, Value
from games.dawn.rules.state.state import At, State
from games.dawn.rules.war.march import check_order, open_war, targets
from games.dawn.rules.war.reach import without_path
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, FreeText
from games.engine.kernel import Context, Event


class Doing(StrEnum):
    """What an avatar does in person (DW-AVA-6)."""

    MOVE = "move"
    LEAD_ARMY = "lead_army"
    DEFEND_CITY = "defend_city"
    ATTACK_CITY = "attack_city"
    DEED = "deed"


class Action(Value):
    """A mortal action, with the arguments it takes and no others."""

    action: Doing
    square: Place | None = None
    """move: to any square of the map."""
    army: UUID | None = None
    """lead_army: an army of yours in the city on the avatar's square."""
    target: Target | None = None
    """attack_city: whom the avatar attacks, with the army they lead or alone."""
    text: Text | None = None
    """deed: what the avatar does."""


ACTION_TAKES: dict[Doing, frozenset[str]] = {
    Doing.MOVE: frozenset({"action", "square"}),
    Doing.LEAD_ARMY: frozenset({"action", "army"}),
    Doing.DEFEND_CITY: frozenset({"action"}),
    Doing.ATTACK_CITY: frozenset({"action", "target"}),
    Doing.DEED: frozenset({"action", "text"}),
}
"""The arguments of each action."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where an avatar is between their actions, and which army they lead."""

    at: At
    leads: UUID | None


def check_actions(state: State, cast: Cast, avatar: Avatar, actions: tuple[Action, ...]) -> None:
    """Refuse actions that cannot be done one after the other. Raises what the first of them raises.

    There is one attack at most (DW-AMB-18). It opens the war, which is fought when all is done (DW-WAR-1).
    """
    if not 1 <= len(actions) <= MOST_ACTIONS:
        raise act_invalid(f"An avatar does 1 to {MOST_ACTIONS} things; these are {len(actions)}.", "DW-AVA-3")
    here = Whereabouts((avatar.x, avatar.y), avatar.leads)
    attacks = False
    for action in actions:
        require_only(action.action, action, ACTION_TAKES[action.action])
        attack = action.action is Doing.ATTACK_CITY
        if attacks and attack:
            raise act_invalid("An avatar attacks once by a command; leave the other out.", "DW-AVA-3", "DW-AMB-18")
        attacks = attacks or attack
        here = _check_action(state, cast, avatar, action, here)


def _check_action(state: State, cast: Cast, avatar: Avatar, action: Action, here: Whereabouts) -> Whereabouts:
    """Where an action leaves the avatar. Raises what forbids it."""
    match action.action:
        case Doing.MOVE:
            at = require_argument(action.square, action.action, "square").at
            state.square(at)
            return Whereabouts(at, None)
        case Doing.LEAD_ARMY:
            army = require_argument(action.army, action.action, "army")
            _check_leading(state, avatar, army, here.at)
            return replace(here, leads=army)
        case Doing.DEFEND_CITY:
            if state.city_at(here.at) is None:
                raise _not_here(avatar, "There is no city on the avatar's square.")
        case Doing.ATTACK_CITY:
            check_order(state, cast, _armies_led(state, here.leads), _order(avatar, action, here.leads))
        case Doing.DEED:
            require_argument(action.text, action.action, "text")
    return here


def _check_leading(state: State, avatar: Avatar, army: UUID, at: At) -> None:
    """Refuse an army that the avatar cannot lead: `army.missing`, `army.foreign`, `presence.missing`."""
    if army not in state.armies:
        raise Refused("army.missing", "There is no such army; it may have been lost.", rules=("DW-AVA-6",))
    city = state.cities[state.armies[army].city]
    if city.controller != avatar.owner:
        raise Refused("army.foreign", f"This army belongs to {state.title(city.controller)}.", rules=("DW-WAR-12",))
    if (city.x, city.y) != at:
        raise _not_here(avatar, f"This army stands in {city.name}.")


def _not_here(avatar: Avatar, why: str) -> Refused:
    return Refused("presence.missing", f"{why} Let {avatar.name} go there first.", rules=("DW-AVA-6",))


def _armies_led(state: State, army: UUID | None) -> tuple[Army, ...]:
    return () if army is None else (state.armies[army],)


def _order(avatar: Avatar, action: Action, leads: UUID | None) -> WarOrder:
    """The avatar's attack: with the army they lead, or alone."""
    armies = () if leads is None else (leads,)
    return WarOrder(require_argument(action.target, action.action, "target"), armies, avatar.id)


def perform_action(state: State, ctx: Context, avatar: UUID, action: Action) -> Iterator[Event]:
    """What becomes of an action."""
    match action.action:
        case Doing.MOVE:
            yield AvatarMoved(avatar=avatar, square=require_argument(action.square, action.action, "square"))
        case Doing.LEAD_ARMY:
            yield ArmyLed(avatar=avatar, army=require_argument(action.army, action.action, "army"))
        case Doing.DEFEND_CITY:
            now = state.avatars[avatar]
            city = state.city_at((now.x, now.y))
            if city is None:
                raise RuntimeError("an avatar defends a city that is not there")
            yield CityDefended(avatar=avatar, city=city.id)
        case Doing.ATTACK_CITY:
            attacker = state.avatars[avatar]
            yield from open_war(state, ctx, attacker.owner, _order(attacker, action, attacker.leads))
        case Doing.DEED:
            yield DeedRecorded(by=avatar, words=require_argument(action.text, action.action, "text"))


def actions_of(state: State, avatar: Avatar) -> Iterator[Fields]:
    """What an avatar may do first, where they stand."""
    city = state.city_at((avatar.x, avatar.y))
    armies = [a.id for a in state.armies_in(city.id)] if city and city.controller == avatar.owner else []
    led = _armies_led(state, avatar.leads)
    yield _doing(Doing.MOVE, square=any_square(state))
    if armies:
        yield _doing(Doing.LEAD_ARMY, army=Choices.of(armies))
    if city:
        yield _doing(Doing.DEFEND_CITY)
    for aim, _ in aims(state, [t for t in targets(state, avatar.owner) if not without_path(state, led, t.square.at)]):
        yield _doing(Doing.ATTACK_CITY, target=aim)
    yield _doing(Doing.DEED, text=FreeText(low=1))


def _doing(action: Doing, **arguments: Domain) -> Fields:
    """An action with all the arguments it takes."""
    return Fields({"action": Choices.of((action.value,)), **arguments}, required=tuple(arguments))
