"""A command as it comes in over HTTP: what the door takes, and what it leaves to Django.

The door takes what players send: a POST of JSON with a token. Whatever is unusual (cookies, conditions, other media
types, parameters that are unknown or doubled, bodies without end) is Django's, whose answer is the same for both.
"""

import re
from asyncio import AbstractEventLoop, Future
from collections.abc import MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from time import perf_counter
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.http import QueryDict

from accounts import keys
from api.common.authentication import SCHEME, Principal
from api.common.limits import WHITE_SPACE, request_id_for, trim_headers
from api.common.throttles import Spent
from api.door.answers import Answer
from api.representations.issuing.issue import KEY, CommandRequest
from api.rest.base import MAX_CHARACTERS, UUID_SHAPE

Message = MutableMapping[str, Any]
PATH = re.compile(
    r"/api/v1/games/(?P<game>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?:commands/(?P<name>[a-z0-9-]+)/|join/)"
)
UNUSUAL = frozenset(
    {
        b"cookie",
        b"if-match",
        b"if-none-match",
        b"transfer-encoding",
        b"content-encoding",
        b"expect",
        b"x-http-method-override",
    }
)
"""Headers of requests that are left to Django."""
ONCE = frozenset({b"authorization", b"content-type", b"content-length", b"idempotency-key", b"accept", b"host"})
JSON = (b"", b"application/json", b"application/json; charset=utf-8")
ANYTHING = (b"", b"*/*", b"application/json", b"application/json, */*", b"application/json, text/plain, */*")
PARAMETERS = frozenset({"seat", "as", "expected", "dry_run"})
SWITCHES = {"0": False, "1": True}
MOST_KEPT = 400
"""Characters of a query that is kept; one with a seat and a cursor has some 200."""
Parameters = tuple[UUID | None, str, str, bool]
"""Seat, view, expected cursor, dry run."""


@dataclass(slots=True, eq=False)
class Incoming:
    """A command that has come in, and where its answer is awaited; None is answered where Django is to be asked."""

    request: ASGIRequest
    loop: AbstractEventLoop
    answer: "Future[Answer | None]"
    game: UUID
    name: str
    raw: bytes
    secret: str
    """The digest of the token."""
    key: str
    seat: UUID | None
    as_: str
    expected: str
    dry_run: bool
    since: float
    budget: tuple[bool, Spent] | None = None
    """Whether it is within its sender's budget, and what is left: counted once, however often it waits again."""

    @property
    def request_id(self) -> str:
        """What the client, its answer and the log call this request."""
        return str(self.request.META["HTTP_X_REQUEST_ID"])

    def request_of(self, principal: Principal) -> CommandRequest:
        """The same as somebody issues it."""
        return CommandRequest(
            principal=principal, game=self.game, name=self.name, body=self.raw, seat=self.seat,
            as_gm=self.as_ == "gm", expected=self.expected, dry_run=self.dry_run,
        )  # fmt: skip


def is_usual(scope: Message) -> bool:
    """Whether the door may take a request, by its head: before any of its body is read."""
    if scope["type"] != "http" or scope["method"] != "POST" or not PATH.fullmatch(scope["path"]):
        return False
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in UNUSUAL or (name in ONCE and name in headers):
            return False
        headers[name] = value.strip(WHITE_SPACE.encode())
    length = headers.get(b"content-length", b"0")
    return (
        headers.get(b"authorization", b"").lower().startswith(SCHEME.encode() + b" ")
        and headers.get(b"content-type", b"").lower() in JSON
        and headers.get(b"accept", b"") in ANYTHING
        and length.isdigit()
        and int(length) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    )


def incoming(scope: Message, raw: bytes, loop: AbstractEventLoop) -> Incoming | None:
    """The command in a usual request with its whole body; None where it is Django's after all."""
    found = PATH.fullmatch(scope["path"])
    if found is None or not _fits_length(scope, raw):
        return None
    request = ASGIRequest(scope, BytesIO(raw))
    trim_headers(request.META)
    asked = parameters_of(request.META["QUERY_STRING"])
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if asked is None or not _is_ours(request) or (key is not None and not KEY.fullmatch(key)):
        return None
    name = found["name"] or "join"
    if name == "join" and b"code" in raw:
        return None
    seat, as_, expected, dry_run = asked
    request.META["HTTP_X_REQUEST_ID"] = request_id_for(request.META.get("HTTP_X_REQUEST_ID", ""))
    secret = keys.digest(request.META["HTTP_AUTHORIZATION"].strip().partition(" ")[2].strip())
    return Incoming(
        request, loop, loop.create_future(), UUID(found["game"]), name, raw, secret, "" if dry_run else key or "",
        seat, as_, expected, dry_run, perf_counter(),
    )  # fmt: skip


def _fits_length(scope: Message, raw: bytes) -> bool:
    """Whether the body is as long as was said."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(declared) == len(raw)


def _is_ours(request: ASGIRequest) -> bool:
    """Whether the service answers under this host name, and without sending the client elsewhere first."""
    try:
        request.get_host()
    except SuspiciousOperation:
        return False
    return request.is_secure() or not settings.SECURE_SSL_REDIRECT


def parameters_of(text: str) -> Parameters | None:
    """The parameters in the query of an address; None where one is not as it should be.

    Who plays sends the same again and again, and to read them was a thirtieth of a command: short ones are kept. What
    is long is not, since nobody has been asked for a right yet.
    """
    return _kept_parameters(text) if len(text) <= MOST_KEPT else _read_parameters(text)


@lru_cache(maxsize=4_096)
def _kept_parameters(text: str) -> Parameters | None:
    return _read_parameters(text)


def _read_parameters(text: str) -> Parameters | None:
    query = QueryDict(text)
    if not query:
        return None, "", "", False
    if query.keys() - PARAMETERS or any(len(values) != 1 for _, values in query.lists()):
        return None
    seat, switch = query.get("seat"), query.get("dry_run", "0")
    if (seat is not None and not UUID_SHAPE.fullmatch(seat)) or query.get("as", "gm") != "gm":
        return None
    expected = query.get("expected", "")
    if switch not in SWITCHES or len(expected) > MAX_CHARACTERS or "\0" in expected:
        return None
    return UUID(seat) if seat else None, query.get("as", ""), expected, SWITCHES[switch]
