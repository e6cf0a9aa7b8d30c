"""Challenges of any power, under the option `open_challenge` (DW-DC-7)."""

from datetime import timedelta

import pytest

from games.dawn.rules.conflict.events import ConflictOpened
from games.dawn.rules.powers.answer_commands import RaiseChallenge, WaiveObjection
from games.dawn.rules.powers.events import ChallengeRaised, ObjectionWaived, PowerFailed, PowerResolved
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.events import AlignmentShifted, EdgeGifted
from games.dawn.rules.state.schema_types import Asked, EdgeKind
from games.engine.prompts.prompt import DeadlinePassed, PromptOpened
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import bid, fold
from tests.rules.dawn.stage import (
    A,
    B,
    C,
    balances,
    inner_prompt,
    people,
    playing,
    sound,
)


@pytest.mark.rule("DW-DC-7", "DW-AMB-42")
def test_under_the_option_any_god_challenges_a_power_and_by_default_nobody_is_asked():
    book = playing(age=2, a=20, b=5, c=5)
    elves = people(book, A)
    book.state.set_course(open_challenge=True)
    book.when(GiftEdge(target=elves, name="music", kind=EdgeKind.OTHER), by=A)
    question = inner_prompt(book)
    found = book.when(WaiveObjection(prompt=question), by=B)
    found += book.when(RaiseChallenge(prompt=question), by=C)
    assert of_kind(found, ObjectionWaived, ChallengeRaised, ConflictOpened) == [
        event_like(ObjectionWaived, seat=B),
        event_like(ChallengeRaised, seat=C),
        event_like(ConflictOpened, invoker=C, challenger=A),
    ]
    bid(book, C, 1)
    assert of_kind(fold(book, A), PowerFailed) == [event_like(PowerFailed, refund=4)]
    assert (elves, "music") not in book.state.edges and balances(book, A) == [20]
    book.state.set_course(open_challenge=False)
    events = book.when(GiftEdge(target=elves, name="music", kind=EdgeKind.OTHER), by=A)
    assert of_kind(events, PromptOpened) == []


@pytest.mark.rule("DW-DC-7")
def test_all_others_are_asked_once_after_the_powers_own_questions_and_before_it_works():
    book = playing(age=2, a=20, b=5, c=0)
    book.state.set_course(open_challenge=True)
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    assert book.state.prompts[inner_prompt(book)].owners == (f"seat:{B}",)
    events = book.when(WaiveObjection(prompt=inner_prompt(book)), by=B)
    assert of_kind(events, AlignmentShifted) == []
    question = book.state.prompts[inner_prompt(book)]
    assert (question.kind, question.owners) == (Asked.CHALLENGE, (f"seat:{B}", f"seat:{C}"))
    with refused("points.short", book.state):
        book.when(RaiseChallenge(prompt=question.id), by=C)
    with refused("prompt.not_yours", book.state):
        book.when(RaiseChallenge(prompt=question.id), by=A)
    book.when(RaiseChallenge(prompt=question.id), by=B)
    bid(book, B, 1)
    bid(book, A, 2)
    events = fold(book, B)
    assert of_kind(events, PromptOpened, AlignmentShifted, PowerResolved) == [
        event_like(AlignmentShifted, target=elves, after=1),
        event_like(PowerResolved),
    ]
    assert balances(book, A, B) == [20 - 3 - 2, 4] and sound(book)


@pytest.mark.rule("DW-DC-7", "DW-AMB-31")
def test_silence_is_no_challenge():
    book = playing(age=2, a=20, b=5, c=5)
    book.state.set_course(open_challenge=True)
    book.when(GiftEdge(target=people(book, A), name="music", kind=EdgeKind.OTHER), by=A)
    events = book.wait(timedelta(seconds=30))
    assert of_kind(events, DeadlinePassed, EdgeGifted) == [
        event_like(DeadlinePassed, seats=(B, C)),
        event_like(EdgeGifted),
    ]
