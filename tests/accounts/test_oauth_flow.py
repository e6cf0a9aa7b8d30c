"""Signing in to an application, from the page that asks to the token that is revoked; and the rows behind it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import keys, services
from accounts.models import Token
from accounts.oauth import services as oauth
from accounts.oauth.models import Grant, RefreshToken
from tests.accounts.frontend import CALLBACK, ORIGIN, PASSWORD, Frontend, me, query_of


def test_a_person_signs_in_and_the_application_acts_for_them(frontend, ruth):
    page = frontend.ask()
    assert page.status_code == 200
    text = page.content.decode()
    for said in ("Atlas", "atlas.example", "See the games", "Play for you", "Ruth"):
        assert said in text
    assert "Lead games" not in text

    back = frontend.decide()
    assert (back.status_code, back["Location"].split("?")[0]) == (302, CALLBACK)
    assert set(query_of(back)) == {"code", "state", "iss"}
    assert (query_of(back)["state"], query_of(back)["iss"]) == ("7f3a", "http://testserver")

    answer = frontend.exchange(query_of(back)["code"])
    assert answer.status_code == 200
    assert (answer["Cache-Control"], answer["Access-Control-Allow-Origin"]) == ("no-store", ORIGIN)
    tokens = answer.json()
    assert set(tokens) == {"access_token", "refresh_token", "expires_in", "token_type", "scope"}
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 900, "read play")

    found = me(tokens["access_token"]).json()
    assert (found["username"], found["scopes"], found["token"]["name"]) == ("Ruth", ["read", "play"], "Atlas")
    assert found["token"]["application"] == str(frontend.application.pk)


def test_tokens_and_codes_are_stored_by_their_digests_alone(frontend):
    code = frontend.code()
    tokens = frontend.exchange(code).json()
    access, refresh = tokens["access_token"], tokens["refresh_token"]
    assert keys.TOKEN_SHAPE.fullmatch(access) and keys.REFRESH_SHAPE.fullmatch(refresh)
    token = Token.objects.get()
    assert (token.digest, token.prefix) == (keys.digest(access), keys.key_preview(access))
    assert RefreshToken.objects.get().digest == keys.digest(refresh)
    rows = [Token, RefreshToken, Grant]
    stored = " ".join(str(value) for model in rows for row in model.objects.values() for value in row.values())
    assert [plain for plain in (access, refresh, code) if plain in stored] == []
    assert token.expires_at <= timezone.now() + timedelta(seconds=900)


def test_a_refresh_token_brings_the_next_pair_and_ends_the_former(frontend):
    first = frontend.sign_in()
    token = Token.objects.get()
    second = frontend.renew(first["refresh_token"])
    assert second.status_code == 200
    tokens = second.json()
    assert tokens["scope"] == "read play"
    assert len({first["access_token"], first["refresh_token"], tokens["access_token"], tokens["refresh_token"]}) == 4
    assert (me(first["access_token"]).status_code, me(tokens["access_token"]).status_code) == (401, 200)
    assert Token.objects.get() == token  # one sign-in is one row, so a stream that it has opened goes on


def test_a_token_that_has_expired_is_refused_and_renewed(frontend):
    first = frontend.sign_in()
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert me(first["access_token"]).status_code == 401
    second = frontend.renew(first["refresh_token"]).json()
    assert me(second["access_token"]).status_code == 200


def test_a_renewal_may_ask_for_less_and_the_next_for_all_again(frontend):
    first = frontend.sign_in(scope="read play gm")
    second = frontend.renew(first["refresh_token"], scope="read").json()
    assert (second["scope"], me(second["access_token"]).json()["scopes"]) == ("read", ["read"])
    third = frontend.renew(second["refresh_token"]).json()
    assert third["scope"] == "read play gm"


def test_scopes_that_an_application_has_lost_are_not_renewed(frontend):
    first = frontend.sign_in(scope="read play gm")
    frontend.application.scope_words = "read"
    frontend.application.save()
    second = frontend.renew(first["refresh_token"]).json()
    assert second["scope"] == "read"
    frontend.application.scope_words = "gm"
    frontend.application.save()
    assert frontend.renew(second["refresh_token"]).json()["scope"] == "gm"


def test_without_a_scope_an_application_asks_to_read(frontend):
    assert frontend.sign_in(scope=None)["scope"] == "read"


def test_an_access_token_or_a_refresh_token_revokes_the_whole_sign_in(frontend):
    for kind in ("access_token", "refresh_token"):
        tokens = frontend.sign_in()
        assert frontend.revoke(tokens[kind]).status_code == 200
        assert me(tokens["access_token"]).status_code == 401
        assert frontend.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_person_revokes_a_sign_in_among_their_tokens(frontend, ruth):
    tokens = frontend.sign_in()
    _, own = services.mint_token(ruth, "mine")
    client = Client(headers={"Authorization": f"Bearer {own}"})
    (row,) = [row for row in client.get("/api/v1/tokens/").json()["results"] if row["name"] == "Atlas"]
    assert client.delete(f"/api/v1/tokens/{row['id']}/").status_code == 204
    assert me(tokens["access_token"]).status_code == 401
    assert frontend.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_new_password_ends_every_sign_in(frontend, ruth):
    tokens = frontend.sign_in()
    services.change_password(ruth, new="a-hundred-handed-giant")
    assert me(tokens["access_token"]).status_code == 401
    assert frontend.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_sign_ins_do_not_use_up_personal_tokens_and_the_oldest_gives_way(frontend, ruth, monkeypatch):
    monkeypatch.setattr(oauth, "MAX_SIGN_INS", 2)
    monkeypatch.setattr(services, "MAX_TOKENS", 1)
    held = [frontend.sign_in()["access_token"] for _ in range(3)]
    assert [me(token).status_code for token in held] == [401, 200, 200]
    services.mint_token(ruth, "mine")


def test_no_number_of_a_row_leaves_the_service(frontend):
    for model in (Token, RefreshToken, Grant, type(frontend.application)):
        assert model._meta.pk.get_internal_type() == "UUIDField"


def test_the_metadata_say_where_everything_is_and_what_may_be_asked(frontend):
    answer = frontend.program.get("/.well-known/oauth-authorization-server")
    assert answer["Access-Control-Allow-Origin"] == ORIGIN
    assert answer.json() == {
        "issuer": "http://testserver",
        "authorization_endpoint": "http://testserver/oauth/authorize/",
        "token_endpoint": "http://testserver/oauth/token/",
        "revocation_endpoint": "http://testserver/oauth/revoke/",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "scopes_supported": ["gm", "play", "read"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": False,
    }


def test_somebody_logs_in_on_the_way_and_comes_back_to_the_question(frontend, ruth):
    stranger = Frontend(frontend.application, None)
    sent = stranger.ask()
    assert (sent.status_code, sent["Location"].split("?")[0]) == (302, "/oauth/log-in/")
    page = stranger.browser.get(sent["Location"])
    assert page.status_code == 200
    wrong = stranger.browser.post(sent["Location"], {"username": "ruth", "password": "wrong"})
    assert (wrong.status_code, b'role="alert"' in wrong.content) == (200, True)
    right = stranger.browser.post(sent["Location"], {"username": "ruth", "password": PASSWORD})
    assert (right.status_code, right["Location"]) == (302, stranger.address())
    assert me(stranger.sign_in()["access_token"]).json()["username"] == "Ruth"
    stranger.browser.post("/oauth/log-out/?" + sent["Location"].split("?")[1])
    assert stranger.ask().status_code == 302


@pytest.mark.parametrize("path", ["consent", "/oauth/log-in/"])
def test_the_pages_run_no_script_and_stand_in_no_frame(frontend, path):
    page = frontend.ask() if path == "consent" else frontend.browser.get(path)
    policy = page["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    targets = "'self' https://atlas.example" if path == "consent" else "'self'"
    assert policy.endswith(f"base-uri 'none'; frame-ancestors 'none'; form-action {targets}")
    assert (page["Cache-Control"], page["X-Frame-Options"]) == ("no-store", "DENY")
    text = page.content.decode()
    assert '<html lang="en">' in text and "<h1>" in text
    assert re.findall(r"<script|style=|onclick|https?://", text) == []
    labels = re.findall(r'<label for="(\w+)"', text)
    assert labels == re.findall(r'<input id="(\w+)"', text)


def test_a_name_is_shown_as_text(frontend):
    frontend.application.name = "<b>Atlas</b>"
    frontend.application.save()
    assert b"&lt;b&gt;Atlas&lt;/b&gt;" in frontend.ask().content
