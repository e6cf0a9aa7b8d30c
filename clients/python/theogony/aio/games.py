"""One game: its state, its log, its commands. The commands' methods are generated on top of this."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Generic, Literal, TypeVar
from uuid import uuid4

from ..wire import Query
from .service import Service
from .streams import Stream

EventT = TypeVar("EventT")
StateT = TypeVar("StateT")


class GameBase(Generic[EventT, StateT]):
    """A game, as one seat sees it.

    seat: which of your seats acts and sees; needed where you hold several. as_gm: as game-master.
    """

    def __init__(self, service: Service, game: str, *, seat: str = "", as_gm: bool = False) -> None:
        self.service, self.id = service, game
        self.path = f"/api/v1/games/{game}/"
        self.view: dict[str, str] = ({"seat": seat} if seat else {}) | ({"as": "gm"} if as_gm else {})
        self.latest: tuple[str, StateT] | None = None

    async def read(self, rest: str, query: Query | None = None) -> Any:
        """The JSON of an address below the game's. Raises Refusal, httpx.TransportError."""
        return await self.service.json("GET", self.path + rest, query={**self.view, **(query or {})})

    async def text(self, rest: str, query: Query | None = None) -> str:
        """The text of an address below the game's. Raises Refusal, httpx.TransportError."""
        return await self.service.text(self.path + rest, {**self.view, **(query or {})})

    async def post(
        self, rest: str, body: object = None, *, key: str | None = None, query: Query | None = None, keyed: bool = True
    ) -> Any:
        """Send to an address below the game's; with a key, where one is taken, so that a retry does nothing twice."""
        headers = {"Idempotency-Key": key or str(uuid4())} if keyed else {}
        found = {**self.view, **(query or {})}
        return await self.service.json("POST", self.path + rest, query=found, body=body, headers=headers)

    async def send(
        self, command: str, body: object = None, *, key: str | None = None, expected: str | None = None
    ) -> Any:
        """Execute a command whose name is learned at run time; each known one has a method of its own.

        key: the intention's; made here when absent, and the same for each retry. Give one to send again later.
        expected: refuse (412 `position.stale`) when something happened since this cursor that you may see.
        """
        return await self.post(f"commands/{command}/", body or {}, key=key, query={"expected": expected})

    async def state(self) -> StateT:
        """Everything that you may see, with `cursor`; the former answer while nothing has happened."""
        known = {"If-None-Match": self.latest[0]} if self.latest else {}
        answer = await self.service.request("GET", self.path + "state/", query=self.view, headers=known)
        if answer.status_code != 304 or self.latest is None:
            self.latest = (answer.headers["ETag"], answer.json())
        return self.latest[1]

    async def history(self, after: str = "") -> AsyncIterator[EventT]:
        """Each event behind a cursor up to now, in order; page after page, asked for as they are read."""
        more = True
        while more:
            page = await self.read("events/", {"after": after or None, "limit": 500})
            for event in page["results"]:
                yield event
            after, more = page["cursor"], page["more"]

    def stream(
        self,
        *,
        after: str = "",
        last: int = 0,
        begin: Literal["", "now"] = "",
        on_life: Callable[[Mapping[str, Any]], None] | None = None,
    ) -> Stream[EventT]:
        """The events as they happen, for ever; see Stream.

        Where it begins is said once: `after` a cursor, with the `last` so many events, with what happens from "now"
        on, or, when nothing is said, with the first event of the game. on_life: called with status, chapter, step and
        who is waited for, at first and when that changes.
        """
        return Stream(self.service, self.path, self.view, after=after, last=last, begin=begin, on_life=on_life)
