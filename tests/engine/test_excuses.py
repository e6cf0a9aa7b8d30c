"""Grace: a deadline moves once for people who are silent, as often as the game excuses them, and tells no secret."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import FireNow, Start
from games.engine.prompts.excuses import AbsenceExcused, GraceGiven
from games.engine.prompts.prompt import DeadlinePassed, PromptOpened, Rule, answer
from games.engine.ruleset import Ruleset
from tests.engine.cairns import ANN, BOB, GM_ACTOR, Cairns, table
from tests.playbook import DAWN, event_like, of_kind
from tests.toy.rules import RULESET
from tests.toy.rules.commands import CastVote, MotionSettled, Propose

pytestmark = pytest.mark.rule("CF-6", "CF-9")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOTION = RULESET.course.questions["MOTION"]
HALF_A_DAY = 43_200


def asked(ruleset: Ruleset = RULESET, *, vote_seconds: int = 86_400, budget: int = 1) -> Cairns:
    """A game with grace, in which Ann has put something to the vote."""
    options = {"tide_seconds": 3600, "tides": 1000, "vote_seconds": vote_seconds}
    grace = {"grace_seconds": HALF_A_DAY, "excused_absences": budget}
    cairns = table(ruleset=ruleset, options=json.dumps(options | grace))
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Propose(text="A feast?"), ANN)
    return cairns


def motion_of(cairns: Cairns):
    return next(iter(cairns.state.prompts))


def sealed() -> Ruleset:
    """Cairns whose motions are sealed and settled when all have answered."""
    rows = {"MOTION": replace(MOTION, sealed=True, settles=Rule.ALL)}
    return replace(RULESET, course=replace(RULESET.course, questions=rows))


def test_who_is_silent_is_excused_once_a_deadline_and_as_often_as_the_game_says():
    cairns = asked()
    motion = motion_of(cairns)
    cairns.when(CastVote(prompt=motion, yes=True), ANN)
    events = cairns.wait(DAY)
    later = DAWN + DAY + 12 * HOUR
    assert of_kind(events, GraceGiven) == [event_like(GraceGiven, prompt=motion, due=later, seats=(BOB,))]
    assert of_kind(events, AbsenceExcused) == [event_like(AbsenceExcused, seat=BOB, until=later, left=0)]
    assert of_kind(events, DeadlinePassed) == []
    told = next(record.text for record in cairns.log if isinstance(record.event, GraceGiven))
    assert told == "Bob is excused: the time to answer is longer once, until 2026-01-03 00:00:00 UTC."
    events = cairns.wait(12 * HOUR)
    assert of_kind(events, GraceGiven, DeadlinePassed) == [event_like(DeadlinePassed, prompt=motion, seats=(BOB,))]
    cairns.when(Propose(text="Another?"), ANN)
    cairns.when(CastVote(prompt=motion_of(cairns), yes=True), ANN)
    events = cairns.wait(DAY)
    assert of_kind(events, GraceGiven, DeadlinePassed) == [event_like(DeadlinePassed, seats=(BOB,))]
    assert cairns.log_folds_to_state()


def test_a_deadline_moves_once_however_many_absences_are_left():
    cairns = asked(budget=2)
    assert of_kind(cairns.wait(DAY), GraceGiven) == [event_like(GraceGiven, seats=(ANN, BOB))]
    events = cairns.wait(12 * HOUR)
    assert of_kind(events, GraceGiven, DeadlinePassed) == [event_like(DeadlinePassed, seats=(ANN, BOB))]
    assert len(cairns.state.leaves) == 2


def test_an_answer_within_the_grace_settles_the_question():
    cairns = asked()
    motion = motion_of(cairns)
    cairns.when(CastVote(prompt=motion, yes=True), ANN)
    cairns.wait(DAY + HOUR)
    assert of_kind(cairns.when(CastVote(prompt=motion, yes=True), BOB), MotionSettled) == [MotionSettled(passed=True)]


def test_of_a_sealed_question_nobody_learns_who_is_excused_but_they_themselves():
    """Two games that differ in who has answered: what everybody reads, and what Ann's rows say to Bob, is the same."""
    told = []
    for who in (ANN, BOB):
        cairns = asked(sealed())
        motion = motion_of(cairns)
        cairns.happens(lambda state, ctx, m=motion: answer(state, ctx, m, "true"), by=who)
        events = cairns.wait(DAY)
        other = BOB if who == ANN else ANN
        assert of_kind(events, GraceGiven) == [event_like(GraceGiven, seats=())]
        assert of_kind(events, AbsenceExcused) == [event_like(AbsenceExcused, seat=other, left=0)]
        (leave,) = cairns.state.leaves.values()
        assert leave.audience == f"gm+seat:{other}" and not cairns.state.view_for(frozenset({who})).leaves
        public = [row for row in cairns.events_for() if row[0] != "SeatTaken"]
        told.append((public, cairns.state.timers[f"prompt:{motion}"].due))
    assert told[0] == told[1]


def test_bots_game_masters_hands_and_short_windows_have_no_grace():
    short = asked(vote_seconds=3599)
    assert of_kind(short.wait(HOUR), GraceGiven) == []
    led = asked()
    timer = f"prompt:{motion_of(led)}"
    assert of_kind(led.when(FireNow(timer=timer), GM_ACTOR), GraceGiven) == []
    bots = asked()
    for seat in (ANN, BOB):
        bots.state.seats[seat] = replace(bots.state.seats[seat], bot="idle")
    assert of_kind(bots.wait(DAY), GraceGiven) == []


def test_without_the_options_a_deadline_carries_what_it_carried():
    plain = table(options='{"vote_seconds":86400}')
    plain.when(Start(), GM_ACTOR)
    plain.when(Propose(text="A feast?"), ANN)
    (opened,) = [record.event for record in plain.log if isinstance(record.event, PromptOpened)]
    assert plain.state.timers[f"prompt:{opened.prompt}"].arguments == f'{{"prompt":"{opened.prompt}"}}'


def test_a_game_master_who_answers_for_a_seat_spares_its_budget():
    cairns = asked()
    motion = motion_of(cairns)
    cairns.when(CastVote(prompt=motion, yes=True), ANN)
    cairns.when(CastVote(prompt=motion, yes=False), Actor(Issuer.GM, seat=GM_ACTOR.seat, on_behalf_of=BOB))
    assert not cairns.state.leaves
