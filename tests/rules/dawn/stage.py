"""A game of Dawn for the tests: set up by its own commands, in memory; four gods A to D in seat order."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.dawn.rules import RULESET
from games.dawn.rules.setup.commands import DefineGod
from games.dawn.rules.state.invariants import violations
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.records import Army, Avatar, City, Edge, Order, Race, Territory
from games.dawn.rules.state.schema_types import AvatarKind, EdgeKind, Moral, OrderKind, Tier
from games.dawn.rules.turn.commands import EndTurn
from games.engine.economy.purses import Purse
from games.engine.game_state import GameInfo, Role, Seat, dump
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from tests.dice import Planted, d
from tests.playbook import Playbook, state_from_log

GAME = UUID(int=0xDA)
HOST, GM = Actor(Issuer.HOST, user=UUID(int=1)), Actor(Issuer.GM, user=UUID(int=2))
A, B, C, D, E = (UUID(int=n) for n in (0xA, 0xB, 0xC, 0xD, 0xE))
GODS = (A, B, C, D, E)
ELVES, DWARVES, HAVEN = UUID(int=0xE1), UUID(int=0xD7), UUID(int=0xC1)


def fresh(gods: int = 3, bots: str = "", **options: Any) -> Any:
    """A state with seats only: what a log is folded into."""
    state = RULESET.new_state(GAME)
    chosen = DawnOptions(**{"width": 6, "height": 5, **options})
    state.info = GameInfo(GAME, "dawn", name="Dawn", options=chosen.model_dump_json())
    for seat in GODS[:gods]:
        user = None if bots else UUID(int=seat.int + 100)
        state.seats.load(seat, Seat(seat, Role.PLAYER, f"God {seat.int}", user=user, bot=bots))
    return state


def setting_up(gods: int = 3, **options: Any) -> Playbook:
    """A game in SETUP; nobody is a god yet."""
    book = Playbook(RULESET, fresh(gods, **options))
    book.when(Start(), by=HOST)
    return book


def define(book: Playbook, seat: UUID, name: str = "") -> list[Event]:
    """Say which god a seat is."""
    named = name or f"God {'ABCDE'[GODS.index(seat)]}"
    return book.when(DefineGod(name=named, portfolio=("rivers", "storms"), moral=Moral.GOOD), by=seat)


def begin(gods: int = 3, dice: list[Planted] | None = None, **options: Any) -> Playbook:
    """A game in the first turn of Age 1; the dice 1,1 / 1,2 / ... let the gods act in seat order."""
    book = setting_up(gods, **options)
    for seat in GODS[:gods]:
        define(book, seat)
    book.when(EndSetup(), by=HOST, dice=dice or rising(gods))
    return book


def incomes(dice: Mapping[UUID, tuple[int, int]]) -> list[Planted]:
    """The two dice of each god's income, in seat order."""
    return [d(6, f"income {seat}", *shown) for seat, shown in dice.items()]


def rising(gods: int) -> list[Planted]:
    """Income dice with which the gods act in seat order, all of them with different points."""
    return incomes({seat: (1 + n // 6, 1 + n) for n, seat in enumerate(GODS[:gods])})


def playing(gods: int = 3, age: int = 1, **points: int) -> Playbook:
    """A game in A's turn, in an Age, with points by letter (`a=10`); the others have 0. Put in by hand, not folded."""
    book = begin(gods)
    state = book.state
    state.set_course(age=age)
    for letter, seat in zip("abcde", GODS[:gods], strict=False):
        give(book, seat, points.get(letter, 0))
    return book


def give(book: Playbook, seat: UUID, points: int) -> None:
    """Put points into a purse as if they had just been earned."""
    book.state.purses[seat] = Purse(seat, balance=points, earned=points)


def people(book: Playbook, *creators: UUID, race: UUID = ELVES, **fields: Any) -> UUID:
    """Put a race on the map: at (1, 1), mortal, indifferent, unless said."""
    made = Race(race, f"Race {race.int:x}", 1, 1, Tier.MORTAL, 0, creators=creators or (A,), had_city=True)
    book.state.races[race] = replace(made, **fields)
    made = book.state.races[race]
    book.state.territory[race, made.x, made.y] = Territory(race, made.x, made.y)
    return race


def city(book: Playbook, race: UUID = ELVES, controller: UUID = A, at: tuple[int, int] = (1, 1), **fields: Any) -> UUID:
    """Put a city of a race on the map."""
    number = fields.pop("id", HAVEN)
    made = City(number, race, f"City {number.int:x}", *at, controller, 0)
    book.state.cities[number] = replace(made, **fields)
    return number


def edge(book: Playbook, target: UUID, name: str, kind: EdgeKind = EdgeKind.OTHER) -> None:
    """Give a race or city an edge."""
    given = book.state.course.edges + 1
    book.state.set_course(edges=given)
    book.state.edges[target, name] = Edge(target, name, kind, (), given)


def order(book: Playbook, race: UUID = ELVES, *owners: UUID, kind: OrderKind = OrderKind.GUILD) -> UUID:
    """Put an order into a race; A's unless said."""
    number = UUID(int=0x0D000 + len(book.state.orders))
    name = f"Order {len(book.state.orders)}"
    book.state.orders[number] = Order(number, race, kind, name, owners or (A,), 1, 1)
    return number


def avatar(book: Playbook, owner: UUID = A, at: tuple[int, int] = (1, 1), **fields: Any) -> UUID:
    """Put an avatar on the map; A's at (1, 1) unless said."""
    number = UUID(int=0xA7000 + len(book.state.avatars))
    made = Avatar(number, owner, f"Avatar {len(book.state.avatars)}", AvatarKind.BEAST, *at)
    book.state.avatars[number] = replace(made, **fields)
    return number


def army(book: Playbook, city: UUID = HAVEN) -> UUID:
    """Put an army into a city, of the city's race."""
    number = UUID(int=0xA6000 + len(book.state.armies))
    book.state.armies[number] = Army(number, city, book.state.cities[city].race)
    return number


def balances(book: Playbook, *seats: UUID) -> list[int]:
    """The free points of gods."""
    return [book.state.balance(s) for s in seats]


def earnings(book: Playbook, seat: UUID) -> int:
    """What a god has earned so far."""
    return int(book.state.purses[seat].earned)


def rounds(book: Playbook, number: int) -> list[Event]:
    """Let everybody end their turn, so many rounds long."""
    events: list[Event] = []
    until = book.state.course.rounds + number
    while book.state.course.rounds < until and book.state.course.active is not None:
        events += book.when(EndTurn(), by=book.state.course.active)
    return events


def turn_of(book: Playbook, seat: UUID) -> list[Event]:
    """Let the others end their turns until it is this god's."""
    events: list[Event] = []
    while book.state.course.active != seat:
        events += book.when(EndTurn(), by=book.state.course.active)
    return events


def inner_prompt(book: Playbook) -> UUID:
    """The innermost question inside the turn."""
    prompt = book.state.inner()
    assert prompt is not None, "nobody is asked"
    return UUID(str(prompt.id))


def sound(book: Playbook) -> bool:
    """Whether the state holds what always holds."""
    assert violations(book.state) == []
    return True


def log_folds_to_state(book: Playbook, gods: int = 3, **options: Any) -> bool:
    """Whether folding the log gives the state; only for games that nothing was put into by hand."""
    assert dump(state_from_log(book.log, fresh(gods, **options))) == dump(book.state)
    return True
