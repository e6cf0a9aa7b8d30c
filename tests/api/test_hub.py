"""The hub's ear for the bell: it ends whenever it is asked to."""

import asyncio
from contextlib import suppress

from api.streams.hub import Hub

ANSWERS = {
    b"HELLO": b"%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n",
    b"CLIENT": b"+OK\r\n",
    b"SUBSCRIBE": b">3\r\n$9\r\nsubscribe\r\n$4\r\nbell\r\n:1\r\n",
}


async def redis_of_sorts(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers what a client says to subscribe, each word a moment later."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while words := int((await reader.readuntil(b"\r\n"))[1:]):
            said = [
                (await reader.readuntil(b"\r\n"), (await reader.readuntil(b"\r\n")).strip())[1] for _ in range(words)
            ]
            await asyncio.sleep(0.001)
            writer.write(ANSWERS[said[0].upper()])
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
