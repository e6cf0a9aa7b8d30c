"""The price table (section 4): every row in every Age, by the command that pays it; and what a mark bars (DW-PRC-*)."""

from collections.abc import Callable
from uuid import UUID

import pytest

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.commands import CreateRace, UpgradeRace
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.subrace_commands import CreateSubrace
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.schema_types import AvatarKind, EdgeKind, OrderKind, Place, Price, Terrain, WonderKind
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.wonders.commands import WorkWonder
from games.engine.kernel import Command
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import terrain, waive_revenge
from tests.rules.dawn.shaping import shape
from tests.rules.dawn.stage import ELVES, HAVEN, A, B, avatar, balances, city, give, order, people, playing, turn_of

HERE = Place(x=1, y=1)
PRICED: dict[Price, tuple[int, int, int]] = {
    Price.SHAPE_MUNDANE: (1, 3, 5),
    Price.SHAPE_FANTASTIC: (3, 5, 8),
    Price.CREATE_RACE: (22, 6, 15),
    Price.CREATE_SUBRACE: (12, 4, 10),
    Price.COMMAND_RACE: (8, 4, 3),
    Price.COMMAND_CITY: (6, 3, 2),
    Price.COMBAT_EDGE_RACE: (10, 5, 6),
    Price.COMBAT_EDGE_CITY: (8, 4, 5),
    Price.OTHER_EDGE_RACE: (8, 4, 5),
    Price.OTHER_EDGE_CITY: (6, 3, 4),
    Price.PURIFY_RACE: (5, 3, 4),
    Price.CORRUPT_RACE: (4, 3, 3),
    Price.PURIFY_CITY: (4, 3, 3),
    Price.CORRUPT_CITY: (3, 2, 2),
    Price.CREATE_ORDER: (8, 6, 4),
    Price.COMMAND_ORDER: (4, 3, 2),
    Price.CREATE_AVATAR: (10, 7, 8),
    Price.COMMAND_AVATAR: (2, 1, 1),
    Price.MIRACLE: (10, 10, 10),
    Price.CATASTROPHE: (10, 10, 10),
}
"""Section 4 once more, by hand."""


def edge_gift(target: UUID, kind: EdgeKind) -> GiftEdge:
    return GiftEdge(target=target, name="Craft", kind=kind)


USES: dict[Price, Callable[[UUID, UUID], Command]] = {
    Price.SHAPE_MUNDANE: lambda order_id, avatar_id: shape((0, 0)),
    Price.SHAPE_FANTASTIC: lambda order_id, avatar_id: shape((0, 0), kind="fantastic"),
    Price.CREATE_RACE: lambda order_id, avatar_id: CreateRace(name="Trolls", home=HERE),
    Price.CREATE_SUBRACE: lambda order_id, avatar_id: CreateSubrace(name="Trolls", parents=(ELVES,), home=HERE),
    Price.COMMAND_RACE: lambda order_id, avatar_id: CommandRace(race=ELVES, act=Act.DEED, args=Args(text="They sing.")),
    Price.COMMAND_CITY: lambda order_id, avatar_id: CommandCity(city=HAVEN, act=Act.DEED, args=Args(text="It rings.")),
    Price.COMBAT_EDGE_RACE: lambda order_id, avatar_id: edge_gift(ELVES, EdgeKind.OFFENSIVE),
    Price.COMBAT_EDGE_CITY: lambda order_id, avatar_id: edge_gift(HAVEN, EdgeKind.DEFENSIVE),
    Price.OTHER_EDGE_RACE: lambda order_id, avatar_id: edge_gift(ELVES, EdgeKind.OTHER),
    Price.OTHER_EDGE_CITY: lambda order_id, avatar_id: edge_gift(HAVEN, EdgeKind.OTHER),
    Price.PURIFY_RACE: lambda order_id, avatar_id: ShiftAlignment(target=ELVES, dir=1),
    Price.CORRUPT_RACE: lambda order_id, avatar_id: ShiftAlignment(target=ELVES, dir=-1),
    Price.PURIFY_CITY: lambda order_id, avatar_id: ShiftAlignment(target=HAVEN, dir=1),
    Price.CORRUPT_CITY: lambda order_id, avatar_id: ShiftAlignment(target=HAVEN, dir=-1),
    Price.CREATE_ORDER: lambda order_id, avatar_id: CreateOrder(race=ELVES, kind=OrderKind.GUILD, name="Weavers"),
    Price.COMMAND_ORDER: lambda order_id, avatar_id: CommandOrder(order=order_id, task="Weave."),
    Price.CREATE_AVATAR: lambda order_id, avatar_id: CreateAvatar(square=HERE, kind=AvatarKind.BEAST, name="Stag"),
    Price.COMMAND_AVATAR: lambda order_id, avatar_id: CommandAvatar(
        avatar=avatar_id, actions=(Action(action=Doing.DEED, text="He runs."),)
    ),
    Price.MIRACLE: lambda order_id, avatar_id: WorkWonder(kind=WonderKind.MIRACLE, squares=(HERE,)),
    Price.CATASTROPHE: lambda order_id, avatar_id: WorkWonder(kind=WonderKind.CATASTROPHE, squares=(HERE,)),
}
"""A command for each row; with an order and an avatar of the god."""


def stage(age: int, points: int) -> tuple[Playbook, Callable[[Price], Command]]:
    """A's turn on dry land, with a people, a city, an order and an avatar of A's; and how to use a row."""
    book = playing(age=age, a=points)
    terrain(book, Terrain.PLAINS, *book.state.squares)
    city(book, people(book, A))
    order_id, avatar_id = order(book, ELVES, A), avatar(book, A)
    return book, lambda row: USES[row](order_id, avatar_id)


def test_every_row_of_the_table_has_a_use_here():
    assert list(PRICED) == list(USES) == list(PRICES) == list(Price)


@pytest.mark.rule("DW-PRC-3", "DW-PTS-1")
@pytest.mark.parametrize("age", [1, 2, 3])
@pytest.mark.parametrize("row", list(Price))
def test_a_power_costs_what_its_row_says_in_the_column_of_the_age(row: Price, age: int):
    price = PRICED[row][age - 1]
    book, use = stage(age, price)
    assert of_kind(book.when(use(row), by=A), PowerDeclared, PowerResolved) == [
        event_like(PowerDeclared, price_row=row, price=price, escrow=price),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [0], "the exact price is enough"


@pytest.mark.rule("DW-PTS-1", "DW-PRC-3")
@pytest.mark.parametrize("row", list(Price))
def test_with_one_point_less_it_is_refused_whole(row: Price):
    book, use = stage(2, PRICED[row][1] - 1)
    with refused("points.short", book.state):
        book.when(use(row), by=A)


@pytest.mark.rule("DW-EX-08", "DW-RACE-2", "DW-PRC-3")
@pytest.mark.parametrize(("age", "price"), [(1, 66), (2, 18), (3, 45)])
def test_a_race_and_both_its_steps_in_one_turn(age: int, price: int):
    book, use = stage(age, price)
    book.when(use(Price.CREATE_RACE), by=A)
    (trolls,) = (race.id for race in book.state.races.values() if race.name == "Trolls")
    book.when(UpgradeRace(race=trolls), by=A)
    book.when(UpgradeRace(race=trolls), by=A)
    assert balances(book, A) == [0]


# -- marks -----------------------------------------------------------------------------------------------------------

MARKED = (Price.PURIFY_RACE, Price.CORRUPT_RACE, Price.PURIFY_CITY, Price.CORRUPT_CITY)


@pytest.mark.rule("DW-PRC-1")
@pytest.mark.parametrize("row", MARKED)
def test_a_marked_power_hits_a_target_once_a_turn_and_again_in_the_next(row: Price):
    book, use = stage(2, 40)
    for other in MARKED:
        book.when(use(other), by=A)
    with refused("target.marked", book.state):
        book.when(use(row), by=A)
    turn_of(book, B)
    turn_of(book, A)
    events = book.when(use(row), by=A)
    assert of_kind(events, PowerDeclared) == [event_like(PowerDeclared, marked=row)]


@pytest.mark.rule("DW-PRC-1", "DW-AMB-30")
def test_a_mark_is_of_one_power_one_target_and_one_casters_turn():
    book, use = stage(2, 40)
    give(book, B, 40)
    other = city(book, ELVES, A, at=(2, 1), id=UUID(int=0xC9))
    book.when(use(Price.PURIFY_CITY), by=A)
    book.when(ShiftAlignment(target=other, dir=1), by=A)
    book.when(use(Price.CORRUPT_CITY), by=A)
    book.when(EndTurn(), by=A)
    book.when(ShiftAlignment(target=HAVEN, dir=1), by=B)
    waive_revenge(book, A)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=HAVEN, dir=1), by=B)


@pytest.mark.rule("DW-PRC-1")
@pytest.mark.parametrize("row", [Price.SHAPE_MUNDANE, Price.COMMAND_RACE, Price.COMMAND_CITY, Price.COMMAND_ORDER])
def test_what_has_no_mark_is_used_again_in_the_same_turn(row: Price):
    book, use = stage(2, 40)
    for _ in range(2):
        assert of_kind(book.when(use(row), by=A), PowerDeclared) == [event_like(PowerDeclared, marked=None)]
