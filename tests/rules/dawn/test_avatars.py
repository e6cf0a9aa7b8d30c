"""Avatars: created, commanded, destroyed, avenged and won back (DW-AVA-*)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.actions import Action, ArmyLed, AvatarMoved, CityDefended, Doing
from games.dawn.rules.acts import Act, Args, Target
from games.dawn.rules.alignment import AlignmentShifted, ShiftAlignment
from games.dawn.rules.alliances import AllianceMade
from games.dawn.rules.answering import AnswerConsent, OpenConflict, RaiseObjection, WaiveObjection
from games.dawn.rules.answers import ObjectionWaived
from games.dawn.rules.avatars import AvatarCreated, CommandAvatar, CreateAvatar
from games.dawn.rules.bidding import Fold, PlaceBid
from games.dawn.rules.casting import PowerCommand
from games.dawn.rules.commanding import CommandCity
from games.dawn.rules.conflicts import ConflictOpened, ConflictResolved
from games.dawn.rules.directions import ArmyRaised, CityFounded, DeedRecorded
from games.dawn.rules.free_powers import FreeArgs, FreePower, FreeUse
from games.dawn.rules.marching import WarDeclared
from games.dawn.rules.orders import OrderCommanded, OrderCreated
from games.dawn.rules.powers import Cast, PowerDeclared, PowerFailed, PowerResolved, PowerWithdrawn
from games.dawn.rules.presence import residents
from games.dawn.rules.records import Power, Territory
from games.dawn.rules.revenge import AvatarDestroyed, AvatarRespawned, RevengeAsked
from games.dawn.rules.state import State
from games.dawn.rules.turning import EndTurn, LeaveSeat
from games.dawn.rules.turns import AgeChanged, TurnStarted
from games.dawn.rules.vocabulary import Asked, AvatarKind, Bidder, Cause, Life, OrderKind, Place, Price, Terrain
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.offers import Domain, Offer, offers_for
from games.engine.prompt import DeadlinePassed
from games.engine.ruleset import Ruleset
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    army,
    asked,
    avatar,
    balances,
    begun,
    city,
    give,
    log_tells_the_state,
    order,
    people,
    playing,
    rounds,
    sound,
    turn_of,
)

HOME = (1, 1)
OTHER = UUID(int=0xC2)


class Strike(PowerCommand):
    """A toy power for the price of a catastrophe: it destroys avatars."""

    avatars: tuple[UUID, ...]

    def row(self, state: State) -> Price:
        return Price.CATASTROPHE

    def check(self, state: State, cast: Cast) -> None:
        """Anybody may strike, anywhere."""

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        for number in self.avatars:
            him = state.avatars[number]
            yield AvatarDestroyed(avatar=number, square=Place(x=him.x, y=him.y), by=power.caster)


STRIKING: Ruleset = replace(RULESET, own_commands=(*RULESET.own_commands, Strike))


def at(x: int, y: int) -> Place:
    return Place(x=x, y=y)


def stage(age: int = 3, **points: int) -> Playbook:
    """A's turn; Elves of B with Haven, a city of B's, at (1, 1), all of it plains; an avatar of A's there."""
    book = playing(age=age, **{"a": 20, **points})
    for square in ((1, 1), (2, 1), (3, 1), (3, 3)):
        book.state.squares[square] = replace(book.state.squares[square], terrain=Terrain.PLAINS)
    city(book, people(book, B), controller=B, at=HOME)
    avatar(book, A, HOME)
    return book


def him(book: Playbook) -> UUID:
    """The first avatar on the map."""
    return UUID(str(min(book.state.avatars)))


def act(book: Playbook, *actions: Action, by: UUID = A) -> list[Event]:
    return book.when(CommandAvatar(avatar=him(book), actions=actions), by=by)


def free(book: Playbook, power: FreePower, by: UUID = A, **args: Any) -> list[Event]:
    use = FreeUse(power=power, args=FreeArgs(**args))
    return book.when(CommandAvatar(avatar=him(book), free_power=use), by=by)


def raise_army(book: Playbook, count: int | None = None) -> list[Event]:
    return free(book, FreePower.COMMAND_CITY, city=HAVEN, act=Act.RAISE_ARMY, args=Args(count=count))


def move(x: int, y: int) -> Action:
    return Action(action=Doing.MOVE, square=at(x, y))


def bid(book: Playbook, seat: UUID, total: int) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(PlaceBid(conflict=conflict, total=total), by=seat)


def fold(book: Playbook, seat: UUID) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(Fold(conflict=conflict), by=seat)


def offers(book: Playbook, kind: type = CommandAvatar) -> list[Offer]:
    return offers_for(book.state, (kind,), Actor(Issuer.SEAT, seat=A))


def offered(book: Playbook, power: FreePower) -> list[Offer]:
    return [o for o in offers(book) if o.arguments.get("free_power.power", Domain()).values == (power.value,)]


# -- creation -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-AVA-1", "DW-AMB-34")
@pytest.mark.parametrize(("age", "price"), [(1, 10), (2, 7), (3, 8)])
def test_a_god_places_avatars_anywhere_and_may_have_several(age: int, price: int):
    book = playing(age=age, a=20)
    events = book.when(CreateAvatar(square=at(5, 4), kind=AvatarKind.BEAST, name="The Stag"), by=A)
    assert of_kind(events, AvatarCreated) == [event_like(AvatarCreated, square=at(5, 4), name="The Stag", owner=A)]
    book.when(CreateAvatar(square=at(0, 0), kind=AvatarKind.MORTAL, name="The Stag"), by=A)
    first, second = book.state.avatars.values()
    assert (first.kind, second.kind, first.alive) == (AvatarKind.BEAST, AvatarKind.MORTAL, True)
    assert balances(book, A) == [20 - 2 * price] and sound(book)


def test_an_avatar_is_placed_on_the_map_and_paid_for():
    book = playing(a=9)
    with refused("square.off_map", book.state):
        book.when(CreateAvatar(square=at(6, 0), kind=AvatarKind.BEAST, name="The Stag"), by=A)
    with refused("points.short", book.state):
        book.when(CreateAvatar(square=at(5, 0), kind=AvatarKind.BEAST, name="The Stag"), by=A)
    (offer,) = offers(book, CreateAvatar)
    assert offer.price == 10 and offer.barred is not None and offer.barred.code == "points.short"


# -- mortal actions -------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-AVA-3", "DW-AVA-6", "DW-AMB-18", "DW-AMB-39")
@pytest.mark.parametrize(("age", "price"), [(1, 2), (2, 1), (3, 1)])
def test_up_to_three_actions_for_one_price(age: int, price: int):
    book = stage(age)
    events = act(book, move(5, 4), move(1, 1), Action(action=Doing.DEFEND_CITY))
    assert of_kind(events, PowerDeclared, AvatarMoved, CityDefended, PowerResolved) == [
        event_like(PowerDeclared, price=price),
        event_like(AvatarMoved, square=at(5, 4)),
        event_like(AvatarMoved, square=at(1, 1)),
        event_like(CityDefended, city=HAVEN),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [20 - price] and sound(book)


@pytest.mark.rule("DW-AVA-3", "DW-AMB-18")
def test_one_kind_of_command_and_one_to_three_actions():
    book = stage()
    deed = Action(action=Doing.DEED, text="He sleeps.")
    use = FreeUse(power=FreePower.PURIFY_CITY, args=FreeArgs(target=HAVEN))
    for command in (
        CommandAvatar(avatar=him(book)),
        CommandAvatar(avatar=him(book), actions=(deed,) * 4),
        CommandAvatar(avatar=him(book), actions=(deed,), free_power=use),
        CommandAvatar(avatar=him(book), actions=(Action(action=Doing.DEED),)),
        CommandAvatar(avatar=him(book), actions=(Action(action=Doing.MOVE),)),
        CommandAvatar(avatar=him(book), actions=(Action(action=Doing.MOVE, square=at(0, 0), text="?"),)),
        CommandAvatar(avatar=him(book), actions=(Action(action=Doing.LEAD_ARMY),)),
        CommandAvatar(avatar=him(book), actions=(Action(action=Doing.ATTACK_CITY),)),
    ):
        with refused("act.invalid", book.state):
            book.when(command, by=A)
    events = act(book, deed, deed, deed)
    assert len(of_kind(events, DeedRecorded)) == 3


@pytest.mark.rule("DW-AVA-6")
def test_he_leads_an_army_of_his_gods_until_he_moves_alone():
    book = stage()
    city(book, controller=A, at=(3, 3), id=OTHER)
    mine, theirs = army(book, OTHER), army(book, HAVEN)
    with refused("army.missing", book.state):
        act(book, Action(action=Doing.LEAD_ARMY, army=UUID(int=1)))
    with refused("army.foreign", book.state):
        act(book, Action(action=Doing.LEAD_ARMY, army=theirs))
    with refused("presence.missing", book.state):
        act(book, Action(action=Doing.LEAD_ARMY, army=mine))
    events = act(book, move(3, 3), Action(action=Doing.LEAD_ARMY, army=mine))
    assert of_kind(events, ArmyLed) == [event_like(ArmyLed, avatar=him(book), army=mine)]
    assert book.state.avatars[him(book)].leads == mine
    act(book, move(0, 0))
    assert book.state.avatars[him(book)].leads is None and book.state.armies[mine].city == OTHER and sound(book)


@pytest.mark.rule("DW-AVA-6", "DW-AVA-7")
def test_he_resides_in_the_city_on_his_square_until_he_moves():
    book = stage()
    act(book, Action(action=Doing.DEED, text="He passes through."))
    assert residents(book.state, book.state.cities[HAVEN]) == []
    act(book, Action(action=Doing.DEFEND_CITY))
    assert [a.id for a in residents(book.state, book.state.cities[HAVEN])] == [him(book)]
    act(book, move(2, 2), move(1, 1))
    assert residents(book.state, book.state.cities[HAVEN]) == []
    with refused("presence.missing", book.state):
        act(book, move(2, 2), Action(action=Doing.DEFEND_CITY))
    with refused("square.off_map", book.state):
        act(book, move(6, 2))


@pytest.mark.rule("DW-AVA-6", "DW-AMB-18")
def test_he_attacks_once_with_the_army_he_leads_or_alone():
    book = stage()
    city(book, controller=A, at=(3, 1), id=OTHER)
    mine = army(book, OTHER)
    attack = Action(action=Doing.ATTACK_CITY, target=Target(square=at(1, 1)))
    for second in (attack, move(0, 0), Action(action=Doing.DEFEND_CITY)):
        with refused("act.invalid", book.state):
            act(book, attack, second)
    with refused("target.own", book.state):
        act(book, Action(action=Doing.ATTACK_CITY, target=Target(square=at(3, 1))))
    with refused("target.empty", book.state):
        act(book, Action(action=Doing.ATTACK_CITY, target=Target(square=at(0, 0))))
    alone = stage()
    events = act(alone, attack, Action(action=Doing.DEED, text="He shouts."))
    assert of_kind(events, WarDeclared) == [
        event_like(WarDeclared, attacker=A, city=HAVEN, armies=(), alone=him(alone))
    ]
    events = act(book, move(3, 1), Action(action=Doing.LEAD_ARMY, army=mine), attack)
    assert of_kind(events, WarDeclared) == [event_like(WarDeclared, attacker=A, city=HAVEN, armies=(mine,), alone=None)]
    assert balances(book, A) == [19]


def test_whose_avatar_it_is_and_whether_he_lives():
    book = stage()
    other, dead = avatar(book, B, (0, 0)), avatar(book, A, (0, 0), alive=False)
    deed = (Action(action=Doing.DEED, text="He sleeps."),)
    for code, number in (
        ("avatar.foreign", other),
        ("avatar.dead", dead),
        ("avatar.missing", UUID(int=1)),
    ):
        with refused(code, book.state):
            book.when(CommandAvatar(avatar=number, actions=deed), by=A)
    with refused("turn.not_yours", book.state):
        book.when(CommandAvatar(avatar=other, actions=deed), by=B)
    assert {o.arguments["avatar"].values for o in offers(book)} == {(him(book),)}
    give(book, A, 0)
    with refused("points.short", book.state):
        act(book, *deed)
    del book.state.avatars[him(book)]
    (none,) = offers(book)
    assert none.barred is not None and none.barred.code == "avatar.missing"


# -- free powers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-AVA-4", "DW-AMB-19", "DW-EX-14")
def test_an_order_is_commanded_through_him_without_price_and_surcharge():
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
def test_an_order_is_founded_where_he_stands():
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
def test_a_city_is_founded_on_his_square_in_the_territory_of_the_race_he_names():
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
    (offer,) = offered(book, FreePower.FOUND_CITY)
    assert offer.arguments["free_power.args.square"].values == ({"x": 2, "y": 1},)
    events = free(book, FreePower.FOUND_CITY, race=ELVES, square=at(2, 1), name="Ford")
    assert of_kind(events, CityFounded) == [event_like(CityFounded, race=ELVES, name="Ford", controller=A)]
    assert balances(book, A) == [20 - 3] and offered(book, FreePower.FOUND_CITY) == [] and sound(book)


@pytest.mark.rule("DW-AVA-4")
def test_only_the_city_where_he_stands_is_commanded_and_he_is_presence_enough():
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
def test_through_him_a_city_raises_two_armies_for_a_point():
    book = stage()
    order(book, ELVES, A)
    (offer,) = [o for o in offered(book, FreePower.COMMAND_CITY) if "free_power.args.args.count" in o.arguments]
    assert (offer.price, offer.arguments["free_power.args.args.count"].values) == (1, (1, 2))
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
def test_by_command_and_through_him_a_city_raises_two_in_total(led_first: bool):
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
    book = stage(b=0)
    free(book, FreePower.PURIFY_CITY, target=HAVEN)
    waive(book)
    with refused("target.marked", book.state):
        free(book, FreePower.PURIFY_CITY, target=HAVEN)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=HAVEN, dir=1), by=A)
    (offer,) = offered(book, FreePower.PURIFY_CITY)
    assert offer.barred is not None and offer.barred.code == "target.marked"
    free(book, FreePower.CORRUPT_CITY, target=HAVEN)
    waive(book)
    assert book.state.cities[HAVEN].alignment == 0 and balances(book, A) == [18] and sound(book)


def waive(book: Playbook) -> None:
    """B, creator of the Elves, does not object."""
    book.when(WaiveObjection(prompt=asked(book)), by=B)


@pytest.mark.rule("DW-AVA-4")
def test_only_the_city_where_he_stands_is_purified():
    book = stage()
    city(book, controller=B, at=(3, 3), id=OTHER, alignment=2)
    with refused("presence.missing", book.state):
        free(book, FreePower.PURIFY_CITY, target=OTHER)
    with refused("city.missing", book.state):
        free(book, FreePower.PURIFY_CITY, target=ELVES)
    act(book, move(3, 3))
    with refused("scale.end", book.state):
        free(book, FreePower.PURIFY_CITY, target=OTHER)
    (offer,) = offered(book, FreePower.PURIFY_CITY)
    assert offer.barred is not None and offer.barred.code == "scale.end"


@pytest.mark.rule("DW-AVA-3", "DW-DC-5", "DW-AMB-23", "DW-EX-43")
def test_the_price_of_commanding_him_does_not_come_back():
    book = stage(a=5, b=4)
    free(book, FreePower.PURIFY_CITY, target=HAVEN)
    book.when(RaiseObjection(prompt=asked(book)), by=B)
    bid(book, B, 1)
    events = fold(book, A)
    assert of_kind(events, ConflictResolved, AlignmentShifted, PowerFailed) == [
        event_like(ConflictResolved, winner=Bidder.INVOKER),
        event_like(PowerFailed, refund=0),
    ]
    assert balances(book, A, B) == [4, 3] and book.state.cities[HAVEN].alignment == 0 and sound(book)


@pytest.mark.rule("DW-AVA-3", "DW-CMDR-3")
@pytest.mark.parametrize("yes", [True, False])
def test_an_alliance_through_him_asks_as_the_command_does_and_costs_its_point(yes: bool):
    book = stage()
    people(book, C, race=DWARVES, x=3, y=3)
    order(book, DWARVES, C)
    free(book, FreePower.COMMAND_CITY, city=HAVEN, act=Act.ALLIANCE, args=Args(race=DWARVES))
    events = book.when(AnswerConsent(prompt=asked(book), yes=yes), by=C)
    told = event_like(AllianceMade, parties=(HAVEN, DWARVES)) if yes else event_like(PowerWithdrawn, refund=0)
    assert of_kind(events, AllianceMade, PowerWithdrawn) == [told] and balances(book, A) == [19] and sound(book)


# -- death, revenge, return -----------------------------------------------------------------------------------------


def struck(**points: int) -> Playbook:
    """A's turn; he destroys an avatar of B's that stands at (1, 1): B is asked."""
    book = playing(age=2, **{"a": 20, "b": 5, **points})
    book.ruleset = STRIKING
    avatar(book, B, HOME, defending=True)
    book.when(Strike(avatars=(him(book),)), by=A)
    return book


def won(book: Playbook) -> list[Event]:
    """B wins the conflict about his avatar."""
    book.when(OpenConflict(prompt=asked(book)), by=B)
    bid(book, B, 1)
    return fold(book, A)


@pytest.mark.rule("DW-AVA-5")
def test_the_god_of_a_dead_avatar_is_asked_when_the_power_is_resolved():
    book = playing(age=2, a=20, b=5)
    book.ruleset = STRIKING
    city(book, people(book, B), controller=B)
    avatar(book, B, HOME, defending=True, leads=army(book))
    events = book.when(Strike(avatars=(him(book),)), by=A)
    assert [type(e) for e in of_kind(events, AvatarDestroyed, PowerResolved, RevengeAsked)] == [
        AvatarDestroyed,
        PowerResolved,
        RevengeAsked,
    ]
    dead = book.state.avatars[him(book)]
    assert (dead.alive, dead.defending, dead.leads, dead.killed_by, dead.fell_in) == (False, False, None, A, 1)
    assert (dead.x, dead.y) == HOME
    prompt = book.state.prompts[asked(book)]
    assert (prompt.kind, prompt.subject, prompt.owners) == (Asked.REVENGE, dead.id, (f"seat:{B}",))
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    with refused("prompt.not_yours", book.state):
        book.when(OpenConflict(prompt=prompt.id), by=A)
    assert sound(book)


@pytest.mark.rule("DW-AVA-5")
def test_won_back_he_returns_free_where_he_died_at_his_gods_turn_of_the_next_round():
    book = struck()
    events = book.when(OpenConflict(prompt=asked(book)), by=B)
    assert of_kind(events, ConflictOpened) == [
        event_like(ConflictOpened, cause=Cause.REVENGE, invoker=B, challenger=A, about=him(book))
    ]
    bid(book, B, 1)
    fold(book, A)
    assert not book.state.avatars[him(book)].alive and sound(book)
    events = book.when(EndTurn(), by=A)
    assert of_kind(events, TurnStarted, AvatarRespawned) == [event_like(TurnStarted, seat=B)], "not in the same round"
    events = rounds(book, 1)
    assert of_kind(events, AvatarRespawned) == []
    events = turn_of(book, B)
    assert of_kind(events, AvatarRespawned, TurnStarted)[-2:] == [
        event_like(AvatarRespawned, avatar=him(book), square=at(1, 1)),
        event_like(TurnStarted, seat=B),
    ]
    back = book.state.avatars[him(book)]
    assert (back.alive, back.returning, back.defending, (back.x, back.y)) == (True, False, False, HOME)
    spent = book.state.purses[B].spent
    rounds(book, 1)
    assert of_kind(turn_of(book, B), AvatarRespawned) == [] and book.state.purses[B].spent == spent == 1
    assert sound(book)


@pytest.mark.rule("DW-AVA-5")
@pytest.mark.parametrize("how", ["waived", "silent", "lost"])
def test_else_he_is_gone(how: str):
    book = struck()
    if how == "waived":
        events = book.when(WaiveObjection(prompt=asked(book)), by=B)
        assert of_kind(events, ObjectionWaived) == [event_like(ObjectionWaived, seat=B)]
    elif how == "silent":
        events = book.wait(timedelta(seconds=90))
        assert of_kind(events, DeadlinePassed, ObjectionWaived) == [
            event_like(DeadlinePassed, seats=(B,)),
            event_like(ObjectionWaived, seat=B),
        ]
    else:
        book.when(OpenConflict(prompt=asked(book)), by=B)
        bid(book, B, 1)
        bid(book, A, 2)
        fold(book, B)
        assert balances(book, A, B) == [20 - 10 - 2, 4]
    assert book.state.inner() is None and not book.state.avatars[him(book)].returning
    assert of_kind(rounds(book, 2), AvatarRespawned) == [] and not book.state.avatars[him(book)].alive
    assert sound(book)


@pytest.mark.rule("DW-AVA-5")
def test_revenge_needs_a_point_and_its_own_answer():
    book = struck(b=0)
    prompt = asked(book)
    with refused("points.short", book.state):
        book.when(OpenConflict(prompt=prompt), by=B)
    book.when(WaiveObjection(prompt=prompt), by=B)
    with refused("prompt.closed", book.state):
        book.when(WaiveObjection(prompt=prompt), by=B)


@pytest.mark.rule("DW-AVA-5")
def test_several_dead_are_mourned_one_after_the_other_in_turn_order():
    book = playing(age=2, a=20, b=5, c=5)
    book.ruleset = STRIKING
    every = (avatar(book, C, (0, 0)), avatar(book, B, HOME), avatar(book, B, (2, 2)))
    book.when(Strike(avatars=every), by=A)
    first, second, third = every[1], every[2], every[0]
    assert book.state.prompts[asked(book)].subject == first
    won(book)
    assert book.state.prompts[asked(book)].subject == second
    book.when(WaiveObjection(prompt=asked(book)), by=B)
    assert book.state.prompts[asked(book)].subject == third
    book.when(LeaveSeat(), by=C)
    assert book.state.inner() is None
    assert [book.state.avatars[a].returning for a in (first, second, third)] == [True, False, False]
    assert sound(book)


@pytest.mark.rule("DW-AVA-5", "DW-AMB-37")
def test_nobody_is_asked_for_his_own_doing_or_when_he_has_left():
    book = playing(age=2, a=20, b=5)
    book.ruleset = STRIKING
    own, absent = avatar(book, A, (0, 0)), avatar(book, C, HOME)
    book.when(LeaveSeat(), by=C)
    events = book.when(Strike(avatars=(own, absent)), by=A)
    assert of_kind(events, RevengeAsked) == [event_like(RevengeAsked, avatar=absent, seats=())]
    assert book.state.inner() is None and sound(book)


@pytest.mark.rule("DW-AMB-32")
def test_who_was_won_back_returns_at_any_later_turn_of_his_god_and_in_the_next_age():
    book = struck()
    book.state.set_course(round=book.state.course.length)
    won(book)
    book.when(LeaveSeat(), by=B)
    events = rounds(book, 1)
    assert len(of_kind(events, AgeChanged)) == 1
    events = rounds(book, 2)
    assert of_kind(events, AvatarRespawned) == [] and book.state.avatars[him(book)].returning
    book.state.seats[B] = replace(book.state.seats[B], user=UUID(int=9))
    events = rounds(book, 1) + turn_of(book, B)
    assert of_kind(events, AvatarRespawned) == [event_like(AvatarRespawned, avatar=him(book))] and sound(book)


@pytest.mark.rule("DW-AVA-5")
def test_who_returned_may_die_and_be_avenged_again():
    book = struck()
    won(book)
    rounds(book, 1)
    turn_of(book, B)
    book.when(EndTurn(), by=B)
    turn_of(book, A)
    give(book, A, 10)
    book.when(Strike(avatars=(him(book),)), by=A)
    assert book.state.prompts[asked(book)].subject == him(book) and sound(book)


def test_the_log_tells_of_avatars():
    book = begun()
    rounds(book, 2)
    turn_of(book, A)
    book.when(CreateAvatar(square=at(2, 2), kind=AvatarKind.MORTAL, name="The Wanderer"), by=A)
    act(book, move(3, 3), Action(action=Doing.DEED, text="He rests."))
    book.when(EndTurn(), by=A)
    assert [(a.x, a.y) for a in book.state.avatars.values()] == [(3, 3)] and sound(book)
    assert log_tells_the_state(book)


def test_what_is_offered_where_he_stands():
    book = stage()
    faith = order(book, ELVES, B, kind=OrderKind.RELIGIOUS)
    city(book, controller=A, at=(3, 3), id=OTHER)
    army(book, OTHER)
    doings = [o.arguments["actions.action"].values for o in offers(book) if "actions.action" in o.arguments]
    assert doings == [("move",), ("defend_city",), ("attack_city",), ("deed",)]
    (commanding,) = offered(book, FreePower.COMMAND_ORDER)
    assert (commanding.price, commanding.arguments["free_power.args.order"].values) == (1, (faith,))
    act(book, move(3, 3))
    doings = [o.arguments["actions.action"].values for o in offers(book) if "actions.action" in o.arguments]
    assert doings == [("move",), ("lead_army",), ("defend_city",), ("attack_city",), ("deed",)]
    assert offered(book, FreePower.COMMAND_ORDER) == offered(book, FreePower.CREATE_ORDER) == []
