"""A game of the Die Tower for the tests: set up by its own commands, in memory."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dietower.rules import RULESET
from games.dietower.rules.actors.commands import RaiseLevel, SaveSheet
from games.dietower.rules.actors.people_commands import SaveMonster, SaveNpc
from games.dietower.rules.checks.commands import CloseRoll, RequestCheck
from games.dietower.rules.checks.events import PoolRolled, RollClosed
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import Ruling
from games.dietower.rules.state.invariants import violations
from games.dietower.rules.state.records import Roll
from games.dietower.rules.state.schema_types import Mode, Point, Reason, WishReason
from games.dietower.rules.table.commands import OpenSession
from games.dietower.rules.tower.balance import Centre
from games.dietower.rules.tower.commands import PlaceDie
from games.dietower.rules.tower.events import DiePlaced, PlacementDue
from games.dietower.rules.wishes.events import WishEarned
from games.engine.game_state import Role
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import SeatTaken
from tests.dice import Planted, d
from tests.playbook import Playbook, state_from_log

GAME = UUID(int=0xD1E)
HOST_SEAT, GM_SEAT = UUID(int=1), UUID(int=2)
HOST = Actor(Issuer.HOST, user=UUID(int=1), seat=HOST_SEAT)
GM = Actor(Issuer.GM, user=UUID(int=2), seat=GM_SEAT)
S1, S2, S3 = (UUID(int=n) for n in (11, 12, 13))
SEATS = (S1, S2, S3)
WHOLE = {
    "weapon": "knife",
    "power": "whisper to crows",
    "power_drawback": "they answer",
    "deviation": "feathers",
    "mystery": "Whose feathers?",
}
"""What a sheet needs for play."""


def acting_for(seat: UUID) -> Actor:
    """The world master in place of a player."""
    return Actor(Issuer.GM, user=UUID(int=2), seat=GM_SEAT, on_behalf_of=seat)


def fresh(*seats: UUID, options: str = "{}") -> Any:
    """A state in which host, world master and players sit: what a log is folded into."""
    state = RULESET.new_state(GAME)
    state.note_time(Playbook(RULESET, state).now)
    taken = [SeatTaken(seat=HOST_SEAT, role=Role.HOST, name="Host", user=UUID(int=1))]
    taken += [SeatTaken(seat=GM_SEAT, role=Role.GM, name="World master", user=UUID(int=2))]
    taken += [
        SeatTaken(seat=seat, role=Role.PLAYER, name=f"Seat {seat.int}", user=UUID(int=seat.int + 100)) for seat in seats
    ]
    state.info = replace(state.info, options=options)
    for event in taken:
        event.apply(state)
    return state


def setting_up(*seats: UUID, options: str = "{}") -> Playbook:
    """A game in SETUP; nobody has a sheet."""
    book = Playbook(RULESET, fresh(*(seats or SEATS[:2]), options=options))
    book.when(Start(), by=HOST)
    return book


def write(book: Playbook, seat: UUID, name: str = "", **fields: Any) -> UUID:
    """Write a new sheet, which lacks nothing unless said; the character's id."""
    named = name or f"Character {seat.int}"
    book.when(SaveSheet(name=named, **(WHOLE | fields)), by=seat)
    return next(a.id for a in book.state.actors.values() if a.name == named)


def playing(*seats: UUID, mode: Mode | None = None, half_width: int | None = None, options: str = "{}") -> Playbook:
    """A game in FREE with a character for each seat."""
    seats = seats or SEATS[:2]
    book = setting_up(*seats, options=options)
    for seat in seats:
        write(book, seat)
    book.when(OpenSession(mode=mode, half_width=half_width), by=GM)
    return book


def pc(book: Playbook, seat: UUID) -> UUID:
    """The character of a seat."""
    (actor,) = book.state.characters_of(seat)
    return actor.id


def npc(book: Playbook, name: str = "Odo", **fields: Any) -> UUID:
    """A person of the world master's."""
    book.when(SaveNpc(name=name, **fields), by=GM)
    return next(a.id for a in book.state.actors.values() if a.name == name)


def monster(book: Playbook, name: str = "Gnaw", health: int = 3, **fields: Any) -> UUID:
    """A Monster."""
    book.when(SaveMonster(name=name, health=health, **fields), by=GM)
    return next(a.id for a in book.state.actors.values() if a.name == name)


def raise_to(book: Playbook, actor: UUID, level: int, wishes: int | None = None) -> None:
    """Let a character rise to a level, and hold so many Wishes."""
    while book.state.sheets[actor].level < level:
        book.when(RaiseLevel(actor=actor, reason="a test"), by=GM)
    if wishes is not None:
        book.plant(WishEarned(actor=actor, reason=WishReason.STORY, wishes=wishes))


def roll_check(
    book: Playbook, actor: UUID, dice: Sequence[int], *, cd: Cd | int = Cd.MODERATE, good: bool = True, **terms: Any
) -> list[Event]:
    """The world master asks for a check and sets it at once; the dice that are thrown before the Wish window."""
    ruling = Ruling(cd=cd, good=good, **terms)
    planted = [d(6, "check", *dice)] if dice else []
    return book.when(RequestCheck(actor=actor, intent="climb", ruling=ruling), by=GM, dice=planted)


def close(book: Playbook, seat: UUID, extra: Sequence[int] = (), more: Sequence[Planted] = ()) -> list[Event]:
    """Close the open roll of a seat's character, with its extra dice."""
    planted = [*([d(6, "extra", *extra)] if extra else []), *more]
    return book.when(CloseRoll(roll=open_roll(book, seat).id), by=seat, dice=planted)


def open_roll(book: Playbook, seat: UUID) -> Roll:
    """The open roll of a seat's character."""
    (roll,) = (r for r in book.state.rolls.values() if not r.closed and r.actor == pc(book, seat))
    return roll


def check(book: Playbook, seat: UUID, dice: Sequence[int], extra: Sequence[int] = (), **ruling: Any) -> list[Event]:
    """A whole check of a seat's character, without Wishes."""
    return roll_check(book, pc(book, seat), dice, **ruling) + close(book, seat, extra)


def place(book: Playbook, seat: UUID | Actor, *dice: int) -> list[Event]:
    """Place the die that is due next; dice: a, b, c, d of DT-SIM-2."""
    placement = book.state.due_placements()[0]
    planted = [d(6, "tower", *dice)] if dice else []
    return book.when(PlaceDie(placement=placement.id), by=seat, dice=planted)


def build(book: Playbook, *centres: tuple[int, int]) -> None:
    """Let a tower stand with these centres, by placements that nobody owed."""
    state, actor = book.state, book.state.player_characters()[0]
    for level, (x, y) in enumerate(centres, start=1):
        placement = UUID(int=0xF00 + level)
        fail(book, actor.id, placement)
        point = Point(x=x, y=y) if state.tower.mode is Mode.SIMULATED else None
        book.plant(DiePlaced(placement=placement, actor=actor.id, centre=point, height=level))


def fail(book: Playbook, actor: UUID, placement: UUID) -> None:
    """A die that is due, of a roll that is over."""
    roll = UUID(int=placement.int + 0x1000)
    book.plant(
        PoolRolled(roll=roll, actor=actor, dice=(1,), discarded=None, pool=(1,), flat=0),
        RollClosed(roll=roll, net=-1, extra=(), flat=0, total=1),
        PlacementDue(placement=placement, roll=roll, actor=actor, reason=Reason.NET_FAIL),
    )


def straight(height: int) -> list[tuple[int, int]]:
    """The centres of a tower that leans nowhere."""
    return [(0, 0)] * height


def centres(book: Playbook) -> list[Centre]:
    """The centres of the tower's dice."""
    return [Centre(die.x, die.y) for _, die in sorted(book.state.dice.items())]


def require_sound(book: Playbook) -> None:
    """The state holds together, and is what its log says."""
    assert violations(book.state) == []
    seats = [seat.id for seat in book.state.seats_of(Role.PLAYER)]
    folded = state_from_log(book.log, fresh(*seats, options=book.state.info.options))
    assert {name: dict(rows) for name, rows in folded.rows()} == {name: dict(rows) for name, rows in book.state.rows()}
