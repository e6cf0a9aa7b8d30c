"""Shaping for the tests of land: the command, who owns squares, answers and bids."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dawn.rules.conflict.commands import Fold, PlaceBid
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.powers.answer_commands import AnswerLeave
from games.dawn.rules.state.schema_types import Place, ShapeKind, Terrain
from games.engine.kernel import Event
from tests.playbook import Playbook
from tests.rules.dawn.stage import inner_prompt

ROW = [(0, 0), (1, 0), (2, 0), (3, 0)]


def shape(*squares: tuple[int, int], kind: str = "mundane", terrain: str = "plains", **fields: Any) -> ShapeLand:
    places = tuple(Place(x=x, y=y) for x, y in squares)
    return ShapeLand(kind=ShapeKind(kind), squares=places, terrain=Terrain(terrain), **fields)


def set_shaper(book: Playbook, seat: UUID, *squares: tuple[int, int]) -> None:
    """Let a god have shaped squares."""
    for at in squares:
        book.state.squares[at] = replace(book.state.squares[at], shaped_by=seat)


def answer(book: Playbook, seat: UUID, yes: bool) -> list[Event]:
    return book.when(AnswerLeave(prompt=inner_prompt(book), yes=yes), by=seat)


def bid(book: Playbook, seat: UUID, total: int) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(PlaceBid(conflict=conflict, total=total), by=seat)


def fold(book: Playbook, seat: UUID) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(Fold(conflict=conflict), by=seat)
