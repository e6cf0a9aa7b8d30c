"""What is asked of those who open a stream: tickets, tokens, hosts and origins, how many a user has."""

import pytest

from api.streams import handshake, tickets
from tests.api.streams import begin, db, events, run, streaming
from tests.api.worlds import client, cursor_ahead
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("an_empty_hub")]


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


async def test_of_two_simultaneous_uses_of_one_ticket_one_is_accepted():
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


async def test_tokens_hosts_origins_and_private_games_are_checked_before_a_stream_opens(settings):
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
    async with streaming(place, origin, method="OPTIONS") as preflight:
        assert (preflight.status, preflight.headers["access-control-allow-origin"]) == (204, "https://play.example")
        assert "authorization" in preflight.headers["access-control-allow-headers"]
    async with streaming(place, origin, method="POST") as stream:
        assert stream.problem() == (405, "method.unknown")
        assert stream.headers["access-control-allow-origin"] == "https://play.example"


async def test_pages_of_this_machine_may_ask_and_stream_where_the_service_is_a_demo(settings):
    toy, ann, _, _ = await begin()
    place, origin = toy.path("stream/"), {"Origin": "http://localhost:5173"}
    async with streaming(place, origin, method="OPTIONS") as preflight:
        assert preflight.problem() == (403, "origin.refused")
    settings.CORS_ALLOWED_ORIGIN_REGEXES = settings.LOCAL_ORIGINS
    wish = {
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization,last-event-id",
    }
    async with streaming(place, origin | wish, method="OPTIONS") as preflight:
        allowed = preflight.headers["access-control-allow-headers"].split(", ")
        assert (preflight.status, preflight.headers["access-control-allow-origin"]) == (204, "http://localhost:5173")
        assert {"authorization", "last-event-id", "cache-control"} <= set(allowed)
        assert "access-control-allow-credentials" not in preflight.headers
    async with streaming(place, ann | origin) as stream:
        assert (stream.status, stream.headers["access-control-allow-origin"]) == (200, "http://localhost:5173")
        assert "x-server-time" in stream.headers["access-control-expose-headers"].split(", ")
    for evil in ("https://evil.example", "http://localhost.evil.example", "http://localhost:5173.evil.example", "null"):
        async with streaming(place, {"Origin": evil}) as stream:
            assert stream.problem() == (403, "origin.refused")


async def test_one_user_has_so_many_streams_and_a_closed_one_counts_no_more(monkeypatch):
    monkeypatch.setattr(handshake, "FOR_ONE", 2)
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
def test_anonymous_watchers_are_distinguished_by_the_address_that_our_own_proxies_saw(settings, proxies, address):
    settings.PROXIES = proxies
    scope = {"headers": [(b"x-forwarded-for", b"6.6.6.6, 203.0.113.7, 10.0.0.9")], "client": ("127.0.0.1", 1)}
    assert handshake.address_of(scope) == address


async def test_a_stream_resumed_ahead_of_a_restored_log_is_refused_before_it_opens():
    toy, ann, _, _ = await begin()
    cursor = await db(cursor_ahead)(toy, toy.ann, AddStones(stones=1))
    for resumed, query in (({"Last-Event-ID": cursor}, {}), ({}, {"after": cursor})):
        async with streaming(toy.path("stream/"), ann | resumed, **query) as stream:
            assert stream.problem() == (410, "cursor.ahead")
