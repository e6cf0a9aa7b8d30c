"""What bots do with land and peoples: whatever they wish, the rules accept."""

from dataclasses import replace

import pytest

from games.dawn.rules.bots import land as bot_land
from games.dawn.rules.bots import peoples as bot_peoples
from games.dawn.rules.bots.policy import Wish, plain
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.races.commands import CreateRace, UpgradeRace
from games.dawn.rules.races.subrace_commands import CreateSubrace, PickEdge
from games.dawn.rules.state.schema_types import Terrain
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Command
from tests.playbook import Playbook
from tests.rules.dawn.stage import ELVES, A, B, city, edge, people, playing, sound


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


def stage(points: int, *, owned: bool = False, land: bool = True) -> Playbook:
    """A's turn in Age 2; a plain at (1, 1), a race of A's there if said; B has shaped it."""
    book = playing(age=2, a=points, b=5)
    if land:
        book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS, shaped_by=B)
    if owned:
        city(book, people(book, A), controller=B)
        for name in ("song", "memory"):
            edge(book, ELVES, name)
    return book


@pytest.mark.parametrize(
    ("wish", "points", "owned", "land", "wanted"),
    [
        (bot_land.shape, 40, True, True, {ShapeLand, None}),
        (bot_land.shape, 3, False, True, {ShapeLand, None}),
        (bot_land.shape, 2, False, True, {None}),
        (bot_peoples.create, 6, False, True, {CreateRace}),
        (bot_peoples.create, 5, False, True, {None}),
        (bot_peoples.create, 40, False, False, {None}),
        (bot_peoples.create, 6, True, True, {CreateSubrace, UpgradeRace, None}),
        (bot_peoples.create, 6, True, False, {CreateSubrace, UpgradeRace, None}),
        (bot_peoples.create, 3, True, True, {None}),
    ],
)
def test_every_wish_is_accepted(
    wish: Wish, points: int, owned: bool, land: bool, wanted: set[type[Command] | None]
) -> None:
    found: set[type[Command] | None] = set()
    for number in range(24):
        book = stage(points, owned=owned, land=land)
        command = wish(book.state, A, tray(number))
        found.add(None if command is None else type(command))
        if command is not None:
            book.when(command, by=A)
            assert sound(book)
    assert found == wanted


def test_a_race_without_a_home_for_a_subrace_is_raised() -> None:
    found = set()
    for number in range(12):
        book = stage(6, owned=True)
        for key in list(book.state.territory):
            del book.state.territory[key]
        command = bot_peoples.create(book.state, A, tray(number))
        found.add(type(command))
        if isinstance(command, UpgradeRace):
            book.when(command, by=A)
    assert found == {UpgradeRace, type(None)}


def test_a_bot_picks_an_edge_of_the_pool() -> None:
    book = stage(6, owned=True)
    wishes = (bot_peoples.create(book.state, A, tray(number)) for number in range(24))
    book.when(next(wish for wish in wishes if isinstance(wish, CreateSubrace)), by=A)
    thought = plain(book.state, A, tray(1))
    assert isinstance(thought.command, PickEdge) and thought.command.edge in ("song", "memory")
    book.when(thought.command, by=A)
    assert book.state.powers == {} and sound(book)
