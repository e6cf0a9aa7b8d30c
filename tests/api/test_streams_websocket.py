"""Subscriptions over WebSocket: who may subscribe, what is sent, and what is not served there."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from rest_framework.settings import api_settings

from accounts.models import Scope
from accounts.services import mint_token, revoke_token
from api.graphql.limits import MAX_ALIASES
from api.streams import handshake, hub, websocket
from config.asgi import application
from games import services
from tests.api.sent import require_documented
from tests.api.worlds import bearer, client, cursor_ahead, toy_game
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db(transaction=True)
db = sync_to_async(thread_sensitive=True)
WATCH = """subscription($g: UUID!, $a: String! = "", $gm: Boolean! = false) {
gameEvents(game: $g, after: $a, asGm: $gm) {
__typename type cursor ... on ToyStonesAdded { data { seat stones } } ... on ToyCoinsHidden { data { coins } } } }"""


class Socket:
    """A client of graphql-transport-ws."""

    def __init__(self) -> None:
        self.to_server: asyncio.Queue = asyncio.Queue()
        self.inbox: asyncio.Queue = asyncio.Queue()
        self.closed: asyncio.Future = asyncio.get_running_loop().create_future()

    async def send(self, message):
        if message["type"] == "websocket.send":
            frame = json.loads(message["text"])
            require_documented(frame["type"], frame)
            self.inbox.put_nowait(frame)
        elif message["type"] == "websocket.close" and not self.closed.done():
            self.closed.set_result(message.get("code", 1000))

    def say(self, **message):
        self.to_server.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def next(self, seconds=5.0):
        return await asyncio.wait_for(self.inbox.get(), seconds)

    async def code(self):
        return await asyncio.wait_for(self.closed, 5)

    async def enter(self, headers):
        self.say(type="connection_init", payload=headers or {})
        assert (await self.next())["type"] == "connection_ack"

    def watch(self, toy, key="1", **variables):
        payload = {"query": WATCH, "variables": {"g": str(toy.game.pk), **variables}}
        self.say(id=key, type="subscribe", payload=payload)


@asynccontextmanager
async def socket(protocols=("graphql-transport-ws",), **headers):
    """A socket that is open as long as the block."""
    found = Socket()
    given = {"host": "testserver", **headers}
    scope = {
        "type": "websocket", "path": "/graphql/", "query_string": b"", "subprotocols": list(protocols),
        "headers": [(k.encode(), v.encode()) for k, v in given.items()], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    found.to_server.put_nowait({"type": "websocket.connect"})
    task = asyncio.create_task(application(scope, found.to_server.get, found.send))
    try:
        yield found
    finally:
        found.to_server.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(task, 5)


@pytest.fixture(autouse=True)
def fresh():
    caches["throttles"].clear()
    handshake.PLACES.taken.clear()


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
def events(toy, headers):
    return client().get(toy.path("events/?limit=500"), headers=headers).json()


async def test_a_subscription_sends_the_log_so_far_and_then_each_event():
    toy, ann, _, _ = await begin()
    expected_events = (await events(toy, ann))["results"]
    async with socket() as line:
        await line.enter(ann)
        line.watch(toy)
        found = [(await line.next())["payload"]["data"]["gameEvents"] for _ in expected_events]
        assert [(e["type"], e["cursor"]) for e in found] == [(e["type"], e["cursor"]) for e in expected_events]
        await run(toy, toy.ann, AddStones(stones=4))
        event = (await line.next())["payload"]["data"]["gameEvents"]
        assert (event["__typename"], event["data"]["stones"]) == ("ToyStonesAdded", 4)
    async with socket() as line:
        await line.enter(ann)
        line.watch(toy, a=expected_events[-2]["cursor"])
        assert (await line.next())["payload"]["data"]["gameEvents"]["cursor"] == expected_events[-1]["cursor"]
        assert (await line.next())["payload"]["data"]["gameEvents"] == event


async def test_a_subscription_sends_secrets_to_their_readers():
    toy, ann, bob, host = await begin()
    here = (await events(toy, bob))["cursor"]
    async with socket() as own, socket() as other, socket() as led:
        for line, headers, gm in ((own, ann, False), (other, bob, False), (led, host, True)):
            await line.enter(headers)
            line.watch(toy, a=here, gm=gm)
        await run(toy, toy.ann, HideCoins(coins=5))
        await run(toy, toy.ann, AddStones(stones=1))
        for line, wanted in ((own, "toy.CoinsHidden"), (led, "toy.CoinsHidden"), (other, "toy.StonesAdded")):
            assert (await line.next())["payload"]["data"]["gameEvents"]["type"] == wanted


async def test_a_subscription_before_connection_init_is_refused():
    toy, *_ = await begin()
    async with socket() as line:
        line.watch(toy)
        assert await line.code() == 4401


@pytest.mark.parametrize(
    "payload", [{"Authorization": "Bearer theo_" + 40 * "x"}, {"Authorization": "Basic x"}, {"Authorization": 7}]
)
async def test_a_rejected_token_opens_no_socket(payload):
    async with socket() as line:
        line.say(type="connection_init", payload=payload)
        assert await line.code() == 4401
        assert line.inbox.empty()


async def test_anonymous_watchers_see_public_games_where_anonymous_reading_is_allowed(settings):
    toy, *_ = await begin()
    hidden, *_ = await begin(is_public=False)
    async with socket() as line:
        await line.enter(None)
        line.watch(toy)
        assert (await line.next())["payload"]["data"]["gameEvents"]["type"] == "core.GameOpened"
        line.watch(hidden, key="2")
        while (message := await line.next())["id"] != "2":
            continue
        errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
        assert errors[0]["extensions"]["code"] == "game.missing"
    settings.ANONYMOUS_READ = False
    async with socket() as line:
        line.say(type="connection_init")
        assert await line.code() == 4401


async def test_queries_and_mutations_are_not_served_over_a_socket():
    toy, ann, _, _ = await begin()
    async with socket() as line:
        await line.enter(ann)
        for key, query in (
            ("q", "{ serverTime }"),
            ("m", f'mutation {{ toyStart(game: "{toy.game.pk}") {{ __typename }} }}'),
        ):
            line.say(id=key, type="subscribe", payload={"query": query})
            message = await line.next()
            assert (message["id"], message["type"]) == (key, "error")
            assert message["payload"][0]["extensions"]["code"] == "method.unknown"


async def test_another_origin_or_another_protocol_gets_no_socket(settings):
    async with socket(origin="https://evil.example") as line:
        assert await line.code() == 4403
    for protocols in ((), ("graphql-ws",)):
        async with socket(protocols) as line:
            assert await line.code() == 4406
    settings.CORS_ALLOWED_ORIGINS = ["https://play.example"]
    async with socket(origin="https://play.example") as line:
        await line.enter(None)
    async with socket(origin="http://testserver") as line:
        await line.enter(None)
    settings.CORS_ALLOWED_ORIGIN_REGEXES = settings.LOCAL_ORIGINS
    async with socket(origin="http://127.0.0.1:3000") as line:
        await line.enter(None)


async def test_a_token_that_is_revoked_closes_the_socket():
    toy, *_ = await begin()
    hub._hubs[asyncio.get_running_loop()] = hub.Hub(check_seconds=0.2)
    row, plain = await db(mint_token)(toy.ann, "one", [Scope.READ])
    async with socket() as line:
        await line.enter({"Authorization": f"Bearer {plain}"})
        line.watch(toy)
        assert (await line.next())["type"] == "next"
        await db(revoke_token)(row)
        assert await line.code() == 4401


async def test_what_is_no_message_closes_the_socket_and_sockets_are_counted(monkeypatch):
    _, ann, _, _ = await begin()
    for text in ("{", "[1]", '{"type": "connection_init", "payload": "x"}', '{"type": "dance"}', "x" * 70_000):
        async with socket() as line:
            line.to_server.put_nowait({"type": "websocket.receive", "text": text})
            assert await line.code() == 4400
    monkeypatch.setattr(handshake, "FOR_ONE", 1)
    async with socket() as one, socket() as two:
        await one.enter(ann)
        two.say(type="connection_init", payload=ann)
        assert await two.code() == 4429
    assert handshake.PLACES.taken.total() == 0


async def test_a_bomb_of_fields_is_refused_over_a_socket_too():
    toy, ann, _, _ = await begin()
    async with socket() as line:
        await line.enter(ann)
        fields = " ".join(f"a{n}: cursor" for n in range(MAX_ALIASES + 1))
        query = f'subscription {{ gameEvents(game: "{toy.game.pk}") {{ {fields} }} }}'
        line.say(id="1", type="subscribe", payload={"query": query})
        message = await line.next()
        assert message["type"] == "error"
        assert message["payload"][0]["extensions"]["code"] == "query.costly"
    assert websocket.MAX_SUBSCRIPTIONS == 20


async def test_a_subscription_resumed_ahead_of_a_restored_log_is_refused():
    toy, ann, _, _ = await begin()
    cursor = await db(cursor_ahead)(toy, toy.ann, AddStones(stones=1))
    async with socket() as line:
        await line.enter(ann)
        line.watch(toy, a=cursor)
        problem = (await line.next())["payload"]["errors"][0]["extensions"]
        assert (problem["code"], problem["status"]) == ("cursor.ahead", 410)


async def test_to_open_sockets_spends_the_budget_of_the_address(monkeypatch):
    _, ann, _, _ = await begin()
    monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, handshake.BUDGET, "0/d")
    async with socket() as line:
        line.say(type="connection_init", payload=ann)
        assert await line.code() == 4429


async def test_each_subscription_spends_it_too_and_beyond_it_the_socket_stays_open(monkeypatch):
    toy, ann, _, _ = await begin()
    monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, handshake.BUDGET, "2/d")
    async with socket() as line:
        await line.enter(ann)
        line.watch(toy, "1")
        line.watch(toy, "2")
        refused = next(message for message in [await line.next() for _ in range(6)] if message["type"] == "error")
        assert refused["id"] == "2"
        assert refused["payload"][0]["extensions"]["code"] == "rate.exceeded"
        assert refused["payload"][0]["extensions"]["status"] == 429
        await run(toy, toy.ann, AddStones(stones=1))
        assert (await line.next())["id"] == "1"
