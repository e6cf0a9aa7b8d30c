"""Battle after battle, the fall of a city, and how a war ends."""

from uuid import UUID

import pytest

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.command.arguments import Act
from games.dawn.rules.command.commands import CommandCity
from games.dawn.rules.command.events import ArmyRaised
from games.dawn.rules.conflict.commands import Fold, PlaceBid
from games.dawn.rules.conflict.events import ConflictOpened, ConflictResolved
from games.dawn.rules.powers.answer_commands import OpenConflict
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.schema_types import Asked, Place, Terrain, WarEnd
from games.dawn.rules.turn.commands import LeaveSeat
from games.dawn.rules.war.battle_events import ArmiesLost, CityFell
from games.dawn.rules.war.battles import nearest_free
from games.dawn.rules.war.commands import AttackAgain, StopWar
from games.dawn.rules.war.events import WarEnded
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import (
    ANSWER,
    EAST,
    HOLD,
    WEST,
    again,
    armies,
    commit,
    field,
    march,
    sally,
    stands_in,
    target,
    terrain,
    the_war,
    waits,
    waives,
    whom,
)
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, B, C, avatar, balances, city, inner_prompt, order, sound

# -- on and on ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-38", "DW-WAR-10")
def test_all_who_survive_the_march_move_in_committed_or_not():
    book = field(5)
    march(book)
    first, second, third, *rest = armies(book)
    commit(book, A, first, second, dice=[d(6, "attacker", 1, 1), d(6, "defender", 6)])
    again(book)
    commit(book, A, third, dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert armies(book, HOLD) == (third, *rest) and len(armies(book, HOLD)) == 3 and sound(book)


@pytest.mark.rule("DW-WAR-9", "DW-AMB-41")
def test_the_attacker_stops_and_their_armies_are_at_home():
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6, 6), d(6, "defender", 1)])
    assert waits(book) == (Asked.CONTINUE, whom(A))
    with refused("prompt.not_yours", book.state):
        book.when(StopWar(war=the_war(book).id), by=B)
    events = book.when(StopWar(war=the_war(book).id), by=A)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.STOPPED)]
    assert len(armies(book)) == 2 and len(armies(book, HOLD)) == 1 and sound(book)
    for command in (StopWar, AttackAgain):
        with refused("prompt.closed", book.state):
            book.when(command(war=UUID(int=1)), by=A)


@pytest.mark.rule("DW-AMB-31", "DW-WAR-9")
def test_silence_stops_the_war():
    book = field(2, 1)
    march(book)
    commit(book, B, *armies(book, HOLD))
    commit(book, A, armies(book)[0], dice=[d(6, "attacker", 1), d(6, "defender", 6)])
    events = book.wait(ANSWER)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.STOPPED)]


@pytest.mark.rule("DW-WAR-9")
def test_nobody_goes_on_with_no_armies():
    book = field(1, 1)
    march(book)
    commit(book, B, *armies(book, HOLD))
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 1), d(6, "defender", 6)])
    assert of_kind(events, ArmiesLost, WarEnded) == [
        event_like(ArmiesLost),
        event_like(WarEnded, reason=WarEnd.BEATEN),
    ]
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6, 6), d(6, "defender", 1)])
    for army in armies(book):
        del book.state.armies[army]  # as a correction would
    with refused("army.missing", book.state):
        again(book)


@pytest.mark.rule("DW-WAR-9", "DW-AVA-2", "DW-AVA-5")
def test_an_avatar_alone_fights_on_until_they_die_where_they_attacked():
    book = field(0, 1)
    hero = avatar(book, A, WEST)
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    book.when(CommandAvatar(avatar=hero, actions=(attack,)), by=A)
    commit(book, B, *armies(book, HOLD))
    with refused("commit.range", book.state):
        commit(book, A, HAVEN)
    commit(book, A, hero, dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert armies(book, HOLD) == () and book.state.avatars[hero].alive
    again(book)
    events = commit(book, A, hero, dice=[d(6, "attacker", 3), d(6, "defender", 3)])
    assert of_kind(events, AvatarDestroyed, WarEnded) == [
        event_like(AvatarDestroyed, avatar=hero, by=B),
        event_like(WarEnded, reason=WarEnd.BEATEN),
    ]
    dead = book.state.avatars[hero]
    assert not dead.alive and (dead.x, dead.y) == EAST and sound(book)


@pytest.mark.rule("DW-AVA-5", "DW-AVA-2")
def test_a_leader_who_is_fought_over_comes_back_after_a_conflict_inside_the_war():
    book = field(2)
    hero = avatar(book, B, EAST)
    march(book)
    stands_in(book, hero)
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6, 6), d(6, "defender", 1)])
    assert waits(book) == (Asked.REVENGE, whom(B))
    book.when(OpenConflict(prompt=inner_prompt(book)), by=B)
    (conflict,) = book.state.conflicts
    book.when(PlaceBid(conflict=conflict, total=1), by=B)
    events = book.when(Fold(conflict=conflict), by=A)
    assert of_kind(events, ConflictResolved) and book.state.avatars[hero].returning
    assert waits(book) == (Asked.CONTINUE, whom(A)), "then the war goes on"
    assert balances(book, A, B) == [17, 19] and sound(book)


@pytest.mark.rule("DW-AMB-37", "DW-WAR-9")
def test_a_war_whose_attacker_leaves_ends_as_soon_as_the_others_have_answered():
    book = field(1)
    avatar(book, B, EAST)
    march(book)
    book.when(LeaveSeat(), by=A)
    assert waits(book) == (Asked.STAND_IN, whom(B))
    events = waives(book)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.STOPPED)]
    assert book.state.course.active == B and sound(book)


# -- the fall of a city ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-WAR-11", "DW-AMB-29", "DW-AMB-58")
def test_residents_of_a_fallen_city_flee_to_the_nearest_free_land():
    book = field(1)
    resident, passing = avatar(book, B, EAST, defending=True), avatar(book, C, EAST)
    terrain(book, Terrain.OCEAN, (4, 0), (5, 1))
    march(book)
    waives(book)
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert of_kind(events, CityFell) == [event_like(CityFell, fled=(resident,))]
    fled = book.state.avatars[resident]
    assert (fled.x, fled.y, fled.defending) == (3, 1, False)
    assert (book.state.avatars[passing].x, book.state.avatars[passing].y) == EAST


@pytest.mark.rule("DW-WAR-11", "DW-AMB-58")
def test_the_nearest_free_land_is_by_steps_then_row_then_column():
    book = field()
    stands = book.state.cities[HOLD]
    assert nearest_free(book.state, stands) == (4, 0)
    terrain(book, Terrain.LAKE, (4, 0))
    assert nearest_free(book.state, stands) == (3, 1), "of (3, 1), (5, 1) and (4, 2)"
    terrain(book, Terrain.LAKE, (4, 0), (3, 1))
    assert nearest_free(book.state, stands) == (5, 1)
    terrain(book, Terrain.LAKE, *(at for at in book.state.squares if at != WEST))
    assert nearest_free(book.state, stands) is None, "the only land bears a city"


@pytest.mark.rule("DW-WAR-10", "DW-WAR-11", "DW-AVA-6")
def test_a_leader_moves_in_with_their_army():
    book = field(2)
    hero = avatar(book, A, WEST, leads=armies(book)[0])
    march(book)
    leads = book.state.avatars[hero].leads
    commit(book, A, armies(book)[1], dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    moved = book.state.avatars[hero]
    assert (moved.x, moved.y, moved.leads) == (*EAST, leads) and sound(book)


@pytest.mark.rule("DW-WAR-10", "DW-WAR-11", "DW-AVA-6")
def test_all_who_lead_an_army_of_the_march_move_in_with_it():
    book = field(3)
    led, lost, _ = armies(book)
    both = (avatar(book, A, WEST, leads=led), avatar(book, A, WEST, leads=led, defending=True))
    widowed, stays = avatar(book, A, WEST, leads=lost), avatar(book, A, WEST)
    march(book)
    commit(book, A, lost, dice=[d(6, "attacker", 1), d(6, "defender", 6)])
    again(book)
    events = commit(book, A, led, dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert of_kind(events, CityFell) == [event_like(CityFell, avatars=both)]
    assert [(a.x, a.y, a.leads) for a in (book.state.avatars[hero] for hero in (*both, widowed, stays))] == [
        (*EAST, led),
        (*EAST, led),
        (*WEST, None),
        (*WEST, None),
    ]
    assert not any(book.state.avatars[hero].defending for hero in both) and sound(book)


@pytest.mark.rule("DW-WAR-10")
def test_a_city_falls_by_a_battle_without_its_armies_alone():
    book = field(1, 2)
    march(book)
    commit(book, B, *armies(book, HOLD))
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1, 1)])
    assert len(of_kind(events, ArmiesLost)) == 1
    book = field(1, 1)
    march(book)
    commit(book, B, *armies(book, HOLD))
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert of_kind(events, CityFell, WarEnded) == [] and book.state.cities[HOLD].controller == B
    again(book)
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert of_kind(events, CityFell) == [event_like(CityFell, city=HOLD, controller=A, race=ELVES)]


@pytest.mark.rule("DW-WAR-12")
def test_the_controller_of_the_city_chooses_for_it_even_where_another_god_made_its_people():
    book = field(1, 1)
    city(book, DWARVES, C, at=EAST, id=HOLD)
    march(book)
    assert waits(book) == (Asked.COMMIT, whom(A, C))
    with refused("prompt.not_yours", book.state):
        commit(book, B, *armies(book, HOLD))


@pytest.mark.rule("DW-WAR-12", "DW-AVA-5")
def test_an_avatar_in_the_open_that_destroys_another_is_recorded_with_its_god():
    book = field()
    mine, theirs = avatar(book, A, WEST), avatar(book, B, (3, 3))
    attack = Action(action=Doing.ATTACK_CITY, target=target((3, 3), theirs))
    book.when(CommandAvatar(avatar=mine, actions=(attack,)), by=A)
    events = commit(book, A, mine, dice=[d(6, "attacker", 3), d(6, "defender", 3)])
    assert of_kind(events, AvatarDestroyed) == [event_like(AvatarDestroyed, avatar=mine, by=B, square=Place(x=3, y=3))]
    assert waits(book) == (Asked.REVENGE, whom(A))


@pytest.mark.rule("DW-WAR-12", "DW-AVA-5")
def test_for_a_citys_victory_its_controller_answers_and_not_the_god_of_the_stand_in():
    book = field()
    mine, guest = avatar(book, A, WEST), avatar(book, C, EAST, defending=True)
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    book.when(CommandAvatar(avatar=mine, actions=(attack,)), by=A)
    stands_in(book, guest, C)
    events = commit(book, A, mine, dice=[d(6, "attacker", 3), d(6, "defender", 3)])
    assert of_kind(events, AvatarDestroyed) == [event_like(AvatarDestroyed, avatar=mine, by=B)]
    events = book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=B, about=mine)]


@pytest.mark.rule("DW-WAR-12")
def test_an_army_is_of_its_city_and_of_the_race_that_raised_it():
    book = field(0, 0, a=20, b=20)
    order(book, DWARVES, B)
    book.state.set_course(active=B)
    (raised,) = of_kind(book.when(CommandCity(city=HOLD, act=Act.RAISE_ARMY), by=B), ArmyRaised)
    assert isinstance(raised, ArmyRaised)
    made = book.state.armies[raised.armies[0]]
    assert (made.city, made.race) == (HOLD, DWARVES)


@pytest.mark.rule("DW-WAR-12")
def test_armies_that_are_no_longer_the_attackers_march_no_more():
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, armies(book)[0], dice=[d(6, "attacker", 1), d(6, "defender", 6)])
    city(book, ELVES, C, at=WEST)  # as a correction would
    with refused("army.missing", book.state):
        again(book)


@pytest.mark.rule("DW-WAR-12")
def test_armies_that_moved_in_are_the_citys_and_its_controllers():
    book = field(2)
    march(book)
    order(book, ELVES, B)
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6, 6), d(6, "defender", 1)])
    assert {book.state.armies[army].race for army in armies(book, HOLD)} == {ELVES}
    book.state.set_course(active=B)
    with refused("army.foreign", book.state):
        sally(book, HOLD, *armies(book, HOLD), at=WEST, by=B)


@pytest.mark.rule("DW-WAR-9")
def test_a_war_over_what_is_no_more_ends():
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, armies(book)[0], dice=[d(6, "attacker", 1), d(6, "defender", 6)])
    for army in armies(book, HOLD):
        del book.state.armies[army]
    del book.state.cities[HOLD]  # as a correction would
    events = again(book)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.VOID)]
