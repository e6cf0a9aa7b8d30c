"""A TCP proxy that can swallow an answer: the request arrives and is acted on, and the client never gets it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

HOST = "127.0.0.1"
SIZE = 65_536


@dataclass
class Proxy:
    """Passes bytes on between its port and another one, until it is to swallow an answer."""

    target: int
    port: int = 0
    wanted: bytes = b""
    swallowed: list[bytes] = field(default_factory=list)

    def swallow(self, after: bytes) -> None:
        """Cut the next connection whose asker sends these bytes, once the answer to them has come; once."""
        self.wanted = after

    async def relay(self, asker: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """One connection, from its beginning to its end."""
        answerer, there = await asyncio.open_connection(HOST, self.target)
        cut = asyncio.Event()

        async def asks() -> None:
            while chunk := await asker.read(SIZE):
                if self.wanted and self.wanted in chunk:
                    self.wanted = b""
                    cut.set()
                there.write(chunk)
                await there.drain()

        async def answers() -> None:
            while chunk := await answerer.read(SIZE):
                if cut.is_set():
                    self.swallowed.append(chunk)
                    return
                back.write(chunk)
                await back.drain()

        ways = {asyncio.create_task(asks()), asyncio.create_task(answers())}
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for result in await asyncio.gather(*ways, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, OSError):
                    raise result
            for end in (there, back):
                end.close()
                with suppress(OSError):
                    await end.wait_closed()


@contextmanager
def proxy_before(target: int) -> Iterator[Proxy]:
    """A proxy before a port of this machine, as long as the block lasts."""
    proxy, loop, begun = Proxy(target), asyncio.new_event_loop(), threading.Event()
    end: asyncio.Event = asyncio.Event()

    async def serve() -> None:
        server = await asyncio.start_server(proxy.relay, HOST, 0)
        proxy.port = server.sockets[0].getsockname()[1]
        begun.set()
        async with server:
            await end.wait()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), name="proxy")
    thread.start()
    assert begun.wait(240)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(240)
        loop.close()
