"""Presence, orders in force, and where avatars reside (DW-PRC-2, DW-SUB-4, DW-AVA-7)."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.land.presence import orders_in_force, present_at, present_in, residents
from games.dawn.rules.orders.commands import CreateOrder
from games.dawn.rules.state.records import Territory
from games.dawn.rules.state.schema_types import Life, OrderKind
from tests.playbook import refused
from tests.rules.dawn.stage import DWARVES, ELVES, A, B, C, avatar, balances, city, order, people, playing, turn_of

GNOMES = UUID(int=0x6)
SONG = Args(text="They sing.")


def sing_deed(race: UUID = ELVES) -> CommandRace:
    return CommandRace(race=race, act=Act.DEED, args=SONG)


@pytest.mark.rule("DW-PRC-2", "DW-AMB-44")
@pytest.mark.parametrize("kind", list(OrderKind))
def test_an_order_of_any_kind_is_presence_in_the_race_and_in_its_cities(kind: OrderKind):
    book = playing(a=20)
    haven = city(book, people(book, B), controller=B, at=(4, 4))
    with refused("presence.missing", book.state):
        book.when(sing_deed(), by=A)
    order(book, ELVES, A, kind=kind)
    book.when(sing_deed(), by=A)
    book.when(CommandCity(city=haven, act=Act.DEED, args=SONG), by=A)
    assert present_in(book.state, A, ELVES) and not present_in(book.state, B, ELVES)


@pytest.mark.rule("DW-PRC-2")
def test_an_order_of_another_god_or_of_another_race_is_none():
    book = playing(a=20)
    people(book, A)
    people(book, A, race=DWARVES)
    order(book, ELVES, B, C)
    order(book, DWARVES, A)
    with refused("presence.missing", book.state):
        book.when(sing_deed(), by=A)
    assert present_in(book.state, C, ELVES), "every owner of a joint order has presence"


@pytest.mark.rule("DW-PRC-2", "DW-AMB-44")
def test_an_avatar_is_presence_on_the_territory_or_in_the_city_itself():
    book = playing(a=20)
    haven = city(book, people(book, B), controller=B, at=(4, 4))
    book.state.territory[ELVES, 2, 1] = Territory(ELVES, 2, 1)
    hero = avatar(book, A, (2, 1))
    assert present_in(book.state, A, ELVES) and not present_at(book.state, A, book.state.cities[haven])
    book.when(sing_deed(), by=A)
    book.state.avatars[hero] = replace(book.state.avatars[hero], x=4, y=4)
    assert not present_in(book.state, A, ELVES) and present_at(book.state, A, book.state.cities[haven])
    book.when(CommandCity(city=haven, act=Act.DEED, args=SONG), by=A)
    book.state.avatars[hero] = replace(book.state.avatars[hero], alive=False)
    with refused("presence.missing", book.state):
        book.when(CommandCity(city=haven, act=Act.DEED, args=SONG), by=A)


@pytest.mark.rule("DW-PRC-2")
def test_another_gods_avatar_is_no_presence():
    book = playing(a=20)
    haven = city(book, people(book, B), controller=A)
    avatar(book, B, (1, 1))
    for command in (sing_deed(), CommandCity(city=haven, act=Act.DEED, args=SONG)):
        with refused("presence.missing", book.state):
            book.when(command, by=A)


@pytest.mark.rule("DW-PRC-2", "DW-AMB-8")
def test_control_of_a_city_alone_is_no_presence():
    book = playing(a=20)
    haven = city(book, people(book, B), controller=A)
    avatar(book, A, (0, 0))
    with refused("presence.missing", book.state):
        book.when(CommandCity(city=haven, act=Act.RAISE_ARMY), by=A)
    assert balances(book, A) == [20]


@pytest.mark.rule("DW-SUB-4", "DW-AMB-45", "DW-EX-41")
def test_an_order_founded_in_a_subrace_replaces_those_of_its_parents():
    book = playing(age=3, a=20, b=20)
    people(book, A)
    people(book, A, race=DWARVES, parents=(ELVES,))
    order(book, ELVES, A)
    book.when(sing_deed(DWARVES), by=A)
    turn_of(book, B)
    book.when(CreateOrder(race=DWARVES, kind=OrderKind.GUILD, name="Delvers"), by=B)
    turn_of(book, A)
    with refused("presence.missing", book.state):
        book.when(sing_deed(DWARVES), by=A)
    book.when(sing_deed(ELVES), by=A)
    assert present_in(book.state, B, DWARVES) and not present_in(book.state, B, ELVES)


@pytest.mark.rule("DW-SUB-4")
def test_orders_are_looked_up_through_all_parents_and_grandparents():
    book = playing()
    people(book, A)
    people(book, A, race=DWARVES, parents=(ELVES,))
    halflings = people(book, A, race=UUID(int=0x4A1F))
    people(book, A, race=GNOMES, parents=(DWARVES, halflings))
    first, second = order(book, ELVES, A), order(book, halflings, B)
    assert [o.id for o in orders_in_force(book.state, GNOMES)] == [first, second]
    assert present_in(book.state, A, GNOMES) and present_in(book.state, B, GNOMES)
    third = order(book, DWARVES, C)
    assert [o.id for o in orders_in_force(book.state, GNOMES)] == [second, third]
    assert not present_in(book.state, A, GNOMES)


@pytest.mark.rule("DW-SUB-4")
def test_an_extinct_parent_leaves_its_subrace_with_its_own_orders_alone():
    book = playing()
    people(book, A)
    people(book, A, race=DWARVES, parents=(ELVES,))
    people(book, A, race=GNOMES, parents=(DWARVES,))
    order(book, ELVES, A)
    assert present_in(book.state, A, GNOMES)
    book.state.races[DWARVES] = replace(book.state.races[DWARVES], life=Life.EXTINCT)
    assert orders_in_force(book.state, GNOMES) == []
    own = order(book, GNOMES, A)
    assert [o.id for o in orders_in_force(book.state, GNOMES)] == [own]
    book.state.orders[own] = replace(book.state.orders[own], dissolved=True)
    assert not present_in(book.state, A, GNOMES)


@pytest.mark.rule("DW-AVA-7")
def test_an_avatar_resides_where_their_god_rules_or_where_they_defend():
    book = playing()
    haven = city(book, people(book, A), controller=A, at=(1, 1))
    own, guest, away = avatar(book, A, (1, 1)), avatar(book, B, (1, 1)), avatar(book, A, (2, 1))
    assert [a.id for a in residents(book.state, book.state.cities[haven])] == [own]
    book.state.avatars[guest] = replace(book.state.avatars[guest], defending=True)
    book.state.avatars[away] = replace(book.state.avatars[away], defending=True)
    assert [a.id for a in residents(book.state, book.state.cities[haven])] == [own, guest]
    book.state.cities[haven] = replace(book.state.cities[haven], controller=C)
    assert [a.id for a in residents(book.state, book.state.cities[haven])] == [guest]


@pytest.mark.rule("DW-PRC-2")
def test_an_avatar_of_another_god_is_no_own_presence():
    book = playing(a=20)
    haven = city(book, people(book, B), controller=B)
    avatar(book, B, (1, 1))
    for command in (sing_deed(), CommandCity(city=haven, act=Act.DEED, args=SONG)):
        with refused("presence.missing", book.state):
            book.when(command, by=A)
    assert present_in(book.state, B, ELVES) and present_at(book.state, B, book.state.cities[haven])
