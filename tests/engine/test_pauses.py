"""A game-master works while the clock stands still, and what was left is left."""

from datetime import timedelta

import pytest

from games.engine.audience import PUBLIC, reader
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import (
    EndNow,
    EndSetup,
    Extend,
    Extended,
    FireNow,
    Overrule,
    Pause,
    Resume,
    Start,
)
from games.engine.prompts.prompt import Rule, ask, close
from games.engine.prompts.questions import SettleDefault
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST_ACTOR, Cairns, table
from tests.playbook import of_kind, refused
from tests.toy.rules.commands import AddStones, CastVote, Propose

MINUTE = timedelta(minutes=1)
FOR_BOB = Actor(Issuer.GM, on_behalf_of=BOB)


def running_game() -> Cairns:
    """A game that has begun."""
    cairns = table(options='{"vote_seconds": 30}')
    cairns.when(Start(), GM_ACTOR)
    return cairns


def paused(cairns: Cairns, after: timedelta = MINUTE) -> Cairns:
    """The same game, paused a while ago."""
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += after
    return cairns


def motion() -> Cairns:
    """A game in which Ann has put something to the vote, paused."""
    cairns = running_game()
    cairns.when(Propose(text="A feast?"), ANN)
    return paused(cairns)


def inner(cairns: Cairns, parent: object = None) -> None:
    """A question to Ann for 30 seconds, inside another."""

    def events(state, ctx):
        yield from ask(
            state, ctx, "INNER", "Well?", owners=[reader(ANN)], readers=PUBLIC, lane="inner", rule=Rule.FIRST,
            answered_by=(CastVote,), parent=parent, due=ctx.now + timedelta(seconds=30),
            default=SettleDefault(prompt=parent or ANN), silence="No.",
        )  # fmt: skip

    cairns.happens(events, by=GM_ACTOR)


@pytest.mark.rule("CF-5")
def test_a_game_masters_answers_extensions_and_words_are_taken_in_a_pause():
    cairns = motion()
    (asked,) = cairns.state.prompts
    cairns.when(Extend(timer=f"prompt:{asked}", seconds=60), GM_ACTOR)
    cairns.when(Overrule(rule="CF-5", reason="So be it."), GM_ACTOR)
    cairns.when(CastVote(prompt=asked, yes=True), FOR_BOB)
    assert (asked, reader(BOB)) in cairns.state.answers
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-5")
@pytest.mark.parametrize(
    ("command", "actor", "words"),
    [
        (AddStones(stones=1), ANN, "wait until the GM resumes."),
        (AddStones(stones=1), FOR_BOB, "for a seat only answers to open questions are taken"),
        (EndSetup(), HOST_ACTOR, "a game-master alone acts"),
        (EndNow(), GM_ACTOR, "keeps for everybody the time that was left"),
        (FireNow(timer="tide"), GM_ACTOR, "keeps for everybody the time that was left"),
        (Pause(), GM_ACTOR, "stands still already; `resume` lets it go on."),
    ],
)
def test_what_waits_for_the_end_of_a_pause_says_why_and_what_would_do(command, actor, words):
    cairns = motion()
    with refused("clock.paused", cairns.state) as told:
        cairns.when(command, actor)
    assert words in told.value.message and ("resume" in told.value.message)


@pytest.mark.rule("CF-5")
def test_after_a_pause_what_was_left_is_left_whatever_was_opened_closed_or_put_off_in_it():
    """The kind: every time that is set from the present while the clock stands still."""
    cairns = running_game()
    cairns.when(Propose(text="A feast?"), ANN)
    (asked,) = cairns.state.prompts
    tide = cairns.state.timers["tide"].due - cairns.now
    cairns.wait(timedelta(seconds=10))
    paused(cairns, 7 * MINUTE)
    inner(cairns, asked)
    assert cairns.state.timers[f"prompt:{asked}"].left == timedelta(seconds=20)
    cairns.now += MINUTE
    (within,) = set(cairns.state.prompts) - {asked}
    (extended,) = of_kind(cairns.when(Extend(timer=f"prompt:{within}", seconds=60), GM_ACTOR), Extended)
    assert cairns.log[-1].text == "A deadline was put off to 1 minute 30 seconds after the pause."
    assert cairns.log[-1].at == cairns.now  # the log has the real time
    cairns.now += MINUTE
    cairns.when(Resume(), GM_ACTOR)
    assert extended.due != cairns.state.timers[f"prompt:{within}"].due == cairns.now + timedelta(seconds=90)
    assert cairns.state.timers["tide"].due == cairns.now + tide - timedelta(seconds=10)
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += 3 * MINUTE
    cairns.happens(lambda state, ctx: close(state, within, "done"), by=GM_ACTOR)
    cairns.when(Resume(), GM_ACTOR)
    assert cairns.state.timers[f"prompt:{asked}"].due == cairns.now + timedelta(seconds=20)
    assert cairns.log_folds_to_state()
