"""The queue at the Window (G2-QUEUE-1): numbers are drawn, called, passed and served; whose is whose is a secret.

One waiting number a caster. A number is called as soon as nobody is served. A called caster who does not act goes to
the end; after three misses the number is dropped.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from games.engine.audience import PUBLIC, reader, seat_and_gm
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row
from games.engine.timer import CommandRef, TimerSet, clear_timer
from games.gods2.rules.state.options import options_of, scaled_window
from games.gods2.rules.state.questions import QUEUE as LANE
from games.gods2.rules.state.questions import Asked, queue_key
from games.gods2.rules.state.records import ACTIVE
from games.gods2.rules.state.state import State
from games.gods2.rules.window.events import (
    NumberCalled,
    NumberDrawn,
    NumberDropped,
    NumberPassed,
    NumberServed,
    NumberTaken,
)
from games.gods2.rules.window.prompts import SHORTEST

MISSES = 3


def number_of(state: State, seat: UUID) -> int | None:
    """The number that a seat holds."""
    return next((h.number for h in state.holders.values() if h.seat == seat), None)


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
        yield from call_number(state, ctx, number)


def due_of_call(state: State, ctx: Context) -> datetime:
    """Until when a number called now may think; however short the century, a person needs some seconds."""
    return ctx.now + timedelta(seconds=max(SHORTEST, scaled_window(state, options_of(state).number_seconds)))


def call_number(state: State, ctx: Context, number: int) -> Iterator[Event]:
    seat, due = state.holders[number].seat, due_of_call(state, ctx)
    yield NumberCalled(number=number, due=due)
    yield TimerSet.of(
        queue_key(number),
        due,
        CommandRef("pass-called-number", json.dumps({"number": number}, separators=(",", ":"))),
        shown=PUBLIC,
    )
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
