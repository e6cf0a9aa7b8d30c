"""Tokens, codes, tickets and passwords leave no trace: not in a log line, an answer, a row, the admin, a metric.

Each canary is sent wherever a client could put it, on requests that succeed and on requests that fail. What is written
and answered is then searched for it.
"""

import json
import logging
from urllib.parse import quote

import pytest
import structlog
from django.apps import apps
from django.core.cache import caches
from django.db import models
from django.test import Client

from accounts.models import Scope, User
from accounts.services import invite, mint_token
from api.streams import tickets
from games import services
from games.engine.lifecycle.seating import Invite
from games.models import Game
from games.reads import selectors
from tests.api.worlds import toy_game
from tests.operations.lines import reading
from tests.toy.rules.commands import AddStones

pytestmark = pytest.mark.django_db
PASSWORD = "Canary_of_the_mine_77"
HEADERS = ("Authorization", "X-Token", "X-Api-Key", "Cookie", "Idempotency-Key", "If-None-Match", "Last-Event-ID",
           "Referer", "User-Agent", "X-Request-Id", "Accept", "Origin", "X-Forwarded-For")  # fmt: skip


@pytest.fixture(autouse=True)
def fresh(settings):
    caches["throttles"].clear()
    settings.SIGN_UP = "invite"


@pytest.fixture
def quiet_client(toy):
    return lambda **headers: Client(headers=headers, raise_request_exception=False)


@pytest.fixture
def toy():
    return toy_game()


@pytest.fixture
def canaries(toy) -> dict[str, str]:
    """What nobody may find anywhere: by kind."""
    toy.ann.set_password(PASSWORD)
    toy.ann.save()
    row, token = mint_token(toy.ann, "canary", tuple(Scope))
    from_request = tickets.mint(tickets.Principal(toy.ann, row), toy.game.pk)
    return {"token": token, "invitation": invite(toy.host)[1], "ticket": from_request, "password": PASSWORD}


def places(toy, kind: str, word: str):
    """(method, path, body, headers) of every place in which a client may put a text.

    Names that a client makes up are repeated to that client; tokens and codes are known by their shape and are not.
    """
    name = word if kind in ("token", "invitation") else "canary"
    here = toy.path("")
    for name in HEADERS:
        for value in (word, f"Bearer {word}", f"token={word}", f"Basic {word}"):
            yield "GET", f"{here}state/", "", {name: value}
    others = ("after", "as", "seat", name) if kind in ("token", "invitation") else ()
    for parameter in ("token", "access_token", "ticket", "code", "key", "api_key", "password", "invitation", *others):
        for path in (f"{here}events/", "/api/v1/games/", "/graphql/", "/admin/login/", "/livez"):
            yield "GET", f"{path}?{parameter}={quote(word)}", "", {}
    for path in (f"/api/v1/{name}/", f"/api/v1/games/{name}/", f"{here}commands/{name}/", f"/api/v1/tokens/{name}/",
                 f"/{name}", f"/admin/{name}/", f"/static/{name}", f"/api/v1/rulesets/{name}/"):  # fmt: skip
        for method in ("GET", "POST", "DELETE"):
            yield method, path, "{}", {}
    bodies = [{"token": word}, {"name": word, "code": word}, {"stones": word}, [word], word, {name: 1}]
    bodies += [{"username": "ann", "password": word}, {"username": word, "password": PASSWORD, "invitation": word}]
    for body in bodies:
        for path in (f"{here}commands/add-stones/", f"{here}join/", "/api/v1/tokens/", "/api/v1/sign-up/",
                     "/api/v1/me/password/", f"{here}tickets/"):  # fmt: skip
            yield "POST", path, json.dumps(body), {}
        yield "POST", f"{here}commands/add-stones/", json.dumps(body)[:-1], {}
    queries = [
        f'{{ game(id: "{word}") {{ id }} }}',
        f"{{ {name} }}",
        f'query {name} {{ worlds(name: "{word}") {{ x }} }}',
    ]
    for query in queries:
        yield "POST", "/graphql/", json.dumps({"query": query}), {}
    variables = {"g": word, "i": {"stones": word, name: 1}}
    mutation = "mutation($g: UUID!, $i: ToyAddStonesInput!) { toyAddStones(game: $g, input: $i) { __typename } }"
    yield "POST", "/graphql/", json.dumps({"query": mutation, "variables": variables, "operationName": name}), {}


def test_no_canary_is_logged_or_shown_wherever_it_was_put(toy, canaries, quiet_client):
    with reading() as lines:
        for kind, word in canaries.items():
            for method, path, body, headers in places(toy, kind, word):
                caches["throttles"].clear()
                answer = quiet_client(**headers).generic(method, path, body, content_type="application/json")
                if not path.startswith("/admin/"):  # its log-in form repeats the client's own address
                    content = b"".join(answer) if answer.streaming else answer.content
                    assert word.encode() not in content, f"{kind} comes back from {method} {path[:60]}: {content[:300]}"
                for name, value in answer.headers.items():
                    echoed = name == "Location" and word in path
                    assert echoed or word not in value, f"{kind} comes back in {name} of {path[:60]}"
    written = lines.out.getvalue()
    assert written.count("\n") > 500
    for kind, word in canaries.items():
        found = next((line for line in written.splitlines() if word in line), None)
        assert found is None, f"the {kind} is logged: {found}"


def test_no_canary_is_logged_where_something_breaks(toy, canaries, quiet_client, monkeypatch):
    """A fault that repeats what it was given: in a view, a resolver, a timer, a task."""
    word = canaries["token"]

    def fail(*_, **__):
        raise RuntimeError(f"cannot serve Bearer {word}, password={PASSWORD}, ticket={canaries['ticket']}")

    monkeypatch.setattr(selectors, "state_for", fail)
    monkeypatch.setattr(AddStones, "decide", fail)
    with reading() as lines:
        client = quiet_client(Authorization=f"Bearer {word}")
        query = f'{{ game(id: "{toy.game.pk}") {{ ... on ToyGame {{ state {{ piles {{ stones }} }} }} }} }}'
        answers = [
            client.get(toy.path("state/")),
            client.post(toy.path("commands/add-stones/"), {"stones": 1}, content_type="application/json"),
            client.post("/graphql/", {"query": query}, content_type="application/json"),
        ]
        try:
            fail()
        except RuntimeError:
            logging.getLogger("celery.app.trace").exception("Task %s raised", "games.tasks.fire", extra={"token": word})
            structlog.get_logger("games").exception("timer.failed", arguments={"password": PASSWORD, "note": word})
    assert [answer.status_code for answer in answers] == [500, 500, 200]
    written = lines.out.getvalue()
    assert "RuntimeError" in written
    for kind, hidden in canaries.items():
        assert hidden not in written, f"the {kind} is in a traceback"
        assert all(hidden.encode() not in answer.content for answer in answers)


def test_secrets_are_stored_as_hashes_and_no_row_holds_one(toy, canaries):
    client = Client(headers={"Authorization": f"Bearer {canaries['token']}"})
    done = client.post(toy.path("commands/add-stones/"), {"stones": 1}, content_type="application/json")
    assert done.status_code == 201
    signed = {"username": "guest", "password": PASSWORD, "invitation": canaries["invitation"]}
    assert Client().post("/api/v1/sign-up/", signed, content_type="application/json").status_code == 201
    for model in apps.get_models():
        texts = [f for f in model._meta.concrete_fields if isinstance(f, models.CharField | models.TextField)]
        for column in texts:
            for kind, word in canaries.items():
                held = model._default_manager.filter(**{f"{column.name}__contains": word})
                assert not held.exists(), f"{model._meta.label}.{column.name} holds a {kind}"


def test_admin_pages_metrics_and_chronicles_show_no_canary(toy, canaries):
    root = User.objects.create_superuser("root", password="Root-of-all-99")
    browser = Client()
    browser.force_login(root)
    pages = ["/admin/", "/admin/accounts/user/", "/admin/accounts/token/", "/admin/accounts/invitation/",
             "/admin/games/game/", "/admin/games/loggedevent/", "/admin/games/receipt/",
             f"/admin/accounts/user/{toy.ann.pk}/change/", f"/admin/accounts/user/{toy.ann.pk}/history/",
             f"/admin/accounts/token/{toy.ann.tokens.first().pk}/change/"]  # fmt: skip
    rows = [browser.get(page) for page in pages]
    assert {answer.status_code for answer in rows} == {200}
    rows += [
        Client().get("/metrics"),
        Client().get(toy.path("chronicle/?format=markdown")),
        Client().get(toy.path("events/")),
    ]
    for answer in rows:
        for kind, word in canaries.items():
            assert word.encode() not in answer.content, f"the {kind} is shown"
        assert toy.ann.password.encode() not in answer.content


def test_the_code_of_a_game_is_shown_to_the_inviters_alone(toy):
    services.run(toy.game.pk, Invite(role="player"), actor=toy.gm)
    code = Game.objects.get(pk=toy.game.pk).invitations.get().code
    assert len(code) >= 16
    paths = [toy.path(part) for part in ("state/", "events/?limit=500", "chronicle/", "legal-commands/", "prompts/")]
    for person in (None, toy.ann, toy.eve):
        headers = {"Authorization": f"Bearer {mint_token(person, 'x', tuple(Scope))[1]}"} if person else {}
        for path in paths:
            assert code.encode() not in Client(headers=headers).get(path).content
    lead = Client(headers={"Authorization": f"Bearer {mint_token(toy.host, 'x', tuple(Scope))[1]}"})
    assert code.encode() in lead.get(toy.path("events/?limit=500&as=gm")).content
