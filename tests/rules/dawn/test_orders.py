"""Orders: founded by anybody, commanded by anybody for more (DW-ORDR-*)."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.orders.events import OrderCommanded, OrderCreated, end_orders
from games.dawn.rules.races.commands import CreateRace
from games.dawn.rules.state.schema_types import Life, OrderKind, Place, Terrain
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import ELVES, A, B, C, balances, order, people, playing, sound

PRAY = "Pray for rain."


def legal_commands_of(book: Playbook, kind: type) -> list[LegalCommand]:
    return legal_commands_for(book.state, (kind,), Actor(Issuer.SEAT, seat=A))


@pytest.mark.rule("DW-ORDR-1")
@pytest.mark.parametrize("kind", list(OrderKind))
@pytest.mark.parametrize(("age", "price"), [(1, 8), (2, 6), (3, 4)])
def test_any_god_founds_an_order_in_any_race(kind: OrderKind, age: int, price: int):
    book = playing(age=age, a=8)
    people(book, B)
    events = book.when(CreateOrder(race=ELVES, kind=kind, name="Weavers"), by=A)
    assert of_kind(events, OrderCreated) == [event_like(OrderCreated, race=ELVES, name="Weavers", owners=(A,))]
    (made,) = book.state.orders.values()
    assert (made.kind, made.owners, made.age, made.round) == (kind, (A,), age, 1)
    assert kind in ("guild", "knightly", "religious", "other")
    assert balances(book, A) == [8 - price] and sound(book)


@pytest.mark.rule("DW-ORDR-1")
@pytest.mark.rule("DW-NAME-1")
def test_an_order_needs_a_living_race_and_a_name_of_its_own():
    book = playing(a=20)
    people(book, B)
    order(book, ELVES, B)
    with refused("name.taken", book.state):
        book.when(CreateOrder(race=ELVES, kind=OrderKind.GUILD, name="ORDER 0"), by=A)
    with refused("race.missing", book.state):
        book.when(CreateOrder(race=UUID(int=1), kind=OrderKind.GUILD, name="Weavers"), by=A)
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(CreateOrder(race=ELVES, kind=OrderKind.GUILD, name="Weavers"), by=A)
    assert legal_commands_of(book, CreateOrder) == []


def test_an_order_that_cannot_be_paid_is_not_founded():
    book = playing(a=7)
    people(book, B)
    with refused("points.short", book.state):
        book.when(CreateOrder(race=ELVES, kind=OrderKind.GUILD, name="Weavers"), by=A)
    (candidate,) = legal_commands_of(book, CreateOrder)
    assert candidate.barred is not None and (candidate.barred.code, candidate.price) == ("points.short", 8)
    with refused("turn.not_yours", book.state):
        book.when(CreateOrder(race=ELVES, kind=OrderKind.GUILD, name="Weavers"), by=B)


@pytest.mark.rule("DW-ORDR-2", "DW-EX-13")
@pytest.mark.parametrize(
    ("kind", "owners", "age", "surcharge", "price"),
    [
        (OrderKind.RELIGIOUS, (B,), 3, 10, 12),
        (OrderKind.GUILD, (B,), 3, 5, 7),
        (OrderKind.KNIGHTLY, (B,), 2, 5, 8),
        (OrderKind.OTHER, (B,), 1, 5, 9),
        (OrderKind.RELIGIOUS, (A,), 3, 0, 2),
        (OrderKind.RELIGIOUS, (B, A), 3, 0, 2),
    ],
)
def test_another_gods_order_costs_more(kind: OrderKind, owners: tuple[UUID, ...], age: int, surcharge: int, price: int):
    book = playing(age=age, a=20)
    people(book, B)
    number = order(book, ELVES, *owners, kind=kind)
    (candidate,) = legal_commands_of(book, CommandOrder)
    assert candidate.legal and (candidate.price, candidate.arguments["order"].values) == (price, (number,))
    events = book.when(CommandOrder(order=number, task=PRAY), by=A)
    assert of_kind(events, OrderCommanded) == [
        event_like(OrderCommanded, order=number, by=A, task=PRAY, surcharge=surcharge)
    ]
    assert balances(book, A, B) == [20 - price, 0] and sound(book)


@pytest.mark.rule("DW-ORDR-2")
def test_the_surcharge_must_be_there_and_so_must_the_order():
    book = playing(age=3, a=11)
    people(book, B)
    number = order(book, ELVES, B, kind=OrderKind.RELIGIOUS)
    with refused("points.short", book.state):
        book.when(CommandOrder(order=number, task=PRAY), by=A)
    (candidate,) = legal_commands_of(book, CommandOrder)
    assert candidate.barred is not None and candidate.barred.code == "points.short"
    with refused("order.missing", book.state):
        book.when(CommandOrder(order=UUID(int=1), task=PRAY), by=A)
    end_orders(book.state, ELVES)
    with refused("order.missing", book.state):
        book.when(CommandOrder(order=number, task=PRAY), by=A)
    assert legal_commands_of(book, CommandOrder) == []


@pytest.mark.rule("DW-ORDR-2")
def test_legal_commands_have_the_price_of_each_order():
    book = playing(age=3, a=50)
    people(book, B)
    mine = order(book, ELVES, A)
    guild, faith = order(book, ELVES, B, C), order(book, ELVES, C, kind=OrderKind.RELIGIOUS)
    assert [(o.price, o.arguments["order"].values) for o in legal_commands_of(book, CommandOrder)] == [
        (2, (mine,)),
        (7, (guild,)),
        (12, (faith,)),
    ]


@pytest.mark.rule("DW-ORDR-2")
def test_the_free_order_of_a_race_is_its_creators_own():
    book = playing(age=2, a=20)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    book.when(CreateRace(name="Elves", home=Place(x=1, y=1)), by=A)
    (faith,) = book.state.orders
    book.when(CommandOrder(order=faith, task=PRAY), by=A)
    assert balances(book, A) == [20 - 6 - 3]


def test_the_commands_are_in_the_ruleset():
    assert {CreateOrder, CommandOrder} <= set(RULESET.own.commands)
