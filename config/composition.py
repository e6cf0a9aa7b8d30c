"""One ASGI application out of many: bare ones by their path, and one for the rest."""

import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

NO_SUCH_SOCKET = 4404


def nothing() -> None:
    """Nothing is done."""


async def lifespan(receive: Receive, send: Send, begin: Callable[[], None], end: Callable[[], None]) -> None:
    """Say yes to start and stop; `begin` is called before the one, `end` before the other."""
    while True:
        message = await receive()
        (end if message["type"] == "lifespan.shutdown" else begin)()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def compose(
    django: AsgiApp,
    streams: Mapping[str, AsgiApp],
    begin: Callable[[], None] = nothing,
    end: Callable[[], None] = nothing,
) -> AsgiApp:
    """One application out of many.

    streams: regular expression that a whole path must match -> the application that answers there, over HTTP and over
    WebSocket. Every other HTTP request is Django's; every other WebSocket is closed unopened. begin, end: what is
    done when the server starts, and before it stops.
    """
    routes = [(re.compile(pattern), app) for pattern, app in streams.items()]

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send, begin, end)
            return
        for pattern, app in routes:
            if pattern.fullmatch(scope["path"]):
                await app(scope, receive, send)
                return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": NO_SUCH_SOCKET})
            return
        await django(scope, receive, send)

    return application
