"""Requests: the token, retries, pages. What a ruleset adds is generated on top (`theogony.gods2` and others)."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from ..refusals import Refusal
from ..wire import BUSY, Query, parameters, wait_seconds


class Service:
    """One service, and who holds the token.

    base: address of the service, as `https://play.example`. token: empty to read what is public.
    attempts: how often a request is sent before 429, 503 or a broken connection is the caller's. http: a client of
    httpx of one's own, with other time limits or proxies. Raises ValueError when `base` is no address.
    """

    def __init__(self, base: str, token: str = "", *, attempts: int = 5, http: httpx.AsyncClient | None = None) -> None:
        if httpx.URL(base).scheme not in ("http", "https"):
            raise ValueError(f"{base!r} is no address of a service.")
        self.base, self.attempts = base.rstrip("/"), max(1, attempts)
        self.http = http or httpx.AsyncClient(timeout=30.0)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def request(
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
                answer = await self.http.request(
                    method, self.base + path, params=parameters(query), json=body, headers=wanted
                )
            except httpx.TransportError:
                if not (harmless and left):
                    raise
                await asyncio.sleep(1)
                continue
            if answer.status_code not in BUSY or not left:
                break
            await asyncio.sleep(wait_seconds(answer))
        if answer.status_code >= 400:
            raise Refusal.of(answer)
        return answer

    async def json(self, method: str, path: str, **how: Any) -> Any:
        """The JSON of an answer; None of an empty one. Raises as `request`."""
        answer = await self.request(method, path, **how)
        return answer.json() if answer.content else None

    async def text(self, path: str, query: Query | None = None) -> str:
        """The text of an answer: a picture, a chronicle. Raises as `request`."""
        answer = await self.request("GET", path, query=query)
        return answer.text

    async def pages(self, path: str, query: Query | None = None) -> AsyncIterator[Any]:
        """Each entry of a list, page after page; asked for as they are read. Raises as `request`."""
        page = await self.json("GET", path, query=query)
        while True:
            for entry in page["results"]:
                yield entry
            if not page["next"]:
                return
            # The address may name the service as a proxy knows it: only its path and query are taken.
            page = await self.json("GET", httpx.URL(page["next"]).raw_path.decode())
