"""Streams without threads: one listener in the test's own thread and transaction, so a history can be taken back.

The hub's work on the database is done in place; a secret may be planted before the stream opens, or while it is open.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from api.streams import hub
from config.asgi import application
from tests.security.grounds import Ground, Viewer

QUIET_SECONDS = 0.03
LONGEST_SECONDS = 5.0
WATCH = """subscription($game: UUID!, $asGm: Boolean!) { gameEvents(game: $game, asGm: $asGm) {
__typename cursor type at text rules by onBehalfOf undone dataJson rolls { label index sides value } } }"""
TOLD = """subscription($after: UUID!) { notifications(after: $after) {
id kind game gameName ruleset seat role message due createdAt readAt } }"""
Act = Callable[[], Any]


class InPlace(hub.Hub):
    """A hub that asks the database in the thread of the test, and looks again at once."""

    def __init__(self, connection: Any) -> None:
        super().__init__(tick_seconds=0.001)
        self.connection = connection

    def do(self, work: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        """Do it on the connection of the test: a loop would open one of its own."""
        connections[DEFAULT_DB_ALIAS] = self.connection
        return work(*arguments, **more)

    async def ask_in(self, threads: Any, work: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        return self.do(work, *arguments, **more)


@pytest.fixture
def in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database be asked from the loop's own thread, and nothing but the ticks ring."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    monkeypatch.setattr(settings, "REDIS_URL", "")


class Line:
    """One open connection to the streams."""

    def __init__(self) -> None:
        self.inward: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.messages: list[dict[str, Any]] = []

    async def send(self, message: Any) -> None:
        self.messages.append(dict(message))

    async def quiet(self, fragment: bytes) -> None:
        """Wait until something with this fragment was sent, and a little longer for what should not follow."""
        end = asyncio.get_running_loop().time() + LONGEST_SECONDS
        while not any(fragment in _bytes_of(message) for message in self.messages):
            assert asyncio.get_running_loop().time() < end, f"{fragment!r} was not sent, but {self.all()}"
            await asyncio.sleep(0.001)
        await asyncio.sleep(QUIET_SECONDS)

    def all(self) -> list[bytes]:
        """Everything that was sent, message by message."""
        return [_bytes_of(message) for message in self.messages]


def _bytes_of(message: dict[str, Any]) -> bytes:
    return message.get("body") or message.get("text", "").encode() or repr(sorted(message.items(), key=str)).encode()


def frames_of(
    ground: Ground, viewer: Viewer, headers: dict[str, str], act: Act, *, socket: bool, between: tuple[str, str]
) -> list[bytes]:
    """What a viewer receives: the log up to the first fragment, and what follows on an act, with the second."""
    messages = _client_messages(headers, WATCH, game=str(ground.game.pk), asGm=viewer.as_gm)
    scope = _scope(ground, viewer, headers) if not socket else _socket_scope()
    return asyncio.run(_frames(InPlace(connections[DEFAULT_DB_ALIAS]), scope, act, between, messages))


def frames_of_notifications(headers: dict[str, str], after: UUID, act: Act, *, between: tuple[str, str]) -> list[bytes]:
    """What somebody is sent of their notifications: behind one of them up to the first fragment, then on an act."""
    messages = _client_messages(headers, TOLD, after=str(after))
    return asyncio.run(_frames(InPlace(connections[DEFAULT_DB_ALIAS]), _socket_scope(), act, between, messages))


def _client_messages(headers: dict[str, str], query: str, **variables: Any) -> list[dict[str, Any]]:
    """What a socket says: who it is, and what it wants."""
    return [
        {"type": "connection_init", "payload": headers},
        {"id": "1", "type": "subscribe", "payload": {"query": query, "variables": variables}},
    ]


async def _frames(
    own: InPlace, scope: dict[str, Any], act: Act, between: tuple[str, str], sent: list[dict[str, Any]]
) -> list[bytes]:
    hub._hubs[asyncio.get_running_loop()] = own
    line, socket = Line(), scope["type"] == "websocket"
    task = asyncio.create_task(application(scope, line.inward.get, line.send))
    try:
        if socket:
            line.inward.put_nowait({"type": "websocket.connect"})
            _say(line, **sent[0])
            await line.quiet(b"connection_ack")
            _say(line, **sent[1])
        await line.quiet(between[0].encode())
        own.do(act)
        await line.quiet(between[1].encode())
    finally:
        line.inward.put_nowait({"type": "websocket.disconnect" if socket else "http.disconnect", "code": 1000})
        await asyncio.wait_for(task, LONGEST_SECONDS)
        for following in own.tasks:
            following.cancel()
        await asyncio.gather(*own.tasks, return_exceptions=True)
    return line.all()


def _say(line: Line, **message: Any) -> None:
    line.inward.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})


def _scope(ground: Ground, viewer: Viewer, headers: dict[str, str]) -> dict[str, Any]:
    query = urlencode({"as": "gm"} if viewer.as_gm else {}).encode()
    path = f"/api/v1/games/{ground.game.pk}/stream/"
    shown = {k.lower(): v for k, v in headers.items()}
    return {**_head(**shown), "type": "http", "method": "GET", "path": path, "query_string": query}


def _socket_scope() -> dict[str, Any]:
    subprotocols = ["graphql-transport-ws"]
    return {**_head(), "type": "websocket", "path": "/graphql/", "query_string": b"", "subprotocols": subprotocols}


def _head(**headers: str) -> dict[str, Any]:
    given = {"host": "testserver", **headers}
    return {"headers": [(k.encode(), v.encode()) for k, v in given.items()], "client": ("127.0.0.1", 1)}
