"""Votes, consents and choices: when they are settled (CF-11), and who has how many ballots."""

from datetime import timedelta
from itertools import product
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.audience import PUBLIC, reader
from games.engine.game_state import Prompt
from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.prompt import DeadlinePassed, PromptClosed, Rule, more_than_half, verdict
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, table
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.toy.rules.commands import CastVote, MotionSettled, Propose

SECOND = timedelta(seconds=1)

VOTERS = [reader(UUID(int=n)) for n in range(1, 6)]


def prompt_of(rule, voters, threshold=0):
    return Prompt(
        id=UUID(int=9), kind="VOTE", lane="a", depth=0, parent=None, owners=tuple(voters), rule=rule, audience=PUBLIC,
        answered_by=(), question="", subject=None, choices=(), silence="", threshold=threshold, sealed=False,
        opened_at=DAWN,
    )  # fmt: skip


BALLOTS = st.lists(st.sampled_from(["true", "false", None]), min_size=1, max_size=5)


def certain(ballots, carried):
    """What all completions of the missing ballots agree on; None when they do not."""
    missing = [n for n, b in enumerate(ballots) if b is None]
    results = set()
    for filling in product(["true", "false"], repeat=len(missing)):
        whole = list(ballots)
        for n, value in zip(missing, filling, strict=True):
            whole[n] = value
        results.add(carried(whole))
    return results.pop() if len(results) == 1 else None


def cast(ballots):
    return {VOTERS[n]: b for n, b in enumerate(ballots) if b is not None}


@pytest.mark.rule("CF-11")
@given(BALLOTS, st.integers(0, 6))
def test_a_vote_is_settled_exactly_when_no_missing_ballot_can_change_it(ballots, threshold):
    vote = prompt_of(Rule.MAJORITY, VOTERS[: len(ballots)], threshold)
    assert verdict(vote, cast(ballots)) == certain(ballots, lambda whole: whole.count("true") >= threshold)


@pytest.mark.rule("CF-11")
@given(BALLOTS)
def test_consent_is_certain_with_the_last_yes_or_the_first_no(ballots):
    vote = prompt_of(Rule.UNANIMOUS, VOTERS[: len(ballots)])
    assert verdict(vote, cast(ballots)) == certain(ballots, lambda whole: "false" not in whole)


@given(BALLOTS)
def test_orders_are_settled_when_all_are_in_and_a_choice_with_the_first_answer(ballots):
    voters = VOTERS[: len(ballots)]
    assert verdict(prompt_of(Rule.ALL, voters), cast(ballots)) == (True if None not in ballots else None)
    assert verdict(prompt_of(Rule.FIRST, voters), cast(ballots)) == (True if cast(ballots) else None)


@given(st.integers(1, 1000))
def test_a_tie_is_no_majority(electorate):
    needed = more_than_half(electorate)
    assert 2 * needed > electorate >= 2 * (needed - 1)


@pytest.mark.rule("CF-11")
@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from([ANN, BOB, CYD]), st.booleans()), max_size=12))
def test_ballots_may_be_changed_until_the_vote_is_certain(ballots):
    cairns = table(ANN, BOB, CYD)
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Propose(text="More tides"), ANN)
    motion, standing, settled = next(iter(cairns.state.prompts)), {}, None
    for seat, yes in ballots:
        if settled is not None:
            with refused("prompt.closed", cairns.state):
                cairns.when(CastVote(prompt=motion, yes=yes), seat)
            continue
        events = cairns.when(CastVote(prompt=motion, yes=yes), seat)
        standing[seat] = yes
        ayes = sum(standing.values())
        settled = True if ayes >= 2 else False if len(standing) - ayes >= 2 else None
        assert of_kind(events, MotionSettled) == ([] if settled is None else [MotionSettled(passed=settled)])
    assert (motion in cairns.state.prompts) is (settled is None)
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-11")
def test_a_seat_that_joins_later_neither_votes_nor_moves_the_threshold():
    from_two = table(ANN, BOB)
    from_two.when(Start(), GM_ACTOR)
    from_two.when(Propose(text="More tides"), ANN)
    motion = next(iter(from_two.state.prompts))
    from_two.state.seats.load(CYD, from_two.state.seats[ANN].__class__(CYD, from_two.state.seats[ANN].role, "Cyd"))
    with refused("prompt.not_yours", from_two.state):
        from_two.when(CastVote(prompt=motion, yes=False), CYD)
    assert from_two.state.prompts[motion].threshold == 2
    from_two.when(CastVote(prompt=motion, yes=True), ANN)
    assert of_kind(from_two.when(CastVote(prompt=motion, yes=True), BOB), MotionSettled) == [MotionSettled(passed=True)]


@pytest.mark.rule("CF-6", "CF-11")
def test_silence_is_no_and_a_late_ballot_is_refused():
    cairns = table(options='{"vote_seconds": 30}')
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Propose(text="More tides"), ANN)
    motion = next(iter(cairns.state.prompts))
    cairns.when(CastVote(prompt=motion, yes=True), ANN)
    events = cairns.wait(30 * SECOND)
    assert [e for e in events if isinstance(e, (DeadlinePassed, PromptClosed, MotionSettled))] == [
        event_like(DeadlinePassed, prompt=motion),
        event_like(PromptClosed, prompt=motion, result="lost"),
        MotionSettled(passed=False),
    ]
    with refused("prompt.closed", cairns.state):
        cairns.when(CastVote(prompt=motion, yes=True), BOB)
    assert (dict(cairns.state.prompts), dict(cairns.state.answers)) == ({}, {})
