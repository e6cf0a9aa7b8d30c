"""Branching off for the tests: a stage with two races, the command, edges and picks."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dawn.rules.races.events import EdgePicked, SubraceCreated
from games.dawn.rules.races.subrace_commands import CreateSubrace, PickEdge
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Place, Terrain
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Event, Issuer
from tests.playbook import Playbook, of_kind
from tests.rules.dawn.stage import A, edge, inner_prompt, playing

GNOMES, HOME = UUID(int=0x60), Place(x=1, y=1)
OFFENSIVE, DEFENSIVE, OTHER = EdgeKind
WATER, WINGS = EdgeTag


def stage(gods: int = 3, age: int = 2, **points: int) -> Playbook:
    """A's turn, with Elves and Dwarves at home on the plains of (1, 1)."""
    book = playing(gods, age=age, **(points or {"a": 12}))
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    return book


def branch(*parents: UUID, name: str = "Gnomes", home: Place = HOME) -> CreateSubrace:
    return CreateSubrace(name=name, parents=parents, home=home)


def edges(book: Playbook, target: UUID, *names: str) -> None:
    for name in names:
        edge(book, target, name)


def give_edge(book: Playbook, target: UUID, name: str, kind: EdgeKind, *tags: EdgeTag) -> None:
    """Give an edge with tags."""
    edge(book, target, name, kind)
    book.state.edges[target, name] = replace(book.state.edges[target, name], tags=tags)


def pick(book: Playbook, seat: UUID, name: str) -> list[Event]:
    return book.when(PickEdge(prompt=inner_prompt(book), edge=name), by=seat)


def creation_in(events: list[Event]) -> Any:
    (event,) = of_kind(events, SubraceCreated)
    return event


def pickers_of(events: list[Event]) -> list[UUID]:
    return [e.by for e in events if isinstance(e, EdgePicked)]


def legal_commands_of(book: Playbook, command: type[Enumerable], seat: UUID = A) -> list[LegalCommand]:
    return list(command.legal_commands(book.state, Actor(Issuer.SEAT, seat=seat)))
