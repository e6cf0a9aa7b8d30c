"""Notifications as they are written: one look for all who subscribe to theirs in this process, each second.

A look asks one query a place what of these people's was written lately, and words what is new to somebody. Looks
overlap, since a row is there only once its transaction has ended; what was sent is not sent again.
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.db import DatabaseError
from django.utils import timezone

from api.common.authentication import Principal
from api.notifications import reading
from api.notifications.reading import Worded
from api.streams.access import is_refused
from api.streams.hub import hub
from api.streams.shutdown import soon, when_asked_to_end
from api.streams.subscribers import Ended, happens

TICK_SECONDS = 1.0
CHECK_SECONDS = 30.0
OVERLAP = timedelta(seconds=30)
"""Longer than a look at a game may take, and than the clocks of two servers differ."""
MAX_WAITING = 200
"""Notifications that wait for a reader; who is slower is cut."""
PAGE = 100
Written = tuple[UUID, UUID, datetime]
log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True, weakref_slot=True)
class Inbox:
    """One subscription: what waits for its reader."""

    user: UUID
    known: dict[UUID, datetime] = field(default_factory=dict)
    """When what was written lately was written, of what is known to the reader."""
    waiting: list[Worded] = field(default_factory=list)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    ended: str = ""
    """Why the service ends it; empty while it goes on."""

    def news(self, written: list[Written]) -> set[UUID]:
        """What of a look the reader does not know yet."""
        return {pk for user, pk, at in written if user == self.user and self.known.get(pk) != at}

    def put(self, rows: list[Worded], written: list[Written]) -> None:
        """Let more wait; all of the look is known from then on."""
        self.known = {pk: at for user, pk, at in written if user == self.user}
        self.waiting += rows
        if len(self.waiting) > MAX_WAITING:
            self.end("reader.slow")
        self.woken.set()

    def end(self, why: str) -> None:
        """Let it end."""
        self.ended = self.ended or why
        self.woken.set()


class NotificationHub:
    """Follows the notifications of people for the subscriptions of one event loop, in the threads of its hub."""

    def __init__(self) -> None:
        self.inboxes: set[Inbox] = set()
        self.task: asyncio.Task[None] | None = None

    async def follow(self, principal: Principal, user: UUID, after: UUID | None) -> AsyncGenerator[Worded, None]:
        """What is newer than `after`, then what is written, without a gap; without it nothing from before.

        Raises Ended when the subscription ends, no matter who ends it; Http404 where `after` is not the user's.
        """
        inbox = Inbox(user)
        inbox.put([], await hub().ask(reading.changes_since, [user], timezone.now() - OVERLAP))
        sent: dict[UUID, Worded] = {}
        self.inboxes.add(inbox)
        clock = asyncio.get_running_loop().time
        checked = clock()
        try:
            if self.task is None:
                self.task = asyncio.create_task(self._tail())
            while after is not None:
                rows = await hub().ask(reading.newer_than, user, after, PAGE)
                for row in rows:
                    sent[row.id] = row
                    yield row
                after = rows[-1].id if len(rows) == PAGE else None
            while True:
                while inbox.waiting and not inbox.ended:
                    row = inbox.waiting.pop(0)
                    if sent.pop(row.id, None) != row:
                        yield row
                if inbox.ended:
                    raise Ended(inbox.ended)
                if clock() - checked >= CHECK_SECONDS:
                    checked = clock()
                    if await hub().ask(is_refused, principal):
                        raise Ended("token.refused")
                await happens(inbox.woken, CHECK_SECONDS)
                inbox.woken.clear()
        finally:
            self.inboxes.discard(inbox)
            if not self.inboxes and self.task is not None:
                self.task.cancel()
                self.task = None

    def stop(self) -> None:
        """Close every subscription with `server.stopping`: the process ends."""
        for inbox in self.inboxes:
            inbox.end("server.stopping")

    async def _tail(self) -> None:
        while True:
            try:
                await self.tick()
            except DatabaseError as error:
                log.warning("notifications_wait", error=type(error).__name__)  # the next look has all of it
            except Exception:
                log.exception("notifications_wait")  # one bad look must not silence every subscription
            await asyncio.sleep(TICK_SECONDS)

    async def tick(self) -> None:
        """One look for all who subscribe."""
        users = {inbox.user for inbox in self.inboxes}
        written = await hub().ask(reading.changes_since, users, timezone.now() - OVERLAP)
        new = {inbox: ids for inbox in self.inboxes if (ids := inbox.news(written))}
        for user in {inbox.user for inbox in new}:
            theirs = {inbox: ids for inbox, ids in new.items() if inbox.user == user}
            worded = await hub().ask(reading.standing_among, user, set().union(*theirs.values()))
            for inbox, ids in theirs.items():
                inbox.put([row for row in worded if row.id in ids], written)


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, NotificationHub]" = WeakKeyDictionary()


def notification_hub() -> NotificationHub:
    """That of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        made = _hubs[loop] = NotificationHub()
        when_asked_to_end(lambda: soon(loop, made.stop))
    return _hubs[loop]
