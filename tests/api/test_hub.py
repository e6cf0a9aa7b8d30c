"""The hub: its ear for the bell, whom it judges, and what it does first."""

import asyncio
from contextlib import suppress
from threading import Event
from typing import Any
from uuid import UUID, uuid4

from accounts.models import User
from api.common.authentication import Principal
from api.streams.access import StreamViewer, closing_reason
from api.streams.hub import Hub
from api.streams.subscribers import Channel, Ended, Subscriber
from games.reads.selectors import EventPage
from tests.api.streams import until
from worlds.visibility import Visibility

GAME = UUID(int=7)
ANSWERS = {
    b"HELLO": b"%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n",
    b"CLIENT": b"+OK\r\n",
    b"SUBSCRIBE": b">3\r\n$9\r\nsubscribe\r\n$4\r\nbell\r\n:1\r\n",
}


async def redis_of_sorts(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers what a client says to subscribe, each reply a moment later."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while words := int((await reader.readuntil(b"\r\n"))[1:]):
            replies = [
                (await reader.readuntil(b"\r\n"), (await reader.readuntil(b"\r\n")).strip())[1] for _ in range(words)
            ]
            await asyncio.sleep(0.001)
            writer.write(ANSWERS[replies[0].upper()])
    writer.close()


async def test_a_listener_that_is_cancelled_while_it_connects_ends(settings):
    async with await asyncio.start_server(redis_of_sorts, "127.0.0.1", 0) as server:
        settings.REDIS_URL = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        for moment in range(120):
            listener = asyncio.create_task(Hub()._listen())
            await asyncio.sleep(moment / 10_000)
            listener.cancel()
            done, _ = await asyncio.wait({listener}, timeout=2)
            assert done, f"still listening after it was cancelled {moment / 10} ms from its start"


async def test_a_game_that_moved_between_look_and_read_is_looked_at_again(monkeypatch):
    hub, visibility = Hub(), Visibility()
    channel = hub.channels[GAME, visibility] = Channel(GAME, visibility, "toy")
    channel.cursor, channel.seq = "", 7
    watcher = Subscriber(StreamViewer(Principal(None), GAME, "toy", None, False, visibility, False), "sse")
    channel.watchers.add(watcher)
    for after, expected in ((8, None), (7, 7)):
        channel.seq = 7
        monkeypatch.setattr(hub, "_read", lambda *_, after=after: (EventPage([], "", "", more=False), after, None))
        await hub._notify(channel)
        assert channel.seq == expected
    await hub.close()


class Waits(Hub):
    """A hub whose looking and whose judging are seen."""

    def __init__(self, check_seconds: float) -> None:
        super().__init__(check_seconds=check_seconds)
        self.judged: list[Any] = []
        self.verdict = ""

    async def ask(self, work: Any, *arguments: Any, **more: Any) -> Any:
        if work is closing_reason:
            self.judged.append(arguments[0])
            return self.verdict
        return EventPage([], "", "", more=False), 0, None

    async def _begin(self, channel: Channel) -> None:
        channel.cursor = ""


def access_of(user: User | None) -> StreamViewer:
    return StreamViewer(Principal(user), GAME, "toy", None, False, Visibility(user=user.pk if user else None), False)


async def beats(hub: Hub, access: StreamViewer, many: int) -> None:
    stream = hub.follow(access, "", 0.01)
    for _ in range(many):
        await anext(stream)
    await stream.aclose()


async def test_anonymous_watchers_of_one_game_are_checked_together_and_each_person_alone():
    hub, ada, clock = Waits(check_seconds=0.04), User(id=uuid4()), asyncio.get_running_loop().time
    begun = clock()
    await asyncio.gather(*(beats(hub, access_of(None), 12) for _ in range(20)))
    assert 1 <= len(hub.judged) <= (clock() - begun) / 0.02 + 1
    hub.judged.clear()
    await asyncio.gather(*(beats(hub, access_of(ada), 12) for _ in range(5)))
    assert len(hub.judged) >= 5


async def test_a_changed_access_ends_the_streams_of_every_anonymous_watcher():
    hub = Waits(check_seconds=0.04)
    watching = [asyncio.create_task(beats(hub, access_of(None), 1000)) for _ in range(20)]
    await until(lambda: sum(len(channel.watchers) for channel in hub.channels.values()) == 20)
    hub.verdict = "view.changed"
    for end in await asyncio.wait_for(asyncio.gather(*watching, return_exceptions=True), 5):
        assert isinstance(end, Ended) and end.code == "view.changed"
    assert not hub.channels


async def test_a_crowd_of_new_streams_does_not_delay_the_poll_of_the_games():
    hub, gate = Hub(), Event()
    crowd = [asyncio.create_task(hub.ask(gate.wait, 5)) for _ in range(20)]
    try:
        assert await asyncio.wait_for(hub.ask_in(hub.lookout, lambda: "seen"), 5) == "seen"
        assert not any(task.done() for task in crowd)
    finally:
        gate.set()
        await asyncio.gather(*crowd)
        await hub.close()
