"""Bots: seats with a policy. A policy is a pure function of what its seat may see; a timer runs it in the worker."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from games.engine.audience import GM, Audience
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import GameState, S, Status
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.timer import TimerSet


@dataclass(frozen=True, slots=True)
class Thought:
    """What a policy wants: a command or none, and when it wants to be asked again."""

    command: Command | None
    again_in: timedelta | None


Policy = Callable[[S, UUID, Tray], Thought]
"""(the state as its seat may see it, the seat, dice of its own) -> what it does."""


class BotPassed(Event[GameState]):
    """A bot wanted something that the rules refuse; it passes."""

    seat: UUID
    code: str

    def audience(self, state: GameState) -> Audience:
        return GM


class PlayBot(Command[GameState]):
    """Let a bot do what its policy says, and ask it again later."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    seat: UUID
    """The seat that a policy plays."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seat = state.seat(self.seat)
        if not seat.bot or state.table.status is Status.FINISHED:
            return
        if ctx.bot_tray is None:
            raise RuntimeError("bots play with dice of their own")
        thought: Thought = ctx.policies[seat.bot](state.view_for(frozenset({seat.id})), seat.id, ctx.bot_tray)
        ctx.bot_tray.take()
        if thought.again_in is not None:
            yield TimerSet.of(bot_key(seat.id), ctx.now + thought.again_in, PlayBot(seat=seat.id))
        if thought.command is not None:
            own = replace(ctx, actor=Actor(Issuer.SEAT, seat=seat.id))
            begun = False
            try:
                for event in thought.command.decide(state, own):
                    begun = True
                    yield event
            except Refused as refused:
                if begun:  # half a command cannot stand: the whole turn of the bot is refused
                    raise
                yield BotPassed(seat=seat.id, code=refused.code)


def wake_bots(state: GameState, ctx: Context, seats: Iterable[UUID], wait: timedelta | None = None) -> Iterator[Event]:
    """Let the bots among these seats look at the game soon: after `wait`, else the thinking time of their game.

    Nothing follows where a game has no thinking time: its bots look at times of their own.
    """
    wait = state.thinking_time if wait is None else wait
    for seat in sorted(seats):
        if wait is not None and state.seats[seat].bot:
            yield TimerSet.of(bot_key(seat), ctx.now + wait, PlayBot(seat=seat))


def bot_key(seat: UUID) -> str:
    """The key of the timer that runs a bot."""
    return f"bot:{seat}"
