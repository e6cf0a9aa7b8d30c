"""Open streams as clients see them: what each was sent, how many heartbeats, and how it ended."""

import asyncio
import json
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

from api.streams import sse

BEAT = b": beat\n\n"


class Stream:
    """One open stream: what was sent, in order, as (type, cursor, event). Its reader may stop reading."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[tuple[str, str | None, dict[str, Any]]] = asyncio.Queue()
        self.leave, self.open, self.reads = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.reads.set()
        self.status = self.beats = 0

    async def receive(self) -> dict[str, Any]:
        """The reader says nothing until it leaves."""
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Take what the service sends."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.open.set()
        if message["body"] == BEAT:
            self.beats += 1
        for block in message["body"].decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "event" in fields:
                await self.reads.wait()
                self.queue.put_nowait((fields["event"], fields.get("id"), json.loads(fields["data"])))

    async def next(self) -> tuple[str, str | None, dict[str, Any]]:
        """The next message."""
        return await asyncio.wait_for(self.queue.get(), 20)


@asynccontextmanager
async def watching(path: str, headers: dict[str, str], *, host: int = 1, **query: str) -> AsyncIterator[Stream]:
    """A stream that is open as long as the block; `host` distinguishes addresses."""
    stream = Stream()
    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": urlencode(query).encode(),
        "headers": [(k.lower().encode(), v.encode()) for k, v in {"Host": "testserver", **headers}.items()],
        "client": (f"10.0.0.{host}", 1),
    }  # fmt: skip
    task = asyncio.create_task(sse.events(scope, stream.receive, stream.send))
    await asyncio.wait_for(stream.open.wait(), 20)
    try:
        yield stream
    finally:
        stream.leave.set()
        stream.reads.set()
        await asyncio.wait_for(task, 20)
