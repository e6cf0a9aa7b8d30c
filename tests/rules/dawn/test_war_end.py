"""Battle after battle, the fall of a city, and how a war ends."""

from uuid import UUID

import pytest

from games.dawn.rules.actions import Action, Doing
from games.dawn.rules.answering import OpenConflict
from games.dawn.rules.avatars import CommandAvatar
from games.dawn.rules.battles import ArmiesLost, CityFell, nearest_free
from games.dawn.rules.bidding import Fold, PlaceBid
from games.dawn.rules.conflicts import ConflictResolved
from games.dawn.rules.revenge import AvatarDestroyed
from games.dawn.rules.vocabulary import Asked, Terrain, WarEnd
from games.dawn.rules.war import (
    WarEnded,
)
from games.dawn.rules.warring import AttackAgain, StopWar
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
from tests.rules.dawn.stage import ELVES, HAVEN, A, B, C, asked, avatar, balances, order, sound

# -- on and on ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-38", "DW-WAR-10")
def test_all_who_survive_the_march_move_in_committed_or_not():
    book = field(5)
    march(book)
    first, second, third, *rest = armies(book)
    commit(book, A, first, second, dice=[1, 1, 6])
    again(book)
    commit(book, A, third, dice=[6, 1])
    assert armies(book, HOLD) == (third, *rest) and len(armies(book, HOLD)) == 3 and sound(book)


@pytest.mark.rule("DW-WAR-9", "DW-AMB-41")
def test_the_attacker_stops_and_his_armies_are_at_home():
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, *armies(book), dice=[6, 6, 1])
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
    commit(book, A, armies(book)[0], dice=[1, 6])
    events = book.wait(ANSWER)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.STOPPED)]


@pytest.mark.rule("DW-WAR-9")
def test_nobody_goes_on_with_nobody():
    book = field(1, 1)
    march(book)
    commit(book, B, *armies(book, HOLD))
    events = commit(book, A, *armies(book), dice=[1, 6])
    assert of_kind(events, ArmiesLost, WarEnded) == [
        event_like(ArmiesLost),
        event_like(WarEnded, reason=WarEnd.BEATEN),
    ]
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, *armies(book), dice=[6, 6, 1])
    for army in armies(book):
        del book.state.armies[army]  # as a correction would
    with refused("army.missing", book.state):
        again(book)


@pytest.mark.rule("DW-WAR-9", "DW-AVA-2")
def test_an_avatar_alone_fights_on_until_he_dies_where_he_attacked():
    book = field(0, 1)
    him = avatar(book, A, WEST)
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    book.when(CommandAvatar(avatar=him, actions=(attack,)), by=A)
    commit(book, B, *armies(book, HOLD))
    with refused("commit.range", book.state):
        commit(book, A, HAVEN)
    commit(book, A, him, dice=[6, 1])
    assert armies(book, HOLD) == () and book.state.avatars[him].alive
    again(book)
    events = commit(book, A, him, dice=[3, 3])
    assert of_kind(events, AvatarDestroyed, WarEnded) == [
        event_like(AvatarDestroyed, avatar=him, by=B),
        event_like(WarEnded, reason=WarEnd.BEATEN),
    ]
    dead = book.state.avatars[him]
    assert not dead.alive and (dead.x, dead.y) == EAST and sound(book)


@pytest.mark.rule("DW-AVA-5", "DW-AVA-2")
def test_a_leader_who_is_fought_over_comes_back_after_a_conflict_inside_the_war():
    book = field(2)
    him = avatar(book, B, EAST)
    march(book)
    stands_in(book, him)
    commit(book, A, *armies(book), dice=[6, 6, 1])
    assert waits(book) == (Asked.REVENGE, whom(B))
    book.when(OpenConflict(prompt=asked(book)), by=B)
    (conflict,) = book.state.conflicts
    book.when(PlaceBid(conflict=conflict, total=1), by=B)
    events = book.when(Fold(conflict=conflict), by=A)
    assert of_kind(events, ConflictResolved) and book.state.avatars[him].returning
    assert waits(book) == (Asked.CONTINUE, whom(A)), "then the war goes on"
    assert balances(book, A, B) == [17, 19] and sound(book)


# -- the fall of a city ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-WAR-11", "DW-AMB-29", "DW-AMB-58")
def test_residents_of_a_fallen_city_flee_to_the_nearest_free_land():
    book = field(1)
    resident, passing = avatar(book, B, EAST, defending=True), avatar(book, C, EAST)
    terrain(book, Terrain.OCEAN, (4, 0), (5, 1))
    march(book)
    waives(book)
    events = commit(book, A, *armies(book), dice=[6, 1])
    assert of_kind(events, CityFell) == [event_like(CityFell, fled=(resident,))]
    fled = book.state.avatars[resident]
    assert (fled.x, fled.y, fled.defending) == (3, 1, False)
    assert (book.state.avatars[passing].x, book.state.avatars[passing].y) == EAST


@pytest.mark.rule("DW-WAR-11", "DW-AMB-58")
def test_the_nearest_free_land_is_by_steps_then_row_then_column():
    book = field()
    stands = book.state.cities[HOLD]
    assert nearest_free(book.state, stands) == (4, 0)
    terrain(book, Terrain.LAKE, (4, 0), (3, 1))
    assert nearest_free(book.state, stands) == (5, 1)
    terrain(book, Terrain.LAKE, *(at for at in book.state.squares if at != WEST))
    assert nearest_free(book.state, stands) is None, "the only land bears a city"


@pytest.mark.rule("DW-WAR-10", "DW-WAR-11", "DW-AVA-6")
def test_a_leader_moves_in_with_his_army():
    book = field(2)
    him = avatar(book, A, WEST, leads=armies(book)[0])
    march(book)
    leads = book.state.avatars[him].leads
    commit(book, A, armies(book)[1], dice=[6, 1])
    moved = book.state.avatars[him]
    assert (moved.x, moved.y, moved.leads) == (*EAST, leads) and sound(book)


@pytest.mark.rule("DW-WAR-12")
def test_armies_that_moved_in_are_the_citys_and_its_controllers():
    book = field(2)
    march(book)
    order(book, ELVES, B)
    commit(book, A, *armies(book), dice=[6, 6, 1])
    assert {book.state.armies[army].race for army in armies(book, HOLD)} == {ELVES}
    book.state.set_course(active=B)
    with refused("army.foreign", book.state):
        sally(book, HOLD, *armies(book, HOLD), at=WEST, by=B)


@pytest.mark.rule("DW-WAR-9")
def test_a_war_over_what_is_no_more_ends():
    book = field(2, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, armies(book)[0], dice=[1, 6])
    for army in armies(book, HOLD):
        del book.state.armies[army]
    del book.state.cities[HOLD]  # as a correction would
    events = again(book)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.VOID)]
