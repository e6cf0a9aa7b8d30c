"""What the tests of avatars, free powers and revenge share: an avatar of A's in a city of B's."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.avatars.free_power_commands import FreeArgs, FreePower, FreeUse
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.powers.answer_commands import WaiveObjection
from games.dawn.rules.state.schema_types import Place, Terrain
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Event, Issuer
from tests.playbook import Playbook
from tests.rules.dawn.stage import (
    HAVEN,
    A,
    B,
    avatar,
    city,
    inner_prompt,
    people,
    playing,
)

HOME = (1, 1)


OTHER = UUID(int=0xC2)


def at(x: int, y: int) -> Place:
    return Place(x=x, y=y)


def stage(age: int = 3, **points: int) -> Playbook:
    """A's turn; Elves of B with Haven, a city of B's, at (1, 1), all of it plains; an avatar of A's there."""
    book = playing(age=age, **{"a": 20, **points})
    for square in ((1, 1), (2, 1), (3, 1), (3, 3)):
        book.state.squares[square] = replace(book.state.squares[square], terrain=Terrain.PLAINS)
    city(book, people(book, B), controller=B, at=HOME)
    avatar(book, A, HOME)
    return book


def avatar_id(book: Playbook) -> UUID:
    """The first avatar on the map."""
    return UUID(str(min(book.state.avatars)))


def act(book: Playbook, *actions: Action, by: UUID = A) -> list[Event]:
    return book.when(CommandAvatar(avatar=avatar_id(book), actions=actions), by=by)


def free(book: Playbook, power: FreePower, by: UUID = A, **args: Any) -> list[Event]:
    use = FreeUse(power=power, args=FreeArgs(**args))
    return book.when(CommandAvatar(avatar=avatar_id(book), free_power=use), by=by)


def raise_army(book: Playbook, count: int | None = None) -> list[Event]:
    return free(book, FreePower.COMMAND_CITY, city=HAVEN, act=Act.RAISE_ARMY, args=Args(count=count))


def move(x: int, y: int) -> Action:
    return Action(action=Doing.MOVE, square=at(x, y))


def legal_commands_of(book: Playbook, kind: type = CommandAvatar) -> list[LegalCommand]:
    return legal_commands_for(book.state, (kind,), Actor(Issuer.SEAT, seat=A))


def legal_free_powers(book: Playbook, power: FreePower) -> list[LegalCommand]:
    return [o for o in legal_commands_of(book) if o.choices("free_power.power") == (power.value,)]


def waive(book: Playbook) -> list[Event]:
    """B, creator of the Elves, does not object."""
    return book.when(WaiveObjection(prompt=inner_prompt(book)), by=B)
