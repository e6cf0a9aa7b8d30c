"""Five thousand watchers, or a share of them: a process that holds open streams and notes when each event arrives.

    python bench/watching.py        (the order as one JSON line on standard input)

It says `ready` when every stream is open, and after the next line how long after its beginning each saw which event.
Bare sockets and a search for one word: what this process needs is taken from the service it measures.
"""

import asyncio
import json
import re
import sys
import time
from typing import Any

import uvloop

MARK = re.compile(rb'"name":\s*"Event (\d+)"')
STRANGERS_EACH = 100  # an address may hold no more


class Watcher(asyncio.Protocol):
    """One stream: when each event came, by CLOCK_MONOTONIC, which all processes of a machine share."""

    def __init__(self, order: dict[str, Any], place: int, opened: asyncio.Event) -> None:
        self.order, self.place, self.opened = order, place, opened
        self.seen: dict[int, float] = {}
        self.twice, self.status, self.rest = 0, "", b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        tokens = self.order["tokens"]
        if tokens:
            who = f"Authorization: Bearer {tokens[self.place % len(tokens)]}"
        else:  # a proxy forwards the address, as it does in compose
            who = f"X-Forwarded-For: 10.1.{self.place // STRANGERS_EACH // 250}.{self.place // STRANGERS_EACH % 250}"
        lines = (f"GET {self.order['path']} HTTP/1.1", "Host: localhost", who, "Accept: text/event-stream")
        transport.write("\r\n".join([*lines, "", ""]).encode())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        if not self.status:
            self.status = data[9:12].decode()
            self.opened.set()
        self.rest += data
        shown, _, self.rest = self.rest.rpartition(b"\n\n")
        for found in MARK.finditer(shown):
            number = int(found[1])
            self.twice += number in self.seen
            self.seen[number] = now


async def watch(order: dict[str, Any]) -> None:
    """Open every stream, some at a time; then report what they saw when asked."""
    loop, watchers, gate = asyncio.get_running_loop(), [], asyncio.Semaphore(100)

    async def begin(place: int) -> None:
        async with gate:
            opened = asyncio.Event()
            _, watcher = await loop.create_connection(lambda: Watcher(order, place, opened), "127.0.0.1", order["port"])
            await opened.wait()
            watchers.append(watcher)

    await asyncio.gather(*(begin(order["first"] + n) for n in range(order["watchers"])))
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    answer = {
        "statuses": sorted({watcher.status for watcher in watchers}),
        "twice": sum(watcher.twice for watcher in watchers),
        "seen": [[round(watcher.seen.get(n, -1.0), 4) for watcher in watchers] for n in range(order["events"])],
    }
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    uvloop.run(watch(json.loads(sys.stdin.readline())))
