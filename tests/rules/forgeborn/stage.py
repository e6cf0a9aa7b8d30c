"""A game of Forgeborn for the tests: seats, the map of MAP-A as rows, Smiths and an artifact, written by hand.

Nothing here is a command: the chapters that would play it are not built yet.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from games.engine.game_state import Role, Seat
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.realm import Realm
from games.forgeborn.rules.state.dice import fields_of
from games.forgeborn.rules.state.records import Artifact, Character, Course, DroppedDie, Place, Purse, Way
from games.forgeborn.rules.state.schema_types import CharacterKind, Form, Function, PlaceKind, Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import plain_name
from tests.rules.forgeborn.maps import MAP_A, STANDARD

GAME = UUID(int=0xF0)
GM_SEAT = UUID(int=2)
S1, S2, S3 = (UUID(int=n) for n in (11, 12, 13))
SEATS = (S1, S2, S3)
FIRST_DICE = (12, 12, 12, 8, 8, 8, 4, 4, 4)


def new_state(*seats: UUID) -> State:
    """A table of a game-master and players; nothing has happened."""
    state = RULESET.new_state(GAME)
    state.seats[GM_SEAT] = Seat(GM_SEAT, Role.GM, "Referee", user=UUID(int=102))
    for seat in seats or SEATS:
        state.seats[seat] = Seat(seat, Role.PLAYER, f"Seat {seat.int}", user=UUID(int=seat.int + 100))
        state.enter_seat(seat)
    return state


def place_id(key: str, realm: Realm) -> UUID:
    """The id of a place of the map, by its key."""
    return UUID(int=0x100 + [site.key for site in realm.sites].index(key))


def lay_map(state: State, realm: Realm) -> None:
    """Write a map into rows."""
    for die in realm.dice:
        state.dice[die.name] = DroppedDie(die.name, die.sides, die.face, die.point.x, die.point.y)
    for site in realm.sites:
        at, name = place_id(site.key, realm), plain_name(site.kind, site.number)
        state.places[at] = Place(at, site.kind, site.number, name, site.die, site.power, site.point.x, site.point.y)
    for link in realm.links:
        a, b = place_id(link.a, realm), place_id(link.b, realm)
        state.ways[a, b] = Way(a, b, link.kind)
    state.set_course(winds=realm.winds)


def smith(state: State, seat: UUID, dice: Sequence[int] = FIRST_DICE) -> Character:
    """A Smith at the Citadel."""
    citadel = state.place_of_kind(PlaceKind.CITADEL)
    found = Character(
        UUID(int=seat.int + 0x200), seat, CharacterKind.SMITH, 0, f"Smith {seat.int}", "", citadel.id, **fields_of(dice)
    )
    state.characters[found.id] = found
    return found


def heroine(state: State, seat: UUID, number: int, place: UUID, dice: Sequence[int] = (8, 8)) -> Character:
    """A Heroine of a seat."""
    found = Character(
        UUID(int=seat.int + 0x300 + number), seat, CharacterKind.HEROINE, number, f"Heroine {seat.int}-{number}", "",
        place, **fields_of(dice),
    )  # fmt: skip
    state.characters[found.id] = found
    return found


def artifact(state: State, number: int, maker: Character, holder: UUID, dice: Sequence[int] = (8, 4)) -> Artifact:
    """An artifact with these dice."""
    found = Artifact(
        UUID(int=0x400 + number), f"Thing {number}", "", Form.BLUNT, Function.COMBAT, len(dice), maker.id, (), 1,
        holder, **fields_of(dice),
    )  # fmt: skip
    state.artifacts[found.id] = found
    return found


def playing(*seats: UUID) -> State:
    """A game in round 1, in the turn of its first seat, with an artifact in the Vault."""
    state = new_state(*seats)
    lay_map(state, build(MAP_A, STANDARD))
    for seat in state.players():
        smith(state, seat.id)
        state.purses[seat.id] = Purse(seat.id)
    order = tuple(seat.id for seat in state.players())
    state.course = replace(Course(GAME), step=Step.TURN, round=1, order=order, to_come=order[1:], active=order[0])
    maker = state.smith_of(order[0])
    assert maker is not None
    artifact(state, 1, maker, state.place_of_kind(PlaceKind.CITADEL).id)
    return state
