"""A receiver that takes whatever is posted to it, at once: `python bench/receiver.py PORT`."""

import asyncio
import re
import sys

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request of a connection, when it is there whole."""
    try:
        while True:
            found = LENGTH.search(await reader.readuntil(b"\r\n\r\n"))
            await reader.readexactly(int(found[1]) if found else 0)
            writer.write(ANSWER)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve(port: int) -> None:
    """Until the process ends."""
    server = await asyncio.start_server(take, "127.0.0.1", port, backlog=1024)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
