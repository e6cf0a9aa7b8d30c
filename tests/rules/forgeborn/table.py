"""A game of Forgeborn for the tests, played by its own commands, in memory."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.engine.game_state import Role, Seat, Status
from games.engine.kernel import CLOCK, Actor, Issuer, apply_events
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.course import COURSE
from games.forgeborn.rules.state.dice import fields_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import PlaceKind
from games.forgeborn.rules.state.state import State
from tests.playbook import Playbook
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.stage import GM_SEAT, S1, S2, S3

S4 = UUID(int=14)
HOST_SEAT = UUID(int=1)
HOST = Actor(Issuer.HOST, user=UUID(int=1), seat=HOST_SEAT)
GM = Actor(Issuer.GM, user=UUID(int=102), seat=GM_SEAT)
NO_REFEREE = '{"referee":"none"}'
REFEREE = '{"referee":"person"}'
__all__ = ["GM", "GM_SEAT", "HOST", "HOST_SEAT", "NO_REFEREE", "REFEREE", "S1", "S2", "S3", "S4"]


def playing(*seats: UUID, options: str = NO_REFEREE) -> Playbook:
    """Round 1, the turn of the first seat; the map is MAP-A, all Smiths stand at the Citadel with 3d12, 3d8, 3d4.

    One artifact (d8, d4) lies in the Vault. Without a referee unless said. The ids are those of `stage`.
    """
    state = stage.playing(*(seats or (S1, S2, S3)))
    state.seats[HOST_SEAT] = Seat(HOST_SEAT, Role.HOST, "Host", user=UUID(int=1))
    state.info = replace(state.info, options=options, status=Status.RUNNING)
    state.course = replace(state.course, active=None, to_come=state.course.order)
    book = Playbook(RULESET, state)
    state.note_time(book.now)
    book.log += apply_events(state, COURSE.go_on(state, book.context(CLOCK)), book.context(CLOCK))
    return book


def move(book: Playbook, character: Character, kind: PlaceKind, number: int = 0) -> None:
    """Put a character into a place, by no command."""
    book.state.set_character(character.id, place=book.state.place_of_kind(kind, number).id)


def give_dice(book: Playbook, character: Character, *dice: int) -> None:
    """Let a character have exactly these dice, by no command."""
    book.state.set_character(character.id, **fields_of(dice))


def smith(book: Playbook, seat: UUID) -> Character:
    """The Smith of a seat, as they are now."""
    found = _state(book).smith_of(seat)
    assert found is not None
    return found


def dice(book: Playbook, character: UUID) -> Sequence[int]:
    """The dice of a character, by rising size."""
    own: Any = book.state.characters[character]
    return [size for size in (4, 6, 8, 10, 12) for _ in range(getattr(own, f"d{size}"))]


def _state(book: Playbook) -> State:
    state: State = book.state
    return state
