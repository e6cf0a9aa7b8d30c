"""Prompts: who owes an answer, until when, what is sealed, and what silence means (CF-6, CF-7, CF-9, CF-11)."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.audience import GM_READER, PUBLIC, readable, reader, seat_and_gm
from games.engine.errors import Refused
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.prompts.prompt import (
    AnswerWithdrawn,
    PromptAnswered,
    PromptCounted,
    Rule,
    answer,
    answers_to,
    ask,
    close,
    expire_prompt,
    verdict,
)
from games.engine.prompts.standing import StandingAnswerSet, standing_answer
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, MASTER, ruleset_with, table
from tests.playbook import DAWN, refused
from tests.toy.rules.state import State

SECOND = timedelta(seconds=1)


class Say(Command):
    """Answer whatever is asked."""

    prompt: UUID
    value: str

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from answer(state, ctx, self.prompt, self.value)


class Lapse(Command):
    """Nobody answered in time."""

    prompt: UUID

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from expire_prompt(state, self.prompt)


def table_of(*players):
    return table(*players, ruleset=ruleset_with(Say, Lapse))


def ask_prompt(cairns, *, owners=(ANN, BOB), parent=None, seconds=None, lane="a", **more):
    """Open a prompt; its id."""
    prompt = UUID(int=1000 + len(cairns.log))
    deadline = {"due": cairns.now + seconds * SECOND, "default": Lapse(prompt=prompt)} if seconds else {}
    asks = {"rule": Rule.ALL, "answered_by": (Say,), "owners": [reader(o) for o in owners], **deadline, **more}
    cairns.happens(lambda s, c: ask(s, c, "QUESTION", "Well?", lane=lane, parent=parent, prompt=prompt, **asks))
    return prompt


@pytest.mark.rule("CF-9")
def test_a_sealed_answer_is_its_owners_alone_while_the_count_is_for_all():
    cairns = table_of()
    sealed = ask_prompt(cairns, sealed=True, readers=PUBLIC)
    events = cairns.when(Say(prompt=sealed, value='"north"'), ANN)
    assert events == [
        PromptAnswered(prompt=sealed, owner=reader(ANN), answer='"north"'),
        PromptCounted(prompt=sealed, count=1),
    ]
    assert [h.audience for h in cairns.log[-2:]] == [reader(ANN), PUBLIC]
    assert not any("north" in repr(row) for row in cairns.events_for(PUBLIC))
    assert not readable(cairns.log[-2].audience, {BOB, MASTER}, gm=True)
    answer_counts = {who: len(cairns.state.view_for(frozenset({who})).answers) for who in (ANN, BOB)}
    assert answer_counts == {ANN: 1, BOB: 0}


@pytest.mark.rule("CF-9")
def test_a_changed_sealed_answer_is_a_secret_of_its_owner():
    cairns = table_of()
    sealed = ask_prompt(cairns, sealed=True, readers=PUBLIC)
    cairns.when(Say(prompt=sealed, value='"north"'), ANN)
    before = cairns.events_for(PUBLIC)
    cairns.when(Say(prompt=sealed, value='"south"'), ANN)
    assert cairns.events_for(PUBLIC) == before
    assert answers_to(cairns.state, sealed) == {reader(ANN): '"south"'}
    cairns.when(Say(prompt=sealed, value='"west"'), BOB)
    assert cairns.log[-1].event == PromptCounted(prompt=sealed, count=2)


@pytest.mark.rule("CF-9")
def test_the_count_of_a_secret_question_is_shown_to_its_readers_only():
    cairns = table_of(ANN, BOB, CYD)
    secret = ask_prompt(cairns, owners=(ANN,), sealed=True)
    public = cairns.events_for(PUBLIC)
    cairns.when(Say(prompt=secret, value="1"), ANN)
    cairns.happens(lambda s, c: close(s, secret, "done"))
    assert cairns.events_for(PUBLIC) == public
    assert {h.audience for h in cairns.log[-3:]} == {reader(ANN), seat_and_gm(ANN)}


def test_an_answer_is_taken_back():
    cairns = table_of()
    question = ask_prompt(cairns)
    cairns.when(Say(prompt=question, value="true"), ANN)
    cairns.happens(lambda s, c: iter([AnswerWithdrawn(prompt=question, owner=reader(ANN))]))
    assert answers_to(cairns.state, question) == {}
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-7")
def test_only_those_who_are_asked_answer_and_a_game_master_for_them():
    cairns = table_of(ANN, BOB, CYD)
    question = ask_prompt(cairns)
    with refused("prompt.not_yours", cairns.state):
        cairns.when(Say(prompt=question, value="1"), CYD)
    with refused("prompt.not_yours", cairns.state):
        cairns.when(Say(prompt=question, value="1"), GM_ACTOR)
    cairns.when(Say(prompt=question, value="1"), Actor(Issuer.GM, seat=MASTER, on_behalf_of=ANN))
    assert list(answers_to(cairns.state, question)) == [reader(ANN)]


def test_a_ruling_is_asked_of_every_game_master():
    cairns = table_of()
    ruling = UUID(int=77)
    cairns.happens(
        lambda s, c: ask(
            s,
            c,
            "RULING",
            "Did it fall?",
            owners=(GM_READER,),
            lane="g",
            rule=Rule.FIRST,
            answered_by=(Say,),
            prompt=ruling,
        )
    )
    assert cairns.log[-1].audience == "gm"
    with refused("prompt.not_yours", cairns.state):
        cairns.when(Say(prompt=ruling, value="true"), ANN)
    cairns.when(Say(prompt=ruling, value="true"), GM_ACTOR)
    assert verdict(cairns.state.prompts[ruling], answers_to(cairns.state, ruling)) is True


@pytest.mark.rule("CF-6")
def test_an_answer_to_a_question_that_never_was_is_refused_as_one_that_is_over():
    cairns = table_of()
    with refused("prompt.closed", cairns.state):
        cairns.when(Say(prompt=UUID(int=404), value="1"), ANN)


@pytest.mark.rule("CF-7")
def test_the_inner_question_comes_first():
    cairns = table_of()
    outer = ask_prompt(cairns)
    inner = ask_prompt(cairns, parent=outer)
    with refused("prompt.open", cairns.state):
        cairns.when(Say(prompt=outer, value="1"), ANN)
    with refused("prompt.open", cairns.state):
        cairns.happens(lambda s, c: close(s, outer, "done"))
    cairns.happens(lambda s, c: close(s, inner, "done"))
    cairns.when(Say(prompt=outer, value="1"), ANN)
    cairns.happens(lambda s, c: close(s, outer, "done"))
    assert dict(cairns.state.prompts) == {}


@pytest.mark.rule("CF-6", "CF-7")
@settings(max_examples=120)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("open"), st.sampled_from("ab"), st.integers(1, 100)),
            st.tuples(st.just("close"), st.sampled_from("ab"), st.just(0)),
            st.tuples(st.just("wait"), st.just(""), st.integers(1, 60)),
        ),
        max_size=25,
    )
)
def test_in_a_lane_only_the_innermost_question_spends_its_time(steps):
    """Against a model: two lanes, each a stack of (prompt, seconds left)."""
    cairns = table_of()
    lanes: dict[str, list[list]] = {"a": [], "b": []}
    for what, lane, seconds in steps:
        stack = lanes.get(lane)
        if what == "open":
            parent = stack[-1][0] if stack else None
            stack.append([ask_prompt(cairns, parent=parent, seconds=seconds, lane=lane), seconds])
        elif what == "close" and stack:
            prompt, _ = stack.pop()
            cairns.happens(lambda s, c, p=prompt: close(s, p, "done"))
        elif what == "wait":
            cairns.wait(seconds * SECOND)
            for stack in lanes.values():
                left = seconds
                while stack and left >= stack[-1][1]:
                    left -= stack.pop()[1]
                if stack:
                    stack[-1][1] -= left
        expected = {p: left for stack in lanes.values() for p, left in stack}
        assert set(cairns.state.prompts) == set(expected)
        for stack in lanes.values():
            for prompt, left in stack:
                timer = cairns.state.timers[f"prompt:{prompt}"]
                running = prompt == stack[-1][0]
                assert (timer.left, timer.due) == (
                    (None, cairns.now + left * SECOND) if running else (left * SECOND, None)
                )
    assert cairns.log_folds_to_state()


def test_a_parent_goes_on_when_the_last_of_its_children_is_closed():
    cairns = table_of()
    outer = ask_prompt(cairns, seconds=50)
    children = [ask_prompt(cairns, parent=outer, lane=lane) for lane in "xy"]
    cairns.now += 30 * SECOND
    cairns.happens(lambda s, c: close(s, children[0], "done"))
    assert cairns.state.timers[f"prompt:{outer}"].left == 50 * SECOND
    cairns.happens(lambda s, c: close(s, children[1], "done"))
    assert cairns.state.timers[f"prompt:{outer}"].due == cairns.now + 50 * SECOND


def test_a_standing_answer_is_stored_for_its_kind_and_taken_back():
    cairns = table_of()
    cairns.happens(lambda s, c: iter([StandingAnswerSet(seat=ANN, kind="PEACE", answer="true")]))
    assert cairns.log[-1].audience == seat_and_gm(ANN)
    found = [standing_answer(cairns.state, *who) for who in ((ANN, "PEACE"), (BOB, "PEACE"), (ANN, "WAR"))]
    assert found == ["true", None, None]
    for _ in range(2):
        cairns.happens(lambda s, c: iter([StandingAnswerSet(seat=ANN, kind="PEACE", answer="")]))
    assert standing_answer(cairns.state, ANN, "PEACE") is None


def test_of_several_standing_answers_the_most_particular_goes_first():
    cairns = table()
    for kind, word in (("PEACE", "yes"), (f"PEACE:{BOB}", "no")):
        event = StandingAnswerSet(seat=ANN, kind=kind, answer=word)
        cairns.happens(lambda s, c, event=event: iter([event]))
    assert standing_answer(cairns.state, ANN, f"PEACE:{BOB}", "PEACE") == "no"
    assert standing_answer(cairns.state, ANN, f"PEACE:{CYD}", "PEACE") == "yes"
    assert cairns.log_folds_to_state()


def test_a_question_without_owners_or_with_half_a_deadline_is_an_error():
    cairns = table_of()
    with pytest.raises(RuntimeError, match="nobody owns"):
        ask_prompt(cairns, owners=())
    with pytest.raises(RuntimeError, match="deadline with a default"):
        ask_prompt(cairns, due=DAWN)
    with pytest.raises(Refused):
        cairns.happens(lambda s, c: expire_prompt(s, UUID(int=5)))
