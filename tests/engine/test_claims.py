"""A seat that a bot keeps: for its holder, who comes back, or for anybody, who takes it by `join` (ADR 111)."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.engine.bots import WAKING, Thought, bot_key
from games.engine.dice import Tray
from games.engine.game_state import Role
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.bans import Banned
from games.engine.lifecycle.gm_commands import GameEnded, Start
from games.engine.lifecycle.seating import (
    AddSeat,
    GameOpened,
    HandedOver,
    HandOver,
    InvitationUsed,
    Invite,
    Invited,
    Join,
    SeatMadeClaimable,
    SeatTaken,
    take_over,
)
from games.engine.timer import TimerFired
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST_ACTOR, Cairns, ruleset_with, table
from tests.engine.test_gm_commands import rewound
from tests.playbook import event_like, of_kind, refused

NEWCOMER, OTHER = (Actor(Issuer.SEAT, user=UUID(int=n)) for n in (900, 901))
HOLDER = Actor(Issuer.SEAT, user=UUID(int=902), seat=BOB)
"""Who plays Bob."""
pytestmark = pytest.mark.rule("CF-5")


def idle(state: Any, seat: UUID, tray: Tray) -> Thought:
    """A policy that never does anything."""
    return Thought(None, None)


def kept(*, is_claimable: bool, start: bool = False) -> Cairns:
    """Ann and Bob play, and a bot stands in for Bob's holder."""
    cairns = table(ruleset=ruleset_with(policies={"idle": idle}))
    cairns.plant(HandedOver(seat=BOB, user=HOLDER.user))
    if start:
        cairns.when(Start(), GM_ACTOR)
    cairns.when(HandOver(seat=BOB, user=HOLDER.user, bot="idle", is_claimable=is_claimable), HOLDER)
    return cairns


def seats_to_join(cairns: Cairns, actor: Actor = NEWCOMER) -> list[tuple[UUID, ...]]:
    """The seats that somebody's menu names, of each entry that names any."""
    seen = cairns.state.view_for(frozenset(), user=actor.user)
    found = legal_commands_for(seen, [Join], actor)
    return [each.choices("seat") for each in found if each.legal and each.choices("seat")]


def test_a_seat_that_a_bot_keeps_for_anybody_is_taken_by_the_first_who_comes():
    cairns = kept(is_claimable=True, start=True)
    assert cairns.state.seats[BOB].is_free and seats_to_join(cairns) == [(BOB,)]
    assert cairns.when(Join(name="New", seat=BOB), NEWCOMER) == [HandedOver(seat=BOB, user=NEWCOMER.user)]
    bob = cairns.state.seats[BOB]
    assert (bob.name, bob.user, bob.bot, bob.is_claimable, bob.is_free) == ("Bob", NEWCOMER.user, "", False, False)
    assert seats_to_join(cairns, OTHER) == []
    with refused("seat.taken", cairns.state):
        cairns.when(Join(name="Late", seat=BOB), OTHER)
    assert cairns.wait(2 * WAKING) == [event_like(TimerFired, key=bot_key(BOB))]  # it is not the bot's seat any more
    assert cairns.log_folds_to_state()


def test_a_seat_that_a_bot_keeps_for_its_holder_is_nobody_elses():
    cairns = kept(is_claimable=False)
    assert not cairns.state.seats[BOB].is_free and seats_to_join(cairns) == []
    for role in (Role.PLAYER, Role.OBSERVER):
        with refused("seat.taken", cairns.state) as caught:
            cairns.when(Join(name="New", role=role, seat=BOB), NEWCOMER)
    assert "choose an empty seat, or one that a bot keeps for anybody" in caught.value.message
    with refused("seat.taken", cairns.state):
        cairns.when(Invite(seat=BOB), HOST_ACTOR)


def test_a_seat_of_a_bot_alone_is_the_bots_unless_it_was_added_for_anybody():
    cairns = table(ruleset=ruleset_with(policies={"idle": idle}))
    assert cairns.when(AddSeat(name="Robot", bot="idle"), HOST_ACTOR) == [event_like(SeatTaken, bot="idle")]
    robot = cairns.log[-1].event.seat
    with refused("seat.taken", cairns.state):
        cairns.when(Join(name="New", seat=robot), NEWCOMER)
    taken, made = cairns.when(AddSeat(name="Free", bot="idle", is_claimable=True), HOST_ACTOR)
    assert made == SeatMadeClaimable(seat=taken.seat)
    assert cairns.log[-1].text == "A bot keeps the seat of Free for anybody who takes it."
    assert seats_to_join(cairns) == [(taken.seat,)]


def test_who_plays_here_takes_no_seat_from_a_bot_and_who_watches_does():
    cairns = kept(is_claimable=True)
    cairns.plant(HandedOver(seat=ANN, user=NEWCOMER.user))
    with refused("seat.held", cairns.state) as caught:
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    assert caught.value.facts == {"seat": str(ANN), "most": 1} and "as Ann" in caught.value.message
    assert seats_to_join(cairns) == []
    with refused("seat.held", cairns.state):  # the holder has one press of their own
        cairns.when(Join(name="Bob", seat=BOB), replace(HOLDER, seat=None))
    cairns.when(Join(name="Watcher", role=Role.OBSERVER), OTHER)
    assert cairns.when(Join(name="New", seat=BOB), OTHER) == [HandedOver(seat=BOB, user=OTHER.user)]
    with refused("seat.taken", cairns.state):
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    cairns.plant(HandedOver(seat=BOB, user=None))  # an empty seat is for those who play here, too
    assert cairns.when(Join(name="New", seat=BOB), NEWCOMER) == [HandedOver(seat=BOB, user=NEWCOMER.user)]


def test_the_holder_who_comes_back_first_keeps_the_seat():
    cairns = kept(is_claimable=True)
    cairns.happens(lambda state, ctx: take_over(state, Start(), HOLDER), HOLDER)
    bob = cairns.state.seats[BOB]
    assert (bob.user, bob.bot, bob.is_free) == (HOLDER.user, "", False)
    with refused("seat.taken", cairns.state):
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    assert cairns.log_folds_to_state()


def test_a_host_opens_the_seat_of_somebody_else_with_a_reason_alone():
    cairns = kept(is_claimable=False)
    opening = HandOver(seat=BOB, bot="idle", is_claimable=True)
    with refused("reason.missing", cairns.state):
        cairns.when(opening, HOST_ACTOR)
    with refused("seat.other", cairns.state):
        cairns.when(opening, ANN)
    events = cairns.when(opening.model_copy(update={"reason": "gone"}), HOST_ACTOR)
    assert of_kind(events, HandedOver, SeatMadeClaimable) == [
        HandedOver(seat=BOB, user=None, bot="idle"),
        SeatMadeClaimable(seat=BOB),
    ]


def test_a_seat_that_a_person_plays_is_kept_for_nobody_and_an_empty_one_is_free_as_it_is():
    cairns = kept(is_claimable=False)
    with refused("seat.holder", cairns.state):
        cairns.when(HandOver(seat=BOB, user=HOLDER.user, is_claimable=True), HOLDER)
    assert cairns.when(HandOver(seat=BOB, is_claimable=True), HOLDER) == [HandedOver(seat=BOB, user=None)]
    (added,) = cairns.when(AddSeat(name="Stool", is_claimable=True), HOST_ACTOR)
    assert {BOB, added.seat} == {each for seats in seats_to_join(cairns) for each in seats}
    assert not any(seat.is_claimable for seat in cairns.state.seats.values())


def test_who_is_banned_takes_no_seat_from_a_bot_either():
    cairns = kept(is_claimable=True)
    cairns.plant(Banned(ban=UUID(int=7), user=NEWCOMER.user, name="New"))
    with refused("person.banned", cairns.state):
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    seen = cairns.state.view_for(frozenset(), user=NEWCOMER.user)
    (barred,) = legal_commands_for(seen, [Join], NEWCOMER)
    assert barred.barred is not None and barred.barred.code == "person.banned"


def test_a_private_game_asks_for_an_invitation_which_may_be_to_the_seat_that_a_bot_keeps():
    cairns = kept(is_claimable=True)
    opened = GameOpened(ruleset="toy", name="Cairns", chosen="{}", commitment="0" * 64, is_public=False)
    cairns.plant(opened)
    with refused("invitation.missing", cairns.state):
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    (invited,) = cairns.when(Invite(seat=BOB), HOST_ACTOR)
    assert isinstance(invited, Invited)
    events = cairns.when(Join(name="New", code=invited.code), NEWCOMER)
    assert events == [HandedOver(seat=BOB, user=NEWCOMER.user), event_like(InvitationUsed)]


def test_nobody_takes_a_seat_when_the_game_is_over():
    cairns = kept(is_claimable=True)
    cairns.happens(lambda state, ctx: iter([GameEnded(reason="enough")]))
    with refused("phase.closed", cairns.state):
        cairns.when(Join(name="New", seat=BOB), NEWCOMER)


@pytest.mark.rule("CF-10")
def test_a_rewind_undoes_neither_that_a_seat_is_kept_for_anybody_nor_that_it_was_taken():
    cairns = table(ruleset=ruleset_with(policies={"idle": idle}))
    cairns.when(Start(), GM_ACTOR)
    begun = len(cairns.log)
    cairns.when(HandOver(seat=BOB, bot="idle", is_claimable=True, reason="gone"), HOST_ACTOR)
    rewound(cairns, begun)
    assert (cairns.state.seats[BOB].bot, cairns.state.seats[BOB].is_free) == ("idle", True)
    cairns.when(Join(name="New", seat=BOB), NEWCOMER)
    rewound(cairns, begun)
    assert (cairns.state.seats[BOB].user, cairns.state.seats[BOB].is_free) == (NEWCOMER.user, False)
    assert bot_key(BOB) not in cairns.state.timers
