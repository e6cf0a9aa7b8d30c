"""Tokens over REST: shown once, never logged, bounded by scopes, revoked."""

import logging
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts import keys, services
from accounts.models import Scope, Token, User
from api.common import authentication
from api.common.authentication import NOBODY, Principal, user_and_token_of_header
from api.common.exceptions import Fault
from api.common.permissions import require_scope
from tests.api.people import PASSWORD, as_of, asking, post, refusal_of

pytestmark = [pytest.mark.urls("tests.api.people"), pytest.mark.django_db]


def test_a_token_is_shown_once_and_never_cached(ada):
    minted = post(Client(), "tokens/", {"username": "ada", "password": PASSWORD, "name": "one", "scopes": ["read"]})
    plain = minted.json()["token"]
    assert keys.TOKEN_SHAPE.fullmatch(plain)
    assert minted["Cache-Control"] == "no-store"
    listed = as_of(plain).get("/api/v1/tokens/")
    assert [row["prefix"] for row in listed.json()["results"]] == [plain[5:13]]
    assert plain not in listed.content.decode() + as_of(plain).get("/api/v1/me/").content.decode()
    assert Token.objects.get().digest not in listed.content.decode()


def test_neither_token_nor_password_nor_code_stands_in_the_log_or_in_an_error(ada, caplog):
    caplog.set_level(logging.DEBUG)
    plain = services.mint_token(ada, "canary", [*Scope])[1]
    output = ""
    for given in (plain, plain[:-1] + "!", f"{plain} {plain}"):
        asks = as_of(given)
        for answer in (
            asks.get("/api/v1/me/"),
            asks.get("/api/v1/nowhere/"),
            asks.get("/api/v1/tokens/?limit=0"),
            post(asks, "me/password/", {"old": f"{PASSWORD}!", "new": "x"}),
            post(asks, "tokens/", {"username": "ada", "password": f"{PASSWORD}!", "name": "x"}),
            post(asks, "sign-up/", {"username": "ada", "password": f"{PASSWORD}!", "invitation": plain}),
            asks.get("/api/v1/me/", headers={"Authorization": f"Token {plain}"}),
        ):
            output += answer.content.decode() + str(answer.headers)
    output += caplog.text
    assert "request_finished" in output
    assert plain[13:40] not in output
    assert PASSWORD not in output


def test_a_token_in_the_address_is_neither_looked_at_nor_logged(ada, caplog):
    caplog.set_level(logging.INFO)
    plain = services.mint_token(ada, "mine")[1]
    answer = Client().get("/api/v1/me/", {"token": plain, "access_token": plain, "x": f"y{plain}"})
    assert refusal_of(answer) == (401, "token.needed")
    assert "access_token=[hidden]" in caplog.text
    assert plain[5:] not in caplog.text


def test_an_unavailable_database_while_the_token_is_looked_up_is_a_503_and_no_401(ada, monkeypatch):
    def away(plain: str) -> None:
        raise OperationalError("host 10.0.0.1 refused")

    asks = asking(ada)
    monkeypatch.setattr(authentication, "authenticate_token", away)
    answer = asks.get("/api/v1/me/")
    assert refusal_of(answer) == (503, "database.down")
    assert answer["Retry-After"] == "5"
    assert "10.0.0.1" not in answer.content.decode()


def test_no_shared_cache_stores_a_response_for_one_user(ada):
    answer = asking(ada).get("/api/v1/me/")
    assert answer["Cache-Control"] == "private, no-cache"
    assert "Authorization" in answer["Vary"]


@pytest.mark.parametrize("change", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now()}])
def test_a_rejected_token_is_refused_also_where_no_token_is_needed(ada, change):
    asks = asking(ada)
    Token.objects.update(**change)
    for place in ("/api/v1/me/", "/api/guarded/"):
        answer = asks.get(place)
        assert refusal_of(answer) == (401, "token.refused")
        assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer nonsense", "theo_x", "Bearer  é"])
def test_another_scheme_is_refused_and_not_ignored(header):
    assert refusal_of(Client().get("/api/guarded/", headers={"Authorization": header})) == (401, "token.refused")


def test_streams_and_graphql_read_the_same_header(ada):
    token, plain = services.mint_token(ada, "mine", ["read"])
    principal = user_and_token_of_header(f"bearer {plain}")
    assert principal == Principal(ada, token)
    assert principal.scopes == {Scope.READ}
    assert user_and_token_of_header("") == NOBODY
    with pytest.raises(Fault) as caught:
        user_and_token_of_header("Bearer theo_wrong")
    assert caught.value.code == "token.refused"
    with pytest.raises(Fault) as caught:
        require_scope(principal, Scope.GM)
    assert (caught.value.code, caught.value.facts["have"]) == ("token.scope", {Scope.READ})


def test_scopes_bound_what_a_token_may_do(ada):
    reads, plays, leads = asking(ada, "read"), asking(ada, "read", "play"), asking(ada, "read", "gm")
    assert reads.get("/api/guarded/").status_code == 200
    answer = reads.post("/api/guarded/")
    assert refusal_of(answer) == (403, "token.scope")
    assert answer.json()["facts"] == {"need": "play", "have": ["read"]}
    assert plays.post("/api/guarded/").status_code == 200
    assert refusal_of(plays.get("/api/guarded/?as=gm")) == (403, "token.scope")
    assert leads.get("/api/guarded/?as=gm").status_code == 200
    assert refusal_of(asking(ada, "play").get("/api/guarded/")) == (403, "token.scope")
    assert refusal_of(reads.patch("/api/v1/me/", {}, content_type="application/json")) == (403, "token.scope")


def test_a_token_mints_no_token_with_more_scopes_or_a_longer_life(ada):
    ends = timezone.now() + timedelta(hours=1)
    plain = services.mint_token(ada, "short", ["read", "play"], ends)[1]
    asks = as_of(plain)
    assert refusal_of(post(asks, "tokens/", {"name": "x", "scopes": ["gm"]})) == (403, "token.scope")
    assert refusal_of(post(asks, "tokens/", {"name": "x"})) == (409, "token.outlives")
    later = (ends + timedelta(seconds=1)).isoformat()
    assert refusal_of(post(asks, "tokens/", {"name": "x", "expires_at": later})) == (409, "token.outlives")
    assert Token.objects.count() == 1
    made = post(asks, "tokens/", {"name": "x", "scopes": ["read"], "expires_at": ends.isoformat()})
    assert made.status_code == 201
    assert refusal_of(post(as_of(made.json()["token"]), "tokens/", {"name": "y", "scopes": ["read"]})) == (
        403,
        "token.scope",
    )


def test_a_token_is_revoked_by_its_owner_and_is_missing_for_others(ada):
    bob = User.objects.create_user("bob")
    token, plain = services.mint_token(ada, "mine")
    assert refusal_of(asking(bob).delete(f"/api/v1/tokens/{token.pk}/")) == (404, "thing.missing")
    assert refusal_of(asking(ada, "read").delete(f"/api/v1/tokens/{token.pk}/")) == (403, "token.scope")
    assert refusal_of(Client().delete(f"/api/v1/tokens/{token.pk}/")) == (401, "token.needed")
    assert services.authenticate_token(plain) == token
    assert asking(ada).delete(f"/api/v1/tokens/{token.pk}/").status_code == 204
    assert refusal_of(as_of(plain).get("/api/v1/me/")) == (401, "token.refused")


def test_a_token_that_may_only_read_may_still_revoke_itself(ada):
    token, plain = services.mint_token(ada, "mine", ["read"])
    assert as_of(plain).delete(f"/api/v1/tokens/{token.pk}/").status_code == 204
    assert services.authenticate_token(plain) is None


def test_a_list_of_tokens_holds_the_users_own_alone_and_costs_the_same_however_many(ada, django_assert_num_queries):
    services.mint_token(User.objects.create_user("bob"), "Bob's")
    asks = asking(ada)
    asks.get("/api/v1/tokens/")
    with django_assert_num_queries(2):
        assert [row["name"] for row in asks.get("/api/v1/tokens/").json()["results"]] == ["mine"]
    for n in range(10):
        services.mint_token(ada, f"token {n}")
    with django_assert_num_queries(2):
        rows = asks.get("/api/v1/tokens/").json()["results"]
    assert [row["name"] for row in rows] == [f"token {n}" for n in range(9, -1, -1)] + ["mine"]
