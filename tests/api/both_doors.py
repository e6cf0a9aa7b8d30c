"""Each command that a test sends over REST goes through the door, too, and is taken back there: the answers are one."""

import re
from asyncio import new_event_loop
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.test.client import FakePayload

from accounts import keys
from api.common import fast_auth
from api.common.authentication import user_and_token_of_header
from api.common.exceptions import Fault
from api.common.throttles import Spent
from api.door import answers, viewers, writers
from api.door.answers import Answer
from api.door.incoming import incoming, is_usual
from api.door.queue import Batch
from games.storage import cursors
from games.storage.state_cache import STATE_CACHE

CHANGING = answers.EACH
MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)|(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC")
"""A moment in a field, or in the words of a question: the door answers first, and a second may pass."""
REQUEST = re.compile(rb'"request_id":"[^"]+"')
CURSOR = re.compile(rb'"(?:cursor|start)":"(ey[^"]+)"')
"""What was taken back is another future: its marks are others, for their moments are."""
Shown = tuple[int, dict[str, str], bytes]


def shown(response: Any) -> Shown:
    """An answer without what differs from one request to the next."""
    found = response if isinstance(response, Answer) else Answer.of(response)
    headers = {name.decode(): value.decode("latin-1") for name, value in found.headers if name not in CHANGING}
    content = CURSOR.sub(heads_alone, MOMENT.sub(b"moment", found.body))
    return found.status, headers, REQUEST.sub(b"request", content)


def heads_alone(found: re.Match[bytes]) -> bytes:
    """The numbers in a cursor."""
    return str({name: head.ordinal for name, head in cursors.decode(found[1].decode()).items()}).encode()


class BothDoors:
    """How often the answers were compared."""

    def __init__(self) -> None:
        self.compared = 0

    def ask(self, environ: dict[str, Any], body: bytes) -> Shown | None:
        """What the door answers; None where it leaves a request to Django."""
        headers = [
            (name[5:].replace("_", "-").lower().encode(), str(value).encode("latin-1"))
            for name, value in environ.items()
            if name.startswith("HTTP_") and (value or name != "HTTP_COOKIE")
        ]
        headers += [
            (name.replace("_", "-").lower().encode(), str(environ[name]).encode())
            for name in ("CONTENT_TYPE", "CONTENT_LENGTH")
            if environ.get(name)
        ]
        if not environ.get("HTTP_HOST"):
            headers.append((b"host", b"testserver"))
        scope = {
            "type": "http", "method": environ["REQUEST_METHOD"], "path": environ["PATH_INFO"], "headers": headers,
            "query_string": environ.get("QUERY_STRING", "").encode(), "client": ("127.0.0.1", 1),
            "server": ("testserver", 80), "scheme": environ.get("wsgi.url_scheme", "http"),
        }  # fmt: skip
        command = incoming(scope, body, new_event_loop()) if is_usual(scope) else None
        if command is None:
            return None
        self._remember(environ.get("HTTP_AUTHORIZATION", ""))
        with transaction.atomic():
            ((_, response),) = writers.play(Batch({command.game: [command]}, waits=True)).answered
            transaction.set_rollback(True)
        STATE_CACHE.clear()
        return shown(response) if response is not None else None

    def _remember(self, authorization: str) -> None:
        """Let the process know whom a token speaks for, as after a first request."""
        with suppress(Fault):
            principal = user_and_token_of_header(authorization)
            fast_auth._known.put(keys.digest(authorization.partition(" ")[2].strip()), principal)


@pytest.fixture
def through_both_doors(monkeypatch: pytest.MonkeyPatch) -> Iterator[BothDoors]:
    """Compare the door's answers with those of Django, for each command that is sent meanwhile."""
    doors, request = BothDoors(), Client.request
    viewers._known.clear()
    monkeypatch.setattr("games.runtime.session.os", SimpleNamespace(urandom=lambda count: b"x" * count))
    monkeypatch.setattr(writers, "spend_many", lambda *_: [(True, Spent(1200, 1199, 1))] * _[-1])

    def ask_both(self: Client, **environ: Any) -> Any:
        if environ.get("REQUEST_METHOD") != "POST" or self.cookies:
            return request(self, **environ)
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        found = doors.ask(self._base_environ(**environ), body)
        response = request(self, **{**environ, "wsgi.input": FakePayload(body)})
        if found is not None:
            doors.compared += 1
            other = shown(response)
            headers = found[1].items() ^ other[1].items()
            assert found == other, (found[0], other[0], headers, found[2][:600], other[2][:600])
        return response

    monkeypatch.setattr(Client, "request", ask_both)
    yield doors
