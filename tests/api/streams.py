"""Streams of server-sent events as a client of the tests sees them."""

import asyncio
import json
from contextlib import asynccontextmanager
from urllib.parse import urlencode

from asgiref.sync import sync_to_async

from api.streams import hub, sse
from games import services
from tests.api.sent import require_documented_event
from tests.api.worlds import bearer, client, toy_game

db = sync_to_async(thread_sensitive=True)


class Stream:
    """One open stream, as a client sees it."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue = asyncio.Queue()
        self.leave = asyncio.Event()
        self.status, self.headers, self.raw, self.ended = 0, {}, b"", False
        self.open = asyncio.Event()
        self.stuck: asyncio.Event | None = None

    async def receive(self):
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            return
        if self.stuck is not None and b"event:" in message["body"]:
            await self.stuck.wait()
        self.raw += message["body"]
        self.open.set()
        self.ended = not message.get("more_body", False)
        if self.status != 200:
            return
        for block in message["body"].decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "event" in fields:
                data = json.loads(fields["data"])
                require_documented_event(fields["event"], data)
                self.inbox.put_nowait((fields["event"], fields.get("id"), data))

    async def next(self, seconds=60.0):
        return await asyncio.wait_for(self.inbox.get(), seconds)

    async def types(self, count):
        return [(await self.next())[0] for _ in range(count)]

    def problem(self):
        return self.status, json.loads(self.raw)["code"]


@asynccontextmanager
async def streaming(path, headers=None, method="GET", stuck=None, **query):
    """A stream that is open as long as the block."""
    stream = Stream()
    stream.stuck = stuck
    given = {"Host": "testserver", **(headers or {})}
    scope = {
        "type": "http", "method": method, "path": path, "query_string": urlencode(query).encode(),
        "headers": [(k.lower().encode(), v.encode()) for k, v in given.items()], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    task = asyncio.create_task(sse.events(scope, stream.receive, stream.send))
    await asyncio.wait({task, asyncio.create_task(stream.open.wait())}, timeout=5, return_when="FIRST_COMPLETED")
    stream.task = task
    try:
        yield stream
    finally:
        stream.leave.set()
        await asyncio.wait_for(task, 5)


def open_streams():
    """What the running loop's hub knows of each open stream and subscription."""
    return [each for channel in hub.hub().channels.values() for each in channel.watchers]


async def until(condition, seconds=60.0):
    """Let the service go on until something is so."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.001)


async def until_all_wait(count):
    """Wait until so many streams have sent what there is, the hub has looked at their games, and they wait."""

    def all_wait():
        looked = all(channel.seq is not None for channel in hub.hub().channels.values())
        return looked and sum(each.asleep is not None for each in open_streams()) == count

    await until(all_wait)


@db
def begin(**more):
    toy = toy_game(**more)
    return toy, bearer(toy.ann), bearer(toy.bob), bearer(toy.host)


class LoopClock:
    """The time of the running loop, which a test turns; made before the stream that goes by it."""

    def __init__(self, monkeypatch):
        loop, self.turned = asyncio.get_running_loop(), 0.0
        before = loop.time
        monkeypatch.setattr(loop, "time", lambda: before() + self.turned)

    def turn(self, seconds):
        self.turned += seconds


@db
def run(toy, person, command):
    return services.run(toy.game.pk, command, actor=toy.actor(person))


@db
def events(toy, headers, suffix=""):
    return client().get(toy.path(f"events/?limit=500{suffix}"), headers=headers).json()
