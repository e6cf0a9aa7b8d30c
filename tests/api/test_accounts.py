"""People over REST: signing up, oneself, passwords, sessions."""

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from accounts.models import Invitation, Token, User
from tests.api.people import PASSWORD, as_of, asking, post, refusal_of, urlpatterns

pytestmark = [pytest.mark.urls("tests.api.people"), pytest.mark.django_db]


def test_a_new_user_signs_up_and_then_gets_a_token_with_the_password(client, settings):
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
    assert refusal_of(post(client, "sign-up/", {"username": "bob", "password": PASSWORD})) == (409, code)
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
    assert refusal_of(again) == (409, "invitation.unusable")
    assert Invitation.objects.get().uses_left == 0


def test_invitations_are_missing_for_users_who_are_no_administrators(ada):
    assert refusal_of(asking(ada).get("/api/v1/invitations/")) == (404, "thing.missing")
    assert refusal_of(post(asking(ada), "invitations/", {})) == (404, "thing.missing")
    assert refusal_of(Client().get("/api/v1/invitations/")) == (401, "token.needed")
    assert not Invitation.objects.exists()


def test_a_body_with_an_unknown_field_or_of_another_type_is_refused(client, settings):
    settings.SIGN_UP = "open"
    answer = post(client, "sign-up/", {"username": 7, "password": PASSWORD, "is_staff": True})
    assert refusal_of(answer) == (422, "body.invalid")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/is_staff"]
    answer = post(client, "sign-up/", {"username": 7, "password": PASSWORD})
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/username"]
    assert refusal_of(post(client, "sign-up/", [1])) == (422, "body.invalid")
    assert not User.objects.exists()


def test_a_wrong_password_and_a_wrong_name_are_refused_alike(ada):
    wrong = {"password": "wrong", "name": "x"}
    one, other = (post(Client(), "tokens/", {**wrong, "username": name}) for name in ("ada", "nobody"))
    assert refusal_of(one) == refusal_of(other) == (401, "login.wrong")
    assert one.json()["detail"] == other.json()["detail"]
    half = post(Client(), "tokens/", {"username": "ada", "name": "x"})
    assert (refusal_of(half), half.json()["errors"][0]["pointer"]) == ((422, "body.invalid"), "/password")
    assert refusal_of(post(Client(), "tokens/", {"name": "x"})) == (401, "token.needed")


def test_five_wrong_passwords_lock_that_name_for_that_address(ada):
    wrong = {"username": "ADA", "password": "wrong", "name": "x"}
    answers = [post(Client(), "tokens/", wrong) for _ in range(5)]
    assert {refusal_of(answer) for answer in answers[:4]} == {(401, "login.wrong")}
    right = {"username": "ada", "password": PASSWORD, "name": "x"}
    locked = post(Client(), "tokens/", right)
    assert refusal_of(locked) == (429, "login.locked")
    assert locked["Content-Type"] == "application/problem+json"
    assert locked["Retry-After"] == "900"
    assert not Token.objects.exists()
    assert post(Client(), "tokens/", right, REMOTE_ADDR="10.9.8.7").status_code == 201


def test_a_right_password_clears_the_count_of_wrong_ones_for_that_address_alone(ada):
    wrong, right = ({"username": "Ada", "password": word, "name": "x"} for word in ("wrong", PASSWORD))
    for _ in range(2):
        assert {post(Client(), "tokens/", wrong).status_code for _ in range(4)} == {401}
        assert {post(Client(), "tokens/", wrong, REMOTE_ADDR="10.9.8.7").status_code for _ in range(2)} == {401}
        assert post(Client(), "tokens/", right).status_code == 201
    assert refusal_of(post(Client(), "tokens/", wrong, REMOTE_ADDR="10.9.8.7")) == (429, "login.locked")


def test_a_new_password_revokes_the_other_tokens(ada):
    asks, lost = asking(ada), asking(ada)
    answer = post(asks, "me/password/", {"old": "wrong", "new": "a-long-new-one"})
    assert refusal_of(answer) == (409, "password.wrong")
    answer = post(asks, "me/password/", {"old": PASSWORD, "new": "a-long-new-one"})
    assert (answer.status_code, answer.json()) == (200, {"revoked": 1})
    assert asks.get("/api/v1/me/").status_code == 200
    assert refusal_of(lost.get("/api/v1/me/")) == (401, "token.refused")


def test_users_change_their_own_display_name_and_address_and_nothing_else(ada):
    asks = asking(ada)
    changed = asks.patch("/api/v1/me/", {"display_name": "Countess"}, content_type="application/json")
    assert (changed.json()["display_name"], changed.json()["email"]) == ("Countess", "ada@example.org")
    answer = asks.patch("/api/v1/me/", {"is_staff": True}, content_type="application/json")
    assert refusal_of(answer) == (422, "body.invalid")
    ada.refresh_from_db()
    assert (ada.display_name, ada.is_staff) == ("Countess", False)


def test_a_session_serves_the_docs_and_needs_a_csrf_token_to_act(ada):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert client.get("/api/v1/me/").json()["token"] is None
    assert refusal_of(client.post("/api/guarded/")) == (403, "csrf.refused")


def test_the_openapi_document_is_valid_and_separates_requests_from_responses(settings):
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
    names = {parameter.get("name") or parameter["$ref"].rsplit("/", 1)[-1] for parameter in listing["parameters"]}
    assert names == {"cursor", "limit"}
