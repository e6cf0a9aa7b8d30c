"""Grace: a deadline at which somebody is silent moves once, as often as the game excuses the absence of a seat.

Who is silent to a sealed question is nobody else's business: there everybody is told that the deadline has moved, and
each seat alone that it was excused.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from games.engine.audience import Audience, seat_and_gm
from games.engine.deadlines import after_vacations, deadline_of_window, is_dated, tells_answers
from games.engine.game_state import GameState, Leave, Prompt
from games.engine.kernel import Context, Event, Issuer
from games.engine.post_options import post_options
from games.engine.timer import TimerSet, WindowSet
from games.engine.wording import listing, quantity


class GraceGiven(Event[GameState]):
    """Somebody was silent at a deadline and is excused: it has moved, once."""

    prompt: UUID
    due: datetime
    """When it falls now."""
    seats: tuple[UUID, ...] = ()
    """Who is excused, where it is no secret who has answered."""
    readers: str

    def audience(self, state: GameState) -> Audience:
        return Audience(self.readers)

    def sentence(self, state: GameState) -> str:
        names = listing([state.seats[seat].name for seat in self.seats])
        whom = f"{names} {'is' if len(self.seats) == 1 else 'are'} excused: the" if names else "The"
        return f"{whom} time to answer is longer once, until {self.due:%Y-%m-%d %H:%M:%S} UTC."


class AbsenceExcused(Event[GameState]):
    """The absence of a seat was excused at a deadline; the seat and the GMs read how often it may still be."""

    leave: UUID
    seat: UUID
    prompt: UUID
    since: datetime
    """The deadline at which it was silent."""
    until: datetime
    """The deadline that follows."""
    left: int
    """How often it may still be excused in this game."""

    def audience(self, state: GameState) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: GameState) -> None:
        readers = self.audience(state)
        state.leaves[self.leave] = Leave(self.leave, self.seat, self.since, self.until, 0, readers)

    def sentence(self, state: GameState) -> str:
        return f"{state.seats[self.seat].name} is excused, and may be {quantity(self.left, 'time')} more."


def excuses_left(state: GameState, seat: UUID) -> int:
    """How often the absence of a seat may still be excused."""
    used = sum(1 for leave in state.leaves.values() if leave.seat == seat and leave.is_excuse)
    return max(0, post_options(state.info.options).excused_absences - used)


def excusable(state: GameState, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[UUID]:
    """Those of the silent seats whose absence is excused: people, at a deadline that falls by itself.

    Nobody where the host or a GM ends the time, and where the window has less than an hour.
    """
    if ctx.actor.role is not Issuer.CLOCK or ctx.fired is None:
        return
    if not post_options(state.info.options).grace_seconds or not is_dated(state, prompt):
        return
    for seat in late:
        held = state.seats[seat]
        if held.user is not None and not held.bot and excuses_left(state, seat):
            yield seat


def excuse_silent(state: GameState, ctx: Context, prompt: Prompt, seats: Sequence[UUID]) -> Iterator[Event]:
    """Set the deadline of a question anew, later by the grace, and count the absence of these seats as excused."""
    timer = ctx.fired
    if timer is None:
        raise RuntimeError("a deadline that has not fired is not excused")
    grace = timedelta(seconds=post_options(state.info.options).grace_seconds)
    due = after_vacations(state, deadline_of_window(state, ctx.now, grace), prompt.owners)
    setting = TimerSet if timer.early else WindowSet
    arguments = json.dumps({**json.loads(timer.arguments), "is_excused": True}, separators=(",", ":"))
    yield setting(key=timer.key, due=due, does=timer.does, with_=arguments, shown=timer.shown, subject=timer.subject)
    named = tuple(seats) if tells_answers(prompt, timer) else ()
    yield GraceGiven(prompt=prompt.id, due=due, seats=named, readers=timer.shown)
    for seat in seats:
        left = excuses_left(state, seat) - 1
        leave = ctx.mint(seat_and_gm(seat))
        yield AbsenceExcused(leave=leave, seat=seat, prompt=prompt.id, since=ctx.now, until=due, left=left)
