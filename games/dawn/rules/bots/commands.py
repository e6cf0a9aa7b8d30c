"""What bots wish to command: an order, an avatar, a race, a city; drawn from the legal commands.

War is not among it: whether armies find a way is known only when it is tried.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from games.dawn.rules.avatars.actions import Doing
from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.avatars.free_power_commands import FreePower
from games.dawn.rules.bots.naming import ORDERS, PLACES, WALKERS, fresh_deed, fresh_name
from games.dawn.rules.command.arguments import Act
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.state.state import State
from games.engine.dice import Tray
from games.engine.insight.domains import Choices, Domain, Fields, ListOf, Range, mentions
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Command, Issuer

RULE = "bot"
DIRECTED = (CommandRace, CommandCity, CreateOrder, CommandOrder, CreateAvatar, CommandAvatar)
COMMANDS: dict[str, type[Command]] = {kind.slug(): kind for kind in DIRECTED}
WAR = frozenset({Act.WAR.value, Doing.ATTACK_CITY.value})
BUILDING = frozenset({Act.FOUND_CITY.value, Act.RAISE_ARMY.value})
"""What a bot does every other time, if it can: cities and armies make a game."""


def direct(state: State, seat: UUID, tray: Tray) -> Command | None:
    """Every other time one of the legal commands, with arguments that the dice choose."""
    use = f"bot/{seat}/{state.info.timers_set}/command"
    if tray.roll(use, 2, RULE) == 1:
        return None
    found = legal_commands_for(state, COMMANDS.values(), Actor(Issuer.SEAT, seat=seat))
    fit = [each for each in found if each.legal and not _mentions(each, WAR)]
    if not fit:
        return None
    building = [each for each in fit if _mentions(each, BUILDING)]
    if building and tray.roll(f"{use}/building", 2, RULE) == 1:
        fit = building
    name = tray.draw(f"{use}/name", sorted({each.command for each in fit}), RULE)
    chosen = tray.draw(f"{use}/offer", [each for each in fit if each.command == name], RULE)
    words = Words(fresh_name(state, seat, _ends_of(chosen)), fresh_deed(state, seat))
    drawn = {path: _draw(tray, f"{use}/{path}", domain, words) for path, domain in chosen.arguments.items()}
    return COMMANDS[name].model_validate(drawn)


class Words(NamedTuple):
    """What a command that is drawn names, and what it writes elsewhere."""

    name: str
    deed: str


def _ends_of(legal: LegalCommand) -> Sequence[str]:
    """How names end of what a command would make: an avatar, an order, a city."""
    if legal.command == CreateAvatar.slug():
        return WALKERS
    founds = legal.command == CreateOrder.slug() or _mentions(legal, frozenset({FreePower.CREATE_ORDER.value}))
    return ORDERS if founds else PLACES


def _mentions(legal: LegalCommand, acts: frozenset[str]) -> bool:
    return any(mentions(domain, act) for domain in legal.arguments.values() for act in acts)


def _draw(tray: Tray, use: str, domain: Domain, words: Words) -> Any:
    """A value of a domain, of lists with one item."""
    match domain:
        case Choices(values):
            return tray.draw(use, values, RULE)
        case Range(int(low), int(high)):
            return tray.draw(use, range(low, high + 1), RULE)
        case ListOf(of):
            return (_draw(tray, use, of, words),)
        case Fields(fields):
            return {name: _draw(tray, f"{use}.{name}", each, words) for name, each in fields.items()}
    return words.name if use.endswith("name") else words.deed
