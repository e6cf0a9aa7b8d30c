"""Screens that are open beside each other: each follows the stream and asks for its moving part as `live.js` does.

    python bench/screening.py        (the order as one JSON line on standard input)

It says `ready` when every stream is open, and at the end what each look took. Bare sockets: what this process needs is
taken from the service it measures.
"""

import asyncio
import json
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import uvloop

PAUSE_SECONDS = (0.08, 1.08)
"""Between an event and the look at what it changed; events in between are one look."""
EVERY_SECONDS = 15.0
PICTURE_SECONDS = 8.0
STRANGERS_EACH = 50


@dataclass
class Screen:
    """One screen: its looks at the page in milliseconds, its pictures, what was not answered with 200."""

    order: dict[str, Any]
    place: int
    looks: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    events: int = 0
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def head(self) -> str:
        """What each request says of who asks: a proxy forwards the address."""
        number = self.place // STRANGERS_EACH
        return f"Host: 127.0.0.1:{self.order['port']}\r\nX-Forwarded-For: 10.2.{number // 250}.{number % 250}\r\n"

    async def follow(self) -> None:
        """The stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.order["port"])
        writer.write(f"GET {self.order['stream']} HTTP/1.1\r\n{self.head}\r\n".encode())
        status = await reader.readline()
        self.opened.set()
        if b" 200 " not in status:
            self.failed.append(int(status.split()[1]))
            return
        while line := await reader.readline():
            if line.startswith(b"event: "):
                self.events += 1
                self.moved.set()

    async def look(self) -> None:
        """Ask for what moves, and for the map now and then."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.order["port"])
        drawn = -PICTURE_SECONDS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY_SECONDS):
                    await self.moved.wait()
            self.moved.clear()
            await asyncio.sleep(random.uniform(*PAUSE_SECONDS))
            self.looks.append(await self.ask(reader, writer, self.order["body"]))
            if time.monotonic() - drawn >= PICTURE_SECONDS:
                drawn = time.monotonic()
                self.pictures.append(await self.ask(reader, writer, self.order["map"]))

    async def ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> float:
        """One request over a connection that stays; milliseconds until all of the answer is there."""
        begun = time.perf_counter()
        writer.write(f"GET {path} HTTP/1.1\r\n{self.head}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(length)
        if b" 200 " not in head[:20]:
            self.failed.append(int(head.split()[1]))
        return (time.perf_counter() - begun) * 1000


async def watch(order: dict[str, Any]) -> None:
    """Open every screen, some at a time; report what they saw after so many seconds."""
    screens, gate = [Screen(order, place) for place in range(order["screens"])], asyncio.Semaphore(50)
    tasks: list[asyncio.Task[None]] = []

    async def begin(screen: Screen) -> None:
        async with gate:
            tasks.append(asyncio.create_task(screen.follow()))
            await screen.opened.wait()
            tasks.append(asyncio.create_task(screen.look()))

    await asyncio.gather(*map(begin, screens))
    print("ready", flush=True)
    await asyncio.sleep(order["seconds"])
    broken = [repr(task.exception()) for task in tasks if task.done() and task.exception() is not None]
    answer = {
        "looks": [round(look, 1) for screen in screens for look in screen.looks],
        "pictures": [round(look, 1) for screen in screens for look in screen.pictures],
        "failed": sorted({status for screen in screens for status in screen.failed}),
        "broken": broken[:3],
        "events": [screen.events for screen in screens],
    }
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    uvloop.run(watch(json.loads(sys.stdin.readline())))
