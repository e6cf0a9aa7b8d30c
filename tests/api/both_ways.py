"""One story of requests, sent through Django with empty caches and through the door with warm ones: all of it is equal.

A way answers each request whole (status, every header, bytes) and leaves its effects; what a way did is taken back
before the next one begins. The clock stands, and no dice or salts differ, so nothing need be left out of a comparison.
"""

import json
from asyncio import new_event_loop
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

from django.core.cache import caches
from django.db import transaction
from django.test import Client, TestCase

from accounts import keys
from accounts.models import Scope
from api.common import fast_auth
from api.common.authentication import user_and_token_of_header
from api.door import writers
from api.door.answers import Answer
from api.door.incoming import incoming, is_usual
from api.door.queue import Batch
from core.process_cache import clear_process_caches
from games.models import Game, LoggedEvent, Prompt, Receipt, Seat, Timer
from tests.api.worlds import bearer, user


@dataclass(frozen=True, slots=True)
class Ask:
    """One request. scopes: of the token, all of them when none is named."""

    who: str
    command: str
    body: Mapping[str, Any] | str = field(default_factory=dict)
    query: str = ""
    key: str = ""
    scopes: tuple[Scope, ...] = ()


Step: TypeAlias = Ask | Callable[[], object]
"""A request, or what happens between two of them."""


@dataclass(frozen=True, slots=True)
class Told:
    """The answer to one request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def short(self) -> str:
        """Its status, the code of a refusal, and whether it repeats a former answer."""
        said = json.loads(self.body) if self.body else {}
        return " ".join(filter(None, (str(self.status), said.get("code", ""), "again" * bool(said.get("replayed")))))


@dataclass(frozen=True, slots=True)
class Went:
    """How a story went: the answers, the rows that it left, and how many requests the door took."""

    told: list[Told]
    rows: dict[str, list[Any]]
    taken: int = 0


class Sender:
    """Sends the requests of stories to one game."""

    def __init__(self, game: UUID) -> None:
        self.game = game
        self._headers: dict[tuple[str, tuple[Scope, ...]], str] = {}

    def token(self, who: str, scopes: tuple[Scope, ...] = ()) -> str:
        """The header of a person's token with these scopes; made once."""
        key = who, scopes
        if key not in self._headers:
            self._headers[key] = bearer(user(who), *scopes)["Authorization"]
        return self._headers[key]

    def _mint_tokens(self, story: Sequence[Step]) -> None:
        """Those that are shown in a story: they outlive it."""
        for step in story:
            if isinstance(step, Ask):
                self.token(step.who, step.scopes)

    def through_django(self, story: Sequence[Step]) -> Went:
        """Each request by itself, in a process that remembers nothing."""
        told = []
        self._mint_tokens(story)
        with taken_back():
            for step in story:
                clear_process_caches()
                if isinstance(step, Ask):
                    told.append(self._django(step))
                else:
                    step()
            return Went(told, self._rows())

    def through_door(self, story: Sequence[Step], *, together: bool) -> Went:
        """Through the door of a process that has seen everybody before. together: what it takes is played in one go."""
        told: dict[int, Told] = {}
        waiting: list[tuple[int, Ask, Any]] = []
        taken = 0

        def flush() -> None:
            nonlocal taken
            if not waiting:
                return
            batch = Batch({self.game: [command for _, _, command in waiting]}, waits=True)
            with TestCase.captureOnCommitCallbacks(execute=True):  # the state stays in this process
                answered = writers.play(batch).answered
            found = dict(answered)
            for at, ask, command in waiting:
                response = found[command]
                taken += response is not None
                told[at] = self._django(ask) if response is None else _told(response)
            waiting.clear()

        self._mint_tokens(story)
        with taken_back():
            for at, step in enumerate(story):
                if not isinstance(step, Ask):
                    flush()
                    step()
                    continue
                self._remember(self.token(step.who, step.scopes))
                command = self._incoming(step)
                if command is None:
                    flush()
                    told[at] = self._django(step)
                    continue
                waiting.append((at, step, command))
                if not together:
                    flush()
            flush()
            return Went([told[at] for at in sorted(told)], self._rows(), taken)

    def play(self, asked: Sequence[Ask]) -> list[Told]:
        """What the door answers to requests that come in at one moment; it takes all of them."""
        self._mint_tokens(asked)
        for each in asked:
            self._remember(self.token(each.who, each.scopes))
        commands = [self._incoming(each) for each in asked]
        with TestCase.captureOnCommitCallbacks(execute=True):
            answered = writers.play(Batch({self.game: commands}, waits=True)).answered
        return [_told(dict(answered)[each]) for each in commands]

    def _path(self, ask: Ask) -> str:
        return f"/api/v1/games/{self.game}/" + ("join/" if ask.command == "join" else f"commands/{ask.command}/")

    def _body(self, ask: Ask) -> bytes:
        return (ask.body if isinstance(ask.body, str) else json.dumps(ask.body)).encode()

    def _given(self, ask: Ask) -> dict[str, str]:
        given = {"Authorization": self.token(ask.who, ask.scopes), "X-Request-Id": "the-same-request"}
        return given | ({"Idempotency-Key": ask.key} if ask.key else {})

    def _django(self, ask: Ask) -> Told:
        with TestCase.captureOnCommitCallbacks(execute=True):
            response = Client().generic(
                "POST", self._path(ask), self._body(ask), "application/json",
                QUERY_STRING=ask.query, headers=self._given(ask),
            )  # fmt: skip
        return _told(response)

    def _incoming(self, ask: Ask) -> Any:
        body = self._body(ask)
        given = {"Host": "testserver", "Content-Type": "application/json", "Content-Length": str(len(body))}
        scope = {
            "type": "http", "method": "POST", "path": self._path(ask), "query_string": ask.query.encode(),
            "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in (given | self._given(ask)).items()],
            "scheme": "http", "client": ("127.0.0.1", 1), "server": ("testserver", 80),
        }  # fmt: skip
        return incoming(scope, body, new_event_loop()) if is_usual(scope) else None

    def _remember(self, header: str) -> None:
        """Let the process know whom a token speaks for, as after a first request, where it has not forgotten it."""
        secret = keys.digest(header.partition(" ")[2])
        if fast_auth._known.get(secret) is None:
            fast_auth._known.put(secret, user_and_token_of_header(header))

    def _rows(self) -> dict[str, list[Any]]:
        """What stands in the rows of the game."""
        of_game = {"game": self.game}
        return {
            "log": list(
                LoggedEvent.objects.filter(**of_game).order_by("seq").values_list("type", "audience", "body", "digest")
            ),
            "receipts": list(
                Receipt.objects.filter(**of_game)
                .order_by("principal", "key")
                .values_list("principal", "key", "command", "fingerprint", "first_seq", "last_seq")
            ),
            "seats": list(Seat.objects.filter(**of_game).order_by("pk").values_list("pk", "role", "name", "user_id")),
            "prompts": list(Prompt.objects.filter(**of_game).order_by("pk").values_list("pk", "opened_at")),
            "timers": list(Timer.objects.filter(**of_game).order_by("key").values_list("key", "due", "left")),
            "game": list(Game.objects.filter(pk=self.game).values_list("seq", "digest", "status")),
        }


def _told(response: Any) -> Told:
    """What a client has of Django's answer, or of the door's."""
    found = response if isinstance(response, Answer) else Answer.of(response)
    headers = {name.decode(): value.decode("latin-1") for name, value in found.headers}
    return Told(found.status, headers, found.body)


class taken_back:
    """Whatever is written meanwhile is taken back; nothing is remembered before it, no budget is spent."""

    def __enter__(self) -> None:
        clear_process_caches()
        for name in ("throttles", "responses"):
            caches[name].clear()
        self._atomic = transaction.atomic()
        self._atomic.__enter__()

    def __exit__(self, *why: Any) -> None:
        transaction.set_rollback(True)
        self._atomic.__exit__(*why)
        clear_process_caches()
