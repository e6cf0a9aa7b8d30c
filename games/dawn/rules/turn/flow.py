"""How the game goes on after every command (`DawnCommand`): one step after the other, until somebody is waited for.

A loop over what is open, not a chain of calls: a conflict before the power it is about, a power before the next turn.
A chapter that opens something of its own (a war) adds its step to `STEPS`, before `turn_left`.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import final

from games.dawn.rules.avatars.revenge import revenge_due, revenge_goes_on
from games.dawn.rules.conflict.events import conflict_goes_on
from games.dawn.rules.powers.frame import power_goes_on
from games.dawn.rules.state.schema_types import Step
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.events import lapse_unpayable
from games.dawn.rules.turn.events import end_turn, round_over
from games.dawn.rules.war.events import war_goes_on, war_open
from games.engine.bots import bot_key, wake_bots
from games.engine.kernel import Command, Context, Event
from games.engine.settling import settle_rounds

Going = Callable[[State, Context], Iterator[Event]]


class DawnCommand(Command[State], abstract=True):
    """A command of this game: what it changes is carried out, then the game goes on as far as nobody is waited for."""

    @final
    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from self.carry_out(state, ctx)
        yield from go_on(state, ctx)

    @abstractmethod
    def carry_out(self, state: State, ctx: Context) -> Iterator[Event]:
        """The events of the command itself. Raises Refused before the first of them."""


def go_on(state: State, ctx: Context) -> Iterator[Event]:
    """Go on as far as nobody is waited for."""
    yield from settle_rounds(lambda: _go_a_step(state, ctx))
    yield from _resume_bot(state, ctx)


def _go_a_step(state: State, ctx: Context) -> Iterator[Event]:
    """The next step; nothing while somebody is waited for."""
    yield from lapse_unpayable(state)
    if state.inner() is None and (going := next((goes for due, goes in STEPS if due(state)), None)):
        yield from going(state, ctx)


def _resume_bot(state: State, ctx: Context) -> Iterator[Event]:
    """Wake the active god where a bot plays that god and has waited for others; else the turn would run out."""
    active = state.course.active
    if active is not None and state.inner() is None and bot_key(active) not in state.timers:
        yield from wake_bots(state, ctx, (active,))


def _conflict_open(state: State) -> bool:
    return bool(state.conflicts)


def _power_open(state: State) -> bool:
    return bool(state.powers)


def _has_active_god_left(state: State) -> bool:
    """The active god has left, and others play on (DW-AMB-37)."""
    active = state.course.active
    return active is not None and state.has_left(active) and any(not state.has_left(g) for g in state.gods)


def _round_over(state: State) -> bool:
    """The end of the last planned round waits for an open motion (DW-AGE-4)."""
    course = state.course
    return course.step is Step.ROUND_END and not (course.round >= course.length and state.motions)


STEPS: tuple[tuple[Callable[[State], bool], Going], ...] = (
    (_conflict_open, conflict_goes_on),
    (_power_open, power_goes_on),
    (revenge_due, revenge_goes_on),
    (war_open, war_goes_on),
    (_has_active_god_left, end_turn),
    (_round_over, round_over),
)
