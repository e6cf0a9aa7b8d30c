"""Seats: joining, adding seats, invitations, handing over, and what is refused."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.audience import GM, PUBLIC, SERVER, seat_and_gm
from games.engine.bots import bot_key
from games.engine.errors import Refused
from games.engine.game_state import Role, Status
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle import seating
from games.engine.lifecycle.gm_commands import GameEnded, Start
from games.engine.lifecycle.seating import (
    WAKING,
    AddSeat,
    GameOpened,
    HandedOver,
    HandOver,
    InvitationUsed,
    Invite,
    Invited,
    Join,
    SeatMoved,
    SeatTaken,
    take_over,
)
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, HOST_ACTOR, MASTER, USER, ruleset_with, table
from tests.playbook import event_like, of_kind, refused

NEWCOMER = Actor(Issuer.SEAT, user=UUID(int=900))
pytestmark = pytest.mark.rule("CF-5")


def private():
    """A private game with Ann and Bob."""
    cairns = table()
    opened = GameOpened(ruleset="toy", name="Cairns", chosen="{}", commitment="0" * 64, is_public=False)
    cairns.happens(lambda s, c: iter([opened]))
    return cairns


def empty_seat(cairns, seat):
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=None)]))


def invite(cairns, **what):
    cairns.when(Invite(**what), HOST_ACTOR)
    return next(h.event for h in reversed(cairns.log) if isinstance(h.event, Invited)).code


def test_a_newcomer_joins_as_player_or_observer():
    cairns = table()
    for n, role in enumerate((Role.PLAYER, Role.OBSERVER)):
        (taken,) = cairns.when(Join(name=f"New {n}", role=role), NEWCOMER)
        assert taken == SeatTaken(seat=taken.seat, role=role, name=f"New {n}", user=NEWCOMER.user)
        assert cairns.state.seats[taken.seat].user == NEWCOMER.user
        assert cairns.log[-1].audience == PUBLIC
    assert cairns.log_folds_to_state()


@pytest.mark.parametrize("role", [Role.GM, Role.HOST])
def test_seats_of_host_and_game_master_need_an_invitation(role):
    cairns = table()
    with refused("invitation.missing", cairns.state):
        cairns.when(Join(name="New", role=role), NEWCOMER)


@pytest.mark.parametrize("seat", [MASTER, HOST])
def test_a_player_may_not_take_an_empty_seat_of_host_or_game_master(seat):
    cairns = table()
    empty_seat(cairns, seat)
    for role in (Role.PLAYER, Role.OBSERVER):
        with refused("invitation.missing", cairns.state):
            cairns.when(Join(name="New", role=role, seat=seat), NEWCOMER)
    assert cairns.state.seats[seat].user is None


def test_a_player_takes_an_empty_seat_and_no_taken_one():
    cairns = table()
    with refused("seat.taken", cairns.state):
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    with refused("seat.missing", cairns.state):
        cairns.when(Join(name="New", seat=UUID(int=55)), NEWCOMER)
    empty_seat(cairns, BOB)
    assert cairns.when(Join(name="New", seat=BOB), NEWCOMER) == [HandedOver(seat=BOB, user=NEWCOMER.user)]
    assert cairns.state.seats[BOB].name == "Bob"


def test_joining_is_refused_to_anonymous_users_under_a_used_name_or_in_a_full_game():
    cairns = table()
    with refused("user.missing", cairns.state):
        cairns.when(Join(name="New"), Actor(Issuer.SEAT))
    with refused("name.taken", cairns.state):
        cairns.when(Join(name="aNN"), NEWCOMER)
    for n in range(2):
        cairns.when(Join(name=f"New {n}"), NEWCOMER)
    with refused("seats.full", cairns.state):
        cairns.when(Join(name="New"), NEWCOMER)


def test_a_person_takes_one_observers_seat_in_a_game_whatever_way_they_come():
    cairns = table()
    (first,) = cairns.when(Join(name="Watcher", role=Role.OBSERVER), NEWCOMER)
    cairns.when(AddSeat(name="Stool", role=Role.OBSERVER), HOST_ACTOR)
    stool = next(s.id for s in cairns.state.seats.values() if s.name == "Stool")
    code = invite(cairns, role=Role.OBSERVER)
    for again in (
        Join(name="Again", role=Role.OBSERVER),
        Join(name="Again", seat=stool),
        Join(name="Again", code=code),
    ):
        with refused("seat.held", cairns.state) as caught:
            cairns.when(again, NEWCOMER)
        assert caught.value.facts == {"seat": str(first.seat), "most": 1} and "Watcher" in caught.value.message
    cairns.when(Join(name="Another", role=Role.OBSERVER), Actor(Issuer.SEAT, user=UUID(int=901)))
    cairns.when(Join(name="Player"), NEWCOMER)


def test_a_person_takes_a_bounded_number_of_players_seats(monkeypatch):
    monkeypatch.setitem(seating.MAX_SEATS_HELD, Role.PLAYER, 1)
    cairns = table()
    cairns.when(Join(name="One"), NEWCOMER)
    with refused("seat.held", cairns.state):
        cairns.when(Join(name="Two"), NEWCOMER)


def test_who_comes_and_goes_leaves_no_heap_of_empty_seats(monkeypatch):
    monkeypatch.setattr(seating, "MAX_EMPTY_SEATS", 2)
    cairns = table()
    for n in range(2):
        (taken,) = cairns.when(Join(name=f"Watcher {n}", role=Role.OBSERVER), NEWCOMER)
        cairns.when(HandOver(seat=taken.seat), replace(NEWCOMER, seat=taken.seat))
    with refused("seats.empty", cairns.state) as caught:
        cairns.when(Join(name="Watcher 2", role=Role.OBSERVER), NEWCOMER)
    empty = UUID(str(caught.value.facts["seat"]))
    assert cairns.when(Join(name="Watcher 2", seat=empty), NEWCOMER) == [event_like(HandedOver, seat=empty)]
    cairns.when(Join(name="Player"), NEWCOMER)
    cairns.when(AddSeat(name="Stool", role=Role.OBSERVER), HOST_ACTOR)
    with refused("seats.empty", cairns.state):
        cairns.when(Join(name="Else", role=Role.OBSERVER), Actor(Issuer.SEAT, user=UUID(int=901)))


def test_nobody_joins_when_the_game_is_over():
    cairns = table()
    cairns.happens(lambda s, c: iter([GameEnded(reason="enough")]))
    assert cairns.state.info.status is Status.FINISHED
    with refused("phase.closed", cairns.state):
        cairns.when(Join(name="New"), NEWCOMER)


def test_a_private_game_is_joined_with_a_code_once():
    cairns = private()
    with refused("invitation.missing", cairns.state):
        cairns.when(Join(name="New"), NEWCOMER)
    code = invite(cairns, role=Role.OBSERVER)
    assert cairns.log[-1].audience == seat_and_gm(HOST)
    cairns.when(Invite(role=Role.OBSERVER), GM_ACTOR)
    assert cairns.log[-1].audience == GM
    with refused("invitation.missing", cairns.state):
        cairns.when(Join(name="New", code="0" * 32), NEWCOMER)
    events = cairns.when(Join(name="New", code=code), NEWCOMER)
    assert events == [event_like(SeatTaken, role=Role.OBSERVER, name="New"), event_like(InvitationUsed)]
    with refused("invitation.missing", cairns.state):
        cairns.when(Join(name="Newer", code=code), NEWCOMER)
    assert cairns.log_folds_to_state()


@pytest.mark.parametrize("role", [Role.PLAYER, Role.OBSERVER])
def test_nobody_joins_a_private_game_without_a_code_not_even_to_watch(role):
    cairns = private()
    empty_seat(cairns, BOB)
    for seat in (None, BOB):
        with refused("invitation.missing", cairns.state):
            cairns.when(Join(name="New", role=role, seat=seat), NEWCOMER)


def test_an_invitation_for_a_seat_is_good_for_that_seat_only():
    cairns = private()
    for seat in (BOB, MASTER):
        empty_seat(cairns, seat)
    code = invite(cairns, seat=BOB)
    with refused("invitation.other", cairns.state):
        cairns.when(Join(name="New", code=code, seat=MASTER), NEWCOMER)
    assert cairns.when(Join(name="New", code=code), NEWCOMER)[0] == HandedOver(seat=BOB, user=NEWCOMER.user)
    assert cairns.state.seats[MASTER].user is None
    cairns.happens(lambda s, c: iter([HandedOver(seat=BOB, user=None)]))
    with refused("invitation.missing", cairns.state):  # it was used, though the seat stands empty again
        cairns.when(Join(name="Again", code=code), Actor(Issuer.SEAT, user=UUID(int=901)))


def test_an_invitation_for_a_role_is_good_for_an_empty_seat_of_that_role():
    cairns = private()
    for seat in (BOB, MASTER):
        empty_seat(cairns, seat)
    player, master = invite(cairns), invite(cairns, role=Role.GM)
    with refused("invitation.other", cairns.state):
        cairns.when(Join(name="New", code=player, seat=MASTER), NEWCOMER)
    cairns.when(Join(name="New", code=master, seat=MASTER), NEWCOMER)
    assert cairns.state.seats[MASTER].user == NEWCOMER.user


def test_nobody_is_invited_to_a_seat_that_is_taken():
    cairns = table(ruleset=ruleset_with(policies={"idle": None}))
    cairns.when(AddSeat(name="Robot", bot="idle"), HOST_ACTOR)
    robot = cairns.log[-1].event.seat
    for seat in (BOB, robot):
        with refused("seat.taken", cairns.state):
            cairns.when(Invite(seat=seat), HOST_ACTOR)
    with refused("seat.missing", cairns.state):
        cairns.when(Invite(seat=UUID(int=55)), HOST_ACTOR)


def test_codes_are_in_no_public_event_and_differ():
    cairns = private()
    codes = {invite(cairns) for _ in range(5)}
    assert len(codes) == 5
    assert not any(code in repr(cairns.events_for(PUBLIC)) for code in codes)


def test_a_seat_is_added_empty_or_for_a_bot_that_there_is():
    cairns = table(ruleset=ruleset_with(policies={"idle": None}))
    cairns.when(AddSeat(name="Late"), HOST_ACTOR)
    assert cairns.state.seats[cairns.log[-1].event.seat].user is None
    cairns.when(AddSeat(name="Robot", bot="idle"), HOST_ACTOR)
    with refused("bot.missing", cairns.state):
        cairns.when(AddSeat(name="Other", bot="clever"), HOST_ACTOR)
    with refused("name.taken", cairns.state):
        cairns.when(AddSeat(name="robot"), HOST_ACTOR)
    with refused("seats.full", cairns.state):
        cairns.when(AddSeat(name="Fifth"), HOST_ACTOR)


def test_players_give_away_their_own_seat_and_no_other():
    cairns = table()
    with refused("seat.other", cairns.state):
        cairns.when(HandOver(seat=BOB, user=USER), ANN)
    other = UUID(int=901)
    assert cairns.when(HandOver(seat=ANN, user=other), ANN) == [HandedOver(seat=ANN, user=other)]
    assert cairns.state.seats[ANN].user == other


def test_with_its_holder_and_a_bot_a_seat_stays_its_holders_and_the_bot_stands_in():
    cairns = table(ruleset=ruleset_with(policies={"idle": None}))
    holder = cairns.state.seats[ANN].user
    events = cairns.when(HandOver(seat=ANN, user=holder, bot="idle"), ANN)
    assert events == [HandedOver(seat=ANN, user=holder, bot="idle")]
    assert (cairns.state.seats[ANN].user, cairns.state.seats[ANN].bot) == (holder, "idle")
    assert cairns.log[-1].text.endswith("is played by the service until somebody takes over.")
    own, other = (Actor(Issuer.SEAT, user=user, seat=ANN) for user in (holder, UUID(int=902)))
    assert list(take_over(cairns.state, Start(), own)) == [HandedOver(seat=ANN, user=holder)]
    assert list(take_over(cairns.state, HandOver(seat=ANN), own)) == []  # about the table
    assert list(take_over(cairns.state, Start(), other)) == list(take_over(cairns.state, Start(), GM_ACTOR)) == []
    cairns.when(HandOver(seat=ANN, user=holder), ANN)
    assert cairns.state.seats[ANN].bot == "" and list(take_over(cairns.state, Start(), own)) == []
    assert cairns.log_folds_to_state()


def test_a_game_master_who_moves_a_seat_says_why_to_the_seats_concerned():
    cairns = table(ruleset=ruleset_with(policies={"idle": None}))
    with refused("reason.missing", cairns.state):
        cairns.when(HandOver(seat=BOB), GM_ACTOR)
    with refused("bot.missing", cairns.state):
        cairns.when(HandOver(seat=BOB, bot="clever", reason="ill"), GM_ACTOR)
    with refused("seat.holder", cairns.state):
        cairns.when(HandOver(seat=BOB, bot="idle", user=UUID(int=902), reason="ill"), GM_ACTOR)
    with refused("seat.missing", cairns.state):
        cairns.when(HandOver(seat=CYD, reason="ill"), GM_ACTOR)
    events = cairns.when(HandOver(seat=BOB, bot="idle", reason="ill"), GM_ACTOR)
    assert events == [HandedOver(seat=BOB, user=None, bot="idle"), SeatMoved(seat=BOB, reason="ill")]
    assert cairns.log[-1].audience == seat_and_gm(BOB)
    assert of_kind([h.event for h in cairns.log if h.audience == PUBLIC], SeatMoved) == []
    assert "ill" not in repr(cairns.events_for(PUBLIC))
    assert cairns.log_folds_to_state()


def test_a_bot_that_takes_over_a_running_game_acts_soon():
    idle = ruleset_with(policies={"idle": None})
    for start in (False, True):
        cairns = table(ruleset=idle)
        if start:
            cairns.when(Start(), GM_ACTOR)
        cairns.when(HandOver(seat=BOB, bot="idle", reason="ill"), GM_ACTOR)
        assert (bot_key(BOB) in cairns.state.timers) is start
    assert cairns.state.timers[bot_key(BOB)].due == cairns.now + WAKING
    assert cairns.state.timers[bot_key(BOB)].shown == SERVER
    assert cairns.log_folds_to_state()


def test_a_seat_takes_a_bot_that_plays_its_role():
    cairns = table(ruleset=ruleset_with(policies={"idle": None}, gm_policies={"keeper": None}))
    for role, bot, fitting in ((Role.GM, "idle", "keeper"), (Role.PLAYER, "keeper", "idle")):
        with pytest.raises(Refused, match=rf"^bot\.role: .*there is: {fitting}\.$"):
            cairns.when(AddSeat(role=role, name="Robot", bot=bot), HOST_ACTOR)
        with refused("bot.missing", cairns.state):
            cairns.when(AddSeat(role=role, name="Robot", bot="clever"), HOST_ACTOR)
    for role in (Role.HOST, Role.OBSERVER):
        for bot in ("idle", "keeper"):
            with refused("bot.role", cairns.state):
                cairns.when(AddSeat(role=role, name="Robot", bot=bot), HOST_ACTOR)
    for seat, bot in ((BOB, "keeper"), (MASTER, "idle"), (HOST, "keeper")):
        with refused("bot.role", cairns.state):
            cairns.when(HandOver(seat=seat, bot=bot, reason="ill"), GM_ACTOR if seat is not BOB else HOST_ACTOR)
    cairns.when(HandOver(seat=MASTER, bot="keeper", reason="ill"), GM_ACTOR)
    assert (cairns.state.seats[MASTER].bot, cairns.state.seats[MASTER].user) == ("keeper", None)
    assert cairns.log_folds_to_state()


def test_a_bot_that_comes_into_a_running_game_acts_soon():
    keeper = ruleset_with(policies={"idle": None}, gm_policies={"keeper": None})
    for start in (False, True):
        cairns = table(ruleset=keeper)
        if start:
            cairns.when(Start(), GM_ACTOR)
        cairns.when(AddSeat(name="Robot", bot="idle"), HOST_ACTOR)
        cairns.when(AddSeat(role=Role.GM, name="Keeper", bot="keeper"), HOST_ACTOR)
        bots = [seat.id for seat in cairns.state.seats.values() if seat.bot]
        assert len(bots) == 2
        assert [k for k in cairns.state.timers if k.startswith("bot:")] == [bot_key(bot) for bot in bots if start]
    assert {cairns.state.timers[bot_key(bot)].due for bot in bots} == {cairns.now + WAKING}


@pytest.mark.parametrize(
    ("status", "wakes"), [(Status.LOBBY, False), (Status.SETUP, True), (Status.RUNNING, True), (Status.FINISHED, False)]
)
def test_a_bot_that_comes_in_looks_at_the_game_from_the_set_up_to_the_end(status, wakes):
    cairns = table(ruleset=ruleset_with(policies={"idle": None}))
    cairns.state.set_status(status)
    cairns.when(AddSeat(name="Robot", bot="idle"), HOST_ACTOR)
    cairns.when(HandOver(seat=BOB, bot="idle", reason="ill"), GM_ACTOR)
    assert sum(key.startswith("bot:") for key in cairns.state.timers) == 2 * wakes
