"""The frame of a power, with powers of the tests' own: leave, consent, what follows, prices that do not come back."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.conflict.commands import Fold, PlaceBid
from games.dawn.rules.conflict.events import ConflictOpened, ConflictResolved
from games.dawn.rules.powers.answer_commands import (
    AnswerConsent,
    AnswerLeave,
    OpenConflict,
    RaiseObjection,
    WithdrawPower,
)
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.events import (
    ConsentAnswered,
    ConsentAsked,
    LeaveAnswered,
    LeaveAsked,
    PowerFailed,
    PowerResolved,
    PowerWithdrawn,
    SharesDrawn,
)
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import Consent, Leave, Objection, PowerQuestion
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Price, Share
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.commands import GivePoints
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.engine.kernel import Context, Event
from games.engine.members import Members
from games.engine.prompts.prompt import DeadlinePassed
from games.engine.ruleset import Ruleset
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import A, B, C, balances, inner_prompt, playing, sound


class Hummed(Event):
    """A toy power has worked."""

    beaten: bool


class Echoed(Event):
    """What follows a toy power."""


class Hum(PowerCommand):
    """A toy power for the price of an order: it asks the gods it names."""

    leave: tuple[UUID, ...] = ()
    objectors: tuple[UUID, ...] = ()
    shares: tuple[Share, ...] = ()
    speakers: tuple[UUID, ...] = ()

    def row(self, state: State) -> Price:
        return Price.CREATE_ORDER

    def check(self, state: State, cast: Cast) -> None:
        """Nothing bars it."""

    def own_share(self, state: State, cast: Cast) -> int:
        return self.cost(state, cast) - sum(s.amount for s in self.shares)

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        yield Consent(asked=tuple(state.present(s.seat for s in self.shares)), shares=self.shares)
        yield Consent(key="speakers", asked=tuple(state.present(self.speakers)), enough=1)
        yield Leave(asked=tuple(state.present(self.leave)))
        yield Objection(asked=tuple(state.present(self.objectors)))

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield Hummed(beaten=power.beaten)

    def following(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield Echoed()


class Doom(Hum):
    """A toy power that works even when it is lost."""

    def does_work_beaten(self, power: Power) -> bool:
        return True


class Whim(Hum):
    """A toy power whose price does not come back."""

    refundable: ClassVar[bool] = False


TOYS: Ruleset = replace(
    RULESET,
    own=Members((*RULESET.own.commands, Hum, Doom, Whim), (*RULESET.own.events, Hummed, Echoed)),
)
PRICE = 6  # an order in Age 2


def stage(**points: int) -> Playbook:
    book = playing(age=2, **points)
    book.ruleset = TOYS
    return book


def fold(book: Playbook, seat: UUID) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(Fold(conflict=conflict), by=seat)


def bid(book: Playbook, seat: UUID, total: int) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(PlaceBid(conflict=conflict, total=total), by=seat)


def test_a_power_is_declared_works_is_resolved_and_then_comes_what_follows():
    book = stage(a=10)
    events = book.when(Hum(), by=A)
    assert [type(e).__name__ for e in events if type(e).__name__ != "PowerAdvanced"] == [
        "PowerDeclared",
        "Hummed",
        "PowerResolved",
        "Echoed",
    ]
    assert balances(book, A) == [10 - PRICE] and book.state.purses[A].spent == PRICE and sound(book)


def test_refusers_are_fought_one_after_the_other_in_turn_order():
    book = stage(a=20, b=5, c=5)
    events = book.when(Hum(leave=(C, B)), by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B, C))]
    leave = inner_prompt(book)
    book.when(AnswerLeave(prompt=leave, yes=False), by=C)
    events = book.when(AnswerLeave(prompt=leave, yes=False), by=B)
    assert of_kind(events, LeaveAnswered) == [event_like(LeaveAnswered, seat=B, yes=False)]
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    events = book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=B)]
    bid(book, A, 1)
    assert of_kind(fold(book, B), Hummed) == []
    book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    bid(book, A, 2)
    events = fold(book, C)
    assert of_kind(events, ConflictResolved, Hummed, PowerResolved) == [
        event_like(ConflictResolved),
        event_like(Hummed),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [20 - PRICE - 3] and sound(book)


@pytest.mark.rule("DW-DC-5")
def test_one_conflict_lost_ends_the_power():
    book = stage(a=20, b=5, c=5)
    book.when(Hum(leave=(B, C)), by=A)
    leave = inner_prompt(book)
    for seat in (B, C):
        book.when(AnswerLeave(prompt=leave, yes=False), by=seat)
    book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    bid(book, A, 1)
    bid(book, B, 2)
    events = fold(book, A)
    assert of_kind(events, PowerFailed) == [event_like(PowerFailed, refund=PRICE)]
    assert balances(book, A) == [19] and book.state.inner() is None and sound(book)


def test_after_a_refusal_the_caster_may_drop_the_power():
    book = stage(a=20, b=5)
    book.when(Hum(leave=(B,)), by=A)
    book.when(AnswerLeave(prompt=inner_prompt(book), yes=False), by=B)
    decide = inner_prompt(book)
    with refused("prompt.not_yours", book.state):
        book.when(WithdrawPower(prompt=decide), by=B)
    events = book.when(WithdrawPower(prompt=decide), by=A)
    assert of_kind(events, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=PRICE)]
    assert balances(book, A) == [20] and sound(book)


@pytest.mark.rule("DW-AMB-31")
def test_silence_refuses_leave_and_then_withdraws_the_power():
    book = stage(a=20, b=5)
    book.when(Hum(leave=(B,)), by=A)
    events = book.wait(timedelta(seconds=180))
    assert of_kind(events, DeadlinePassed, LeaveAnswered, PowerWithdrawn) == [
        event_like(DeadlinePassed, seats=(B,)),
        event_like(LeaveAnswered, yes=False),
        event_like(DeadlinePassed, seats=(A,)),
        event_like(PowerWithdrawn, refund=PRICE),
    ]


@pytest.mark.rule("DW-AMB-37")
def test_a_god_whose_seat_was_left_is_not_asked_and_one_who_leaves_meanwhile_is_silent():
    book = stage(a=20, b=5, c=5)
    book.when(LeaveSeat(), by=C)
    assert of_kind(book.when(Hum(leave=(C,)), by=A), LeaveAsked) == []
    book.when(Hum(leave=(B,)), by=A)
    book.when(LeaveSeat(), by=B)
    assert book.state.powers == {}, "a refuser who is gone is not fought"


def test_leave_may_be_given_in_advance():
    book = stage(a=20, b=5, c=5)
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, seat=A, answer=AdvanceWord.ALWAYS), by=B)
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, answer=AdvanceWord.ALWAYS), by=C)
    events = book.when(Hum(leave=(B, C)), by=A)
    assert of_kind(events, LeaveAnswered, Hummed) == [
        event_like(LeaveAnswered, seat=B, yes=True),
        event_like(LeaveAnswered, seat=C, yes=True),
        event_like(Hummed),
    ]


def test_shares_are_drawn_when_all_have_agreed():
    book = stage(a=0, b=4, c=2)
    shares = (Share(seat=B, amount=4), Share(seat=C, amount=2))
    events = book.when(Hum(shares=shares), by=A)
    assert of_kind(events, ConsentAsked) == [event_like(ConsentAsked, seats=(B, C), shares=shares)]
    consent = inner_prompt(book)
    book.when(AnswerConsent(prompt=consent, yes=True), by=C)
    assert balances(book, B, C) == [4, 2]
    events = book.when(AnswerConsent(prompt=consent, yes=True), by=B)
    assert of_kind(events, ConsentAnswered, SharesDrawn, Hummed) == [
        event_like(ConsentAnswered, seat=B, yes=True),
        event_like(SharesDrawn, shares=shares),
        event_like(Hummed),
    ]
    assert balances(book, A, B, C) == [0, 0, 0] and book.state.purses[B].spent == 4 and sound(book)


def test_one_no_or_a_share_that_is_gone_withdraws_it_and_nobody_pays():
    shares = (Share(seat=B, amount=3), Share(seat=C, amount=2))
    book = stage(a=1, b=3, c=2)
    book.when(Hum(shares=shares), by=A)
    assert balances(book, A) == [0]
    events = book.when(AnswerConsent(prompt=inner_prompt(book), yes=False), by=B)
    assert of_kind(events, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=1)]
    assert balances(book, A, B, C) == [1, 3, 2]
    book.when(Hum(shares=shares), by=A)
    consent = inner_prompt(book)
    book.when(AnswerConsent(prompt=consent, yes=True), by=B)
    book.when(GivePoints(to=A, amount=1), by=B)
    with refused("points.short", book.state):
        book.when(AnswerConsent(prompt=consent, yes=True), by=B)
    events = book.when(AnswerConsent(prompt=consent, yes=True), by=C)
    assert len(of_kind(events, PowerWithdrawn)) == 1 and balances(book, A, B, C) == [2, 2, 2] and sound(book)


@pytest.mark.parametrize(("answers", "worked"), [((False, True), True), ((False, False), False)])
def test_where_one_yes_is_enough_all_no_are_needed_to_deny(answers: tuple[bool, bool], worked: bool):
    book = stage(a=10)
    book.when(Hum(speakers=(B, C)), by=A)
    consent, events = inner_prompt(book), []
    for seat, yes in zip((B, C), answers, strict=True):
        events += book.when(AnswerConsent(prompt=consent, yes=yes), by=seat)
    assert (len(of_kind(events, Hummed)), len(of_kind(events, PowerWithdrawn))) == (int(worked), int(not worked))


@pytest.mark.rule("DW-DC-5")
@pytest.mark.parametrize(
    ("power", "balance", "expected"),
    [(Hum, 10, PowerFailed), (Whim, 10 - PRICE, PowerFailed), (Doom, 10 - PRICE, Hummed)],
)
def test_what_a_lost_conflict_costs(power: Any, balance: int, expected: type[Event]):
    book = stage(a=10, b=3)
    book.when(power(objectors=(B,)), by=A)
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    events = fold(book, A)
    assert len(of_kind(events, expected)) == 1 and balances(book, A) == [balance] and sound(book)
    if expected is Hummed:
        assert event_like(Hummed, beaten=True) in events
