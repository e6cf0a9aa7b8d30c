"""Taking a person off their seat, bans, and their end: whoever seats a person is refused one who is banned."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.audience import GM, PUBLIC, seat_and_gm
from games.engine.game_state import Role
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.bans import BanLifted, Banned, LiftBan
from games.engine.lifecycle.gm_commands import Rewind, Start
from games.engine.lifecycle.removal import RemoveSeat, SeatRemoved
from games.engine.lifecycle.seating import (
    AddSeat,
    HandedOver,
    HandOver,
    InvitationUsed,
    Invite,
    Invited,
    Join,
    SeatMoved,
)
from games.engine.prompts.standing import StandingAnswerSet
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST, HOST_ACTOR, MASTER, table
from tests.engine.test_gm_commands import rewound
from tests.playbook import event_like, refused
from tests.toy.rules.commands import StonesAdded
from tests.toy.rules.state import Pile

EVE = Actor(Issuer.SEAT, user=UUID(int=900))
pytestmark = pytest.mark.rule("CF-5")


def observed(*names: str):
    """A game at which Eve watches, and plays under each of these names: the game, and the seat that watches."""
    cairns = table()
    (taken,) = cairns.when(Join(name="Eve", role=Role.OBSERVER), EVE)
    for name in names:
        cairns.when(Join(name=name), EVE)
    return cairns, taken.seat


def code_of(cairns, leader=HOST_ACTOR, **what) -> str:
    cairns.when(Invite(**what), leader)
    return next(h.event for h in reversed(cairns.log) if isinstance(h.event, Invited)).code


@pytest.mark.parametrize("leader", [HOST_ACTOR, GM_ACTOR])
def test_an_observers_seat_goes_and_they_may_come_back(leader):
    cairns, seat = observed()
    events = cairns.when(RemoveSeat(seat=seat, reason="shouts"), leader)
    assert events == [SeatRemoved(seat=seat, name="Eve"), SeatMoved(seat=seat, reason="shouts")]
    assert [h.audience for h in cairns.log[-2:]] == [PUBLIC, seat_and_gm(seat)]
    assert seat not in cairns.state.seats and not cairns.state.bans
    cairns.when(Join(name="Eve", role=Role.OBSERVER), EVE)
    assert cairns.log_folds_to_state()


def test_a_players_seat_stands_empty_and_keeps_what_is_its_own():
    cairns = table()
    cairns.state.piles[BOB] = Pile(BOB, stones=4)
    assert cairns.when(RemoveSeat(seat=BOB, reason="gone"), HOST_ACTOR) == [
        HandedOver(seat=BOB, user=None), SeatMoved(seat=BOB, reason="gone"),
    ]  # fmt: skip
    assert cairns.state.piles[BOB].stones == 4
    assert cairns.when(Join(name="Eve", seat=BOB), EVE) == [HandedOver(seat=BOB, user=EVE.user)]


def test_an_observers_seat_of_which_a_row_speaks_stands_empty():
    cairns, seat = observed()
    cairns.state.piles[seat] = Pile(seat, stones=1)
    events = cairns.when(RemoveSeat(seat=seat, reason="shouts"), HOST_ACTOR)
    assert events[0] == HandedOver(seat=seat, user=None) and seat in cairns.state.seats


def test_with_an_observers_seat_go_its_invitations_and_what_it_said_in_advance():
    cairns, seat = observed()
    cairns.happens(lambda s, c: iter([StandingAnswerSet(seat=seat, kind="MEET", answer="yes")]))
    cairns.when(HandOver(seat=seat), replace(EVE, seat=seat))
    code_of(cairns, seat=seat)
    events = cairns.when(RemoveSeat(seat=seat, reason="left"), HOST_ACTOR)
    assert events == [event_like(InvitationUsed), event_like(SeatRemoved), event_like(SeatMoved)]
    assert not cairns.state.invitations and not cairns.state.standing
    assert cairns.log_folds_to_state()


def test_who_is_banned_loses_every_seat_and_gets_none_however_they_come():
    cairns, seat = observed("Mask")
    cairns.when(AddSeat(name="Stool"), HOST_ACTOR)
    stool = next(s.id for s in cairns.state.seats.values() if s.name == "Stool")
    codes = [code_of(cairns, GM_ACTOR, role=role) for role in Role]
    events = cairns.when(RemoveSeat(seat=seat, ban=True, reason="a vandal"), HOST_ACTOR)
    assert events[0] == SeatRemoved(seat=seat, name="Eve")
    assert events[-1] == event_like(Banned, user=EVE.user, name="Eve", by=HOST)
    assert cairns.log[-1].audience == seat_and_gm(HOST)
    assert not [s for s in cairns.state.seats.values() if s.user == EVE.user]
    tries = [
        Join(name="New"), Join(name="New", role=Role.OBSERVER), Join(name="New", seat=stool),
        *(Join(name="New", code=code) for code in codes),
    ]  # fmt: skip
    for again in tries:
        with refused("person.banned", cairns.state) as caught:
            cairns.when(again, EVE)
        assert "You were banned" in caught.value.message and "`lift-ban`" in caught.value.message
    for giver, given in (
        (HOST_ACTOR, stool),
        (GM_ACTOR, stool),
        (GM_ACTOR, MASTER),
        (Actor(Issuer.SEAT, seat=ANN), ANN),
    ):
        with refused("person.banned", cairns.state):
            cairns.when(HandOver(seat=given, user=EVE.user, reason="a friend"), giver)
    cairns.when(Join(name="Other", role=Role.OBSERVER), Actor(Issuer.SEAT, user=UUID(int=901)))
    assert cairns.log_folds_to_state()


def test_a_ban_is_lifted_by_the_seat_that_spoke_it_or_a_game_master():
    for speaker, lifters in ((HOST_ACTOR, (HOST_ACTOR, GM_ACTOR)), (GM_ACTOR, (GM_ACTOR,))):
        for lifter in lifters:
            cairns, seat = observed()
            cairns.when(RemoveSeat(seat=seat, ban=True, reason="a vandal"), speaker)
            (ban,) = cairns.state.bans
            others = {HOST_ACTOR, replace(HOST_ACTOR, seat=UUID(int=77))} - set(lifters)
            for other in others:
                with refused("ban.missing", cairns.state):
                    cairns.when(LiftBan(ban=ban), other)
            assert cairns.when(LiftBan(ban=ban), lifter) == [BanLifted(ban=ban)]
            assert cairns.log[-1].audience == seat_and_gm(speaker.seat)
            cairns.when(Join(name="Eve", role=Role.OBSERVER), EVE)
            assert cairns.log_folds_to_state()


def test_an_administrators_ban_is_for_game_masters():
    cairns, seat = observed()
    cairns.when(RemoveSeat(seat=seat, ban=True, reason="a vandal"), replace(GM_ACTOR, seat=None))
    assert cairns.log[-1].audience == GM
    (ban,) = cairns.state.bans
    with refused("ban.missing", cairns.state):
        cairns.when(LiftBan(ban=ban), replace(HOST_ACTOR, seat=None))


def test_a_game_masters_seat_is_emptied_by_a_game_master_alone_where_one_sits():
    cairns = table()
    for ban in (False, True):
        with refused("issuer.other", cairns.state):
            cairns.when(RemoveSeat(seat=MASTER, ban=ban, reason="x"), HOST_ACTOR)
    with refused("issuer.other", cairns.state):  # who sits as Bob is the game-master
        cairns.when(RemoveSeat(seat=BOB, ban=True, reason="x"), HOST_ACTOR)
    assert cairns.when(RemoveSeat(seat=MASTER, reason="x"), GM_ACTOR)[0] == HandedOver(seat=MASTER, user=None)


def test_nobody_is_taken_off_an_empty_seat_or_bans_themselves():
    cairns, seat = observed()
    mine = replace(HOST_ACTOR, user=EVE.user)
    with refused("ban.self", cairns.state):
        cairns.when(RemoveSeat(seat=seat, ban=True, reason="x"), mine)
    cairns.happens(lambda s, c: iter([HandedOver(seat=BOB, user=None), HandedOver(seat=ANN, user=None, bot="idle")]))
    for empty in (ANN, BOB):
        with refused("seat.empty", cairns.state):
            cairns.when(RemoveSeat(seat=empty, reason="x"), HOST_ACTOR)
    with refused("seat.missing", cairns.state):
        cairns.when(RemoveSeat(seat=UUID(int=55), reason="x"), HOST_ACTOR)


def test_nobody_is_banned_from_an_observers_seat_that_stands_empty_though_it_can_go():
    cairns, seat = observed()
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=None)]))
    with refused("seat.empty", cairns.state):
        cairns.when(RemoveSeat(seat=seat, ban=True, reason="x"), HOST_ACTOR)
    assert cairns.when(RemoveSeat(seat=seat, reason="x"), HOST_ACTOR)[0] == SeatRemoved(seat=seat, name="Eve")


def test_what_is_legal_is_what_is_not_refused():
    cairns, _ = observed("Mask")
    cairns.happens(lambda s, c: iter([HandedOver(seat=BOB, user=None)]))
    for actor in (HOST_ACTOR, GM_ACTOR):
        legal = legal_commands_for(cairns.state, [RemoveSeat], actor)
        listed = {(seat, ban) for each in legal for seat in each.choices("seat") for ban in each.choices("ban")}
        for seat in cairns.state.seats:
            for ban in (False, True):
                twin = table()
                twin.state = cairns.state.twin()
                if (seat, ban) in listed:
                    twin.when(RemoveSeat(seat=seat, ban=ban, reason="x"), actor)
                elif seat != actor.seat:
                    with pytest.raises(Exception, match=r"^(seat\.empty|issuer\.other|ban\.self)"):
                        twin.when(RemoveSeat(seat=seat, ban=ban, reason="x"), actor)
        assert listed
    (legal,) = legal_commands_for(cairns.state, [LiftBan], GM_ACTOR)
    assert legal.barred is not None and legal.barred.code == "ban.missing"


def test_a_rewind_undoes_neither_a_removal_nor_a_ban():
    cairns, seat = observed()
    cairns.when(Start(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([StandingAnswerSet(seat=seat, kind="MEET", answer="yes")]))
    to = len(cairns.log)
    cairns.when(RemoveSeat(seat=seat, ban=True, reason="a vandal"), GM_ACTOR)
    assert rewound(cairns, to)
    assert seat not in cairns.state.seats and cairns.state.bans and not cairns.state.standing


def test_nobody_goes_back_to_where_a_seat_took_part_that_was_removed_since():
    cairns, seat = observed()
    cairns.when(Start(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([StonesAdded(seat=seat, stones=1)]))
    to = len(cairns.log)
    cairns.happens(lambda s, c: iter([SeatRemoved(seat=seat, name="Eve")]))
    with refused("history.removed", cairns.state):
        rewound(cairns, to)


def test_what_lasts_behind_a_rewind():
    assert Rewind.reads_log and all(kind.survives_rewind for kind in (SeatRemoved, Banned, BanLifted))
