"""Sealed answers: commitment, salt, joint reveal, and a digest that is opened later (CF-9)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.audience import PUBLIC, reader, seat_and_gm
from games.engine.kernel import Command, Context, Event
from games.engine.prompts.prompt import DeadlinePassed, Rule, ask, close, lapse_event, withdraw
from games.engine.prompts.sealed import (
    AnswerSealed,
    AnswerWritten,
    SealedAnswer,
    commit_digest,
    digest_of,
    open_answer,
    seal_answer,
    unopened_seats,
)
from games.engine.timer import CommandRef, TimerSet
from tests.engine.cairns import ANN, BOB, MASTER, ruleset_with, table
from tests.playbook import event_like, of_kind, refused
from tests.toy.rules.state import State

ASKED, WINDOW = UUID(int=500), UUID(int=501)
SALT = "a salt of my own, long enough"


class BidWritten(AnswerWritten):
    """A bid."""

    bid: str = ""

    def value(self) -> str:
        return self.bid


def hand_in(stamp: SealedAnswer, bid: str) -> Iterator[Event]:
    yield BidWritten(prompt=stamp.prompt, seat=stamp.seat, salt=stamp.salt, digest=stamp.digest, bid=bid)
    if stamp.first:
        yield AnswerSealed(prompt=stamp.prompt, seat=stamp.seat, digest=stamp.digest)


class Bid(Command):
    """Write a sealed bid."""

    bid: str

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from hand_in(seal_answer(state, ctx, ASKED, self.bid), self.bid)


class Commit(Command):
    """Hand in a digest."""

    digest: str

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from hand_in(commit_digest(state, ctx, ASKED, self.digest), "")


class Open(Command):
    """Open a bid."""

    prompt: UUID = WINDOW
    bid: str
    salt: str

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from hand_in(open_answer(state, ctx, self.prompt, self.bid, self.salt), self.bid)


class Lapse(Command):
    """Nobody answered in time."""

    prompt: UUID

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield lapse_event(state, self.prompt, (ANN,), PUBLIC)
        yield from close(state, self.prompt, "deadline")


class TakeBack(Command):
    """Take an answer back."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from withdraw(state, ctx, ASKED)


def asking() -> Any:
    """Ann and Bob are asked for sealed bids; everybody sees the question."""
    cairns = table(ANN, BOB, ruleset=ruleset_with(Bid, Commit, Open, Lapse, TakeBack))
    cairns.happens(
        lambda s, c: ask(
            s, c, "BID", "How much?", owners=[reader(ANN), reader(BOB)], lane="bids", rule=Rule.ALL,
            answered_by=("bid", Commit), prompt=ASKED, readers=PUBLIC, sealed=True,
            due=c.now + timedelta(seconds=60), default=CommandRef("lapse", f'{{"prompt":"{ASKED}"}}'),
        )
    )  # fmt: skip
    return cairns


def window(cairns: Any) -> None:
    cairns.happens(
        lambda s, c: ask(
            s, c, "BID.open", "Open your bid.", owners=[reader(seat) for seat in unopened_seats(s, ASKED)], lane="bids",
            rule=Rule.ALL, answered_by=(Open,), prompt=WINDOW, readers=PUBLIC, parent=ASKED, sealed=True,
            due=c.now + timedelta(seconds=30), default=Lapse(prompt=WINDOW), silence="It counts for nothing.",
        )
    )  # fmt: skip


@pytest.mark.rule("CF-9")
def test_the_digest_is_public_and_the_answer_its_owners_and_the_gms() -> None:
    cairns = asking()
    written, sealed = cairns.when(Bid(bid="17"), ANN)
    assert [h.audience for h in cairns.log[-2:]] == [seat_and_gm(ANN), PUBLIC]
    assert sealed == AnswerSealed(prompt=ASKED, seat=ANN, digest=digest_of(written.salt, "17"))
    assert not any("17" in fields or written.salt in fields for _, fields, _ in cairns.events_for(PUBLIC))
    answer_counts = {who: len(cairns.state.view_for(frozenset({who})).answers) for who in (ANN, BOB)}
    assert answer_counts == {ANN: 1, BOB: 0}
    assert len(cairns.state.view_for(frozenset({MASTER}), gm=True).answers) == 1
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-9")
def test_a_changed_answer_gets_another_salt_and_the_change_is_not_announced() -> None:
    cairns = asking()
    first = cairns.when(Bid(bid="17"), ANN)[0]
    again = cairns.when(Bid(bid="17"), ANN)
    assert len(again) == 1 and again[0].salt != first.salt and len(first.salt) == 32
    assert cairns.when(Bid(bid="17"), BOB)[0].salt not in (first.salt, again[0].salt)


@pytest.mark.rule("CF-9")
def test_a_digest_alone_is_opened_in_a_window_inside_the_question() -> None:
    cairns = asking()
    cairns.when(Bid(bid="3"), BOB)
    cairns.when(Commit(digest=digest_of(SALT, "17")), ANN)
    assert unopened_seats(cairns.state, ASKED) == [ANN]
    with refused("prompt.closed", cairns.state):
        cairns.when(Open(bid="17", salt=SALT), ANN)
    with refused("prompt.closed", cairns.state):
        cairns.when(Open(prompt=ASKED, bid="17", salt=SALT), ANN)
    window(cairns)
    assert cairns.state.prompts[WINDOW].owners == (reader(ANN),)
    for bid, salt, code in (("18", SALT, "seal.broken"), ("17", SALT + "!", "seal.broken"), ("17", "x", "seal.weak")):
        with refused(code, cairns.state):
            cairns.when(Open(bid=bid, salt=salt), ANN)
    with refused("prompt.not_yours", cairns.state):
        cairns.when(Open(bid="3", salt=SALT), BOB)
    for late in (Bid(bid="4"), Commit(digest="0" * 64)):
        with refused("prompt.open", cairns.state):
            cairns.when(late, BOB)
    assert cairns.when(Open(bid="17", salt=SALT), ANN) == [event_like(BidWritten, bid="17", salt=SALT)]
    assert unopened_seats(cairns.state, ASKED) == []
    with refused("seal.opened", cairns.state):
        cairns.when(Open(bid="17", salt=SALT), ANN)
    cairns.happens(lambda s, c: close(s, WINDOW, "opened"))
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-6")
def test_a_deadline_may_name_the_late_seats_and_run_a_command_by_its_name() -> None:
    cairns = asking()
    (passed,) = of_kind(cairns.wait(timedelta(seconds=60)), DeadlinePassed)
    assert passed == DeadlinePassed(prompt=ASKED, readers=PUBLIC, seats=(ANN,))
    assert ASKED not in cairns.state.prompts


def test_a_command_named_as_data_sets_the_same_timer() -> None:
    cairns = asking()
    by_class = TimerSet.of("k", cairns.now, Lapse(prompt=ASKED))
    assert TimerSet.of("k", cairns.now, CommandRef("lapse", f'{{"prompt":"{ASKED}"}}')) == by_class
    assert cairns.state.prompts[ASKED].answered_by == ("bid", "commit")


def test_an_answer_that_was_not_given_cannot_be_taken_back() -> None:
    cairns = asking()
    with refused("answer.missing", cairns.state):
        cairns.when(TakeBack(), ANN)
    cairns.when(Bid(bid="1"), ANN)
    cairns.when(TakeBack(), ANN)
    assert not cairns.state.answers
