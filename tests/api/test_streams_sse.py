"""Server-sent events: resumed anywhere, through sight, with tickets, cut when slow, ended when a right is lost."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from django.utils import timezone

from accounts.models import Scope, Token
from accounts.services import mint_token, revoke_token
from api.streams import guard, hub, sse, tickets
from games import services
from games.engine.seating import HandOver
from tests.api.worlds import bearer, client, toy_game
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db(transaction=True)
db = sync_to_async(thread_sensitive=True)


class Stream:
    """One open stream, as a client sees it."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue = asyncio.Queue()
        self.leave = asyncio.Event()
        self.status, self.headers, self.raw, self.ended = 0, {}, b"", False
        self.open = asyncio.Event()
        self.stuck: asyncio.Event | None = None

    async def receive(self):
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            return
        if self.stuck is not None and b"event:" in message["body"]:
            await self.stuck.wait()
        self.raw += message["body"]
        self.open.set()
        self.ended = not message.get("more_body", False)
        if self.status != 200:
            return
        for block in message["body"].decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "event" in fields:
                self.inbox.put_nowait((fields["event"], fields.get("id"), json.loads(fields["data"])))

    async def next(self, seconds=5.0):
        return await asyncio.wait_for(self.inbox.get(), seconds)

    async def types(self, count):
        return [(await self.next())[0] for _ in range(count)]

    def problem(self):
        return self.status, json.loads(self.raw)["code"]


@asynccontextmanager
async def streaming(path, headers=None, method="GET", stuck=None, **query):
    """A stream that is open as long as the block."""
    stream = Stream()
    stream.stuck = stuck
    given = {"Host": "testserver", **(headers or {})}
    scope = {
        "type": "http", "method": method, "path": path, "query_string": urlencode(query).encode(),
        "headers": [(k.lower().encode(), v.encode()) for k, v in given.items()], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    task = asyncio.create_task(sse.events(scope, stream.receive, stream.send))
    await asyncio.wait({task, asyncio.create_task(stream.open.wait())}, timeout=5, return_when="FIRST_COMPLETED")
    stream.task = task
    try:
        yield stream
    finally:
        stream.leave.set()
        await asyncio.wait_for(task, 5)


@pytest.fixture(autouse=True)
def fresh():
    caches["throttles"].clear()
    guard.PLACES.taken.clear()


@pytest.fixture(autouse=True)
async def closing():
    yield
    await hub.hub().close()


@db
def begin(**more):
    toy = toy_game(**more)
    return toy, bearer(toy.ann), bearer(toy.bob), bearer(toy.host)


@db
def run(toy, person, command):
    return services.run(toy.game.pk, command, actor=toy.actor(person))


@db
def events(toy, headers, suffix=""):
    return client().get(toy.path(f"events/?limit=500{suffix}"), headers=headers).json()


async def test_the_log_so_far_then_each_event_as_it_happens():
    toy, ann, _, _ = await begin()
    told = (await events(toy, ann))["results"]
    async with streaming(toy.path("stream/"), ann) as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-store"
        assert stream.raw.startswith(b"retry: 2000\n\n")
        seen = [await stream.next() for _ in told]
        assert [(kind, cursor, event) for kind, cursor, event in seen] == [(e["type"], e["cursor"], e) for e in told]
        await run(toy, toy.ann, AddStones(stones=2))
        kind, cursor, event = await stream.next()
        last = (await events(toy, ann))["results"][-1]
        assert (kind, cursor, event) == ("StonesAdded", last["cursor"], last)


async def test_a_stream_resumes_behind_every_event_without_gap_or_repetition():
    toy, ann, _, _ = await begin()
    for stones in (1, 2, 3):
        await run(toy, toy.ann, AddStones(stones=stones))
        await run(toy, toy.ann, HideCoins(coins=stones))
    told = (await events(toy, ann))["results"]
    for index, event in enumerate(told):
        headers = {**ann, "Last-Event-ID": event["cursor"]} if index % 2 else ann
        query = {} if index % 2 else {"after": event["cursor"]}
        async with streaming(toy.path("stream/"), headers, **query) as stream:
            rest = [(await stream.next())[1] for _ in told[index + 1 :]]
            assert rest == [e["cursor"] for e in told[index + 1 :]]
            assert stream.inbox.empty()


async def test_what_happens_while_the_backlog_is_read_is_told_once():
    toy, ann, _, _ = await begin()
    for _ in range(5):
        await run(toy, toy.ann, AddStones(stones=1))
    total = len((await events(toy, ann))["results"]) + 5
    async with streaming(toy.path("stream/"), ann) as first, streaming(toy.path("stream/"), ann) as second:
        for _ in range(5):
            await run(toy, toy.ann, AddStones(stones=1))
        for stream in (first, second):
            cursors = [(await stream.next())[1] for _ in range(total)]
            assert cursors == [e["cursor"] for e in (await events(toy, ann))["results"]]
            assert stream.inbox.empty()


async def test_a_secret_reaches_its_seat_and_the_gm_and_nobody_else():
    toy, ann, bob, host = await begin()
    here = (await events(toy, ann))["cursor"]
    place = toy.path("stream/")
    async with (
        streaming(place, ann, after=here) as own,
        streaming(place, bob, after=here) as other,
        streaming(place, after=here) as stranger,
        streaming(place, host, after=here, **{"as": "gm"}) as led,
    ):
        await run(toy, toy.ann, HideCoins(coins=9))
        await run(toy, toy.ann, AddStones(stones=1))
        assert await own.types(2) == ["CoinsHidden", "StonesAdded"]
        assert await led.types(2) == ["CoinsHidden", "StonesAdded"]
        assert await other.types(1) == await stranger.types(1) == ["StonesAdded"]
        assert b"coins" not in other.raw + stranger.raw


async def test_a_ticket_opens_one_stream_once():
    toy, ann, _, _ = await begin()
    mint = db(lambda: client().post(toy.path("tickets/"), headers=ann))
    made = await mint()
    assert (made.status_code, made.json()["expires_in"], made["Cache-Control"]) == (201, 60, "no-store")
    ticket = made.json()["ticket"]
    await run(toy, toy.ann, HideCoins(coins=1))
    here = (await events(toy, ann))["results"]
    async with streaming(toy.path("stream/"), ticket=ticket) as stream:
        assert await stream.types(len(here)) == [e["type"] for e in here]
    async with streaming(toy.path("stream/"), ticket=ticket) as again:
        assert again.problem() == (401, "ticket.refused")


async def test_a_ticket_of_another_game_an_old_one_or_a_made_up_one_opens_nothing(monkeypatch):
    toy, ann, _, _ = await begin()
    other, *_ = await begin()
    ticket = (await db(lambda: client().post(toy.path("tickets/"), headers=ann))()).json()["ticket"]
    for path, wrong in ((other.path("stream/"), ticket), (toy.path("stream/"), ticket[:-1] + "x")):
        async with streaming(path, ticket=wrong) as stream:
            assert stream.problem() == (401, "ticket.refused")
    monkeypatch.setattr(tickets, "VALID_SECONDS", -1)
    async with streaming(toy.path("stream/"), ticket=ticket) as stream:
        assert stream.problem() == (401, "ticket.refused")


async def test_of_two_who_show_a_ticket_at_once_one_gets_in():
    toy, ann, _, _ = await begin()
    ticket = (await db(lambda: client().post(toy.path("tickets/"), headers=ann))()).json()["ticket"]
    async with streaming(toy.path("stream/"), ticket=ticket) as a, streaming(toy.path("stream/"), ticket=ticket) as b:
        assert sorted([a.status, b.status]) == [200, 401]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"after": "no cursor"}, 422, "cursor.invalid"),
        ({"seat": "me"}, 422, "query.invalid"),
        ({"as": "god"}, 422, "query.invalid"),
        ({"since": "1"}, 422, "query.invalid"),
        ({"as": "gm"}, 404, "gm.missing"),
        ({"seat": "00000000-0000-4000-8000-000000000000"}, 404, "seat.missing"),
    ],
)
async def test_what_cannot_be_streamed_is_a_problem_document(query, status, code):
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, **query) as stream:
        assert stream.problem() == (status, code)
        assert stream.headers["content-type"] == "application/problem+json"


async def test_tokens_hosts_origins_and_private_games_are_checked_at_the_door(settings):
    toy, ann, _, _ = await begin(is_public=False)
    place = toy.path("stream/")
    wrong = {"Authorization": "Bearer theo_" + 40 * "x"}
    for headers, problem in (
        ({}, (404, "game.missing")),
        (ann, (404, "game.missing")),
        (wrong, (401, "token.refused")),
        ({"Host": "evil.example"}, (400, "request.unfit")),
        ({"Origin": "https://evil.example"}, (403, "origin.refused")),
    ):
        async with streaming(place, headers) as stream:
            assert stream.problem() == problem
    settings.ANONYMOUS_READ = False
    async with streaming(place) as stream:
        assert stream.problem() == (401, "token.needed")
    settings.CORS_ALLOWED_ORIGINS = ["https://play.example"]
    origin = {"Origin": "https://play.example"}
    async with streaming(place, origin, method="OPTIONS") as asked:
        assert (asked.status, asked.headers["access-control-allow-origin"]) == (204, "https://play.example")
        assert "authorization" in asked.headers["access-control-allow-headers"]
    async with streaming(place, origin, method="POST") as stream:
        assert stream.problem() == (405, "method.unknown")
        assert stream.headers["access-control-allow-origin"] == "https://play.example"


async def test_one_user_has_so_many_streams_and_a_closed_one_counts_no_more(monkeypatch):
    monkeypatch.setattr(guard, "FOR_ONE", 2)
    toy, ann, bob, _ = await begin()
    place = toy.path("stream/")
    async with streaming(place, ann):
        async with streaming(place, ann), streaming(place, ann) as third, streaming(place, bob) as other:
            assert third.problem() == (429, "streams.many")
            assert other.status == 200
        async with streaming(place, ann) as again:
            assert again.status == 200


@pytest.mark.parametrize(
    ("proxies", "address"), [(0, "127.0.0.1"), (1, "10.0.0.9"), (2, "203.0.113.7"), (5, "6.6.6.6")]
)
def test_strangers_are_told_apart_by_what_our_own_proxies_saw(settings, proxies, address):
    settings.PROXIES = proxies
    scope = {"headers": [(b"x-forwarded-for", b"6.6.6.6, 203.0.113.7, 10.0.0.9")], "client": ("127.0.0.1", 1)}
    assert guard.address_of(scope) == address


async def test_a_silent_stream_beats(monkeypatch):
    monkeypatch.setattr(sse, "BEAT_SECONDS", 0.05)
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, after=(await events(toy, ann))["cursor"]) as stream:
        await asyncio.sleep(0.5)
        assert stream.raw.count(b": beat\n\n") >= 2


async def test_a_slow_reader_is_cut_and_resumes_by_his_cursor(monkeypatch):
    monkeypatch.setattr(hub, "QUEUE_AT_MOST", 3)
    toy, ann, bob, _ = await begin()
    here, go = (await events(toy, ann))["cursor"], asyncio.Event()
    place = toy.path("stream/")
    async with streaming(place, ann, stuck=go, after=here) as slow, streaming(place, bob, after=here) as quick:
        await asyncio.sleep(0.3)
        for _ in range(6):
            await run(toy, toy.ann, AddStones(stones=1))
            assert (await quick.next())[0] == "StonesAdded"
        await asyncio.sleep(0.3)
        go.set()
        first = await slow.next()
        assert first[0] == "StonesAdded"
        assert (await slow.next())[::2] == ("bye", {"reason": "reader.slow"})
        assert slow.ended
    async with streaming(place, ann, after=first[1]) as resumed:
        assert await resumed.types(5) == ["StonesAdded"] * 5


async def test_a_reader_who_takes_nothing_is_left(monkeypatch):
    monkeypatch.setattr(sse, "SEND_SECONDS", 0.1)
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, stuck=asyncio.Event()) as stream:
        await asyncio.wait_for(stream.task, 5)
        assert not stream.ended
    assert guard.PLACES.taken.total() == 0


async def test_a_seat_that_is_handed_over_ends_the_streams_that_look_through_it():
    toy, ann, bob, _ = await begin()
    here, place = (await events(toy, ann))["cursor"], toy.path("stream/")
    async with streaming(place, ann, after=here) as former, streaming(place, bob, after=here) as other:
        await db(services.run)(
            toy.game.pk,
            HandOver(seat=await db(toy.seat)(toy.ann), user=toy.eve.pk, reason="Ann sleeps."),
            actor=await db(lambda: toy.gm)(),
        )
        assert (await former.next())[::2] == ("bye", {"reason": "view.changed"})
        assert await other.types(1) == ["HandedOver"]
        assert former.ended and not other.ended
    async with streaming(place, await db(bearer)(toy.eve)) as heir:
        told = (await events(toy, await db(bearer)(toy.eve)))["results"]
        assert await heir.types(len(told)) == [e["type"] for e in told]


async def test_a_revoked_or_expired_token_ends_its_streams(monkeypatch):
    toy, *_ = await begin()
    hub._hubs[asyncio.get_running_loop()] = hub.Hub(check_seconds=0.2)
    soon = timezone.now() + timedelta(seconds=1)
    row, plain = await db(mint_token)(toy.ann, "one", [Scope.READ])
    _, brief = await db(mint_token)(toy.ann, "two", [Scope.READ], soon)
    place = toy.path("stream/")
    here = (await events(toy, {"Authorization": f"Bearer {plain}"}))["cursor"]
    async with (
        streaming(place, {"Authorization": f"Bearer {plain}"}, after=here) as one,
        streaming(place, {"Authorization": f"Bearer {brief}"}, after=here) as two,
    ):
        await db(revoke_token)(row)
        assert (await one.next())[::2] == ("bye", {"reason": "token.refused"})
        assert (await two.next())[::2] == ("bye", {"reason": "token.refused"})
    assert await Token.objects.acount() >= 2


async def test_when_the_process_ends_everybody_is_told():
    toy, ann, bob, _ = await begin()
    async with streaming(toy.path("stream/"), ann) as one, streaming(toy.path("stream/"), bob) as two:
        await asyncio.sleep(0.3)
        hub.hub().stop()
        for stream in (one, two):
            while (told := await stream.next())[0] != "bye":
                continue
            assert told[2] == {"reason": "server.stopping"}
            assert stream.ended


async def test_equal_eyes_share_one_reading_and_one_encoding(monkeypatch):
    toy, ann, _, _ = await begin()
    here, read = (await events(toy, ann))["cursor"], []
    true = hub.selectors.events_for
    monkeypatch.setattr(hub.selectors, "events_for", lambda *a, **k: read.append(1) or true(*a, **k))
    async with (
        streaming(toy.path("stream/"), ann, after=here) as one,
        streaming(toy.path("stream/"), ann, after=here) as two,
        streaming(toy.path("stream/"), ann, after=here) as three,
    ):
        await asyncio.sleep(0.5)
        before = len(read)
        await run(toy, toy.ann, AddStones(stones=1))
        told = [await stream.next() for stream in (one, two, three)]
        assert told[0] == told[1] == told[2]
        assert len(read) - before == 1


def test_django_itself_says_that_streams_are_elsewhere():
    toy = toy_game()
    answer = client(toy.ann).get(toy.path("stream/"))
    assert (answer.status_code, answer.json()["code"]) == (421, "stream.elsewhere")
