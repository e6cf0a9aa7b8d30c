"""The hand-made part of the Python client: retries, keys, pages, refusals, a stream that is cut. No service runs.

Each test is run with the client for asyncio, and with the one that blocks, which is made from it.
"""

import asyncio
import importlib
import inspect
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from typing import Any

import httpx
import pytest

from clients import build
from clients.python import unasync
from clients.python.theogony.choices import choices
from tests.clients.assembled import importable

Answers = list[httpx.Response | Exception]
BUSY = {"code": "throttled", "detail": "Too many requests.", "rules": [], "facts": {}}


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that breaks off behind its last piece."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces
        raise httpx.ReadError("cut")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        raise httpx.ReadError("cut")


class Wire:
    """A service that gives prepared answers, and what it was asked."""

    def __init__(self) -> None:
        self.answers: Answers = []
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture(scope="module", params=["theogony", "theogony.aio"])
def package(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the client, of which nothing is made from a document."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "DOCUMENTS", [])
        with importable(tmp_path_factory.mktemp("clients") / "python"):
            yield request.param


@pytest.fixture
def refusal(package: str) -> Any:
    """The exception of the client."""
    return importlib.import_module(package).Refusal


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have waited, each time."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(time, "sleep", found.append)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return found


@pytest.fixture
def wire(waits: list[float]) -> Wire:
    return Wire()


@pytest.fixture
def service_of(package: str) -> Any:
    """The class of services."""
    return importlib.import_module(f"{package}.service").Service


@pytest.fixture
def theogony(wire: Wire, package: str, service_of: Any) -> Any:
    client = httpx.AsyncClient if package.endswith("aio") else httpx.Client
    return service_of("https://play.example/", "theo_1", http=client(transport=httpx.MockTransport(wire)))


@pytest.fixture
def game(theogony: Any, package: str) -> Any:
    return importlib.import_module(f"{package}.games").GameBase(theogony, "g")


def done(result: Any) -> Any:
    """What a method returns, waited for where it is to be awaited."""
    return asyncio.run(result) if inspect.isawaitable(result) else result


def first(entries: Any, count: int = 100) -> list[Any]:
    """So many entries of an iterator of either kind."""
    if not hasattr(entries, "__aiter__"):
        return list(islice(entries, count))

    async def read() -> list[Any]:
        found: list[Any] = []
        async for entry in entries:
            found.append(entry)
            if len(found) == count:
                break
        return found

    return asyncio.run(read())


def event(cursor: str) -> bytes:
    return f"id: {cursor}\nevent: toy.StonesAdded\ndata: {json.dumps({'cursor': cursor})}\n\n".encode()


def busy(status: int, seconds: str) -> httpx.Response:
    return httpx.Response(status, json=BUSY, headers={"Retry-After": seconds})


@pytest.mark.parametrize("base", ["", "play.example", "ftp://play.example"])
def test_a_base_that_is_no_address_is_refused_at_once(base, service_of):
    with pytest.raises(ValueError, match="no address"):
        service_of(base)


def test_a_busy_service_is_asked_again_when_it_says_under_the_same_key(wire, waits, game):
    wire.answers = [
        busy(429, "7"),
        busy(503, "2"),
        httpx.ConnectError("down"),
        httpx.Response(201, json={"cursor": "c"}),
    ]

    assert done(game.send("pause", {"reason": "Tea."})) == {"cursor": "c"}

    assert waits == [7.0, 2.0, 1]
    assert len({request.headers["Idempotency-Key"] for request in wire.asked}) == 1
    assert {request.content for request in wire.asked} == {b'{"reason":"Tea."}'}
    assert {request.headers["Authorization"] for request in wire.asked} == {"Bearer theo_1"}


def test_each_command_has_a_key_of_its_own_unless_one_is_given(wire, game):
    wire.answers = [httpx.Response(201, json={}) for _ in range(3)]
    done(game.send("pause"))
    done(game.send("pause"))
    done(game.send("pause", key="mine", expected="c1"))
    keys = [request.headers["Idempotency-Key"] for request in wire.asked]
    assert len(set(keys)) == 3 and keys[2] == "mine"
    assert dict(wire.asked[2].url.params) == {"expected": "c1"}


def test_a_service_that_stays_busy_is_a_refusal_in_the_end(wire, waits, game, refusal):
    wire.answers = [busy(429, "1") for _ in range(5)]
    with pytest.raises(refusal, match=r"throttled: Too many requests\.") as found:
        done(game.send("pause"))
    assert (found.value.status, len(waits)) == (429, 4)


def test_what_has_no_key_is_not_sent_twice_over_a_broken_line(wire, theogony):
    wire.answers = [httpx.ReadError("cut")]
    with pytest.raises(httpx.ReadError):
        done(theogony.json("POST", "/api/v1/tokens/", body={}))
    assert len(wire.asked) == 1


@pytest.mark.parametrize("body", [b"<html>Bad Gateway</html>", b"[]"])
def test_an_answer_of_a_gateway_is_a_refusal_without_a_problem(wire, theogony, body, refusal):
    wire.answers = [httpx.Response(502, content=body)]
    with pytest.raises(refusal) as found:
        done(theogony.json("GET", "/api/v1/games/"))
    assert (found.value.status, found.value.code, found.value.errors) == (502, "answer.unreadable", ())


def test_pages_follow_next_on_this_service_whatever_a_proxy_is_called(wire, theogony):
    wire.answers = [
        httpx.Response(200, json={"results": [1, 2], "next": "http://inside/api/v1/games/?cursor=a%2Bb&limit=2"}),
        httpx.Response(200, json={"results": [3], "next": None}),
    ]
    assert first(theogony.pages("/api/v1/games/", {"limit": 2, "mine": True, "world": None})) == [1, 2, 3]
    assert [str(request.url) for request in wire.asked] == [
        "https://play.example/api/v1/games/?limit=2&mine=1",
        "https://play.example/api/v1/games/?cursor=a%2Bb&limit=2",
    ]


def test_a_state_that_has_not_changed_is_the_former_one(wire, game):
    wire.answers = [httpx.Response(200, json={"cursor": "a"}, headers={"ETag": 'W/"1"'}), httpx.Response(304)]
    known = done(game.state())
    assert done(game.state()) is known
    assert wire.asked[1].headers["If-None-Match"] == 'W/"1"'


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"const": "a", "title": "Ana"}, [("a", "Ana")]),
        ({"enum": ["a", 2]}, [("a", "a"), (2, "2")]),
        ({"$ref": "#/$defs/races"}, [("a", "Ana"), ("b", "b")]),
        ({"type": "integer", "maximum": 3}, []),
    ],
)
def test_choices_are_what_the_schema_of_a_legal_command_names(schema, values):
    listing = {"$defs": {"races": {"oneOf": [{"const": "a", "title": "Ana"}, {"const": "b"}]}}}
    assert choices(listing, {"schema": {"properties": {"race": schema}}}, "race") == values
    assert choices(listing, {"schema": None}, "race") == []


def taken(stream: Any, count: int) -> list[str]:
    """The cursors of the next events."""
    return [each["cursor"] for each in first(stream, count)]


def test_a_word_of_asyncio_that_has_no_blocking_one_is_refused_by_name():
    with pytest.raises(unasync.Unknown, match="asynccontextmanager"):
        unasync.blocking("from contextlib import asynccontextmanager")


def test_a_cut_stream_goes_on_behind_the_last_event(wire, waits, game):
    wire.answers = [
        httpx.Response(200, stream=Broken(b"retry: 1500\n\n", event("a"), event("b"), b"id: c\ndata: {")),
        httpx.ConnectError("down"),
        busy(503, "9"),
        httpx.Response(200, content=b": beat\n\nevent: bye\ndata: {}\n\n"),
        httpx.Response(200, content=event("c") + event("d")),
    ]
    assert taken(game.stream(after="0"), 4) == ["a", "b", "c", "d"]
    assert [request.headers["Last-Event-ID"] for request in wire.asked] == ["0", "b", "b", "b", "b"]
    assert waits == [1.5, 1.5, 9.0, 9.0]


def test_from_now_is_said_once_and_the_beginning_is_kept(wire, game):
    wire.answers = [
        httpx.Response(200, stream=Broken(b"retry: 2000\nid: here\n\n")),
        httpx.Response(200, content=event("next")),
    ]
    stream = game.stream(begin="now")
    assert taken(stream, 1) == ["next"]
    assert [request.url.query for request in wire.asked] == [b"from=now", b""]
    assert wire.asked[1].headers["Last-Event-ID"] == "here"
    assert stream.cursor == "next"


def test_the_last_events_come_first_then_what_follows(wire, game):
    page = {"results": [{"cursor": "y"}, {"cursor": "z"}], "cursor": "z"}
    wire.answers = [httpx.Response(200, json=page), httpx.Response(200, content=event("new"))]
    assert taken(game.stream(last=2), 3) == ["y", "z", "new"]
    assert wire.asked[0].url.params["last"] == "2"
    assert wire.asked[1].headers["Last-Event-ID"] == "z"


def test_life_is_told_apart_from_events(wire, game):
    told: list[Any] = []
    life: Callable[[Any], None] = told.append
    wire.answers = [httpx.Response(200, content=b'event: life\ndata: {"status":"running"}\n\n' + event("a"))]
    assert taken(game.stream(on_life=life), 1) == ["a"]
    assert told == [{"status": "running"}]
    assert wire.asked[0].url.params["life"] == "1"


def test_a_log_that_was_restored_ends_the_stream_with_its_refusal(wire, game, refusal):
    wire.answers = [httpx.Response(410, json={"code": "cursor.ahead", "detail": "Read the state again."})]
    with pytest.raises(refusal, match=r"cursor\.ahead"):
        taken(game.stream(after="far"), 1)


def test_a_stream_begins_at_one_place(game):
    with pytest.raises(ValueError, match="one place"):
        game.stream(after="a", last=3)
