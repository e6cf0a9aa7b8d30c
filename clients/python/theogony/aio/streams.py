"""The stream of a game's events: server-sent events, resumed by cursor after a cut."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, Generic, Literal, TypeVar

import httpx

from ..refusals import Refusal
from ..wire import BUSY, GATEWAYS, SILENCE_SECONDS, Frames, wait_seconds
from .service import Service

EventT = TypeVar("EventT")


class Stream(Generic[EventT]):
    """The events of a game, without a gap and none twice: iterate. It ends only when it is left.

    `cursor` is where it stands: behind the last event that was handed out. Kept, it lets a later stream go on there.
    A connection that breaks is opened again behind that cursor. Raises Refusal: 410 `cursor.ahead` when the log was
    restored from an earlier copy (read the state again), 401 and 404 when one may no longer read.
    """

    def __init__(
        self,
        service: Service,
        path: str,
        view: Mapping[str, str],
        *,
        after: str = "",
        last: int = 0,
        begin: Literal["", "now"] = "",
        on_life: Callable[[Mapping[str, Any]], None] | None = None,
    ) -> None:
        if sum((bool(after), bool(last), bool(begin))) > 1:
            raise ValueError("A stream begins at one place: `after`, `last` or `begin`.")
        self.service, self.path, self.view = service, path, dict(view)
        self.cursor, self.last, self.begin, self.on_life = after, last, begin, on_life
        self.wait_seconds = 2.0

    async def __aiter__(self) -> AsyncIterator[EventT]:
        if self.last:
            page = await self.service.json("GET", self.path + "events/", query={**self.view, "last": self.last})
            self.last = 0
            for event in page["results"]:
                self.cursor = event["cursor"]
                yield event
            self.cursor = page["cursor"]
        while True:
            with suppress(httpx.TransportError):  # broken or silent: what follows is asked for again
                async for event in self.connection():
                    yield event
            await asyncio.sleep(self.wait_seconds)

    async def connection(self) -> AsyncIterator[EventT]:
        """The events of one connection, until it ends. Raises Refusal, httpx.TransportError."""
        headers = {**self.service.headers, "Accept": "text/event-stream"}
        query = {**self.view} | ({"life": "1"} if self.on_life else {})
        if self.cursor:
            headers["Last-Event-ID"] = self.cursor
        elif self.begin:
            query["from"] = self.begin
        limits = httpx.Timeout(30.0, read=SILENCE_SECONDS)
        address = f"{self.service.base}{self.path}stream/"
        async with self.service.http.stream("GET", address, params=query, headers=headers, timeout=limits) as answer:
            if answer.status_code != 200:
                await answer.aread()
                if answer.status_code not in (*BUSY, *GATEWAYS):
                    raise Refusal.of(answer)
                self.wait_seconds = wait_seconds(answer)
                return
            frames = Frames()
            async for line in answer.aiter_lines():
                if not (frame := frames.feed(line)):
                    continue
                if frame.retry.isdecimal():
                    self.wait_seconds = int(frame.retry) / 1000
                if frame.kind == "bye":
                    return
                if frame.kind == "life" and self.on_life:
                    self.on_life(json.loads(frame.data))
                if frame.id:
                    self.cursor = frame.id
                    if frame.data:
                        yield json.loads(frame.data)
