"""Who watches: one open stream, what waits for its reader, and all who look at one game with equal visibility."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson

from api.streams.access import StreamViewer
from games.reads.selectors import EventView
from games.storage import cursors
from worlds.visibility import Visibility

MAX_QUEUE = 500
GONE = "reader.gone"


class Ended(Exception):
    """A stream ends; `code` says why.

    token.refused, view.changed, reader.slow, game.missing, cursor.ahead, server.stopping, or GONE.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def count_of(cursor: str) -> int:
    """How many events were sent up to a cursor: the heads of its streams together."""
    return sum(head.ordinal for head in cursors.decode(cursor).values())


async def happens(event: asyncio.Event, seconds: float) -> bool:
    """Whether an event happens in time. (`wait_for` of Python 3.11 may swallow a cancellation that comes with it.)"""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


@dataclass(slots=True, eq=False, weakref_slot=True)
class Message:
    """One event as all who share a visibility read it, and how many events they had read by then."""

    event: EventView
    number: int
    packed: bytes | None = None

    def frame(self) -> bytes:
        """The event as a stream of server-sent events writes it; made once for all who read it."""
        if self.packed is None:
            data = orjson.dumps(self.event.as_json(), option=orjson.OPT_UTC_Z, default=str)
            fields = (self.event.cursor.encode(), self.event.type.encode(), data)
            self.packed = b"id: %b\nevent: %b\ndata: %b\n\n" % fields
        return self.packed


@dataclass(slots=True, eq=False, weakref_slot=True)
class Life:
    """Where a game is and who is waited for, as all who share a visibility may know it, after so many events."""

    values: dict[str, Any]
    number: int

    def frame(self) -> bytes:
        """It as a stream of server-sent events writes it: without an id, since it is no event of the log."""
        return b"event: life\ndata: %b\n\n" % orjson.dumps(self.values, option=orjson.OPT_UTC_Z)


@dataclass(eq=False, slots=True, weakref_slot=True)
class Subscriber:
    """One open stream: what waits for its reader."""

    access: StreamViewer
    kind: str
    """Over which transport it looks: sse or websocket."""
    follows_life: bool = False
    """Whether it is sent `Life` whenever that changes."""
    waiting: list[Message | Life] = field(default_factory=list)
    asleep: asyncio.Future[bool] | None = None
    """What its stream waits for while nothing happens."""
    until: float = 0.0
    alarm: asyncio.TimerHandle | None = None
    lost: bool = False
    ended: str = ""
    """Why the service ends this stream; empty while it goes on."""

    def put(self, message: Message | Life) -> None:
        """Let one more message wait; what is too much is given up, and `lost` says so."""
        if self.lost:
            return
        self.waiting.append(message)
        if len(self.waiting) > MAX_QUEUE:
            self.waiting.clear()
            self.lost = True
        self.wake()

    def end(self, why: str) -> None:
        """Let the stream end."""
        self.ended = why
        self.wake()

    def wake(self, happened: bool = True) -> None:
        """Let the stream go on, since something happened or the time is over."""
        if self.asleep is not None and not self.asleep.done():
            self.asleep.set_result(happened)

    async def happens(self, until: float) -> bool:
        """Whether something has happened, or happens until then, by the loop's clock.

        The alarm of a former wait stays set and moves on when it rings too early: to set one for each event takes
        longer than to send the event.
        """
        if self.waiting or self.lost or self.ended:
            return True
        loop = asyncio.get_running_loop()
        self.until, self.asleep = until, loop.create_future()
        if self.alarm is None or self.alarm.when() > until:
            self.cancel_alarm()
            self.alarm = loop.call_at(until, self._ring, loop)
        try:
            return await self.asleep
        finally:
            self.asleep = None

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self.alarm = None
        if self.until > loop.time():
            self.alarm = loop.call_at(self.until, self._ring, loop)
        else:
            self.wake(happened=False)

    def cancel_alarm(self) -> None:
        """Cancel the alarm, where one is set."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None


@dataclass(eq=False)
class Channel:
    """All who look at one game with equal visibility."""

    game: UUID
    visibility: Visibility
    ruleset: str
    cursor: str | None = None
    seq: int | None = None
    """The game's last event when this channel last looked."""
    judged: float = float("-inf")
    verdict: str = ""
    """When strangers were last asked about here, and why they may not go on; empty while they may."""
    watchers: set[Subscriber] = field(default_factory=set)
    life: dict[str, Any] | None = None
    """What those who follow it were sent last."""
