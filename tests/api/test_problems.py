"""What the APIs answer when something goes wrong: one shape, whatever failed, wherever it failed."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.test import Client, RequestFactory
from pydantic import TypeAdapter
from rest_framework import exceptions as rest

from accounts.errors import AccountError
from accounts.models import Scope
from api.common.error_codes import BY_STATUS, CATALOGUE, error_code_of
from api.common.exceptions import Fault
from api.common.limits import RequestIds
from api.common.plain_json import plain
from api.common.problems import problem, problem_of
from games.engine.errors import CODE, Refused
from tests.api.failing import RAISED, Found, fails

GAME = UUID("0b0e7a52-58f1-4bd3-9dfd-111111111111")


pytestmark = [pytest.mark.urls("tests.api.failing"), pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def clean():
    yield
    RAISED.clear()


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Refused("points.short", "Too few.", need=3, have=1), 409, "points.short"),
        (Refused("game.missing", "No such game."), 404, "game.missing"),
        (Refused("user.missing", "Sign in."), 401, "user.missing"),
        (Refused("position.stale", "Too old."), 412, "position.stale"),
        (Refused("key.reused", "Another body."), 422, "key.reused"),
        (Refused("clock.behind", "Later."), 503, "clock.behind"),
        (Refused("game.busy", "Later."), 503, "game.busy"),
        (AccountError("username.taken", "Taken."), 409, "username.taken"),
        (AccountError("password.weak", "Weak."), 422, "password.weak"),
        (Fault("page.size", "Too many.", parameter="limit"), 422, "page.size"),
        (rest.ParseError("Not JSON."), 400, "body.unreadable"),
        (rest.NotAuthenticated(), 401, "token.needed"),
        (rest.AuthenticationFailed("No."), 401, "token.refused"),
        (rest.PermissionDenied(), 403, "token.scope"),
        (rest.PermissionDenied("CSRF Failed: x"), 403, "csrf.refused"),
        (rest.NotFound(), 404, "thing.missing"),
        (Http404("secret"), 404, "thing.missing"),
        (ObjectDoesNotExist("secret"), 404, "thing.missing"),
        (rest.MethodNotAllowed("PUT"), 405, "method.unknown"),
        (rest.NotAcceptable(), 406, "answer.unacceptable"),
        (rest.UnsupportedMediaType("text/plain"), 415, "body.type_unknown"),
        (rest.Throttled(wait=6.2), 429, "rate.exceeded"),
        (RequestDataTooBig("big"), 413, "body.too_large"),
        (SuspiciousOperation("secret"), 400, "request.unfit"),
        (OperationalError("secret host"), 503, "database.down"),
    ],
)
def test_every_kind_of_failure_has_its_status_and_code(client, error, status, code):
    answer = fails(client, error)
    body = answer.json()
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert body["type"] == f"urn:theogony:problem:{code}"
    assert body["title"] == error_code_of(code).title
    assert body["request_id"] == answer["X-Request-Id"]
    assert answer["Cache-Control"] == "no-store"
    assert "secret" not in answer.content.decode()


def test_a_refusal_has_its_rules_and_its_numbers(client):
    refused = Refused("points.short", "Fire has 1 of 3 points.", rules=("D1-3",), need=3, game=GAME)
    body = fails(client, refused).json()
    assert body["detail"] == "Fire has 1 of 3 points."
    assert body["rules"] == ["D1-3"]
    assert body["facts"] == {"need": 3, "game": str(GAME)}


@pytest.mark.parametrize(("code", "seconds"), [("clock.behind", "1"), ("game.busy", "1")])
def test_a_temporary_failure_says_when_to_retry(client, code, seconds):
    assert fails(client, Refused(code, "Later."))["Retry-After"] == seconds


def test_too_many_requests_say_when_to_retry_rounded_up(client):
    answer = fails(client, rest.Throttled(wait=6.2))
    assert answer["Retry-After"] == "7"
    assert answer.json()["facts"] == {"retry_seconds": 7}


def test_a_missing_token_and_a_refused_one_are_challenged(client):
    assert fails(client, rest.NotAuthenticated())["WWW-Authenticate"] == 'Bearer realm="theogony"'
    refused = fails(client, rest.AuthenticationFailed("No."))["WWW-Authenticate"]
    assert refused == 'Bearer realm="theogony", error="invalid_token"'


def test_a_method_that_is_not_served_names_those_that_are(client):
    answer = client.delete("/api/fail/it/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")


def test_a_body_of_the_wrong_shape_names_each_place_and_repeats_no_value(client):
    body = {"race": "hunter2", "squares": [{"x": 1, "y": 2}, {"x": "hunter2", "y": 2}], "more": 1}
    answer = client.post("/api/fail/found/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "body.invalid")
    places = {(error["pointer"], error["code"]) for error in answer.json()["errors"]}
    assert places == {("/race", "uuid_parsing"), ("/squares/1/x", "int_parsing"), ("/more", "extra_forbidden")}
    assert "hunter2" not in answer.content.decode()


def test_a_serializers_errors_are_reported_in_the_same_shape(client):
    answer = client.post("/api/fail/row/", {"name": "Enlil", "places": [1, "x"]}, content_type="application/json")
    errors = answer.json()["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [
        ("/name", "max_length"),
        ("/places/1", "invalid"),
    ]


def test_a_wrong_query_is_reported_by_parameter(client):
    answer = fails(client, rest.ValidationError({"owner": ["No such owner."]}, code="unknown"))
    assert answer.json()["code"] == "query.invalid"
    assert answer.json()["errors"] == [{"parameter": "owner", "code": "unknown", "detail": "No such owner."}]


def test_the_tag_of_a_union_is_no_part_of_the_place():
    union = TypeAdapter(dict[str, Found])
    with pytest.raises(ValueError) as caught:
        union.validate_python({"found": {"race": str(GAME), "squares": [{"x": 1, "y": "a"}]}})
    found = problem_of(caught.value, tags={"found"})
    assert found is not None
    assert found.body["errors"][0]["pointer"] == "/squares/0/y"


def test_pydantics_own_json_errors_are_unreadable_bodies():
    with pytest.raises(ValueError) as caught:
        Found.model_validate_json(b"{")
    found = problem_of(caught.value)
    assert found is not None
    assert (found.status, found.body["code"]) == (400, "body.unreadable")


def test_errors_outside_views_are_problems_under_api_paths_and_pages_elsewhere(client):
    missing = client.get("/api/nowhere/")
    assert (missing.status_code, missing.json()["code"]) == (404, "thing.missing")
    assert client.get("/nowhere/")["Content-Type"].startswith("text/html")
    RAISED["plain"] = SuspiciousOperation("secret")
    assert client.get("/api/plain/").json()["code"] == "request.unfit"
    RAISED["plain"] = RuntimeError("secret")
    broken_answer = client.get("/api/plain/")
    assert (broken_answer.status_code, broken_answer.json()["code"]) == (500, "server.error")
    assert "secret" not in broken_answer.content.decode()
    assert client.get("/plain/")["Content-Type"].startswith("text/html")


def test_an_unavailable_database_is_a_503_wherever_it_is_missed(client):
    RAISED["plain"] = OperationalError("host 10.0.0.1 refused")
    answer = client.get("/api/plain/")
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "database.down", "5")
    assert "10.0.0.1" not in answer.content.decode()


def test_an_unforeseen_error_in_a_view_is_a_500_without_its_message(client):
    answer = fails(client, RuntimeError("secret"))
    assert (answer.status_code, answer.json()["code"]) == (500, "server.error")
    assert "secret" not in answer.content.decode()


def test_a_clients_request_id_is_echoed_when_it_is_plain_and_replaced_when_it_is_not(client):
    assert client.get("/api/nowhere/", headers={"X-Request-Id": "abc-DEF-123"})["X-Request-Id"] == "abc-DEF-123"
    for given in ("short", "x" * 65, "with space", 'quote"quote'):
        assert UUID(client.get("/api/nowhere/", headers={"X-Request-Id": given})["X-Request-Id"]).version == 4


def test_every_response_has_the_servers_time():
    request = RequestFactory().get("/livez")
    answer = RequestIds(lambda inner: HttpResponse())(request)
    found = datetime.fromisoformat(answer["X-Server-Time"])
    assert found.tzinfo == UTC
    assert abs((datetime.now(UTC) - found).total_seconds()) < 5


def test_the_catalogue_is_well_formed():
    for code, (status, title, _) in CATALOGUE.items():
        assert CODE.match(code), code
        assert 400 <= status < 600
        assert title
    assert set(BY_STATUS.values()) <= set(CATALOGUE)


def test_an_unlisted_code_is_a_refusal_and_a_missing_thing_a_404():
    assert error_code_of("mana.short").status == 409
    assert error_code_of("city.missing").status == 404


def test_facts_become_plain_json():
    facts = {"id": GAME, "at": datetime(2026, 1, 2, tzinfo=UTC), "scopes": {Scope.READ, Scope.GM}, "n": 2**60}
    assert plain(facts) == {
        "id": str(GAME),
        "at": "2026-01-02T00:00:00Z",
        "scopes": ["gm", "read"],
        "n": str(2**60),
    }
    assert problem("a.b", "c", facts=facts)["facts"]["scopes"] == ["gm", "read"]


def test_reading_without_a_token_is_allowed_by_setting_and_acting_is_not(client, settings):
    settings.ANONYMOUS_READ = True
    assert client.get("/api/guarded/").status_code == 200
    answer = client.post("/api/guarded/")
    assert (answer.status_code, answer.json()["code"]) == (401, "token.needed")
    settings.ANONYMOUS_READ = False
    assert client.get("/api/guarded/").status_code == 401


@pytest.mark.urls("config.urls")
@pytest.mark.parametrize("debug", [False, True])
def test_an_address_below_the_api_that_is_mistyped_is_a_problem_with_debug_too(settings, debug: bool):
    settings.DEBUG = debug
    for path in ("/api/v1/gamez/", "/api/", "/api/v2/games/", "/graphql/nothing/"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json"), path
        assert answer.json()["code"] == "thing.missing"
    assert Client().get("/api/v1/games").status_code == 301  # the slash is added first
    assert Client().get("/nothing/")["Content-Type"].startswith("text/html")
