"""A game of Albraxas for the tests: set up by its own commands, in memory."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from games.albraxas.rules import RULESET
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.orders.events import value_of
from games.albraxas.rules.setup.commands import ConfigureGame, DefineCharacter, PlayAlbraxas
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Order, Paper, SeatPaper, Step, TiePolicy
from games.engine.game_state import Role, Seat
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.prompts.sealed import digest_of
from tests.dice import Planted, d
from tests.playbook import Playbook, state_from_log

GAME = UUID(int=0xA1B)
HOST, GM = Actor(Issuer.HOST, user=UUID(int=1)), Actor(Issuer.GM, user=UUID(int=2))
R1, R2, R3, AX = (UUID(int=n) for n in (11, 12, 13, 20))
REBELS = (R1, R2, R3)
FOUR_FIVE_FOUR, SIX_EIGHT_SIX = (4, 5, 4), (6, 8, 6)
Numbers = tuple[int, int, int]


def fresh(*seats: UUID, bots: str = "", **options: Any) -> Any:
    """A state with seats only: what a log is folded into."""
    state = RULESET.new_state(GAME)
    if options:
        state.info = replace(state.info, options=AlbraxasOptions(**options).model_dump_json())
    for seat in seats:
        user = None if bots else UUID(int=seat.int + 100)
        state.seats.load(seat, Seat(seat, Role.PLAYER, f"Seat {seat.int}", user=user, bot=bots))
    return state


def writing(rebels: int = 1, bots: str = "", **options: Any) -> Playbook:
    """A game in CHARACTERS; Albraxas has a seat, nobody has a character."""
    book = Playbook(RULESET, fresh(*REBELS[:rebels], AX, bots=bots, **options))
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=AX), by=HOST)
    return book


def define(book: Playbook, seat: UUID, numbers: Numbers, name: str = "") -> list[Event]:
    """Write a character."""
    backbone, battle, blitz = numbers
    named = name or f"Character {seat.int}"
    return book.when(DefineCharacter(name=named, backbone=backbone, battle=battle, blitz=blitz), by=seat)


def begin(
    *rebels: Numbers,
    albraxas: Numbers = SIX_EIGHT_SIX,
    phases: int = 100,
    sides: int = 10,
    check_from: int = 1,
) -> Playbook:
    """A game in LOCATE of turn 1, with these rebels; one of (4, 5, 4) unless said."""
    rebels = rebels or (FOUR_FIVE_FOUR,)
    book = writing(len(rebels))
    book.when(ConfigureGame(phases=phases, sides=sides, check_from=check_from), by=HOST)
    for seat, numbers in zip(REBELS, rebels, strict=False):
        define(book, seat, numbers)
    define(book, AX, albraxas)
    book.when(EndSetup(), by=HOST)
    return book


def go(book: Playbook, *phases: int) -> list[Event]:
    """The rebels go to these phases, in seat order, and lock; the events of the last lock."""
    events: list[Event] = []
    for seat, phase in zip(REBELS, phases, strict=False):
        if seat in book.state.characters and not book.state.characters[seat].fallen:
            book.when(SetLocation(phase=phase), by=seat)
            events = book.when(LockLocation(), by=seat)
    return events


def battle(most: int = 0, mode: str = "if_wins") -> Order:
    return Order(action="battle", tie=TiePolicy(max=most, mode=mode))


def recover(most: int = 0, mode: str = "if_wins") -> Order:
    return Order(action="recover", tie=TiePolicy(max=most, mode=mode))


def backbone() -> Order:
    return Order(action="backbone")


def blitz(dice: int) -> Order:
    return Order(action="blitz", dice=dice)


def own(*values: int) -> Planted:
    """Ten-sided dice of who acts."""
    return d(10, "own", *values)


def opposing(*values: int) -> Planted:
    """Ten-sided dice of what stands against them."""
    return d(10, "opposing", *values)


HOLE_UP = Order(action="hole_up")
CONVALESCE = "convalesce"
Written = tuple[Order, ...] | str


def orders(book: Playbook, *written: Written, albraxas: Written = (), dice: list[Planted] | None = None) -> list[Event]:
    """All orders, those of the rebels in seat order, then Albraxas'; dice: all that fall. The events that follow."""
    papers: list[tuple[UUID, Written]] = [*zip(REBELS, written, strict=False), (AX, albraxas)]
    for seat, paper in papers[:-1]:
        book.when(_paper(paper), by=seat)
    return book.when(_paper(albraxas), by=AX, dice=dice or [])


def _paper(written: Written) -> WriteOrders:
    return WriteOrders(convalesce=True) if isinstance(written, str) else WriteOrders(orders=written)


def turn(book: Playbook, phase: int, written: Written, dice: list[Planted] | None = None) -> list[Event]:
    """A turn of one rebel; Albraxas holes up."""
    go(book, phase)
    return orders(book, written, dice=dice)


def values(book: Playbook, phase: int) -> tuple[int, int]:
    """Tide and Ebb of a phase."""
    here = book.state.phases[phase]
    return here.tide, here.ebb


def force(book: Playbook, seat: UUID = R1) -> tuple[int, int]:
    """Backbone and Dynamism of a character."""
    character = book.state.characters[seat]
    return character.backbone, character.dynamism


def winner(book: Playbook) -> str | None:
    """Who has won."""
    storm = book.state.storm
    return storm.winner.value if storm.step is Step.FINISHED and storm.winner else None


def log_folds_to_state(book: Playbook, *seats: UUID, bots: str = "") -> Any:
    """The state that the log alone leads to."""
    return state_from_log(book.log, fresh(*seats, bots=bots))


def proves(paper: SeatPaper) -> bool:
    """Whether revealed orders are those that their digest was given for."""
    written = Paper(convalesce=paper.convalesce, orders=paper.orders)
    return digest_of(paper.salt, value_of(written)) == paper.digest
