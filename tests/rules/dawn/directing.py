"""Directing for the tests: a stage with the Elves of A, the two commands and their legal forms."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.state.schema_types import Place, Terrain
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.playbook import Playbook
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, order, people, playing

OTHER = UUID(int=0xC2)


def stage(age: int = 2, **points: int) -> Playbook:
    """A's turn; Elves of A at (1, 1), a plain, with an order of A; all the rest is ocean but (2, 1) and (1, 2)."""
    book = playing(age=age, **{"a": 40, **points})
    dry(book, (1, 1), (2, 1), (1, 2), (3, 3), (3, 2))
    people(book, A, alignment=1)
    order(book, ELVES, A)
    return book


def dry(book: Playbook, *squares: tuple[int, int]) -> None:
    for at in squares:
        book.state.squares[at] = replace(book.state.squares[at], terrain=Terrain.PLAINS)


def at(x: int, y: int) -> Place:
    return Place(x=x, y=y)


def race(act: Act, number: UUID = ELVES, **args: Any) -> CommandRace:
    return CommandRace(race=number, act=act, args=Args(**args))


def town(act: Act, number: UUID = HAVEN, **args: Any) -> CommandCity:
    return CommandCity(city=number, act=act, args=Args(**args))


def legal_commands_of(book: Playbook, kind: type, seat: UUID = A) -> list[LegalCommand]:
    return legal_commands_for(book.state, (kind,), Actor(Issuer.SEAT, seat=seat))


def legal_acts(book: Playbook, kind: type, act: Act) -> list[LegalCommand]:
    return [
        o for o in legal_commands_of(book, kind) if "act" in o.arguments and o.arguments["act"].values == (act.value,)
    ]


def with_dwarves(book: Playbook, *creators: UUID, orders: tuple[UUID, ...]) -> Playbook:
    """Dwarves at (3, 3), with an order of each of these gods."""
    people(book, *creators, race=DWARVES, x=3, y=3)
    for seat in orders:
        order(book, DWARVES, seat)
    return book
