"""Many watch and nothing happens: each gets heartbeats, and nothing is left of them when they have gone.

`FAULTS=full` has 1,000 of them for a minute.
"""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from api.streams import handshake, hub, sse, subscribers
from games import registry, services
from tests.api.worlds import ToyGame, toy_game
from tests.faults.shared import FULL
from tests.faults.watching import Stream, watching
from tests.toy.rules.commands import AddStones

KINDS = (subscribers.Subscriber, subscribers.Message, subscribers.Channel)
WATCHERS, BEAT_SECONDS, BEATS = (1_000, 15.0, 4) if FULL else (50, 0.2, 4)
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
db = sync_to_async(thread_sensitive=True)


@pytest.fixture(autouse=True)
async def closing() -> AsyncIterator[None]:
    """No watcher is left from before, and every thread closes its connection after."""
    handshake.PLACES.taken.clear()
    yield
    await hub.hub().close()
    await db(connections.close_all)()


def queue_length() -> int:
    """What waits for the readers of this loop's hub."""
    return sum(len(w.waiting) for channel in hub.hub().channels.values() for w in channel.watchers)


async def beaten(streams: list[Stream]) -> None:
    """Wait until every watcher has that many heartbeats."""
    async with asyncio.timeout(BEAT_SECONDS * BEATS + 60):
        while min(stream.beats for stream in streams) < BEATS:
            await asyncio.sleep(BEAT_SECONDS / 4)


async def test_idle_watchers_hear_beats_cost_one_look_a_tick_and_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "BEAT_SECONDS", BEAT_SECONDS)
    monkeypatch.setattr(handshake, "FOR_STRANGERS", WATCHERS)
    work_done: list[object] = []
    true = hub.Hub.ask_in

    def record_work(self: hub.Hub, threads: Any, work: Any, *arguments: Any, **more: Any) -> Any:
        work_done.append(work)
        return true(self, threads, work, *arguments, **more)

    monkeypatch.setattr(hub.Hub, "ask_in", record_work)
    toy: ToyGame = await db(toy_game)()
    before, path = len(asyncio.all_tasks()), toy.path("stream/")

    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(watching(path, {})) for _ in range(WATCHERS)]
        assert [stream.status for stream in streams] == [200] * WATCHERS
        log = await db(
            lambda: [
                registry.event_type("toy", row.type)
                for row in toy.fresh().events.filter(audience="public").order_by("seq")
            ]
        )()
        for stream in streams:
            assert [(await stream.next())[0] for _ in log] == log
        here = hub.hub()
        await beaten(streams)
        work_done.clear()
        ticks = 0
        while ticks < 5:  # five more polls of the games, however many watch
            await asyncio.sleep(here.tick_seconds)
            ticks = work_done.count(hub.seqs_of)
        assert len([w for w in work_done if w is not hub.closing_reason]) == ticks
        assert (len(here.channels), queue_length()) == (1, 0)

        await db(services.run)(toy.game.pk, AddStones(stones=1), actor=await db(toy.actor)(toy.ann))
        rows = [await stream.next() for stream in streams]
        assert {kind for kind, _, _ in rows} == {"toy.StonesAdded"}
        assert len({cursor for _, cursor, _ in rows}) == 1

    assert (here.channels, here.tasks) == ({}, [])
    assert handshake.PLACES.taken.total() == 0
    await asyncio.sleep(0.5)
    assert len(asyncio.all_tasks()) <= before
    gc.collect()
    assert not [thing for thing in gc.get_objects() if type(thing) in KINDS]
