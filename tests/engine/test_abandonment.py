"""Abandoned seats: after so many missed deadlines in a row a bot stands in, and who comes back has their seat again."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import FireNow, Start
from games.engine.lifecycle.seating import HandedOver, HandOver, take_over
from games.engine.policies import QuestionPolicy
from games.engine.post_options import post_options
from games.engine.prompts.abandonment import DeadlineMissed, SeatAbandoned, SilenceEnded
from games.engine.prompts.excuses import AbsenceExcused
from games.engine.prompts.prompt import DeadlinePassed
from tests.engine.cairns import ANN, BOB, GM_ACTOR, USER, Cairns, table
from tests.playbook import event_like, of_kind
from tests.toy.rules import RULESET
from tests.toy.rules.commands import CastVote, Propose

pytestmark = pytest.mark.rule("CF-6", "CF-9")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BOB_HIMSELF = Actor(Issuer.SEAT, user=USER, seat=BOB)


SILENT = QuestionPolicy(answers={}, silent=("MOTION",))
WITH_BOTS = replace(RULESET, policies={"waiter": SILENT, "idle": SILENT})


def running(*, after: int = 2, vote_seconds: int = 86_400, **options: int) -> Cairns:
    """A game that counts missed deadlines, whose votes are the questions."""
    cairns = table(
        ruleset=WITH_BOTS,
        options=json.dumps(
            {"tide_seconds": 3600, "tides": 1000, "vote_seconds": vote_seconds, "abandoned_after": after} | options
        ),
    )
    cairns.state.seats[BOB] = replace(cairns.state.seats[BOB], user=USER)
    cairns.when(Start(), GM_ACTOR)
    return cairns


def vote(cairns: Cairns, *, wait: timedelta = DAY) -> list:
    """Ann puts something to the vote and votes; what happens until its time is up."""
    cairns.when(Propose(text="A feast?"), ANN)
    motion = next(iter(cairns.state.prompts))
    cairns.when(CastVote(prompt=motion, yes=True), ANN)
    return cairns.wait(wait)


def test_a_bot_stands_in_after_so_many_missed_deadlines_in_a_row():
    cairns = running()
    assert of_kind(vote(cairns), DeadlineMissed, SeatAbandoned) == [event_like(DeadlineMissed, seat=BOB, count=1)]
    events = vote(cairns)
    assert of_kind(events, DeadlineMissed, SeatAbandoned) == [
        event_like(DeadlineMissed, seat=BOB, count=2, at=cairns.now),
        event_like(SeatAbandoned, seat=BOB, bot="waiter"),
    ]
    seat = cairns.state.seats[BOB]
    assert (seat.user, bool(seat.bot)) == (USER, True)
    assert f"bot:{BOB}" in cairns.state.timers and not cairns.state.leaves
    told = [h.text for h in cairns.log if isinstance(h.event, SeatAbandoned)]
    assert told == ["Bob has been silent for long: the service plays for them until they act."]
    assert cairns.log_folds_to_state()


def test_who_misses_a_deadline_is_told_alone_and_with_the_game_masters():
    cairns = running(after=3)
    vote(cairns)
    assert {h.audience for h in cairns.log if isinstance(h.event, DeadlineMissed)} == {f"gm+seat:{BOB}"}
    assert not cairns.state.view_for(frozenset({ANN})).leaves and cairns.state.view_for(frozenset({BOB})).leaves


def test_an_act_of_the_person_ends_the_silence_and_is_counted_from_then_on():
    cairns = running()
    vote(cairns)
    cairns.happens(lambda state, ctx: take_over(state, Propose(text="Rest?"), BOB_HIMSELF))
    assert isinstance(cairns.log[-1].event, SilenceEnded) and not cairns.state.leaves
    assert cairns.log[-1].audience == f"gm+seat:{BOB}"
    assert of_kind(vote(cairns), DeadlineMissed, SeatAbandoned) == [event_like(DeadlineMissed, count=1)]
    for command, actor in (
        (HandOver(seat=BOB), BOB_HIMSELF),
        (Propose(text="For Bob?"), Actor(Issuer.GM, seat=GM_ACTOR.seat, on_behalf_of=BOB)),
    ):
        assert list(take_over(cairns.state, command, actor)) == []
    assert cairns.log_folds_to_state()


def test_the_seat_is_handed_back_to_its_person_when_they_act():
    cairns = running(after=1)
    vote(cairns)
    cairns.happens(lambda state, ctx: take_over(state, Propose(text="I am back"), BOB_HIMSELF))
    assert cairns.log[-1].event == HandedOver(seat=BOB, user=USER)
    assert (cairns.state.seats[BOB].user, cairns.state.seats[BOB].bot) == (USER, "")


def test_an_excused_absence_is_not_missed_and_what_is_missed_is_no_excuse():
    cairns = running(after=2, grace_seconds=43_200, excused_absences=1)
    events = vote(cairns)
    assert of_kind(events, AbsenceExcused, DeadlineMissed) == [event_like(AbsenceExcused, seat=BOB, left=0)]
    assert of_kind(cairns.wait(12 * HOUR), DeadlineMissed) == [event_like(DeadlineMissed, count=1)]
    assert sorted(leave.is_missed for leave in cairns.state.leaves.values()) == [False, True]
    events = vote(cairns)
    assert of_kind(events, AbsenceExcused) == []  # the budget is spent, and the missed one has cost nothing of it
    assert of_kind(events, SeatAbandoned) == [event_like(SeatAbandoned, seat=BOB)]
    assert [leave.is_excuse for leave in cairns.state.leaves.values()] == [True]


def test_short_windows_bots_empty_seats_and_hands_of_game_masters_count_nothing():
    assert of_kind(vote(running(vote_seconds=3599), wait=HOUR), DeadlineMissed) == []
    for changes in ({"bot": "idle"}, {"user": None}):
        cairns = running()
        cairns.state.seats[BOB] = replace(cairns.state.seats[BOB], **changes)
        assert of_kind(vote(cairns), DeadlineMissed) == []
    led = running()
    led.when(Propose(text="A feast?"), ANN)
    events = led.when(FireNow(timer=f"prompt:{next(iter(led.state.prompts))}"), GM_ACTOR)
    assert of_kind(events, DeadlinePassed) and not of_kind(events, DeadlineMissed)


def test_a_game_without_the_option_counts_nothing():
    cairns = running(after=0)
    assert of_kind(vote(cairns), DeadlinePassed) and not cairns.state.leaves
    assert post_options(cairns.options).abandoned_after == 0


def test_a_new_person_at_the_seat_begins_without_what_was_missed():
    cairns = running(after=3)
    vote(cairns)
    assert cairns.state.leaves
    cairns.plant(HandedOver(seat=BOB, user=None))
    assert not cairns.state.leaves
