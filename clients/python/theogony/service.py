"""Requests: the token, retries, pages. What a ruleset adds is generated on top (`theogony.gods2` and others)."""

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from .refusals import Refusal

Query = Mapping[str, str | int | bool | None]
BUSY = (429, 503)
LONGEST_WAIT_SECONDS = 60.0
"""No answer makes us wait longer for the next try."""


class Service:
    """One service, and who holds the token.

    base: address of the service, as `https://play.example`. token: empty to read what is public.
    attempts: how often a request is sent before 429, 503 or a broken connection is the caller's. http: a client of
    httpx of one's own, with other time limits or proxies. Raises ValueError when `base` is no address.
    """

    def __init__(self, base: str, token: str = "", *, attempts: int = 5, http: httpx.Client | None = None) -> None:
        if httpx.URL(base).scheme not in ("http", "https"):
            raise ValueError(f"{base!r} is no address of a service.")
        self.base, self.attempts = base.rstrip("/"), max(1, attempts)
        self.http = http or httpx.Client(timeout=30.0)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request; again after 429 and 503, when `Retry-After` says.

        After a broken connection it is sent again only where that does no harm: a read, or a request with a key.
        Raises Refusal for every answer from 400 on, httpx.TransportError.
        """
        wanted = {**self.headers, **(headers or {})}
        harmless = method == "GET" or "Idempotency-Key" in wanted
        for left in range(self.attempts - 1, -1, -1):
            try:
                answer = self.http.request(
                    method, self.base + path, params=parameters(query), json=body, headers=wanted
                )
            except httpx.TransportError:
                if not (harmless and left):
                    raise
                time.sleep(1)
                continue
            if answer.status_code not in BUSY or not left:
                break
            time.sleep(wait_seconds(answer))
        if answer.status_code >= 400:
            raise Refusal.of(answer)
        return answer

    def json(self, method: str, path: str, **how: Any) -> Any:
        """The JSON of an answer; None of an empty one. Raises as `request`."""
        answer = self.request(method, path, **how)
        return answer.json() if answer.content else None

    def text(self, path: str, query: Query | None = None) -> str:
        """The text of an answer: a picture, a chronicle. Raises as `request`."""
        return self.request("GET", path, query=query).text

    def pages(self, path: str, query: Query | None = None) -> Iterator[Any]:
        """Each entry of a list, page after page; asked for as they are read. Raises as `request`."""
        page = self.json("GET", path, query=query)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            # The address may name the service as a proxy knows it: only its path and query are taken.
            page = self.json("GET", httpx.URL(page["next"]).raw_path.decode())


def parameters(query: Query | None) -> dict[str, str] | None:
    """The query as it is sent: without what is None, booleans as 1 and 0. None leaves that of the address alone."""
    if query is None:
        return None
    found = {name.rstrip("_"): value for name, value in query.items() if value is not None}
    return {name: str(int(value) if isinstance(value, bool) else value) for name, value in found.items()}


def wait_seconds(answer: httpx.Response) -> float:
    """Seconds until the next try, as `Retry-After` says; 1 where it says nothing in seconds."""
    said = answer.headers.get("Retry-After", "")
    return min(float(said), LONGEST_WAIT_SECONDS) if said.isdecimal() else 1.0
