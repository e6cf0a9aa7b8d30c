"""Votes of those who play: who has a voice, what carries them, and that what follows is what the host would do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.lifecycle.gm_commands import EndNow, Pause, Paused, Resume, Resumed, Start
from games.engine.lifecycle.vacations import TakeVacation
from games.engine.lifecycle.votes import AnswerVote, ProposeVote, VoteSettled
from games.engine.timer import Extended
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, Cairns, table
from tests.playbook import event_like, of_kind, refused
from tests.toy.rules.commands import BringTide, Propose, TideCame

pytestmark = pytest.mark.rule("CF-11")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def running(votes: str = "majority") -> Cairns:
    """A game of three with votes."""
    options = f'{{"tide_seconds":3600,"tides":1000,"vacation_days":3,"votes":"{votes}"}}'
    cairns = table(ANN, BOB, CYD, options=options)
    cairns.when(Start(), GM_ACTOR)
    return cairns


def vote(cairns: Cairns, subject: str = "pause"):
    """Ann's proposal; its id."""
    before = set(cairns.state.prompts)
    cairns.when(ProposeVote(subject=subject), ANN)
    (motion,) = set(cairns.state.prompts) - before
    return motion


def test_more_than_half_of_those_who_play_stop_the_clock_and_let_it_go_on():
    cairns = running()
    events = cairns.when(AnswerVote(prompt=vote(cairns), yes=True), BOB)
    assert of_kind(events, VoteSettled) == [event_like(VoteSettled, subject="pause", passed=True, refused="")]
    assert of_kind(events, Paused) == [event_like(Paused, reason="The players have voted for it.")]
    cairns.now += 5 * HOUR
    motion = vote(cairns, "resume")
    assert cairns.state.info.paused_at is not None
    assert of_kind(cairns.when(AnswerVote(prompt=motion, yes=True), CYD), Resumed) == [Resumed(by=5 * HOUR)]
    assert not cairns.state.prompts and cairns.log_folds_to_state()


def test_a_deadline_is_put_off_and_what_goes_on_now_is_ended():
    cairns = running()
    due = cairns.state.timers["tide"].due
    events = cairns.when(AnswerVote(prompt=vote(cairns, "extend"), yes=True), BOB)
    assert of_kind(events, Extended) == [event_like(Extended, timer="tide", due=due + DAY)]
    events = cairns.when(AnswerVote(prompt=vote(cairns, "end"), yes=True), BOB)
    assert of_kind(events, TideCame) == [TideCame(count=1)]
    assert cairns.state.timers["tide"].due == cairns.now + HOUR  # the game has gone on


def test_unanimity_is_lost_by_one_no_and_won_by_all():
    cairns = running("unanimous")
    motion = vote(cairns)
    cairns.when(AnswerVote(prompt=motion, yes=True), BOB)
    events = cairns.when(AnswerVote(prompt=motion, yes=False), CYD)
    assert of_kind(events, VoteSettled, Paused) == [event_like(VoteSettled, passed=False)]
    motion = vote(cairns)
    cairns.when(AnswerVote(prompt=motion, yes=True), BOB)
    assert of_kind(cairns.when(AnswerVote(prompt=motion, yes=True), CYD), Paused)


def test_bots_and_those_on_vacation_have_no_voice_and_silence_agrees_to_nothing():
    cairns = running()
    cairns.when(TakeVacation(first_day="2026-01-01", last_day="2026-01-03"), CYD)
    motion = vote(cairns)
    assert {*cairns.state.prompts[motion].owners} == {f"seat:{ANN}", f"seat:{BOB}"}
    with refused("prompt.not_yours", cairns.state):
        cairns.when(AnswerVote(prompt=motion, yes=True), CYD)
    with refused("vote.voiceless", cairns.state):
        cairns.when(ProposeVote(subject="extend"), CYD)
    events = cairns.wait(DAY)
    assert of_kind(events, VoteSettled, Paused) == [event_like(VoteSettled, passed=False)]
    cairns.state.seats[BOB] = replace(cairns.state.seats[BOB], bot="idle")
    events = cairns.when(ProposeVote(subject="pause"), ANN)  # Ann alone is left
    assert of_kind(events, Paused) and not cairns.state.prompts


def test_one_vote_of_a_kind_is_open_at_a_time():
    cairns = running()
    vote(cairns)
    with refused("vote.open", cairns.state):
        cairns.when(ProposeVote(subject="pause"), BOB)
    vote(cairns, "extend")
    assert len(cairns.state.prompts) == 2


def test_what_the_host_has_done_meanwhile_is_not_done_again():
    cairns = running()
    motion = vote(cairns)
    cairns.when(Pause(), GM_ACTOR)
    events = cairns.when(AnswerVote(prompt=motion, yes=True), BOB)
    assert of_kind(events, VoteSettled, Paused) == [event_like(VoteSettled, passed=True, refused="clock.paused")]
    assert cairns.log[-1].text == "The vote to stop the clock is carried, but that cannot be done now."


def test_no_vote_ends_time_while_the_clock_stands_still():
    """The kind: what the host may not do in a pause, done by a vote."""
    cairns = running()
    motion = vote(cairns, "end")
    cairns.when(Pause(), GM_ACTOR)
    due = cairns.state.timers["tide"].due
    events = cairns.when(AnswerVote(prompt=motion, yes=True), BOB)
    assert of_kind(events, VoteSettled, TideCame) == [event_like(VoteSettled, passed=True, refused="clock.paused")]
    assert cairns.state.timers["tide"].due == due
    with refused("clock.paused", cairns.state):
        cairns.when(ProposeVote(subject="end"), ANN)


def test_what_is_refused_behind_its_first_event_refuses_no_ballot():
    """The kind: a vote that nobody can say yes to, since what it is for would be refused by then."""
    cairns = running()
    motion = vote(cairns, "end")
    bring = BringTide.decide

    def refuse(self, state, ctx):
        yield from bring(self, state, ctx)
        raise Refused("prompt.open", "An inner question is still open; it comes first.")

    before = dump(cairns.state.tides)
    with pytest.MonkeyPatch.context() as late:
        late.setattr(BringTide, "decide", refuse)
        events = cairns.when(AnswerVote(prompt=motion, yes=True), BOB)
    assert of_kind(events, VoteSettled) == [event_like(VoteSettled, passed=True, refused="prompt.open")]
    assert dump(cairns.state.tides) == before and cairns.log_folds_to_state()


@pytest.mark.parametrize(("subject", "code"), [("resume", "clock.running"), ("pause", "")])
def test_nobody_votes_for_what_cannot_be_done(subject, code):
    cairns = running()
    if code:
        with refused(code, cairns.state):
            cairns.when(ProposeVote(subject=subject), ANN)
    else:
        cairns.when(ProposeVote(subject=subject), ANN)


def test_without_the_option_and_for_others_there_is_no_vote():
    with refused("votes.none"):
        running("none").when(ProposeVote(subject="pause"), ANN)
    with refused("vote.voiceless"):
        running().when(ProposeVote(subject="pause"), HOST)
    cairns = running()
    cairns.when(Propose(text="A feast?"), ANN)
    (other,) = cairns.state.prompts
    with refused("prompt.closed", cairns.state):
        cairns.when(AnswerVote(prompt=other, yes=True), ANN)


def test_a_vote_of_the_end_does_what_the_host_does():
    voted, led = running(), running()
    voted.when(AnswerVote(prompt=vote(voted, "end"), yes=True), BOB)
    led.when(EndNow(), GM_ACTOR)
    assert dump(voted.state.tides) == dump(led.state.tides)


def test_the_clock_that_goes_on_keeps_what_was_left_of_a_vote():
    cairns = running()
    motion = vote(cairns)
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += 3 * DAY
    cairns.when(Resume(), GM_ACTOR)
    assert cairns.state.timers[f"prompt:{motion}"].due == cairns.now + DAY
