"""One ASGI application on one port: streams and the door as bare ASGI apps, in front of Django in threads.

Django's own ASGI handler gives each request a thread that lives as long as a stream does, and is three to four times
slower; see docs/adr/0004-streams-beside-django.md.
"""

import os
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

from config.process.gc_tuning import load, settle

load()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_wsgi = get_wsgi_application()

# isort: split
# The line above makes Django ready: whatever needs models is imported below it.
from api.door import application as door  # noqa: E402
from api.streams import sse, websocket  # noqa: E402

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

THREADS = 8
NO_SUCH_SOCKET = 4404


async def lifespan(receive: Receive, send: Send, end: Callable[[], None]) -> None:
    """Say yes to start and stop; `end` is called before the stop."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            end()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def compose(django: AsgiApp, streams: Mapping[str, AsgiApp], end: Callable[[], None] = lambda: None) -> AsgiApp:
    """One application out of many.

    streams: regular expression that a whole path must match -> the application that answers there, over HTTP and over
    WebSocket. Every other HTTP request is Django's; every other WebSocket is closed unopened. end: what is done before
    the server stops.
    """
    routes = [(re.compile(pattern), app) for pattern, app in streams.items()]

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send, end)
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


def sockets_or(http: AsgiApp, sockets: AsgiApp) -> AsgiApp:
    """One address for both: HTTP goes to the one application, WebSockets to the other."""

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await (sockets if scope["type"] == "websocket" else http)(scope, receive, send)

    return application


django = cast("AsgiApp", WSGIMiddleware(cast("Any", django_wsgi), workers=THREADS))
commands = door.Door(django)
application = compose(
    django,
    {
        door.PATH: commands,
        sse.PATH: sse.events,
        websocket.PATH: sockets_or(django, websocket.subscriptions),
    },
    commands.writers.end,
)
settle()
