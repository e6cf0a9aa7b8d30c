"""Creating races for the tests: a stage with land, the command, consent."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dawn.rules.powers.answer_commands import AnswerConsent
from games.dawn.rules.races.commands import CoCreator, CreateRace
from games.dawn.rules.races.events import RaceCreated
from games.dawn.rules.state.records import Edge
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Place, Terrain
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Event, Issuer
from tests.playbook import Playbook
from tests.rules.dawn.stage import ELVES, A, inner_prompt, playing

HOME = Place(x=1, y=1)


def stage(age: int = 2, gods: int = 3, **points: int) -> Playbook:
    """A's turn, with plains at (1, 1) and (2, 1) in the ocean."""
    book = playing(gods, age=age, **points)
    for at in ((1, 1), (2, 1)):
        book.state.squares[at] = replace(book.state.squares[at], terrain=Terrain.PLAINS)
    return book


def create(name: str = "Elves", shares: Iterable[tuple[UUID, int]] = (), **fields: Any) -> CreateRace:
    with_whom = tuple(CoCreator(seat=seat, share=share) for seat, share in shares)
    return CreateRace(**{"name": name, "home": HOME, "co_creators": with_whom, **fields})


def create_race(book: Playbook, command: CreateRace, by: UUID = A) -> UUID:
    (made,) = (e for e in book.when(command, by=by) if isinstance(e, RaceCreated))
    return made.race


def agree(book: Playbook, seat: UUID, yes: bool = True) -> list[Event]:
    return book.when(AnswerConsent(prompt=inner_prompt(book), yes=yes), by=seat)


def legal_commands_of(book: Playbook, command: type[Enumerable], seat: UUID = A) -> list[LegalCommand]:
    return list(command.legal_commands(book.state, Actor(Issuer.SEAT, seat=seat)))


def floods(book: Playbook, race: UUID = ELVES) -> None:
    """Give a race an edge that crosses water."""
    tags = (EdgeTag.CROSSES_WATER,)
    book.state.edges[race, "Boats"] = Edge(race, "Boats", EdgeKind.OTHER, tags, 1)
