"""The queue at the Window on the World: draw, leave, pass, call (G2-QUEUE-1)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.gods2.rules.state.gods import caster
from games.gods2.rules.state.records import ACTIVE
from games.gods2.rules.state.state import State
from games.gods2.rules.window.events import (
    QUEUE,
    NumberDropped,
    NumberPassed,
)
from games.gods2.rules.window.prompts import check_idle, check_unasked
from games.gods2.rules.window.queue import (
    call_next,
    call_number,
    dismiss_number,
    draw_number,
    next_waiting,
    number_of,
    pass_number,
)


class DrawNumber(Enumerable[State]):
    """Draw a number at the Window on the World; it is called when those before it are served."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = may_draw(state, ctx.actor)
        yield from draw_number(state, seat)
        yield from call_next(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        may_draw(state, actor)
        yield LegalCommand(cls.slug())


class LeaveQueue(Enumerable[State]):
    """Give your number back."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        number = own_number(state, ctx.actor)
        if state.era.called == number:
            check_unasked(state)
            yield from dismiss_number(state, number)
        yield NumberDropped(number=number, reason="given back")
        yield from call_next(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        if own_number(state, actor) == state.era.called:
            check_unasked(state)
        yield LegalCommand(cls.slug())


class PassNumber(Enumerable[State]):
    """Yield to the others: your called number goes to the end of the queue."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        number = called_number(state, ctx.actor)
        check_unasked(state)
        yield from pass_number(state, ctx, number)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        called_number(state, actor)
        check_unasked(state)
        yield LegalCommand(cls.slug())


class PassCalledNumber(Command[State]):
    """The called caster did not act in time."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        if state.era.called == self.number:
            yield from pass_number(state, ctx, self.number)


class CallNumber(Enumerable[State]):
    """Call a number to the Window, the next one unless named; the number served now goes to the end."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    ends_time: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int | None = Field(default=None, ge=1)
    """A waiting number."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*ACTIVE)
        check_idle(state)
        number = self.number if self.number is not None else next_waiting(state)
        if number is None or number not in state.numbers or number == state.era.called:
            raise Refused("number.missing", "No such number waits at the Window.", rules=QUEUE)
        called = state.era.called
        if called is not None:
            yield from dismiss_number(state, called)
            yield NumberPassed(number=called, misses=state.numbers[called].misses)
        yield from call_number(state, ctx, number)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTIVE)
        check_idle(state)
        numbers = Choices.of(n for n in sorted(state.numbers) if n != state.era.called)
        if not numbers.values:
            raise Refused("number.missing", "No number waits at the Window.", rules=QUEUE)
        yield LegalCommand(cls.slug(), {"number": numbers})


def may_draw(state: State, actor: Actor) -> UUID:
    """The seat that draws. Raises `god.missing`, `god.dead`, `caster.absent`, `phase.closed`, `number.held`."""
    god = caster(state, actor)
    held = number_of(state, god.id)
    if held is not None:
        raise Refused("number.held", f"You hold number {held} already; one number a caster.", rules=QUEUE, number=held)
    state.require_turn(god.id)
    return god.id


def own_number(state: State, actor: Actor) -> int:
    """The actor's number. Raises `number.missing`."""
    seat = state.seat(actor.acting_seat)
    number = number_of(state, seat.id)
    if number is None:
        raise Refused("number.missing", "You hold no number; draw one.", rules=QUEUE)
    return number


def called_number(state: State, actor: Actor) -> int:
    """The actor's number, which is being served. Raises `number.not_called`."""
    number = number_of(state, state.seat(actor.acting_seat).id)
    if number is None or number != state.era.called:
        raise Refused("number.not_called", "Your number is not called; draw one and wait for it.", rules=QUEUE)
    return number
