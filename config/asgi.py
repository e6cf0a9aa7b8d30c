"""One ASGI application on one port: streams and the door as bare ASGI apps, in front of Django in threads.

Django's own ASGI handler gives each request a thread that lives as long as a stream does, and is three to four times
slower; see docs/adr/0004-streams-beside-django.md.
"""

import os
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

from config.composition import AsgiApp, Message, Receive, Send, compose
from config.process.gc_tuning import freeze, pause

pause()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_wsgi = get_wsgi_application()

# isort: split
# The line above makes Django ready: whatever needs models is imported below it.
from django.conf import settings  # noqa: E402

from api.door import application as door  # noqa: E402
from api.graphql.served import prepare as prepare_graphql  # noqa: E402
from api.streams import sse, websocket  # noqa: E402
from games.workers import nightly  # noqa: E402

THREADS = 8


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
    nightly.start,
    commands.writers.end,
)
if settings.GRAPHQL_EARLY:
    prepare_graphql()
freeze()
