"""The stream of a game's events: server-sent events, resumed by cursor after a cut."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import httpx

from .refusals import Refusal
from .service import BUSY, Service, wait_seconds

EventT = TypeVar("EventT")
SILENCE_SECONDS = 45.0
"""The service says something at least each 15 s; after so long the line is dead."""
GATEWAYS = (502, 504)


@dataclass
class Frame:
    """One server-sent event, as far as it is read."""

    kind: str = ""
    id: str = ""
    data: str = ""
    retry: str = ""


def frames(lines: Iterator[str]) -> Iterator[Frame]:
    """The server-sent events of an answer, each ended by an empty line; comments are left out."""
    frame = Frame()
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                frame.kind = value
            case "id":
                frame.id = value
            case "data":
                frame.data = f"{frame.data}\n{value}" if frame.data else value
            case "retry":
                frame.retry = value
            case "" if not line:
                yield frame
                frame = Frame()


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

    def __iter__(self) -> Iterator[EventT]:
        if self.last:
            page = self.service.json("GET", self.path + "events/", query={**self.view, "last": self.last})
            self.last = 0
            for event in page["results"]:
                self.cursor = event["cursor"]
                yield event
            self.cursor = page["cursor"]
        while True:
            with suppress(httpx.TransportError):  # broken or silent: what follows is asked for again
                yield from self.connection()
            time.sleep(self.wait_seconds)

    def connection(self) -> Iterator[EventT]:
        """The events of one connection, until it ends. Raises Refusal, httpx.TransportError."""
        headers = {**self.service.headers, "Accept": "text/event-stream"}
        query = {**self.view} | ({"life": "1"} if self.on_life else {})
        if self.cursor:
            headers["Last-Event-ID"] = self.cursor
        elif self.begin:
            query["from"] = self.begin
        limits = httpx.Timeout(30.0, read=SILENCE_SECONDS)
        address = f"{self.service.base}{self.path}stream/"
        with self.service.http.stream("GET", address, params=query, headers=headers, timeout=limits) as answer:
            if answer.status_code != 200:
                answer.read()
                if answer.status_code not in (*BUSY, *GATEWAYS):
                    raise Refusal.of(answer)
                self.wait_seconds = wait_seconds(answer)
                return
            for frame in frames(answer.iter_lines()):
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
