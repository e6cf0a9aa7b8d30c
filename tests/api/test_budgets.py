"""Budgets of requests: each ends in 429, and nobody spends another's."""

import pytest
from django.test import Client

from accounts.models import User
from api.common import throttles
from api.common.authentication import NOBODY, Principal
from api.common.exceptions import Fault
from api.common.throttles import charge, spend
from config.caches.redis import TallyingRedis
from tests.api.people import asking, refusal_of

pytestmark = [pytest.mark.urls("tests.api.people"), pytest.mark.django_db]


def rates(settings, **changes: str) -> None:
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {**whole, "DEFAULT_THROTTLE_RATES": {**whole["DEFAULT_THROTTLE_RATES"], **changes}}


@pytest.mark.parametrize(
    ("scope", "method", "place", "known"),
    [
        ("anon", "get", "/api/guarded/", False),
        ("read", "get", "/api/guarded/", True),
        ("command", "post", "/api/guarded/", True),
        ("sign_up", "post", "/api/v1/sign-up/", False),
        ("token", "post", "/api/v1/tokens/", False),
    ],
)
def test_each_budget_ends_in_429_with_the_seconds_to_wait(ada, settings, scope, method, place, known):
    rates(settings, **{scope: "2/hour"})
    client = asking(ada) if known else Client()
    first, second, third = (
        getattr(client, method)(place, **({"content_type": "application/json"} if method == "post" else {}))
        for _ in range(3)
    )
    assert [answer["RateLimit-Remaining"] for answer in (first, second, third)] == ["1", "0", "0"]
    assert 429 not in (first.status_code, second.status_code)
    assert refusal_of(third) == (429, "rate.exceeded")
    assert third["RateLimit-Limit"] == "2"
    assert 1 <= int(third["Retry-After"]) <= 3600
    assert third["Retry-After"] == third["RateLimit-Reset"]


def test_requests_of_one_user_spend_no_budget_of_another(ada, settings):
    rates(settings, read="1/hour")
    hasty, calm = asking(ada), asking(User.objects.create_user("bob"))
    assert [hasty.get("/api/guarded/").status_code for _ in range(2)] == [200, 429]
    assert calm.get("/api/guarded/").status_code == 200


def test_a_second_token_is_no_second_budget(ada, settings):
    rates(settings, read="1/hour")
    assert asking(ada).get("/api/guarded/").status_code == 200
    assert asking(ada).get("/api/guarded/").status_code == 429


def test_neighbours_in_one_ipv6_network_share_a_budget(settings):
    rates(settings, anon="1/hour")
    assert Client().get("/api/guarded/", REMOTE_ADDR="2001:db8::1").status_code == 200
    assert Client().get("/api/guarded/", REMOTE_ADDR="2001:db8::ffff").status_code == 429
    assert Client().get("/api/guarded/", REMOTE_ADDR="2001:db8:0:1::1").status_code == 200


def test_a_client_cannot_write_itself_another_address(settings):
    rates(settings, anon="1/hour")
    assert Client().get("/api/guarded/", headers={"X-Forwarded-For": "1.1.1.1"}).status_code == 200
    assert Client().get("/api/guarded/", headers={"X-Forwarded-For": "2.2.2.2"}).status_code == 429


def test_a_budget_is_full_again_in_the_next_window(settings):
    rates(settings, read="1/min")
    assert [spend("read", "ada", now)[0] for now in (60.0, 119.9, 120.0, 121.0)] == [True, False, True, False]
    assert spend("read", "ada", 150.0)[1].reset_seconds == 30


def test_graphql_spends_from_the_same_budgets(ada, rf, settings):
    rates(settings, command="1/hour", read="1/hour", anon="1/hour")
    request = rf.post("/graphql/")
    for principal, acting in ((Principal(ada), True), (Principal(ada), False), (NOBODY, False)):
        charge(request, principal, acting=acting)
        with pytest.raises(Fault) as caught:
            charge(request, principal, acting=acting)
        assert caught.value.code == "rate.exceeded"
        assert caught.value.headers["Retry-After"] == str(caught.value.facts["retry_seconds"])
    assert refusal_of(asking(ada).post("/api/guarded/")) == (429, "rate.exceeded")


def test_everybody_is_let_through_while_the_cache_is_away(settings, monkeypatch):
    rates(settings, read="1/min")
    monkeypatch.setattr(throttles, "caches", {"throttles": TallyingRedis("redis://127.0.0.1:1/0", {})})
    for who in ("ada", "bob", "10.0.0.9"):
        assert [spend("read", who, 60.0)[0] for _ in range(3)] == [True, True, True]
