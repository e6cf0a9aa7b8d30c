"""A game of The Gods II for the tests: set up by its own commands, in memory."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from games.engine.game_state import Role, Seat
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.gods2.demo import GODS, commands
from games.gods2.rules import RULESET
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.setup.events import CardsSet
from games.gods2.rules.state.gods import purse
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.value_types import CardOf, Held, Place, ShareOf
from tests.playbook import Playbook

GAME = UUID(int=99)
RULEBOOK = 1
"""The pack whose numbers the rulebook's tables and examples have."""
HOST, GM = Actor(Issuer.HOST, user=UUID(int=1)), Actor(Issuer.GM, user=UUID(int=2))
ANA, BEN, CLEO = UUID(int=11), UUID(int=12), UUID(int=13)
"""The seats of three players; their gods are Ashkar, Belun and Cirra."""
NAMES = {ANA: "Ashkar", BEN: "Belun", CLEO: "Cirra"}
EARTH = Path(__file__).resolve().parents[3] / "worlds" / "data" / "earth_30x20.txt"
A, B, C = str(ANA), str(BEN), str(CLEO)


def fresh(seats: dict[UUID, str] | None = None, bots: str = "", game: UUID = GAME) -> Any:
    """A state with seats only: what a log is folded into. The dice of a game follow from its id."""
    state = RULESET.new_state(game)
    for seat, name in (seats or NAMES).items():
        state.seats.load(seat, Seat(seat, Role.PLAYER, name, user=None if bots else UUID(int=seat.int + 100), bot=bots))
    return state


def lobby(options: Gods2Options | None = None) -> Playbook:
    """A game whose options and pack are settled and nothing else: the rulebook's pack where the options name none."""
    book = Playbook(RULESET, fresh())
    named = options.pack_version if options else None
    book.when(ConfigureGame(options=options, pack_version=named or RULEBOOK), by=HOST)
    return book


def place(x: int, y: int = 0) -> Place:
    """A square of the map."""
    return Place(x=x, y=y)


def units(*squares: tuple[int, int, int]) -> tuple[Held, ...]:
    """Units by x, y."""
    return tuple(Held(square=Place(x=x, y=y), units=n) for x, y, n in squares)


def shares(**percent: float) -> tuple[ShareOf, ...]:
    """A pantheon in percent: a, b and c are the gods of the three seats."""
    names = {"a": A, "b": B, "c": C}
    return tuple(ShareOf(member=names.get(m, m), share=round(p * 100)) for m, p in percent.items())


def define(book: Playbook, name: str, placed: tuple[Held, ...], **more: Any) -> UUID:
    """A race, defined by the host; its id."""
    return book.when(DefineRace(name=name, placed=placed, **more), by=HOST)[0].race


def set_up(
    rows: tuple[str, ...] = ("PPPPPPPP", "PPPPPPPP", "PPPPPPPP"),
    options: Gods2Options | None = None,
    cards: dict[UUID, dict[str, int]] | None = None,
) -> Playbook:
    """A map and three gods with 20 mana each; Ashkar holds 3 War cards unless said."""
    book = lobby(options)
    book.when(SetMap(width=len(rows[0]), height=len(rows), rows=rows), by=HOST)
    held = cards if cards is not None else {ANA: {"WA": 3}}
    for seat, name in NAMES.items():
        own = tuple(CardOf(sphere=s, count=n) for s, n in held.get(seat, {}).items())
        book.when(DefineGod(seat=seat, name=name, cards=own), by=HOST)
    return book


def begin(book: Playbook) -> Playbook:
    """Start, and open the first session: the board of century 1 is open."""
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    return book


def endow(book: Playbook, seat: UUID, mana: int, *spheres: str, cards: int = 6) -> None:
    """So many cards of each of these spheres, beside those the god holds, and so much mana; planted by events."""
    held = {c.sphere: c.count for c in book.state.cards.values() if c.seat == seat} | dict.fromkeys(spheres, cards)
    book.plant(CardsSet(seat=seat, cards=tuple(CardOf(sphere=s, count=n) for s, n in sorted(held.items()))))
    gained = mana - purse(book.state, seat).balance
    book.plant(ManaGained(seat=seat, amount=gained, balance=mana, cause="test"))


PEACEFUL = ("peaceful",)


def two_peoples(options: Gods2Options | None = None, **more: Any) -> tuple[Playbook, UUID, UUID]:
    """Two peaceful primitive races in contact: Dwarves worship Ashkar and Belun, Elves Belun and Cirra."""
    book = set_up(options=options, **more)
    dwarves = define(
        book, "Dwarves", units((1, 1, 1), (2, 1, 1), (3, 1, 1)), attributes=PEACEFUL, pantheon=shares(a=60, b=40)
    )
    elves = define(
        book, "Elves", units((4, 1, 1), (5, 1, 1), (6, 1, 1)), attributes=PEACEFUL, pantheon=shares(b=50, c=50)
    )
    return begin(book), dwarves, elves


def demo_game(seconds: int = 60, game: UUID = GAME) -> Playbook:
    """The demo event, every god played by the policy `god`, sessions opening by themselves."""
    seats = {name: UUID(int=1000 + place) for place, name in enumerate(GODS)}
    book = Playbook(RULESET, fresh({seat: name for name, seat in seats.items()}, bots="god", game=game))
    for who, command in commands(seats, Gods2Options(century_seconds=seconds, auto_sessions=True)):
        book.when(command, by=HOST if who == "host" else GM)
    return book


def minutes(n: float) -> timedelta:
    """A span of time."""
    return timedelta(minutes=n)
