"""Points at which a process can be made to die or to freeze, so that tests can see what is left. Unset they do nothing.

`THEOGONY_FAILPOINT` is `[stop@]POINT[:STEP][#N]`:

    timer.fired                   die (SIGKILL) when a timer has fired for the first time
    rows.written:century:1/end    ... only in a step whose name begins so: a timer by its key, a command by its slug
    event.decided:WarFought#2     ... the second time
    stop@log.written              freeze (SIGSTOP) instead: the process is there and does nothing, as on a machine that
                                  sleeps; after SIGCONT it goes on as if nothing had happened
"""

import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings

GAME_FOUND = "game.found"
TICK_QUEUED = "tick.queued"
TICK_TAKEN = "tick.taken"
GAME_LOCKED = "game.locked"
TIMER_LOADED = "timer.loaded"
EVENT_DECIDED = "event.decided"
TIMER_FIRED = "timer.fired"
ROWS_WRITTEN = "rows.written"
LOG_WRITTEN = "log.written"
GAME_WRITTEN = "game.written"
RECEIPT_WRITTEN = "receipt.written"
GAME_DONE = "game.done"
COMMIT = "commit"
MESSAGE_WRITTEN = "message.written"
MESSAGE_POSTED = "message.posted"
NOTIFICATIONS_WRITTEN = "notifications.written"
MAIL_SENT = "mail.sent"
MAIL_NOTED = "mail.noted"
PUSH_SENT = "push.sent"

SWEEP_POINTS = (GAME_FOUND, TICK_QUEUED, TICK_TAKEN)
"""Between the steps of a sweep; `#2` is between two games."""
TIMER_POINTS = (TIMER_LOADED, EVENT_DECIDED, TIMER_FIRED, ROWS_WRITTEN, LOG_WRITTEN, RECEIPT_WRITTEN, GAME_WRITTEN)
"""Between the steps of one timer; their step is the timer's key, that of an event its class."""
POINTS = (GAME_LOCKED, *TIMER_POINTS, GAME_DONE, COMMIT)
"""Between the steps of one game's turn, in their order."""
WEBHOOK_POINTS = (MESSAGE_WRITTEN, MESSAGE_POSTED)
"""Before and after a message of a webhook is posted."""
NOTIFICATION_POINTS = (NOTIFICATIONS_WRITTEN, MAIL_SENT, MAIL_NOTED, PUSH_SENT)
"""When the notifications of a game are written, before they are committed; when a mail or push is sent,
before it is noted; when that a mail of a day is out is noted, but not yet in the places of its games."""
EVERY_POINT = (*SWEEP_POINTS, *POINTS, *WEBHOOK_POINTS, *NOTIFICATION_POINTS)
E = TypeVar("E")


@dataclass(slots=True)
class Aim:
    """Where this process is to break off: the point, how its step begins, how many times are left, by which signal."""

    point: str
    step: str
    left: int
    signal: signal.Signals

    @classmethod
    def from_text(cls, text: str) -> "Aim":
        """An aim from what the variable says. Raises ValueError for a point that nobody reaches."""
        how, _, where = text.rpartition("@")
        where, _, count = where.partition("#")
        point, _, step = where.partition(":")
        if how not in ("", "stop") or point not in EVERY_POINT or not (count or "1").isdigit():
            raise ValueError(f"THEOGONY_FAILPOINT is {text!r}; it must be [stop@]POINT[:STEP][#N].")
        return cls(point, step, int(count or 1), signal.SIGSTOP if how else signal.SIGKILL)

    def count_down(self, point: str, step: str) -> bool:
        """Whether this is the place; it is met once."""
        if point != self.point or not step.startswith(self.step):
            return False
        self.left -= 1
        return self.left == 0


AIM = Aim.from_text(settings.FAILPOINT) if settings.FAILPOINT else None


def reach(point: str, step: str = "") -> None:
    """Send this process the signal of `THEOGONY_FAILPOINT` when that names this point."""
    if AIM is not None and AIM.count_down(point, step):
        os.kill(os.getpid(), AIM.signal)


def passing(events: Iterable[E]) -> Iterable[E]:
    """The same events; between any two of them is a point, named by the class of the event that was decided last."""
    return events if AIM is None else _watch(events)


def _watch(events: Iterable[E]) -> Iterable[E]:
    for event in events:
        yield event
        reach(EVENT_DECIDED, type(event).__name__)
