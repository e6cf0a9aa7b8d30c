"""What bots make of land in the Age of Land: 4 to 12 squares beside land, before anything else in a turn."""

from dataclasses import replace
from typing import Any

import pytest

from games.dawn.rules.bots.land import lacks_land, raise_land
from games.dawn.rules.bots.policy import plain
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.state.constants import WATER
from games.dawn.rules.state.schema_types import ShapeKind, Terrain
from games.engine.dice import SecretDice, Tray
from tests.playbook import Playbook
from tests.rules.dawn.stage import A, B, playing, sound


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


def island(**points: int) -> Playbook:
    """A's turn in Age 1: a plain of B's at (2, 2), all around it the ocean."""
    book = playing(age=1, **points)
    book.state.squares[2, 2] = replace(book.state.squares[2, 2], terrain=Terrain.PLAINS, shaped_by=B)
    return book


def is_coast(state: Any, at: tuple[int, int]) -> bool:
    return any(state.squares[near].terrain not in WATER for near in state.neighbours(at))


@pytest.mark.rule("DW-LAND-1")
@pytest.mark.parametrize("points", [4, 9, 40])
def test_new_land_lies_beside_land_and_needs_no_other_gods_leave(points: int) -> None:
    sizes, kinds = set[int](), set[ShapeKind]()
    for number in range(40):
        book = island(a=points)
        wish = raise_land(book.state, A, tray(number))
        assert isinstance(wish, ShapeLand) and wish.terrain not in WATER
        squares = [place.at for place in wish.squares]
        assert any(is_coast(book.state, at) for at in squares)
        assert all(book.state.squares[at].terrain in WATER for at in squares)
        book.when(wish, by=A)
        assert book.state.inner() is None and not book.state.powers and sound(book)
        sizes.add(len(squares))
        kinds.add(wish.kind)
    assert min(sizes) == 4 and max(sizes) == min(12, points)
    assert kinds == ({ShapeKind.MUNDANE, ShapeKind.FANTASTIC} if points >= 12 else {ShapeKind.MUNDANE})


def test_a_bot_makes_land_first_in_a_turn_of_the_age_of_land() -> None:
    for number in range(20):
        book = island(a=40)
        assert lacks_land(book.state)
        command = plain(book.state, A, tray(number)).command
        assert isinstance(command, ShapeLand) and len(command.squares) >= 4
        book.when(command, by=A)
        assert not lacks_land(book.state)


def test_no_land_is_made_where_it_cannot_be_paid_or_no_water_is_left() -> None:
    assert raise_land(island(a=3).state, A, tray(1)) is None
    book = island(a=40)
    for at, square in list(book.state.squares.items()):
        book.state.squares[at] = replace(square, terrain=Terrain.PLAINS)
    assert raise_land(book.state, A, tray(1)) is None
    assert not lacks_land(playing(age=2, a=40).state)


def test_the_first_land_of_all_lies_anywhere() -> None:
    book = playing(age=1, a=9)
    wish = raise_land(book.state, A, tray(1))
    assert isinstance(wish, ShapeLand)
    book.when(wish, by=A)
    assert sound(book)
