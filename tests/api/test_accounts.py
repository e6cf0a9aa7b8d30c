"""People over REST: signing up, oneself, tokens, scopes, budgets."""

import logging
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import OperationalError
from django.test import Client
from django.urls import include, path
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import keys, services
from accounts.models import Invitation, Scope, Token, User
from api.kit import authentication
from api.kit.authentication import NOBODY, Principal, user_and_token_of_header
from api.kit.faults import Fault
from api.kit.permissions import require_scope
from api.kit.throttles import charge, spend

PASSWORD = "seven-gates-of-horn"


class Guarded(APIView):
    """With the permissions that all views have."""

    def get(self, request):
        """Look."""
        return Response({})

    def post(self, request):
        """Act."""
        return Response({})


urlpatterns = [path("api/v1/", include("api.rest.accounts")), path("api/guarded/", Guarded.as_view())]
handler404 = "api.kit.outside.page_not_found"
pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def full_budgets():
    caches["throttles"].clear()


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", password=PASSWORD, email="ada@example.org")


def as_of(plain: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {plain}"})


def asking(user: User, *scopes: str) -> Client:
    return as_of(services.mint_token(user, "mine", scopes or [*Scope])[1])


def post(client: Client, place: str, body: object, **kwargs):
    return client.post(f"/api/v1/{place}", body, content_type="application/json", **kwargs)


def told(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def rates(settings, **changes: str) -> None:
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {**whole, "DEFAULT_THROTTLE_RATES": {**whole["DEFAULT_THROTTLE_RATES"], **changes}}


# --- signing up ------------------------------------------------------------------------------------------------------


def test_whoever_signs_up_gets_a_user_and_then_a_token_with_the_password(client, settings):
    settings.SIGN_UP = "open"
    made = post(client, "sign-up/", {"username": "Bob", "password": PASSWORD, "display_name": "Bob the Red"})
    bob = User.objects.get()
    assert made.status_code == 201
    assert made.json() == {"id": str(bob.pk), "username": "Bob", "display_name": "Bob the Red"}
    minted = post(client, "tokens/", {"username": "bob", "password": PASSWORD, "name": "laptop"})
    assert minted.status_code == 201
    me = as_of(minted.json()["token"]).get("/api/v1/me/").json()
    assert (me["id"], me["scopes"], me["token"]["name"]) == (str(bob.pk), ["read", "play"], "laptop")


@pytest.mark.parametrize(("mode", "code"), [("closed", "sign_up.closed"), ("invitation", "invitation.needed")])
def test_signing_up_obeys_the_setting(client, settings, mode, code):
    settings.SIGN_UP = mode
    assert told(post(client, "sign-up/", {"username": "bob", "password": PASSWORD})) == (409, code)
    assert not User.objects.exists()


def test_a_guest_signs_up_with_the_code_of_an_administrators_invitation(client, ada, settings):
    settings.SIGN_UP = "invitation"
    ada.is_staff = True
    ada.save()
    made = post(asking(ada), "invitations/", {"uses": 1, "note": "for Bob"})
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    code, body = made.json()["code"], {"username": "bob", "password": PASSWORD}
    assert code not in asking(ada).get("/api/v1/invitations/").content.decode()
    assert post(client, "sign-up/", {**body, "invitation": code}).status_code == 201
    again = post(client, "sign-up/", {**body, "username": "cyd", "invitation": code})
    assert told(again) == (409, "invitation.unusable")
    assert Invitation.objects.get().uses_left == 0


def test_invitations_are_missing_for_those_who_are_no_administrators(ada):
    assert told(asking(ada).get("/api/v1/invitations/")) == (404, "thing.missing")
    assert told(post(asking(ada), "invitations/", {})) == (404, "thing.missing")
    assert told(Client().get("/api/v1/invitations/")) == (401, "token.needed")
    assert not Invitation.objects.exists()


def test_a_body_with_a_field_nobody_knows_or_of_another_type_is_refused(client, settings):
    settings.SIGN_UP = "open"
    answer = post(client, "sign-up/", {"username": 7, "password": PASSWORD, "is_staff": True})
    assert told(answer) == (422, "body.invalid")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/is_staff"]
    answer = post(client, "sign-up/", {"username": 7, "password": PASSWORD})
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/username"]
    assert told(post(client, "sign-up/", [1])) == (422, "body.invalid")
    assert not User.objects.exists()


# --- tokens ----------------------------------------------------------------------------------------------------------


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
    heard = ""
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
            heard += answer.content.decode() + str(answer.headers)
    heard += caplog.text
    assert "request_finished" in heard
    assert plain[13:40] not in heard
    assert PASSWORD not in heard


def test_a_token_in_the_address_is_neither_looked_at_nor_logged(ada, caplog):
    plain = services.mint_token(ada, "mine")[1]
    answer = Client().get("/api/v1/me/", {"token": plain, "access_token": plain, "x": f"y{plain}"})
    assert told(answer) == (401, "token.needed")
    assert "access_token=[hidden]" in caplog.text
    assert plain[5:] not in caplog.text


def test_a_database_that_is_away_while_the_token_is_looked_up_is_a_503_and_no_401(ada, monkeypatch):
    def away(plain: str) -> None:
        raise OperationalError("host 10.0.0.1 refused")

    asks = asking(ada)
    monkeypatch.setattr(authentication, "authenticate_token", away)
    answer = asks.get("/api/v1/me/")
    assert told(answer) == (503, "database.down")
    assert answer["Retry-After"] == "5"
    assert "10.0.0.1" not in answer.content.decode()


def test_no_shared_cache_keeps_what_one_user_was_told(ada):
    answer = asking(ada).get("/api/v1/me/")
    assert answer["Cache-Control"] == "private, no-cache"
    assert "Authorization" in answer["Vary"]


@pytest.mark.parametrize("change", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now()}])
def test_a_token_that_is_worth_nothing_is_refused_also_where_nobody_need_be_known(ada, change):
    asks = asking(ada)
    Token.objects.update(**change)
    for place in ("/api/v1/me/", "/api/guarded/"):
        answer = asks.get(place)
        assert told(answer) == (401, "token.refused")
        assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer nonsense", "theo_x", "Bearer  é"])
def test_another_scheme_is_refused_rather_than_overlooked(header):
    assert told(Client().get("/api/guarded/", headers={"Authorization": header})) == (401, "token.refused")


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
    assert told(answer) == (403, "token.scope")
    assert answer.json()["facts"] == {"need": "play", "have": ["read"]}
    assert plays.post("/api/guarded/").status_code == 200
    assert told(plays.get("/api/guarded/?as=gm")) == (403, "token.scope")
    assert leads.get("/api/guarded/?as=gm").status_code == 200
    assert told(asking(ada, "play").get("/api/guarded/")) == (403, "token.scope")
    assert told(reads.patch("/api/v1/me/", {}, content_type="application/json")) == (403, "token.scope")


def test_a_token_makes_no_token_that_may_do_more_or_lives_longer(ada):
    ends = timezone.now() + timedelta(hours=1)
    plain = services.mint_token(ada, "short", ["read", "play"], ends)[1]
    asks = as_of(plain)
    assert told(post(asks, "tokens/", {"name": "x", "scopes": ["gm"]})) == (403, "token.scope")
    assert told(post(asks, "tokens/", {"name": "x"})) == (409, "token.outlives")
    later = (ends + timedelta(seconds=1)).isoformat()
    assert told(post(asks, "tokens/", {"name": "x", "expires_at": later})) == (409, "token.outlives")
    assert Token.objects.count() == 1
    made = post(asks, "tokens/", {"name": "x", "scopes": ["read"], "expires_at": ends.isoformat()})
    assert made.status_code == 201
    assert told(post(as_of(made.json()["token"]), "tokens/", {"name": "y", "scopes": ["read"]})) == (403, "token.scope")


def test_a_token_is_revoked_by_its_owner_and_is_missing_for_others(ada):
    bob = User.objects.create_user("bob")
    token, plain = services.mint_token(ada, "mine")
    assert told(asking(bob).delete(f"/api/v1/tokens/{token.pk}/")) == (404, "thing.missing")
    assert told(asking(ada, "read").delete(f"/api/v1/tokens/{token.pk}/")) == (403, "token.scope")
    assert told(Client().delete(f"/api/v1/tokens/{token.pk}/")) == (401, "token.needed")
    assert services.authenticate_token(plain) == token
    assert asking(ada).delete(f"/api/v1/tokens/{token.pk}/").status_code == 204
    assert told(as_of(plain).get("/api/v1/me/")) == (401, "token.refused")


def test_a_token_that_may_only_read_may_still_revoke_itself(ada):
    token, plain = services.mint_token(ada, "mine", ["read"])
    assert as_of(plain).delete(f"/api/v1/tokens/{token.pk}/").status_code == 204
    assert services.authenticate_token(plain) is None


def test_a_list_of_tokens_holds_ones_own_alone_and_costs_the_same_however_many(ada, django_assert_num_queries):
    services.mint_token(User.objects.create_user("bob"), "Bob's")
    asks = asking(ada)
    for n in range(10):
        services.mint_token(ada, f"token {n}")
    asks.get("/api/v1/tokens/")
    with django_assert_num_queries(2):
        rows = asks.get("/api/v1/tokens/").json()["results"]
    assert [row["name"] for row in rows] == [f"token {n}" for n in range(9, -1, -1)] + ["mine"]


# --- passwords -------------------------------------------------------------------------------------------------------


def test_a_wrong_password_and_a_wrong_name_are_refused_alike(ada):
    wrong = {"password": "wrong", "name": "x"}
    one, other = (post(Client(), "tokens/", {**wrong, "username": name}) for name in ("ada", "nobody"))
    assert told(one) == told(other) == (401, "login.wrong")
    assert one.json()["detail"] == other.json()["detail"]
    half = post(Client(), "tokens/", {"username": "ada", "name": "x"})
    assert (told(half), half.json()["errors"][0]["pointer"]) == ((422, "body.invalid"), "/password")
    assert told(post(Client(), "tokens/", {"name": "x"})) == (401, "token.needed")


def test_five_wrong_passwords_lock_that_name_for_that_address(ada):
    wrong = {"username": "ADA", "password": "wrong", "name": "x"}
    answers = [post(Client(), "tokens/", wrong) for _ in range(5)]
    assert {told(answer) for answer in answers[:4]} == {(401, "login.wrong")}
    right = {"username": "ada", "password": PASSWORD, "name": "x"}
    locked = post(Client(), "tokens/", right)
    assert told(locked) == (429, "login.locked")
    assert locked["Content-Type"] == "application/problem+json"
    assert locked["Retry-After"] == "900"
    assert not Token.objects.exists()
    assert post(Client(), "tokens/", right, REMOTE_ADDR="10.9.8.7").status_code == 201


def test_a_new_password_revokes_the_other_tokens(ada):
    asks, lost = asking(ada), asking(ada)
    answer = post(asks, "me/password/", {"old": "wrong", "new": "a-long-new-one"})
    assert told(answer) == (409, "password.wrong")
    answer = post(asks, "me/password/", {"old": PASSWORD, "new": "a-long-new-one"})
    assert (answer.status_code, answer.json()) == (200, {"revoked": 1})
    assert asks.get("/api/v1/me/").status_code == 200
    assert told(lost.get("/api/v1/me/")) == (401, "token.refused")


def test_users_change_their_own_display_name_and_address_and_nothing_else(ada):
    asks = asking(ada)
    changed = asks.patch("/api/v1/me/", {"display_name": "Countess"}, content_type="application/json")
    assert (changed.json()["display_name"], changed.json()["email"]) == ("Countess", "ada@example.org")
    answer = asks.patch("/api/v1/me/", {"is_staff": True}, content_type="application/json")
    assert told(answer) == (422, "body.invalid")
    ada.refresh_from_db()
    assert (ada.display_name, ada.is_staff) == ("Countess", False)


def test_a_session_serves_the_docs_and_needs_a_csrf_token_to_act(ada):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert client.get("/api/v1/me/").json()["token"] is None
    assert told(client.post("/api/guarded/")) == (403, "csrf.refused")


# --- budgets ---------------------------------------------------------------------------------------------------------


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
    assert told(third) == (429, "rate.exceeded")
    assert third["RateLimit-Limit"] == "2"
    assert 1 <= int(third["Retry-After"]) <= 3600
    assert third["Retry-After"] == third["RateLimit-Reset"]


def test_one_users_haste_costs_another_nothing(ada, settings):
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
    assert told(asking(ada).post("/api/guarded/")) == (429, "rate.exceeded")


def test_everybody_is_let_through_while_the_cache_is_away(settings, monkeypatch):
    rates(settings, read="1/min")
    monkeypatch.setattr(caches["throttles"], "add", lambda *_, **__: False)
    assert [spend("read", "ada", 60.0)[0] for _ in range(3)] == [True, True, True]


# --- the document ----------------------------------------------------------------------------------------------------


def test_the_openapi_document_is_valid_and_tells_wishes_from_answers(settings):
    document = SchemaGenerator(patterns=urlpatterns).get_schema(request=None, public=True)
    validate_schema(document)
    assert all(address.startswith("/api/v1/") for address in document["paths"])
    minting = document["paths"]["/api/v1/tokens/"]["post"]
    assert minting["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/MintRequest")
    assert minting["responses"]["201"]["content"]["application/json"]["schema"]["$ref"].endswith("/NewToken")
    assert minting["responses"]["default"] == {"$ref": "#/components/responses/Problem"}
    assert document["components"]["responses"]["Problem"]["content"]["application/problem+json"]
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    listing = document["paths"]["/api/v1/tokens/"]["get"]
    assert {parameter["name"] for parameter in listing["parameters"]} == {"cursor", "limit"}
