"""The free powers of an avatar (DW-AVA-3, DW-AVA-4)."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.avatars.free_power_commands import FreePower
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity
from games.dawn.rules.command.events import ArmyRaised, CityFounded, DeedRecorded
from games.dawn.rules.conflict.events import ConflictResolved
from games.dawn.rules.orders.events import OrderCommanded, OrderCreated
from games.dawn.rules.powers.answer_commands import AnswerConsent, RaiseObjection
from games.dawn.rules.powers.events import PowerDeclared, PowerFailed, PowerWithdrawn
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.events import AlignmentShifted, AllianceMade
from games.dawn.rules.state.records import Territory
from games.dawn.rules.state.schema_types import Bidder, Life, OrderKind
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import bid, fold
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    balances,
    city,
    inner_prompt,
    order,
    people,
    rounds,
    sound,
    turn_of,
)
from tests.rules.dawn.walkers import OTHER, act, at, avatar_id, free, legal_free_powers, move, raise_army, stage, waive


@pytest.mark.rule("DW-AVA-3", "DW-AVA-4")
@pytest.mark.parametrize("age", [1, 2, 3])
@pytest.mark.parametrize(
    "power", ["command_city", "create_order", "command_order", "found_city", "purify_city", "corrupt_city"]
)
def test_each_of_six_powers_costs_the_price_of_commanding_the_avatar_alone(power: str, age: int):
    book = stage(age, a=2, b=1)
    guild = order(book, ELVES, B)
    book.state.territory[ELVES, 2, 1] = Territory(ELVES, 2, 1)
    if power == "found_city":
        book.state.avatars[avatar_id(book)] = replace(book.state.avatars[avatar_id(book)], x=2)
    args: dict[str, dict[str, Any]] = {
        "command_city": {"city": HAVEN, "act": Act.RAISE_ARMY},
        "create_order": {"race": ELVES, "kind": OrderKind.KNIGHTLY, "name": "Riders"},
        "command_order": {"order": guild, "task": "Weave."},
        "found_city": {"race": ELVES, "square": at(2, 1), "name": "Ford"},
        "purify_city": {"target": HAVEN},
        "corrupt_city": {"target": HAVEN},
    }
    values = {
        "command_city": event_like(ArmyRaised, city=HAVEN),
        "create_order": event_like(OrderCreated, name="Riders", owners=(A,)),
        "command_order": event_like(OrderCommanded, order=guild, by=A, task="Weave.", surcharge=0),
        "found_city": event_like(CityFounded, name="Ford", square=at(2, 1)),
        "purify_city": event_like(AlignmentShifted, target=HAVEN, after=1),
        "corrupt_city": event_like(AlignmentShifted, target=HAVEN, after=-1),
    }
    events = free(book, FreePower(power), **args[power])
    if power in ("purify_city", "corrupt_city"):
        events += waive(book)
    price = {1: 2, 2: 1, 3: 1}[age]
    assert of_kind(events, PowerDeclared) == [event_like(PowerDeclared, does="command-avatar", price=price)]
    kinds = (ArmyRaised, OrderCreated, OrderCommanded, CityFounded, AlignmentShifted)
    assert of_kind(events, *kinds) == [values[power]]
    assert balances(book, A) == [2 - price] and sound(book)


@pytest.mark.rule("DW-AVA-3")
def test_no_other_power_is_free():
    assert {power.value for power in FreePower} == {
        "command_city",
        "create_order",
        "command_order",
        "found_city",
        "purify_city",
        "corrupt_city",
    }


@pytest.mark.rule("DW-AVA-4", "DW-AMB-19", "DW-EX-14")
def test_an_order_is_commanded_through_an_avatar_without_price_and_surcharge():
    book = stage()
    faith = order(book, ELVES, B, kind=OrderKind.RELIGIOUS)
    events = free(book, FreePower.COMMAND_ORDER, order=faith, task="Pray.")
    assert of_kind(events, OrderCommanded) == [event_like(OrderCommanded, order=faith, by=A, surcharge=0)]
    assert balances(book, A) == [19] and sound(book)
    act(book, move(2, 2))
    with refused("presence.missing", book.state):
        free(book, FreePower.COMMAND_ORDER, order=faith, task="Pray.")
    with refused("order.missing", book.state):
        free(book, FreePower.COMMAND_ORDER, order=UUID(int=1), task="Pray.")


@pytest.mark.rule("DW-AVA-3", "DW-AVA-4")
def test_an_order_is_founded_where_the_avatar_stands():
    book = stage()
    events = free(book, FreePower.CREATE_ORDER, race=ELVES, kind=OrderKind.GUILD, name="Weavers")
    assert of_kind(events, OrderCreated) == [event_like(OrderCreated, race=ELVES, owners=(A,))]
    assert balances(book, A) == [19]
    with refused("name.taken", book.state):
        free(book, FreePower.CREATE_ORDER, race=ELVES, kind=OrderKind.GUILD, name="Weavers")
    people(book, B, race=DWARVES, x=3, y=3)
    with refused("presence.missing", book.state):
        free(book, FreePower.CREATE_ORDER, race=DWARVES, kind=OrderKind.GUILD, name="Smiths")
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        free(book, FreePower.CREATE_ORDER, race=ELVES, kind=OrderKind.GUILD, name="Smiths")


@pytest.mark.rule("DW-AVA-3", "DW-AVA-4")
def test_a_city_is_founded_on_the_avatars_square_in_the_territory_of_the_race_they_name():
    book = stage()
    book.state.territory[ELVES, 2, 1] = Territory(ELVES, 2, 1)
    with refused("city.exists", book.state):
        free(book, FreePower.FOUND_CITY, race=ELVES, square=at(1, 1), name="Ford")
    with refused("presence.missing", book.state):
        free(book, FreePower.FOUND_CITY, race=ELVES, square=at(2, 1), name="Ford")
    act(book, move(3, 1))
    with refused("presence.missing", book.state):
        free(book, FreePower.FOUND_CITY, race=ELVES, square=at(3, 1), name="Ford")
    act(book, move(2, 1))
    (candidate,) = legal_free_powers(book, FreePower.FOUND_CITY)
    assert candidate.choices("free_power.args.square") == ({"x": 2, "y": 1},)
    events = free(book, FreePower.FOUND_CITY, race=ELVES, square=at(2, 1), name="Ford")
    assert of_kind(events, CityFounded) == [event_like(CityFounded, race=ELVES, name="Ford", controller=A)]
    assert balances(book, A) == [20 - 3] and legal_free_powers(book, FreePower.FOUND_CITY) == [] and sound(book)


@pytest.mark.rule("DW-AVA-4")
def test_only_the_city_where_the_avatar_stands_is_commanded_and_the_avatar_is_presence_enough():
    book = stage()
    city(book, controller=B, at=(3, 3), id=OTHER)
    deed = Args(text="They dance.")
    with refused("presence.missing", book.state):
        free(book, FreePower.COMMAND_CITY, city=OTHER, act=Act.DEED, args=deed)
    with refused("city.missing", book.state):
        free(book, FreePower.COMMAND_CITY, city=UUID(int=1), act=Act.DEED, args=deed)
    for args in ({"city": HAVEN}, {"act": Act.DEED}, {"city": HAVEN, "act": Act.FOUND_CITY}, {}):
        with refused("act.invalid", book.state):
            free(book, FreePower.COMMAND_CITY, **args)
    with refused("act.invalid", book.state):
        free(book, FreePower.COMMAND_CITY, city=HAVEN, act=Act.DEED, args=deed, task="?")
    events = free(book, FreePower.COMMAND_CITY, city=HAVEN, act=Act.DEED, args=deed)
    assert of_kind(events, DeedRecorded) == [event_like(DeedRecorded, by=HAVEN)] and balances(book, A) == [19]


@pytest.mark.rule("DW-CMDC-2", "DW-AMB-15", "DW-EX-47")
def test_through_an_avatar_a_city_raises_two_armies_for_a_point():
    book = stage()
    order(book, ELVES, A)
    (candidate,) = [
        o for o in legal_free_powers(book, FreePower.COMMAND_CITY) if o.domain("free_power.args.args.count")
    ]
    assert (candidate.price, candidate.choices("free_power.args.args.count")) == (1, (1, 2))
    events = raise_army(book, 2)
    assert [len(e.armies) for e in events if isinstance(e, ArmyRaised)] == [2] and balances(book, A) == [19]
    with refused("army.cap", book.state):
        book.when(CommandCity(city=HAVEN, act=Act.RAISE_ARMY), by=A)
    with refused("army.cap", book.state):
        raise_army(book, 1)
    rounds(book, 1)
    turn_of(book, A)
    book.when(CommandCity(city=HAVEN, act=Act.RAISE_ARMY), by=A)
    with refused("army.cap", book.state):
        book.when(CommandCity(city=HAVEN, act=Act.RAISE_ARMY), by=A)
    assert len(book.state.armies_in(HAVEN)) == 3 and sound(book)


@pytest.mark.rule("DW-CMDC-2", "DW-AMB-15", "DW-EX-23")
@pytest.mark.parametrize("led_first", [False, True])
def test_by_command_and_through_an_avatar_a_city_raises_two_in_total(led_first: bool):
    book = stage()
    order(book, ELVES, A)
    if led_first:
        raise_army(book)
        book.when(CommandCity(city=HAVEN, act=Act.RAISE_ARMY), by=A)
    else:
        book.when(CommandCity(city=HAVEN, act=Act.RAISE_ARMY), by=A)
        with refused("army.cap", book.state):
            raise_army(book, 2)
        raise_army(book, 1)
    with refused("army.cap", book.state):
        raise_army(book, 1)
    with refused("act.invalid", book.state):
        raise_army(book, 3)
    assert len(book.state.armies_in(HAVEN)) == 2 and sound(book)


@pytest.mark.rule("DW-AVA-4", "DW-PRC-1")
def test_the_mark_of_a_free_power_is_that_of_the_power():
    book = stage(b=1)
    free(book, FreePower.PURIFY_CITY, target=HAVEN)
    waive(book)
    with refused("target.marked", book.state):
        free(book, FreePower.PURIFY_CITY, target=HAVEN)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=HAVEN, dir=1), by=A)
    (candidate,) = legal_free_powers(book, FreePower.PURIFY_CITY)
    assert candidate.barred is not None and candidate.barred.code == "target.marked"
    free(book, FreePower.CORRUPT_CITY, target=HAVEN)
    waive(book)
    assert book.state.cities[HAVEN].alignment == 0 and balances(book, A) == [18] and sound(book)


@pytest.mark.rule("DW-AVA-4")
def test_only_the_city_where_the_avatar_stands_is_purified():
    book = stage()
    city(book, controller=B, at=(3, 3), id=OTHER, alignment=2)
    with refused("presence.missing", book.state):
        free(book, FreePower.PURIFY_CITY, target=OTHER)
    with refused("city.missing", book.state):
        free(book, FreePower.PURIFY_CITY, target=ELVES)
    act(book, move(3, 3))
    with refused("scale.end", book.state):
        free(book, FreePower.PURIFY_CITY, target=OTHER)
    (candidate,) = legal_free_powers(book, FreePower.PURIFY_CITY)
    assert candidate.barred is not None and candidate.barred.code == "scale.end"


@pytest.mark.rule("DW-AVA-3", "DW-DC-5", "DW-AMB-23", "DW-EX-43")
def test_the_price_of_commanding_an_avatar_does_not_come_back():
    book = stage(a=5, b=4)
    free(book, FreePower.PURIFY_CITY, target=HAVEN)
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    events = fold(book, A)
    assert of_kind(events, ConflictResolved, AlignmentShifted, PowerFailed) == [
        event_like(ConflictResolved, winner=Bidder.INVOKER),
        event_like(PowerFailed, refund=0),
    ]
    assert balances(book, A, B) == [4, 3] and book.state.cities[HAVEN].alignment == 0 and sound(book)


@pytest.mark.rule("DW-AVA-3", "DW-CMDR-3")
@pytest.mark.parametrize("yes", [True, False])
def test_an_alliance_through_an_avatar_asks_as_the_command_does_and_costs_its_point(yes: bool):
    book = stage()
    people(book, C, race=DWARVES, x=3, y=3)
    order(book, DWARVES, C)
    free(book, FreePower.COMMAND_CITY, city=HAVEN, act=Act.ALLIANCE, args=Args(race=DWARVES))
    events = book.when(AnswerConsent(prompt=inner_prompt(book), yes=yes), by=C)
    event = event_like(AllianceMade, parties=(HAVEN, DWARVES)) if yes else event_like(PowerWithdrawn, refund=0)
    assert of_kind(events, AllianceMade, PowerWithdrawn) == [event] and balances(book, A) == [19] and sound(book)
