"""Abandoned seats: a bot stands in for a person who was silent at so many deadlines in a row, until they act again.

What is counted are deadlines of an hour or more that fall by themselves, after the grace of the game. Who was silent is
the business of the seat and the GMs, up to the deadline at which the bot comes: that it does everybody is told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience, seat_and_gm
from games.engine.bots import WAKING, wake_bots
from games.engine.deadlines import away_until, forget_missed, is_dated
from games.engine.game_state import GameState, Leave, Prompt, Status
from games.engine.kernel import Context, Event, Issuer
from games.engine.post_options import post_options
from games.engine.wording import quantity


class DeadlineMissed(Event[GameState]):
    """A person was silent at a deadline; the seat and the GMs read at how many in a row."""

    leave: UUID
    seat: UUID
    prompt: UUID
    at: datetime
    """The deadline."""
    count: int
    """At how many deadlines in a row the seat was silent, this one included."""

    def audience(self, state: GameState) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: GameState) -> None:
        state.leaves[self.leave] = Leave(self.leave, self.seat, self.at, self.at, 0, self.audience(state))

    def sentence(self, state: GameState) -> str:
        return f"{state.seats[self.seat].name} was silent at {quantity(self.count, 'deadline')} in a row."


class SilenceEnded(Event[GameState]):
    """A person who was silent has acted: deadlines that the seat misses are counted anew."""

    seat: UUID

    def audience(self, state: GameState) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: GameState) -> None:
        forget_missed(state, self.seat)

    def sentence(self, state: GameState) -> str:
        return f"{state.seats[self.seat].name} is back."


class SeatAbandoned(Event[GameState]):
    """A bot stands in for a person who was silent for too long; the seat stays theirs."""

    survives_rewind: ClassVar[bool] = True

    seat: UUID
    bot: str

    def apply(self, state: GameState) -> None:
        state.seats[self.seat] = replace(state.seats[self.seat], bot=self.bot)
        state.reseat(self.seat)
        forget_missed(state, self.seat)

    def sentence(self, state: GameState) -> str:
        return f"{state.seats[self.seat].name} has been silent for long: the service plays for them until they act."


def count_missed(state: GameState, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """Count the deadline of a question for the people who were silent, and let a bot stand in for who missed too many.

    Not where the host or a GM ends the time, where the window has less than an hour, in vacations, and at the end.
    """
    most = post_options(state.info.options).abandoned_after
    if not most or ctx.actor.role is not Issuer.CLOCK or ctx.fired is None or state.info.status is Status.FINISHED:
        return
    for seat in late if is_dated(state, prompt) else ():
        held = state.seats.get(seat)
        if held is None or held.user is None or held.bot or away_until(state, seat, ctx.now) is not None:
            continue
        count = 1 + sum(1 for leave in state.leaves.values() if leave.seat == seat and leave.is_missed)
        yield DeadlineMissed(leave=ctx.mint(seat_and_gm(seat)), seat=seat, prompt=prompt.id, at=ctx.now, count=count)
        if count >= most and state.stand_in:
            yield SeatAbandoned(seat=seat, bot=state.stand_in)
            yield from wake_bots(state, ctx, [seat], WAKING)


def end_silence(state: GameState, seat: UUID) -> Iterator[Event]:
    """The person at a seat acts: what was counted is forgotten."""
    if any(leave.seat == seat and leave.is_missed for leave in state.leaves.values()):
        yield SilenceEnded(seat=seat)
