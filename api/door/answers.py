"""What the door answers, as a server sends it, and the heads of answers, learned from the middleware's own.

To what is answered to a client of no other origin the middleware adds what it added to the one before, but for four
things: the request's id, the time, what is left of the budget, the length. So the first answer of each kind goes
through it, and those after it take its head (docs/performance.md has what that brings). What may be compressed, what is
refused, and what a page of another origin asks always goes through it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from api.common.compression import SMALLEST
from api.common.limits import header_time
from api.common.throttles import Spent

Head = Sequence[tuple[bytes, bytes]]
EACH = frozenset(
    {
        b"content-length",
        b"x-request-id",
        b"x-server-time",
        b"ratelimit-limit",
        b"ratelimit-remaining",
        b"ratelimit-reset",
    }
)
"""Headers that differ between answers of one kind."""
Kind = tuple[int, bool, bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, the headers in small letters, and a body."""

    status: int
    headers: Head
    body: bytes
    is_learned: bool = False
    """Whether its head was learned: then the log has no line of its request yet (`request_log.log_request`)."""

    @classmethod
    def of(cls, response: HttpResponse) -> Self:
        """What Django would send."""
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.items()]
        if "Content-Length" not in response:
            headers.append((b"content-length", b"%d" % len(response.content)))
        return cls(response.status_code, headers, response.content)


_learned: dict[Kind, Head] = {}
"""By status, whether it answers `commands/` and not `join/`, and whether the client came by https."""


def answer_by_learned_head(request: HttpRequest, status: int, body: bytes, spent: Spent) -> Answer | None:
    """The answer with the head of its kind; None where the middleware is to be asked."""
    head = _learned.get(_kind(request, status)) if _is_plain(request, body) else None
    if head is None:
        return None
    return Answer(
        status,
        [
            *head,
            (b"x-request-id", request.META["HTTP_X_REQUEST_ID"].encode()),
            (b"x-server-time", header_time(timezone.now()).encode()),
            (b"ratelimit-limit", b"%d" % spent.limit),
            (b"ratelimit-remaining", b"%d" % spent.remaining),
            (b"ratelimit-reset", b"%d" % spent.reset_seconds),
            (b"content-length", b"%d" % len(body)),
        ],
        body,
        is_learned=True,
    )


def learn(request: HttpRequest, answer: Answer) -> None:
    """Keep the head of an answer that came through the middleware for those of its kind, where it has one."""
    if _is_plain(request, answer.body):
        _learned[_kind(request, answer.status)] = [pair for pair in answer.headers if pair[0] not in EACH]


def _is_plain(request: HttpRequest, body: bytes) -> bool:
    """Whether the middleware does with an answer what it did with the one before."""
    may_be_packed = len(body) >= SMALLEST and "HTTP_ACCEPT_ENCODING" in request.META
    return "HTTP_ORIGIN" not in request.META and not may_be_packed


def _kind(request: HttpRequest, status: int) -> Kind:
    return status, "/commands/" in request.path, request.is_secure()
