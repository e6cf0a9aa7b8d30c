"""What bots wish to command: whatever is drawn from the legal commands, the rules accept."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.bots.commands import direct
from games.dawn.rules.bots.policy import plain
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.powers.answer_commands import OpenConflict, WaiveObjection
from games.dawn.rules.revenge.rules import revenge_goes_on
from games.dawn.rules.state.schema_types import Terrain
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import CLOCK, apply_events
from tests.playbook import Playbook
from tests.rules.dawn.stage import HAVEN, A, B, army, avatar, city, order, people, playing, sound

EVERY = {CreateOrder, CommandOrder, CreateAvatar, CommandAvatar, CommandRace, CommandCity, type(None)}


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


def stage(points: int) -> Playbook:
    """A's turn in Age 2: a race of A's with a city, an order, an avatar and an army; a city of B's stands near."""
    book = playing(age=2, a=points, b=5)
    for square in ((1, 1), (2, 1), (1, 2)):
        book.state.squares[square] = replace(book.state.squares[square], terrain=Terrain.PLAINS)
    city(book, people(book, A))
    city(book, people(book, B, race=UUID(int=0xD7), x=2, y=1), controller=B, at=(2, 1), id=UUID(int=0xC2))
    order(book)
    army(book, HAVEN)
    avatar(book)
    return book


@pytest.mark.parametrize(("points", "wanted"), [(40, EVERY), (1, {CommandAvatar, type(None)}), (0, {type(None)})])
def test_every_wish_is_accepted(points: int, wanted: set[type]) -> None:
    found: set[type] = set()
    for number in range(80 if points > 1 else 12):
        book = stage(points)
        wish = direct(book.state, A, tray(number))
        found.add(type(wish))
        if wish is not None:
            book.when(wish, by=A)
            assert sound(book)
    assert found == wanted


def test_a_bot_with_nothing_at_hand_wishes_for_an_avatar() -> None:
    book = playing(age=2, a=40)
    found = {type(direct(book.state, A, tray(number))) for number in range(12)}
    assert found == {CreateAvatar, type(None)}


@pytest.mark.parametrize(("points", "wanted"), [(4, {OpenConflict, WaiveObjection}), (3, {WaiveObjection})])
def test_a_bot_sometimes_takes_revenge_if_it_can_fight_for_it(points: int, wanted: set[type]) -> None:
    found: set[type | None] = set()
    for number in range(12):
        book = playing(age=2, a=40, b=points)
        avatar(book, B, (1, 1), alive=False, killed_by=A, avenging=True)
        apply_events(book.state, revenge_goes_on(book.state, book.context(CLOCK)), book.context(CLOCK))
        thought = plain(book.state, B, tray(number))
        found.add(type(thought.command))
        book.when(thought.command, by=B)
    assert found == wanted
