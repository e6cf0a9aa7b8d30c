"""The guard of the streams, which stand beside Django and so see none of its middleware: hosts, origins, how many.

A page of another origin may open a stream where it may use REST: the same settings say so. Refusals are problem
documents, as in REST.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from time import time
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from accounts.oauth.origins import is_registered_origin
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.limits import WHITE_SPACE
from api.common.origins import is_origin_of_settings
from api.common.problems import MEDIA_TYPE, Problem
from api.common.throttles import rate_exceeded, spend
from api.streams.hub import hub
from core.addresses import network_of

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

IN_ALL = 10_000
FOR_ONE = 20
FOR_STRANGERS = 100
BUDGET = "screen"
"""What opening a stream spends from: a hall opens hundreds at once from one address."""


class Places:
    """How many streams are open in this process: in all, for one user, for the strangers of one address."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()

    def take(self, ident: str, most: int) -> None:
        """Open one more. Raises Fault (streams.many, 429)."""
        if self.taken.total() >= IN_ALL or self.taken[ident] >= most:
            raise Fault("streams.many", "Too many streams are open; close some, or share one.", most=most)
        self.taken[ident] += 1

    def free(self, ident: str) -> None:
        """Close one."""
        self.taken[ident] -= 1
        if self.taken[ident] <= 0:
            del self.taken[ident]


PLACES = Places()


def quota_of(principal: Principal, scope: Message) -> tuple[str, int]:
    """For whom a stream counts, and the most streams they may have."""
    if principal.user is not None:
        return f"user:{principal.user.pk}", FOR_ONE
    return f"address:{address_of(scope)}", FOR_STRANGERS


def address_of(scope: Message) -> str:
    """The client's address, of IPv6 its network: behind PROXIES proxies the one that the outermost of them saw."""
    forwarded = [part.strip() for part in header(scope, "x-forwarded-for").split(",") if part.strip()]
    if settings.PROXIES and forwarded:
        return network_of(forwarded[-min(settings.PROXIES, len(forwarded))])
    return network_of(str((scope.get("client") or ("",))[0]))


async def charge(scope: Message) -> None:
    """Count the opening of a stream by address, for users and strangers alike. Raises Fault (rate.exceeded, 429)."""
    within, spent = await hub().ask(spend, BUDGET, address_of(scope), time())
    if not within:
        raise rate_exceeded(spent)


def header(scope: Message, name: str) -> str:
    """A header of a request; empty when it is absent."""
    wanted = name.lower().encode()
    return next(
        (value.decode("latin-1").strip(WHITE_SPACE) for key, value in scope["headers"] if key.lower() == wanted), ""
    )


async def check_origin(scope: Message) -> list[tuple[bytes, bytes]]:
    """The CORS headers for the asker. Raises Fault: request.unfit for a strange host, origin.refused (403)."""
    host = header(scope, "host")
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS or (".localhost", "127.0.0.1", "[::1]")):
        raise Fault("request.unfit", "This service does not answer under that host name.")
    origin = header(scope, "origin")
    if not origin or urlsplit(origin).netloc == host:
        return []
    if not (is_origin_of_settings(origin) or await hub().ask(is_registered_origin, origin)):
        raise Fault(
            "origin.refused",
            "Pages of that origin may not open streams here; CORS_ORIGINS and applications list those that may.",
        )
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", ", ".join(settings.CORS_EXPOSE_HEADERS).encode()),
        (b"vary", b"Origin"),
    ]


def preflight(cors: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers that answer a browser's question before a request of another origin."""
    return [
        *cors,
        (b"access-control-allow-methods", b"GET"),
        (b"access-control-allow-headers", ", ".join((*settings.CORS_ALLOW_HEADERS, "cache-control")).encode()),
        (b"access-control-max-age", b"86400"),
    ]


async def respond(send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes = b"") -> None:
    """One whole answer."""
    lengths = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *lengths]})
    await send({"type": "http.response.body", "body": body})


async def refuse(send: Send, problem: Problem, cors: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """A problem document."""
    given = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    body = problem.response.content
    await respond(send, problem.status, [*given, *cors, (b"content-type", MEDIA_TYPE.encode())], body)
