"""A game of Forgeborn for the tests from its lobby on, played by its own commands alone."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.engine.game_state import Role, Seat
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.setup.commands import DefineSmith, EnterMap
from games.forgeborn.rules.setup.values import EnteredDie
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import Size
from games.forgeborn.rules.state.sheet import MapDie
from tests import playbook
from tests.dice import Planted, d
from tests.playbook import Playbook
from tests.rules.forgeborn.maps import MAP_A
from tests.rules.forgeborn.stage import new_state
from tests.rules.forgeborn.table import GM, HOST, HOST_SEAT, S1, S2, S3

LEAN = (Size.D12, Size.D8)
"""The dice of a Smith in these tests, where they do not matter."""


def lobby(*seats: UUID, options: str = "{}") -> Playbook:
    """A game that has not begun: a host, a game-master and these players. options: as JSON."""
    state = new_state(*(seats or (S1, S2, S3)))
    state.seats[HOST_SEAT] = Seat(HOST_SEAT, Role.HOST, "Host", user=UUID(int=1))
    chosen = ForgebornOptions.model_validate_json(options).model_dump_json()
    state.info = replace(state.info, options=chosen, commitment="c0ffee")
    book = Playbook(RULESET, state)
    state.note_time(book.now)
    return book


def started(*seats: UUID, options: str = "{}") -> Playbook:
    """The same after the start."""
    book = lobby(*seats, options=options)
    book.when(Start(), by=HOST)
    return book


def entries(drop: Iterable[MapDie]) -> tuple[EnteredDie, ...]:
    """A drop as a table enters it."""
    return tuple(EnteredDie(sides=die.sides, face=die.face, x=die.point.x, y=die.point.y) for die in drop)


def on_map_a(*seats: UUID, options: str = '{"drop":"table"}') -> Playbook:
    """A game in MAP, with MAP-A entered."""
    book = started(*seats, options=options)
    book.when(EnterMap(entries=entries(MAP_A)), by=GM)
    return book


def fallen(drop: Sequence[MapDie]) -> list[Planted]:
    """The dice of a drop, each falling where it lies at the first try, as they are planted."""
    found = list[Planted]()
    for die in drop:
        found += [
            d(die.sides, f"map/{die.name}/face", die.face),
            d(297, f"map/{die.name}", die.point.x + 1),
            d(210, f"map/{die.name}", die.point.y + 1),
        ]
    return found


def define(book: Playbook, *seats: UUID, dice: Sequence[Planted] | None = None) -> list[Event]:
    """Let seats define lean Smiths; the events of the last one."""
    happened = list[Event]()
    for seat in seats:
        is_last = seat == seats[-1]
        command = DefineSmith(name=f"Smith of {seat.int}", dice=LEAN)
        happened = book.when(command, by=seat, dice=dice if is_last else None)
        assert violations(book.state) == []
    return happened


def of_kind(events: list[Event], *kinds: type[Event]) -> list[Any]:
    """The events of these classes, in order, with the fields that their classes have."""
    return [*playbook.of_kind(events, *kinds)]
