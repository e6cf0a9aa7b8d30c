"""One request to a receiver: to addresses that were judged, within a time, with no redirect followed.

Of the answer status and headers are read, and no more of the body than is wanted, so its size is nobody's matter.
"""

import asyncio
import ssl
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache

import httpcore

from api.outbound.addresses import UnfitAddressError, resolve

TOTAL_SECONDS = 10.0
"""From the first packet to the last header of the answer."""
MAX_RETRY_AFTER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an attempt: a status, or the code of what went wrong."""

    status: int | None = None
    error: str = ""
    retry_after: str = ""
    """The header of that name."""
    body: bytes = b""
    """As much of it as was wanted; empty where it is longer."""

    @property
    def is_success(self) -> bool:
        """Whether the receiver has taken the message: 2xx alone."""
        return self.status is not None and 200 <= self.status < 300

    def retry_pause(self, now: datetime) -> timedelta:
        """How long the receiver wants to be left alone: with 429 and 503, a day at most; none where it says nothing."""
        if self.status not in (429, 503) or not self.retry_after:
            return timedelta(0)
        if self.retry_after.isascii() and self.retry_after.isdigit():
            wanted = timedelta(seconds=int(self.retry_after[:9]))
        else:
            wanted = _until(self.retry_after, now)
        return min(max(wanted, timedelta(0)), MAX_RETRY_AFTER)


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Connects to given addresses, whatever name is asked for; certificates are judged by the name all the same."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first of the addresses that takes one. Raises httpcore.ConnectError."""
        failure: Exception = httpcore.ConnectError("There is no address.")
        for address in self._addresses:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore.ConnectError as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post a body once. Never raises for what the other side does."""
    return send("POST", url, body, headers)


def send(method: str, url: str, body: bytes, headers: Mapping[str, str], *, most_bytes: int = 0) -> Answer:
    """Send a request once. Never raises for what the other side does.

    most_bytes: of the body of the answer that are wanted.
    """
    try:
        return asyncio.run(_send(method, url, body, headers, resolve(url), most_bytes))
    except UnfitAddressError as unfit:
        return Answer(error=unfit.code)
    except TimeoutError:
        return Answer(error="time.exceeded")
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol):
        return Answer(error="answer.unreadable")
    except (httpcore.NetworkError, httpcore.TimeoutException, OSError):
        return Answer(error="connection.failed")


async def _send(
    method: str, url: str, body: bytes, headers: Mapping[str, str], addresses: Sequence[str], most_bytes: int
) -> Answer:
    pool = httpcore.AsyncConnectionPool(
        ssl_context=certificates(), max_connections=1, retries=0, network_backend=PinnedBackend(addresses)
    )
    asked = pool.stream(method, url, headers=list(headers.items()), content=body)
    async with asyncio.timeout(TOTAL_SECONDS), pool, asked as response:
        found = {name.lower(): value for name, value in response.headers}
        read = await _beginning(response, most_bytes) if most_bytes else b""
        return Answer(response.status, retry_after=found.get(b"retry-after", b"").decode("latin-1"), body=read)


async def _beginning(response: httpcore.Response, most_bytes: int) -> bytes:
    """The body of an answer; empty where it is longer."""
    read = b""
    async for chunk in response.aiter_stream():
        read += chunk
        if len(read) > most_bytes:
            return b""
    return read


@cache
def certificates() -> ssl.SSLContext:
    """The authorities that this machine trusts."""
    return ssl.create_default_context()


def _until(date: str, now: datetime) -> timedelta:
    """The time until a date of HTTP; none where it cannot be read."""
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return timedelta(0)
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now
