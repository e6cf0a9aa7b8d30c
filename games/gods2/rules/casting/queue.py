"""The queue at the Window (G2-QUEUE-1): numbers are drawn, called, passed and served; whose is whose is a secret.

One waiting number a caster. A number is called as soon as nobody is served. A called caster who does not act goes to
the end; after three misses the number is dropped.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC, reader, seat_and_gm
from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row
from games.engine.timer import TimerSet, clear_timer
from games.engine.wording import quantity
from games.gods2.rules.casting.eligibility import caster
from games.gods2.rules.casting.prompts import SHORTEST, check_idle, check_unasked, queue_key
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.options import options_of, scaled_window
from games.gods2.rules.state.questions import QUEUE as LANE
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTIVE, NumberHolder, QueueNumber
from games.gods2.rules.state.state import State

MISSES = 3
QUEUE = ("G2-QUEUE-1",)


class NumberTaken(Event[State]):
    """Somebody has drawn a number."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int

    def apply(self, state: State) -> None:
        last = max((n.place for n in state.numbers.values()), default=0)
        state.numbers[self.number] = QueueNumber(self.number, place=last + 1)
        state.set_era(next_number=self.number + 1)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} was drawn; the queue at the Window has {quantity(len(state.numbers), 'number')}."


class NumberDrawn(ForSeat[State]):
    """Whose number it is."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    seat: UUID

    def apply(self, state: State) -> None:
        state.holders[self.number] = NumberHolder(self.number, self.seat)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} belongs to {state.gods[self.seat].name}."


class NumberCalled(Event[State]):
    """A number is called to the Window."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    due: datetime

    def apply(self, state: State) -> None:
        state.set_era(called=self.number)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} is called."


class NumberPassed(Event[State]):
    """A called number goes to the end of the queue."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    misses: int

    def apply(self, state: State) -> None:
        last = max(n.place for n in state.numbers.values())
        state.numbers[self.number] = replace(state.numbers[self.number], place=last + 1, misses=self.misses)
        state.set_era(called=None)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} goes to the end of the queue."


class NumberDropped(Event[State]):
    """A number is out of the queue without having been served."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    reason: str

    def apply(self, state: State) -> None:
        _remove_number(state, self.number)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} is dropped: {self.reason}."


class NumberServed(Event[State]):
    """A number was served."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int

    def apply(self, state: State) -> None:
        _remove_number(state, self.number)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} was served."


def _remove_number(state: State, number: int) -> None:
    del state.numbers[number]
    del state.holders[number]
    if state.era.called == number:
        state.set_era(called=None)


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
        yield from _call_number(state, ctx, number)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTIVE)
        check_idle(state)
        numbers = Choices.of(n for n in sorted(state.numbers) if n != state.era.called)
        if not numbers.values:
            raise Refused("number.missing", "No number waits at the Window.", rules=QUEUE)
        yield LegalCommand(cls.slug(), {"number": numbers})


def number_of(state: State, seat: UUID) -> int | None:
    """The number that a seat holds."""
    return next((h.number for h in state.holders.values() if h.seat == seat), None)


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


def next_waiting(state: State) -> int | None:
    """The number that stands first in the queue, the called one apart."""
    rest = [n for n in state.numbers.values() if n.number != state.era.called]
    return min(rest, key=lambda n: n.place).number if rest else None


def draw_number(state: State, seat: UUID) -> Iterator[Event]:
    """A number is drawn for a seat."""
    number = state.era.next_number
    yield NumberTaken(number=number)
    yield NumberDrawn(number=number, seat=seat)


def call_next(state: State, ctx: Context) -> Iterator[Event]:
    """Call the first number that waits, when nobody is served and the board is open."""
    number = next_waiting(state)
    if state.era.called is None and number is not None and state.era.phase in ACTIVE:
        yield from _call_number(state, ctx, number)


def due_of_call(state: State, ctx: Context) -> datetime:
    """Until when a number called now may think; however short the century, a person needs some seconds."""
    return ctx.now + timedelta(seconds=max(SHORTEST, scaled_window(state, options_of(state).number_seconds)))


def _call_number(state: State, ctx: Context, number: int) -> Iterator[Event]:
    seat, due = state.holders[number].seat, due_of_call(state, ctx)
    yield NumberCalled(number=number, due=due)
    yield TimerSet.of(queue_key(number), due, PassCalledNumber(number=number), shown=PUBLIC)
    owners, readers = (reader(seat),), seat_and_gm(seat)
    yield from ask_row(state, ctx, Asked.CALLED, owners=owners, readers=readers, number=number)


def dismiss_number(state: State, number: int) -> Iterator[Event]:
    """Call off the timer and the question of the called number."""
    yield from clear_timer(state, queue_key(number))
    for prompt in [p.id for p in state.prompts.values() if p.lane == LANE]:
        yield from close(state, prompt, "settled")


def pass_number(state: State, ctx: Context, number: int) -> Iterator[Event]:
    """A called number goes to the end, or is dropped after three misses; the next one is called."""
    misses = state.numbers[number].misses + 1
    yield from dismiss_number(state, number)
    if misses >= MISSES:
        yield NumberDropped(number=number, reason=f"{MISSES} times called in vain")
    else:
        yield NumberPassed(number=number, misses=misses)
    yield from call_next(state, ctx)


def serve_number(state: State, ctx: Context, number: int) -> Iterator[Event]:
    """A called number was served; the next one is called."""
    yield from dismiss_number(state, number)
    yield NumberServed(number=number)
    yield from call_next(state, ctx)


def close_queue(state: State) -> Iterator[Event]:
    """The Activity Phase ends: every number is dropped."""
    if state.era.called is not None:
        yield from dismiss_number(state, state.era.called)
    for number in sorted(state.numbers):
        yield NumberDropped(number=number, reason="the Activity Phase is over")
