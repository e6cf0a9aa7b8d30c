"""Avatars: created, commanded, and what they do themselves (DW-AVA-1, DW-AVA-3, DW-AVA-6, DW-AVA-7)."""

from uuid import UUID

import pytest

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.avatars.events import ArmyLed, AvatarCreated, AvatarMoved, CityDefended
from games.dawn.rules.avatars.free_power_commands import FreeArgs, FreePower, FreeUse
from games.dawn.rules.command.arguments import Target
from games.dawn.rules.command.events import DeedRecorded
from games.dawn.rules.land.presence import residents
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.state.schema_types import AvatarKind, OrderKind, Terrain
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.war.battle_events import BattleRolled
from games.dawn.rules.war.events import WarDeclared
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import commit, terrain
from tests.rules.dawn.stage import (
    ELVES,
    HAVEN,
    A,
    B,
    army,
    avatar,
    balances,
    begin,
    city,
    give,
    log_folds_to_state,
    order,
    playing,
    rounds,
    sound,
    turn_of,
)
from tests.rules.dawn.walkers import HOME, OTHER, act, at, avatar_id, legal_commands_of, legal_free_powers, move, stage


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
    (candidate,) = legal_commands_of(book, CreateAvatar)
    assert candidate.price == 10 and candidate.barred is not None and candidate.barred.code == "points.short"


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


@pytest.mark.rule("DW-AVA-3", "DW-AVA-6", "DW-AMB-18")
def test_one_kind_of_command_and_one_to_three_actions():
    book = stage()
    deed = Action(action=Doing.DEED, text="He sleeps.")
    use = FreeUse(power=FreePower.PURIFY_CITY, args=FreeArgs(target=HAVEN))
    for command in (
        CommandAvatar(avatar=avatar_id(book)),
        CommandAvatar(avatar=avatar_id(book), actions=(deed,) * 4),
        CommandAvatar(avatar=avatar_id(book), actions=(deed,), free_power=use),
        CommandAvatar(avatar=avatar_id(book), actions=(Action(action=Doing.DEED),)),
        CommandAvatar(avatar=avatar_id(book), actions=(Action(action=Doing.MOVE),)),
        CommandAvatar(avatar=avatar_id(book), actions=(Action(action=Doing.MOVE, square=at(0, 0), text="?"),)),
        CommandAvatar(avatar=avatar_id(book), actions=(Action(action=Doing.LEAD_ARMY),)),
        CommandAvatar(avatar=avatar_id(book), actions=(Action(action=Doing.ATTACK_CITY),)),
    ):
        with refused("act.invalid", book.state):
            book.when(command, by=A)
    events = act(book, deed, deed, deed)
    assert len(of_kind(events, DeedRecorded)) == 3


@pytest.mark.rule("DW-AVA-6", "DW-WAR-12")
def test_an_avatar_leads_an_army_of_their_god_until_they_move_alone():
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
    assert of_kind(events, ArmyLed) == [event_like(ArmyLed, avatar=avatar_id(book), army=mine)]
    assert book.state.avatars[avatar_id(book)].leads == mine
    act(book, move(0, 0))
    assert book.state.avatars[avatar_id(book)].leads is None and book.state.armies[mine].city == OTHER and sound(book)


@pytest.mark.rule("DW-AVA-6", "DW-AVA-7")
def test_an_avatar_resides_in_the_city_on_their_square_until_they_move():
    book = stage()
    act(book, Action(action=Doing.DEED, text="He passes through."))
    assert residents(book.state, book.state.cities[HAVEN]) == []
    act(book, Action(action=Doing.DEFEND_CITY))
    assert [a.id for a in residents(book.state, book.state.cities[HAVEN])] == [avatar_id(book)]
    act(book, move(2, 2), move(1, 1))
    assert residents(book.state, book.state.cities[HAVEN]) == []
    with refused("presence.missing", book.state):
        act(book, move(2, 2), Action(action=Doing.DEFEND_CITY))
    with refused("square.off_map", book.state):
        act(book, move(6, 2))


@pytest.mark.rule("DW-AVA-3", "DW-AVA-6", "DW-AMB-18")
def test_an_avatar_attacks_once_with_the_army_they_lead_or_alone():
    book = stage()
    city(book, controller=A, at=(3, 1), id=OTHER)
    mine = army(book, OTHER)
    attack = Action(action=Doing.ATTACK_CITY, target=Target(square=at(1, 1)))
    deed = Action(action=Doing.DEED, text="He shouts.")
    for actions in ((attack, attack), (attack, deed, attack)):
        with refused("act.invalid", book.state):
            act(book, *actions)
    with refused("target.own", book.state):
        act(book, Action(action=Doing.ATTACK_CITY, target=Target(square=at(3, 1))))
    with refused("target.empty", book.state):
        act(book, Action(action=Doing.ATTACK_CITY, target=Target(square=at(0, 0))))
    alone = stage()
    events = act(alone, attack, deed)
    assert of_kind(events, WarDeclared) == [
        event_like(WarDeclared, attacker=A, city=HAVEN, armies=(), alone=avatar_id(alone))
    ]
    events = act(book, move(3, 1), Action(action=Doing.LEAD_ARMY, army=mine), attack)
    assert of_kind(events, WarDeclared) == [event_like(WarDeclared, attacker=A, city=HAVEN, armies=(mine,), alone=None)]
    assert balances(book, A) == [19]


@pytest.mark.rule("DW-AVA-6", "DW-WAR-3")
def test_actions_are_checked_as_if_those_before_had_been_done():
    book = stage()
    terrain(book, Terrain.OCEAN, *((2, y) for y in range(5)))
    city(book, controller=A, at=(3, 1), id=OTHER)
    mine = army(book, OTHER)
    attack = Action(action=Doing.ATTACK_CITY, target=Target(square=at(1, 1)))
    lead = Action(action=Doing.LEAD_ARMY, army=mine)
    with refused("path.missing", book.state):
        act(book, move(3, 1), lead, attack)
    act(book, move(3, 1), lead)
    with refused("path.missing", book.state):
        act(book, attack)
    events = act(book, move(3, 1), attack)
    assert of_kind(events, WarDeclared) == [event_like(WarDeclared, armies=(), alone=avatar_id(book))], (
        "who moves goes alone"
    )


@pytest.mark.rule("DW-AVA-3", "DW-AVA-6", "DW-WAR-1")
def test_an_action_after_an_avatars_attack_is_done_before_the_war_is_fought():
    book = stage()
    city(book, controller=A, at=(3, 1), id=OTHER)
    mine = army(book, OTHER)
    attack = Action(action=Doing.ATTACK_CITY, target=Target(square=at(1, 1)))
    events = act(book, attack, move(3, 1), Action(action=Doing.LEAD_ARMY, army=mine))
    assert of_kind(events, WarDeclared, AvatarMoved, ArmyLed, PowerResolved) == [
        event_like(WarDeclared, armies=(), alone=avatar_id(book)),
        event_like(AvatarMoved, square=at(3, 1)),
        event_like(ArmyLed, army=mine),
        event_like(PowerResolved),
    ]
    commit(book, A, avatar_id(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    taken = book.state.avatars[avatar_id(book)]
    assert (taken.x, taken.y, taken.leads) == (*HOME, None), "the army stayed at home"
    assert book.state.armies[mine].city == OTHER and sound(book)


@pytest.mark.rule("DW-AVA-6")
def test_an_avatar_who_moves_after_their_attack_leads_no_more():
    book = stage()
    city(book, controller=A, at=(3, 1), id=OTHER)
    mine = army(book, OTHER)
    attack = Action(action=Doing.ATTACK_CITY, target=Target(square=at(1, 1)))
    act(book, move(3, 1), Action(action=Doing.LEAD_ARMY, army=mine))
    act(book, attack, move(0, 0))
    events = commit(book, A, mine, dice=[d(6, "attacker", 3), d(6, "defender", 2)])
    (rolled,) = of_kind(events, BattleRolled)
    assert isinstance(rolled, BattleRolled) and rolled.attacker.bonuses == ()
    there = book.state.avatars[avatar_id(book)]
    assert (there.x, there.y, there.leads) == (0, 0, None) and sound(book)


@pytest.mark.rule("DW-AVA-3")
def test_an_avatar_acts_for_their_own_god_and_only_while_alive():
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
    assert {o.arguments["avatar"].values for o in legal_commands_of(book)} == {(avatar_id(book),)}
    give(book, A, 0)
    with refused("points.short", book.state):
        act(book, *deed)
    del book.state.avatars[avatar_id(book)]
    (none,) = legal_commands_of(book)
    assert none.barred is not None and none.barred.code == "avatar.missing"


def test_the_log_has_a_sentence_for_each_event_of_avatars():
    book = begin()
    rounds(book, 2)
    turn_of(book, A)
    book.when(CreateAvatar(square=at(2, 2), kind=AvatarKind.MORTAL, name="The Wanderer"), by=A)
    act(book, move(3, 3), Action(action=Doing.DEED, text="He rests."))
    book.when(EndTurn(), by=A)
    assert [(a.x, a.y) for a in book.state.avatars.values()] == [(3, 3)] and sound(book)
    assert log_folds_to_state(book)


def test_legal_commands_of_an_avatar_follow_from_their_square():
    book = stage()
    faith = order(book, ELVES, B, kind=OrderKind.RELIGIOUS)
    city(book, controller=A, at=(3, 3), id=OTHER)
    army(book, OTHER)
    doings = [o.choices("actions.action") for o in legal_commands_of(book) if o.domain("actions.action")]
    assert doings == [("move",), ("defend_city",), ("attack_city",), ("deed",)]
    (commanding,) = legal_free_powers(book, FreePower.COMMAND_ORDER)
    assert (commanding.price, commanding.choices("free_power.args.order")) == (1, (faith,))
    act(book, move(3, 3))
    doings = [o.choices("actions.action") for o in legal_commands_of(book) if o.domain("actions.action")]
    assert doings == [("move",), ("lead_army",), ("defend_city",), ("attack_city",), ("deed",)]
    assert legal_free_powers(book, FreePower.COMMAND_ORDER) == legal_free_powers(book, FreePower.CREATE_ORDER) == []
