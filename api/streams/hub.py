"""The hub: one for each process, it follows every watched game once, for all who watch it.

Each tick asks one query a place, which of the watched games moved; then, for each distinct viewer, the events it may
read, which are encoded once for all who share them. Tick and notification only say *that* something happened: what a
viewer receives always passes through their visibility. A reader who is too slow is cut, and resumes by their cursor.

All work on the database is done in three threads of the hub's own, so a stream costs neither a thread nor a connection.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import cached_property
from threading import Barrier
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections

from api.representations.table import life_of
from api.streams import presence
from api.streams.access import StreamViewer, closing_reason, open_access
from api.streams.positions import present_cursor, seqs_of
from api.streams.shutdown import soon, when_asked_to_end
from api.streams.subscribers import GONE, Channel, Ended, Life, Message, Subscriber, count_of, happens
from core.places import routing
from games.engine.errors import Refused
from games.models import Game
from games.reads import selectors
from games.reads.selectors import EventPage, EventView
from games.runtime import metrics, notify
from worlds.visibility import Visibility

log = structlog.get_logger(__name__)

TICK_SECONDS = 0.1
PAGE = 200
CHECK_SECONDS = 30.0
HANDS = frozenset({"core.HandedOver", "core.SeatRemoved"})
"""Events after which somebody may see less."""
Result = TypeVar("Result")
Key = tuple[UUID, Visibility]


class Hub:
    """Follows games for the streams of one event loop."""

    def __init__(self, tick_seconds: float = TICK_SECONDS, check_seconds: float = CHECK_SECONDS) -> None:
        self.tick_seconds, self.check_seconds = tick_seconds, check_seconds
        self.channels: dict[Key, Channel] = {}
        self.rung = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    @cached_property
    def threads(self) -> ThreadPoolExecutor:
        """Threads for those who come and for those who are checked, with a database connection each."""
        return ThreadPoolExecutor(2, thread_name_prefix="hub")

    @cached_property
    def lookout(self) -> ThreadPoolExecutor:
        """The thread that looks at the watched games: thousands who come at once must not hold up what happens."""
        return ThreadPoolExecutor(1, thread_name_prefix="hub-lookout")

    async def ask(self, work: Callable[..., Result], *arguments: Any, **more: Any) -> Result:
        """Do something with the database, in a thread of the hub."""
        return await self.ask_in(self.threads, work, *arguments, **more)

    async def ask_in(
        self, threads: ThreadPoolExecutor, work: Callable[..., Result], *arguments: Any, **more: Any
    ) -> Result:
        """The same, in some of its threads."""

        def run_work() -> Result:
            close_old_connections()
            try:
                return work(*arguments, **more)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(threads, run_work)

    async def follow(
        self,
        access: StreamViewer,
        after: str,
        beat_seconds: float = 0.0,
        *,
        kind: str = "websocket",
        leaving: "asyncio.Future[None] | None" = None,
        life: bool = False,
    ) -> AsyncGenerator[Message | Life | None, None]:
        """What this viewer may read behind a cursor, then what happens, without a gap and nothing twice.

        None stands for a heartbeat, each `beat_seconds` in which nothing happened (0 for none). leaving: is done once
        the reader is gone. life: whether `Life` is sent too, at first and whenever it has changed. Raises Ended when
        the stream ends, no matter who ends it.
        """
        watcher = Subscriber(access, kind, life)
        if leaving is not None:
            leaving.add_done_callback(lambda _: watcher.end(GONE))
        channel = self._enter(watcher)
        clock = asyncio.get_running_loop().time
        checked, behind, number = clock(), True, 0
        known: dict[str, Any] | None = None
        try:
            # The channel stands somewhere before the log is read: what happens meanwhile waits, and is sent once.
            await self._begin(channel)
            while True:
                if watcher.ended:
                    raise Ended(watcher.ended)
                if behind:
                    watcher.lost = False
                    page, _, now = await self.ask(
                        self._read, access.game, access.ruleset, access.visibility, after, life
                    )
                    for event in page.results:
                        await self._check_hands(access, event)
                        yield Message(event, count_of(event.cursor))
                    after, behind = page.cursor, page.more or watcher.lost
                    number = count_of(after)
                    del page  # it would stay for as long as the stream
                    if now is not None and not behind and now != known:
                        known = now
                        yield Life(now, number)
                    continue
                while watcher.waiting:
                    message = watcher.waiting.pop(0)
                    if isinstance(message, Life):
                        if message.number >= number and message.values != known:
                            known = message.values
                            yield message
                    elif message.number > number:
                        if message.event.type in HANDS:
                            await self._check_hands(access, message.event)
                        number = message.number
                        yield message
                if watcher.lost:
                    metrics.count_dropped_watcher(kind)
                    raise Ended("reader.slow")
                if clock() - checked >= self.check_seconds:
                    checked = clock()
                    await self._check_again(channel, access)
                until = min(clock() + (beat_seconds or self.check_seconds), checked + self.check_seconds)
                if not await watcher.happens(until) and beat_seconds:
                    yield None
        finally:
            watcher.cancel_alarm()
            self._leave(channel, watcher)

    def stop(self) -> None:
        """Close every stream with `server.stopping`: the process ends."""
        for channel in self.channels.values():
            for watcher in channel.watchers:
                watcher.end("server.stopping")

    async def check(self, access: StreamViewer) -> None:
        """Raise Ended when this viewer may no longer look."""
        if reason := await self.ask(closing_reason, access):
            raise Ended(reason)
        await self.ask(presence.note, access)

    async def _check_again(self, channel: Channel, access: StreamViewer) -> None:
        """As `check`, from time to time. Strangers at a game are all alike: one of them is asked about for all."""
        if access.principal.user is not None:
            await self.check(access)
            return
        now = asyncio.get_running_loop().time()
        if now - channel.judged >= self.check_seconds / 2:
            channel.judged = now
            channel.verdict = await self.ask(closing_reason, access)
        if channel.verdict:
            raise Ended(channel.verdict)

    async def _check_hands(self, access: StreamViewer, event: EventView) -> None:
        """A seat that this viewer looks through, or that lets them into a private game, passed to another or is gone.

        Each who still holds it goes on.
        """
        if event.type in HANDS and (access.private or UUID(str(event.data["seat"])) in access.visibility.seats):
            await self.check(access)

    async def open(self, *arguments: Any, **more: Any) -> StreamViewer:
        """As `open_access`, in a thread of the hub; from then on the viewer is connected."""
        return await self.ask(_open, *arguments, **more)

    @staticmethod
    def _read(
        game: UUID, ruleset: str, visibility: Visibility, after: str, life: bool
    ) -> tuple[EventPage, int, dict[str, Any] | None]:
        """The next events behind a cursor; then, no older than they are, the game's `seq` and, if asked, its life."""

        def read_page() -> tuple[EventPage, int, dict[str, Any] | None]:
            try:
                page = selectors.events_for(Game(pk=game, ruleset=ruleset), visibility, after=after, limit=PAGE)
            except Refused as refused:  # the log was restored from an earlier copy while it was watched
                raise Ended(refused.code) from refused
            found = Game.objects.filter(pk=game).first()
            if found is None:
                raise Ended("game.missing")
            return page, found.seq, life_of(found, visibility) if life else None

        return routing.read_at(game, Ended, read_page)

    def _enter(self, watcher: Subscriber) -> Channel:
        key = (watcher.access.game, watcher.access.visibility)
        channel = self.channels.setdefault(key, Channel(*key, watcher.access.ruleset))
        channel.watchers.add(watcher)
        return channel

    async def _begin(self, channel: Channel) -> None:
        """Follow a channel from where the log is now, if nobody follows it yet."""
        if channel.cursor is None:
            start = await self.ask(present_cursor, channel.game, channel.visibility)
            if channel.cursor is None:
                channel.cursor = start
        if not self.tasks:
            self.tasks = [asyncio.create_task(self._tail())]
            if settings.REDIS_URL:
                self.tasks.append(asyncio.create_task(self._listen()))

    def _leave(self, channel: Channel, watcher: Subscriber) -> None:
        channel.watchers.discard(watcher)
        if not channel.watchers and self.channels.get((channel.game, channel.visibility)) is channel:
            del self.channels[channel.game, channel.visibility]
        if not self.channels:
            for task in self.tasks:
                task.cancel()
            self.tasks = []

    async def _tail(self) -> None:
        """Ask again and again which watched games moved, and notify their watchers."""
        while True:
            try:
                await self.tick()
            except Exception as error:  # logged: one bad look must not silence every stream
                log.warning("hub_waits", error=type(error).__name__, exc_info=not isinstance(error, DatabaseError))
                for channel in self.channels.values():
                    channel.seq = None  # look again, even if nothing more happens
                await asyncio.sleep(1.0)
            await happens(self.rung, self.tick_seconds)
            self.rung.clear()

    async def tick(self) -> None:
        """One look at all watched games: one query a place, and one read for each viewer at a game that moved."""
        seqs = await self.ask_in(self.lookout, seqs_of, {game for game, _ in self.channels})
        for channel in list(self.channels.values()):
            if channel.cursor is not None and channel.seq != seqs.get(channel.game):
                channel.seq = seqs.get(channel.game)
                await self._notify(channel)

    async def _notify(self, channel: Channel) -> None:
        more, life, seq = True, None, channel.seq
        while more and channel.watchers:
            wanted = any(watcher.follows_life for watcher in channel.watchers)
            try:
                page, seq, life = await self.ask_in(
                    self.lookout,
                    self._read,
                    channel.game,
                    channel.ruleset,
                    channel.visibility,
                    channel.cursor or "",
                    wanted,
                )
            except Ended as end:  # for those who watch this game, and nobody else
                for watcher in channel.watchers:
                    watcher.end(end.code)
                return
            for event in page.results:
                message = Message(event, count_of(event.cursor))
                for watcher in channel.watchers:
                    watcher.put(message)
            channel.cursor, more = page.cursor, page.more
        if seq != channel.seq:
            channel.seq = None  # it moved between look and read: what was read may be more than the look knew of
        before, channel.life = channel.life, life
        if life is not None and life != before:
            changed = Life(life, count_of(page.cursor))
            for watcher in channel.watchers:
                if watcher.follows_life:
                    watcher.put(changed)

    async def _listen(self) -> None:
        """A notification: look at once instead of at the next tick. Without any the ticks go on."""
        while True:
            try:
                async with aclosing(notify.rings()) as rings:
                    async for _ in rings:
                        if (task := asyncio.current_task()) and task.cancelling():
                            raise asyncio.CancelledError  # asked to end while it connected: redis-py swallows that
                        self.rung.set()
            except OSError as error:
                log.warning("bell_unheard", error=str(error))
                await asyncio.sleep(2.0)

    async def close(self) -> None:
        """Stop following, and close the connections of the hub's threads."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks = []
        loop, both = asyncio.get_running_loop(), Barrier(2)

        def leave() -> None:
            both.wait(5)  # so that each of the two threads closes its own
            connections.close_all()

        await loop.run_in_executor(self.lookout, connections.close_all)
        await asyncio.gather(*(loop.run_in_executor(self.threads, leave) for _ in range(2)))
        for threads in (self.threads, self.lookout):
            threads.shutdown()


def _open(*arguments: Any, **more: Any) -> StreamViewer:
    access = open_access(*arguments, **more)
    presence.note(access)
    return access


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        made = _hubs[loop] = Hub()
        when_asked_to_end(lambda: soon(loop, made.stop))
    return _hubs[loop]


def watchers() -> Counter[str]:
    """How many watch now in this process, by kind. Asked from any thread: the lists are copied at once each."""
    channels = [channel for one in list(_hubs.values()) for channel in list(one.channels.values())]
    return Counter(watcher.kind for channel in channels for watcher in list(channel.watchers))
