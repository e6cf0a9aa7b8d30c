"""One way to judge every token: an application's is taken where a personal one is, within its scopes."""

import asyncio
import json
from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Scope, Token, User
from accounts.oauth import services as oauth
from accounts.oauth.models import Application
from accounts.oauth.scopes import ApplicationScopes
from api.common import origins
from api.streams import handshake, hub
from core.process_cache import clear_process_caches
from tests.accounts.frontend import ORIGIN, PASSWORD, Frontend, me, register
from tests.api.streams import streaming, until
from tests.api.test_streams_websocket import socket
from tests.api.worlds import ToyGame, run, toy_game
from tests.api.worlds import client as personal
from tests.toy.rules.commands import AddStones

db = sync_to_async(thread_sensitive=True)


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    caches["throttles"].clear()
    clear_process_caches()


def begin(scope: str, person: str = "ann") -> tuple[ToyGame, Frontend, dict[str, str]]:
    """A game of Cairns, and an application to which one of its people has signed in."""
    toy = toy_game()
    frontend = Frontend(register("Atlas", scope_words="read play gm"), getattr(toy, person))
    return toy, frontend, frontend.sign_in(scope=scope)


def client(tokens: dict[str, str]) -> Client:
    """The application's program, with its token."""
    return Client(headers={"Authorization": f"Bearer {tokens['access_token']}"})


def assert_problem(answer: HttpResponse, status: int, code: str) -> None:
    """It is a problem document of this code."""
    assert (answer.status_code, json.loads(answer.content)["code"]) == (status, code)


ADD = {"data": json.dumps({"stones": 1}), "content_type": "application/json"}


@pytest.mark.django_db
def test_to_read_to_play_and_to_lead_are_three_scopes_in_rest():
    toy, frontend, reads = begin("read", "host")
    assert client(reads).get(toy.path("state/")).status_code == 200
    assert_problem(client(reads).post(toy.path("commands/add-stones/"), **ADD), 403, "token.scope")
    plays = frontend.sign_in(scope="play")
    assert_problem(client(plays).get(toy.path("state/")), 403, "token.scope")
    both = frontend.sign_in(scope="read play")
    assert_problem(client(both).get(toy.path("state/?as=gm")), 403, "token.scope")
    assert_problem(
        client(both).post(toy.path("commands/pause/?as=gm"), data="{}", content_type="application/json"),
        403,
        "token.scope",
    )
    leads = frontend.sign_in(scope="read play gm")
    assert client(leads).get(toy.path("state/?as=gm")).status_code == 200
    assert (
        client(leads).post(toy.path("commands/pause/?as=gm"), data="{}", content_type="application/json").status_code
        == 201
    )


@pytest.mark.django_db
def test_the_same_scopes_bound_it_in_graphql():
    toy, frontend, reads = begin("read", "host")
    arguments = f'game: "{toy.game.pk}", input: {{stones: 1}}'
    act = {"query": f"mutation {{ toyAddStones({arguments}) {{ ... on Refusal {{ code }} }} }}"}
    look = {"query": f'{{ game(id: "{toy.game.pk}", asGm: true) {{ name }} }}'}
    for query in (act, look):
        answer = client(reads).post("/graphql/", query, content_type="application/json").json()
        assert "token.scope" in json.dumps(answer)
    who = {"query": "{ me { username token { application } } }"}
    asked = client(reads).post("/graphql/", who, content_type="application/json").json()
    assert asked["data"]["me"] == {"username": "host", "token": {"application": str(frontend.application.pk)}}


@pytest.mark.django_db
def test_an_application_costs_no_more_statements_than_a_personal_token():
    toy, _, tokens = begin("read play")
    counts = []
    for asker in (personal(toy.ann), client(tokens)):
        clear_process_caches()
        for _ in range(3):
            run(toy, AddStones(stones=1), toy.ann)
            asker.get(toy.path("state/"))
        asker.get(toy.path("state/"))
        warm = statements(lambda: asker.get(toy.path("state/")))  # noqa: B023
        run(toy, AddStones(stones=1), toy.ann)
        moved = statements(lambda: asker.get(toy.path("state/")))  # noqa: B023
        acted = statements(lambda: asker.post(toy.path("commands/add-stones/"), **ADD))  # noqa: B023
        counts.append((warm, moved, acted))
    assert counts[0] == counts[1]
    assert counts[0][0] == 1


def statements(work: Callable[[], HttpResponse]) -> int:
    """How many statements a request sends."""
    with CaptureQueriesContext(connection) as asked:
        assert work().status_code in (200, 201)
    return len(asked.captured_queries)


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["revoke", "renew", "replay", "application", "person", "expiry"])
def test_whom_a_process_remembers_is_asked_again_each_time(way):
    toy, frontend, tokens = begin("read play")
    ann = client(tokens)
    for _ in range(3):
        assert ann.get(toy.path("state/")).status_code == 200
    match way:
        case "revoke":
            frontend.revoke(tokens["refresh_token"])
        case "renew":
            frontend.renew(tokens["refresh_token"])
        case "replay":
            frontend.renew(tokens["refresh_token"])
            frontend.renew(tokens["refresh_token"])
        case "application":
            Application.objects.update(revoked_at=timezone.now())
        case "person":
            User.objects.filter(pk=toy.ann.pk).update(is_active=False)
        case "expiry":
            Token.objects.update(expires_at=timezone.now())
    assert_problem(ann.get(toy.path("state/")), 401, "token.refused")


@pytest.mark.django_db
def test_an_application_leaves_the_account_alone():
    toy, _, tokens = begin("read play gm", "host")
    other = Token.objects.create(user=toy.host, name="own", prefix="x", digest="x" * 64, scope_words="read")
    User.objects.filter(pk=toy.host.pk).update(is_staff=True)
    web, sent = client(tokens), {"content_type": "application/json"}
    assert_problem(web.post("/api/v1/tokens/", {"name": "mine", "scopes": ["read"]}, **sent), 403, "token.application")
    assert_problem(web.patch("/api/v1/me/", {"email": "x@example.org"}, **sent), 403, "token.application")
    assert_problem(web.post("/api/v1/me/password/", {"old": PASSWORD, "new": "x"}, **sent), 403, "token.application")
    assert_problem(web.post("/api/v1/me/calendar/", **sent), 403, "token.application")
    assert_problem(web.delete("/api/v1/me/calendar/"), 403, "token.application")
    assert_problem(web.post("/api/v1/invitations/", {}, **sent), 403, "token.application")
    assert_problem(web.delete(f"/api/v1/tokens/{other.pk}/"), 403, "token.application")
    for query in (
        'mutation { mintToken(name: "mine") { ... on Refusal { code } } }',
        f'mutation {{ revokeToken(id: "{other.pk}") {{ ... on Refusal {{ code }} }} }}',
    ):
        assert "token.application" in web.post("/graphql/", {"query": query}, **sent).content.decode()
    mine = me(tokens["access_token"]).json()["token"]["id"]
    assert web.delete(f"/api/v1/tokens/{mine}/").status_code == 204  # itself it may revoke
    assert Token.objects.get(pk=other.pk).revoked_at is None


# --- other origins ---------------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_pages_of_a_registered_application_may_use_the_apis(django_assert_num_queries):
    application = register("Atlas", allowed_origins=f"{ORIGIN} http://127.0.0.1:5173")
    for origin, allowed in (
        (ORIGIN, True),
        ("http://127.0.0.1:5173", True),
        ("https://evil.example", False),
        ("null", False),
    ):
        for path in ("/api/v1/rulesets/", "/graphql/", "/oauth/token/", "/oauth/revoke/"):
            asked = Client(headers={"Origin": origin, "Access-Control-Request-Method": "POST"}).options(path)
            assert asked.get("Access-Control-Allow-Origin") == (origin if allowed else None)
            assert "Access-Control-Allow-Credentials" not in asked
    with django_assert_num_queries(0):  # asked a moment ago
        Client(headers={"Origin": "https://evil.example"}).options("/oauth/token/")
    oauth.revoke_application(application)
    clear_process_caches()
    assert "Access-Control-Allow-Origin" not in Client(headers={"Origin": ORIGIN}).get("/api/v1/rulesets/")


@pytest.mark.django_db
def test_an_answer_stays_where_origins_cannot_be_asked(monkeypatch):
    def away(_: str) -> bool:
        raise OperationalError("the connection was lost")

    monkeypatch.setattr(origins, "is_registered_origin", away)
    answer = Client(headers={"Origin": ORIGIN}).get("/api/v1/rulesets/")
    assert (answer.status_code, "Access-Control-Allow-Origin" in answer) == (200, False)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/oauth/authorize/", "/oauth/log-in/", "/oauth/log-out/"])
def test_pages_for_people_are_read_by_no_other_origin(path):
    register("Atlas")
    assert "Access-Control-Allow-Origin" not in Client(headers={"Origin": ORIGIN}).get(path)


# --- streams and sockets ---------------------------------------------------------------------------------------------
@pytest.fixture
async def an_empty_hub():
    """Nobody has a stream open, and each is looked at again soon; afterwards the hub is closed."""
    handshake.PLACES.taken.clear()
    hub._hubs[asyncio.get_running_loop()] = hub.Hub(check_seconds=0.2)
    yield
    await hub.hub().close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("an_empty_hub")
async def test_a_stream_opens_for_an_application_and_its_origin_and_ends_with_its_sign_in(monkeypatch):
    looks, look = [], hub.closing_reason
    monkeypatch.setattr(hub, "closing_reason", lambda access: looks.append(look(access)) or looks[-1])
    toy, frontend, tokens = await db(begin)("read")
    shown = {"Authorization": f"Bearer {tokens['access_token']}"}
    async with streaming(toy.path("stream/"), {"Origin": "https://evil.example"}) as stream:
        assert stream.problem() == (403, "origin.refused")
    async with streaming(toy.path("stream/"), shown, **{"as": "gm"}) as stream:
        assert stream.problem() == (403, "token.scope")
    async with streaming(toy.path("stream/"), {**shown, "Origin": ORIGIN}) as stream:
        assert (stream.status, stream.headers["access-control-allow-origin"]) == (200, ORIGIN)
        assert (await stream.next())[0].endswith("GameOpened")
        renewed = (await db(frontend.renew)(tokens["refresh_token"])).json()
        before = len(looks)
        await until(lambda: len(looks) > before + 1)
        assert not stream.ended  # who renews goes on
        await db(frontend.revoke)(renewed["access_token"])
        while (message := await stream.next())[0] != "bye":
            continue
        assert message[2] == {"reason": "token.refused"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("an_empty_hub")
async def test_a_socket_opens_for_an_application_and_its_origin_and_ends_with_it():
    toy, frontend, tokens = await db(begin)("read")
    async with socket(origin=ORIGIN) as line:
        await line.enter({"Authorization": f"Bearer {tokens['access_token']}"})
        line.watch(toy)
        assert (await line.next())["type"] == "next"
        await db(oauth.revoke_application)(frontend.application)
        assert await line.code() == 4401


def test_the_scopes_of_applications_are_those_of_tokens():
    assert set(ApplicationScopes().get_all_scopes()) == {str(scope) for scope in Scope}
