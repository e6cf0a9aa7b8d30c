"""Timers: what happens if nobody acts. A timer is a row of the state that names its command as data.

Setting a key again replaces the timer. A frozen timer keeps what is left. Firing removes it, then its command decides.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Self
from uuid import UUID

from games.engine.audience import GM, SERVER, Audience
from games.engine.errors import Refused
from games.engine.game_state import GameState, Timer
from games.engine.kernel import Command, Context, Event, follow
from games.engine.wording import full_sentence, quantity, span

NOTHING_LEFT = timedelta(0)
MAX_FAILURES = 3
"""Tries of a timer that fails after which its game is parked."""


@dataclass(frozen=True, slots=True)
class CommandRef:
    """A command named as data: for a module that its class is built upon and cannot import it."""

    does: str
    """Its kebab name."""
    arguments: str = "{}"
    """Its fields as JSON."""


class TimerEvent(Event[GameState], abstract=True):
    """What happens to a timer: the server's own business."""

    key: str

    def audience(self, state: GameState) -> Audience:
        return SERVER


class TimerSetting(TimerEvent, abstract=True):
    """A command will be issued by the clock at `due`, unless the timer is cleared or set anew."""

    early: ClassVar[bool] = True
    """Whether a host or GM may fire it before its time."""

    due: datetime
    does: str
    with_: str
    """The command's fields as JSON."""
    shown: str = SERVER
    """Who may see the timer."""
    subject: UUID | None = None

    @classmethod
    def of(
        cls,
        key: str,
        due: datetime,
        command: Command | CommandRef,
        *,
        shown: Audience = SERVER,
        subject: UUID | None = None,
    ) -> Self:
        """The event that sets a timer for `command`; the command travels as its name and JSON."""
        later = command if isinstance(command, CommandRef) else CommandRef(command.slug(), command.model_dump_json())
        return cls(key=key, due=due, does=later.does, with_=later.arguments, shown=shown, subject=subject)

    def apply(self, state: GameState) -> None:
        count = state.info.timers_set + 1
        state.info = replace(state.info, timers_set=count)
        state.timers[self.key] = Timer(
            key=self.key,
            does=self.does,
            arguments=self.with_,
            generation=count,
            due=self.due,
            shown=Audience(self.shown),
            subject=self.subject,
            early=self.early,
        )


class TimerSet(TimerSetting):
    """A command will be issued by the clock at `due`, unless the timer is cleared or set anew."""


class WindowSet(TimerSetting):
    """A timer is set that nobody may fire before its time: those for whom it is open have all of it."""

    early: ClassVar[bool] = False


class TimerCleared(TimerEvent):
    """A timer was called off."""

    def apply(self, state: GameState) -> None:
        del state.timers[self.key]


class TimerFrozen(TimerEvent):
    """A timer stands still and keeps what is left: an inner question comes first."""

    def apply(self, state: GameState) -> None:
        timer = state.timers[self.key]
        if timer.due is not None:
            left = max(timer.due - state.now, NOTHING_LEFT)
            state.timers[self.key] = replace(timer, due=None, left=left)


class TimerThawed(TimerEvent):
    """A frozen timer goes on with what was left."""

    def apply(self, state: GameState) -> None:
        timer = state.timers[self.key]
        if timer.left is not None:
            state.timers[self.key] = replace(timer, due=state.now + timer.left, left=None)


class Extended(Event[GameState]):
    """A deadline was put off."""

    timer: str
    due: datetime
    reason: str

    def audience(self, state: GameState) -> Audience:
        return state.timers[self.timer].shown

    def apply(self, state: GameState) -> None:
        timer = state.timers[self.timer]
        state.timers[self.timer] = replace(timer, due=self.due)
        state.follow_extension(timer, self.due)

    def sentence(self, state: GameState) -> str:
        when = f"until {self.due:%Y-%m-%d %H:%M:%S} UTC"
        if state.info.paused_at is not None:
            when = f"to {span(int((self.due - state.now).total_seconds()))} after the pause"
        return f"A deadline was put off {when}. {full_sentence(self.reason)}".strip()


class TimerFired(TimerEvent):
    """A timer has come due, or a GM fired it; its command follows."""

    generation: int

    def apply(self, state: GameState) -> None:
        del state.timers[self.key]


class TimerRefused(Event[GameState]):
    """What a timer should have done was refused by the rules; the GM decides what becomes of it."""

    key: str
    does: str
    code: str
    reason: str

    def audience(self, state: GameState) -> Audience:
        return GM

    def apply(self, state: GameState) -> None:
        if self.key in state.timers:
            del state.timers[self.key]

    def sentence(self, state: GameState) -> str:
        return f"The clock was to {_action(self.does)} and was refused: {full_sentence(self.reason)}"


class TimerFailed(Event[GameState]):
    """A timer could not be carried out, again and again; the game's clock is stopped until a GM resumes it."""

    key: str
    does: str
    times: int
    reason: str

    def audience(self, state: GameState) -> Audience:
        return GM

    def sentence(self, state: GameState) -> str:
        times = quantity(self.times, "time")
        return f"The clock was to {_action(self.does)} and failed {times} ({self.reason}); resume to try again."


def _action(command: str) -> str:
    """What a command does, from its kebab name: `fight war`."""
    return command.replace("-", " ")


def timer_of(state: GameState, key: str) -> Timer:
    """The timer of this key. Raises `timer.missing`."""
    if key not in state.timers:
        raise Refused("timer.missing", "There is no such timer; it may have been fired already.")
    return state.timers[key]


def require_early(state: GameState, key: str) -> None:
    """Refuse (`timer.missing`, `timer.early`) a timer that nobody may fire before its time."""
    if not timer_of(state, key).early:
        raise Refused(
            "timer.early",
            "Nobody ends this window before its time; wait until those whom it is for have answered, or put it off.",
        )


def fire(state: GameState, key: str, ctx: Context) -> Iterator[Event]:
    """Remove a timer, decide its command, and go on from there."""
    timer = timer_of(state, key)
    ctx.fired = timer
    yield TimerFired(key=key, generation=timer.generation)
    yield from follow(state, ctx.command(timer.does, timer.arguments), ctx)


def clear_timer(state: GameState, key: str) -> Iterator[Event]:
    """Call a timer off, if it runs."""
    if key in state.timers:
        yield TimerCleared(key=key)
