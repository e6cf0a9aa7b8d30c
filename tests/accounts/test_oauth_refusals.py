"""What sign-in of applications refuses: addresses, codes, verifiers, clients, scopes; nothing is given away then.

Long for one reason: each refusal has its test.
"""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.models import Scope, Token
from accounts.oauth import services as oauth
from accounts.oauth.models import Grant, RefreshToken
from accounts.sessions import BACKEND
from tests.accounts.frontend import CALLBACK, FORM, PASSWORD, Frontend, me, query_of, register

pytestmark = pytest.mark.once
NATIVE = "http://127.0.0.1/back"


def refused(answer, error: str, status: int = 400) -> None:
    """It is an error of RFC 6749 that nobody stores."""
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert len(answer.json()["error_description"]) > 10
    assert answer["Content-Type"].startswith("application/json")
    assert answer["Cache-Control"] == "no-store"


# --- where people are sent back to -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "uri",
    [
        "https://evil.example/back",
        "https://atlas.example/back/",
        "https://atlas.example/back?next=/",
        "https://atlas.example/back#",
        "https://ATLAS.example/back",
        "https://atlas.example:444/back",
        "https://me@atlas.example/back",
        "http://atlas.example/back",
        "https://atlas.example.evil.example/back",
        "http://127.0.0.1/back",
        "javascript:alert(1)",
        "/back",
    ],
)
@pytest.mark.parametrize("way", ["ask", "decide"])
def test_nobody_is_sent_to_an_address_that_is_not_registered(frontend, uri, way):
    answer = getattr(frontend, way)(redirect_uri=uri)
    assert answer.status_code == 400
    assert "Location" not in answer
    assert b"This cannot be done" in answer.content
    assert Grant.objects.count() == 0


@pytest.mark.parametrize("client_id", [None, "", "theoapp_0123456789abcdef", "nul\0", "x" * 5000])
def test_an_unknown_application_gets_a_page_and_no_redirect(frontend, client_id):
    answer = frontend.ask(client_id=client_id)
    assert (answer.status_code, "Location" in answer) == (400, False)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("redirect_uris", "http://atlas.example/back"),
        ("redirect_uris", "https://atlas.example/back http://192.168.0.7/back"),
        ("redirect_uris", "http://localhost.evil.example/back"),
        ("redirect_uris", "https://atlas.example/back#here"),
        ("redirect_uris", "https://*.atlas.example/back"),
        ("redirect_uris", "https://me@atlas.example/back"),
        ("redirect_uris", "com.example.atlas:/back"),
        ("redirect_uris", "javascript:alert(1)"),
        ("redirect_uris", ""),
        ("allowed_origins", "*"),
        ("allowed_origins", "http://atlas.example"),
        ("allowed_origins", "https://atlas.example/"),
        ("allowed_origins", "https://atlas.example/page"),
        ("allowed_origins", "null"),
        ("scope_words", "read admin"),
        ("scope_words", ""),
    ],
)
def test_an_administrator_cannot_register(db, field, text):
    with pytest.raises(ValidationError) as error:
        register("Atlas", **{field: text})
    assert set(error.value.message_dict) == {field}


def test_a_program_on_ones_own_machine_gets_its_code_at_any_port(ruth):
    native = Frontend(register("Atlas", redirect_uris=f"{NATIVE} http://[::1]/back"), ruth)
    for here in ("http://127.0.0.1:54321/back", "http://[::1]:54321/back"):
        assert b"a program on this computer" in native.ask(redirect_uri=here).content
        code = native.code(redirect_uri=here)
        assert native.exchange(code, redirect_uri=here.replace("54321", "54322")).status_code == 400
        assert native.exchange(code, redirect_uri=here).status_code == 200
    for elsewhere in (
        "http://127.0.0.1:54321/other",
        "http://localhost:54321/back",
        "http://127.0.0.1.evil.example/back",
    ):
        assert native.ask(redirect_uri=elsewhere).status_code == 400


# --- PKCE ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "changed",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"code_challenge_method": "S512"},
        {"code_challenge": "x" * 42},
        {"code_challenge": "x" * 5000},
    ],
)
@pytest.mark.parametrize("way", ["ask", "decide"])
def test_a_request_without_pkce_by_s256_goes_back_with_an_error(frontend, changed, way):
    back = getattr(frontend, way)(**changed)
    assert back["Location"].startswith(f"{CALLBACK}?")
    found = query_of(back)
    assert (found["error"], found["state"], found["iss"]) == ("invalid_request", "7f3a", "http://testserver")
    assert Grant.objects.count() == 0


@pytest.mark.parametrize(("verifier", "error"), [("x" * 64, "invalid_grant"), (None, "invalid_request")])
def test_a_wrong_verifier_gets_nothing_and_the_right_one_still_does(frontend, verifier, error):
    code = frontend.code()
    refused(frontend.exchange(code, code_verifier=verifier), error)
    assert Token.objects.count() == 0
    assert frontend.exchange(code).status_code == 200


# --- codes -----------------------------------------------------------------------------------------------------------
def test_a_code_that_is_shown_again_ends_what_it_has_brought(frontend):
    code = frontend.code()
    tokens = frontend.exchange(code).json()
    tokens = frontend.renew(tokens["refresh_token"]).json()
    refused(frontend.exchange(code), "invalid_grant")
    assert me(tokens["access_token"]).status_code == 401
    refused(frontend.renew(tokens["refresh_token"]), "invalid_grant")


def test_of_two_who_exchange_a_code_at_once_none_keeps_a_token(frontend):
    code = frontend.code()
    grant = Grant.objects.select_related("application").get()  # as the slower one has read it
    tokens = frontend.exchange(code).json()
    with pytest.raises(oauth.ReplayedError):
        oauth.exchange_code(grant, oauth.PlainPair("theo_a", "theorefresh_a"))
    assert me(tokens["access_token"]).status_code == 401
    assert Token.objects.count() == 1


@pytest.mark.parametrize("changed", [{"redirect_uri": "https://evil.example/back"}, {"code_verifier": "short"}])
def test_a_code_is_bound_to_its_address_and_verifier(frontend, changed):
    assert frontend.exchange(frontend.code(), **changed).status_code == 400
    assert Token.objects.count() == 0


def test_a_code_of_another_application_is_unknown(frontend, ruth):
    other = Frontend(register("Boreas"), ruth)
    code = frontend.code()
    refused(other.exchange(code, code_verifier=frontend.verifier), "invalid_grant")
    refused(frontend.exchange(code, client_id="theoapp_0123456789abcdef"), "invalid_client", 401)
    assert frontend.exchange(code).status_code == 200


def test_a_code_is_good_for_a_minute(frontend):
    code = frontend.code()
    assert Grant.objects.get().expires <= timezone.now() + timedelta(seconds=60)
    Grant.objects.update(expires=timezone.now())
    refused(frontend.exchange(code), "invalid_grant")


def test_codes_that_nobody_used_are_swept(frontend):
    frontend.code()
    Grant.objects.update(expires=timezone.now() - timedelta(days=2))
    frontend.code()
    assert Grant.objects.count() == 1


def test_refresh_tokens_that_have_expired_are_swept_with_the_next_consent(frontend):
    frontend.sign_in()
    RefreshToken.objects.update(expires_at=timezone.now())
    frontend.code()
    assert RefreshToken.objects.count() == 0


# --- refresh tokens --------------------------------------------------------------------------------------------------
def test_a_refresh_token_that_is_shown_again_revokes_its_family(frontend):
    first = frontend.sign_in()
    second = frontend.renew(first["refresh_token"]).json()
    other = frontend.sign_in()
    refused(frontend.renew(first["refresh_token"]), "invalid_grant")
    assert me(second["access_token"]).status_code == 401
    refused(frontend.renew(second["refresh_token"]), "invalid_grant")
    assert me(other["access_token"]).status_code == 200  # another consent is another family


def test_of_two_who_renew_at_once_none_keeps_a_token(frontend):
    first = frontend.sign_in()
    row = RefreshToken.objects.select_related("token").get()  # as the slower one has read it
    second = frontend.renew(first["refresh_token"]).json()
    with pytest.raises(oauth.ReplayedError):
        oauth.renew(row, [Scope.READ], oauth.PlainPair("theo_a", "theorefresh_a"))
    assert me(second["access_token"]).status_code == 401


def test_a_refresh_token_of_another_application_is_unknown(frontend, ruth):
    other = Frontend(register("Boreas"), ruth)
    tokens = frontend.sign_in()
    refused(other.renew(tokens["refresh_token"]), "invalid_grant")
    assert other.revoke(tokens["refresh_token"]).status_code == 200
    assert other.revoke(tokens["access_token"]).status_code == 200
    assert me(tokens["access_token"]).status_code == 200
    assert frontend.renew(tokens["refresh_token"]).status_code == 200


def test_a_refresh_token_ends_when_it_has_rested_too_long(frontend):
    tokens = frontend.sign_in()
    RefreshToken.objects.update(expires_at=timezone.now())
    refused(frontend.renew(tokens["refresh_token"]), "invalid_grant")


def test_a_renewal_never_asks_for_more(frontend):
    tokens = frontend.sign_in(scope="read")
    refused(frontend.renew(tokens["refresh_token"], scope="read gm"), "invalid_scope")
    assert frontend.renew(tokens["refresh_token"]).status_code == 200


def test_neither_token_does_the_work_of_the_other(frontend):
    tokens = frontend.sign_in()
    assert me(tokens["refresh_token"]).status_code == 401
    refused(frontend.renew(tokens["access_token"]), "invalid_grant")


# --- consent, scopes, people, applications ---------------------------------------------------------------------------
def test_who_does_not_allow_it_is_sent_back_without_a_code(frontend):
    for decision in ("deny", ""):
        found = query_of(frontend.decide(decision))
        assert (found["error"], found["state"], found["iss"]) == ("access_denied", "7f3a", "http://testserver")
        assert "code" not in found
    assert Grant.objects.count() == 0


def test_consent_needs_the_form_of_the_page(frontend, ruth):
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(ruth, backend=BACKEND)
    assert forged.post(frontend.address(), {"decision": "allow"}).status_code == 403
    assert forged.get(f"{frontend.address()}&decision=allow").status_code == 200
    assert Grant.objects.count() == 0


def test_a_form_cannot_change_what_was_asked(frontend, ruth):
    other = register("Boreas")
    body = {"decision": "allow", "client_id": other.client_id, "scope": "read play gm"}
    answer = frontend.browser.post(frontend.address(), body)
    assert answer.status_code == 400
    assert Grant.objects.count() == 0


@pytest.mark.parametrize("scope", ["read play gm", "read admin", "write"])
def test_an_application_asks_for_no_scope_that_it_was_not_allowed(ruth, scope):
    modest = Frontend(register("Boreas", scope_words="read play"), ruth)
    for back in (modest.ask(scope=scope), modest.decide(scope=scope)):
        assert query_of(back)["error"] == "invalid_scope"
    assert Grant.objects.count() == 0


@pytest.mark.parametrize("response_type", ["token", "code token", "id_token", "none", "", None])
def test_nothing_but_a_code_is_sent_to_a_page(frontend, response_type):
    back = frontend.ask(response_type=response_type)
    assert "error=" in back["Location"] and "code=" not in back["Location"]


@pytest.mark.parametrize(
    "grant_type", ["password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:device_code"]
)
def test_no_other_way_leads_to_a_token(frontend, grant_type):
    answer = frontend.post(
        "/oauth/token/",
        grant_type=grant_type,
        client_id=frontend.application.client_id,
        username="Ruth",
        password=PASSWORD,
        device_code="x",
    )
    refused(answer, "unsupported_grant_type")
    assert Token.objects.count() == 0


def test_a_revoked_application_can_do_nothing(frontend):
    tokens, code = frontend.sign_in(), frontend.code()
    assert oauth.revoke_application(frontend.application) == 1
    assert me(tokens["access_token"]).status_code == 401
    assert frontend.ask().status_code == 400
    refused(frontend.exchange(code), "invalid_client", 401)
    refused(frontend.renew(tokens["refresh_token"]), "invalid_client", 401)


def test_a_token_that_slipped_through_is_refused_with_its_application(frontend):
    tokens = frontend.sign_in()
    type(frontend.application).objects.update(revoked_at=timezone.now())
    assert me(tokens["access_token"]).status_code == 401


def test_who_is_retired_signs_in_to_nothing_any_more(frontend, ruth):
    tokens, code = frontend.sign_in(), frontend.code()
    ruth.is_active = False
    ruth.save()
    assert me(tokens["access_token"]).status_code == 401
    refused(frontend.exchange(code), "invalid_grant")
    refused(frontend.renew(tokens["refresh_token"]), "invalid_grant")
    assert frontend.ask()["Location"].startswith("/oauth/log-in/")
    page = frontend.browser.post("/oauth/log-in/", {"username": "Ruth", "password": PASSWORD})
    assert (page.status_code, b'role="alert"' in page.content) == (200, True)


# --- the endpoints for programs --------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ["/oauth/token/", "/oauth/revoke/"])
def test_what_is_no_form_is_an_invalid_request(frontend, path):
    program = frontend.program
    refused(program.get(path), "invalid_request", 405)
    refused(program.post(path, b"{}", content_type="application/json"), "invalid_request")
    refused(program.post(f"{path}?client_id=x", "grant_type=refresh_token", content_type=FORM), "invalid_request")
    refused(program.post(path, "a=" + 3_000_000 * "x", content_type=FORM), "invalid_request", 413)
    refused(program.post(path, "&".join(f"a{n}=1" for n in range(2000)), content_type=FORM), "invalid_request")


@pytest.mark.parametrize("text", ["", "nul\0", "ü", "x" * 5000])
def test_strange_codes_and_tokens_are_unknown(frontend, text):
    assert frontend.exchange(text).status_code == 400
    assert frontend.renew(text).status_code == 400
    assert frontend.revoke(text).status_code in (200, 400)


def test_a_secret_proves_nothing_for_an_application_that_has_none(frontend):
    refused(frontend.exchange(frontend.code(), client_secret="guess"), "invalid_client", 401)


def test_programs_have_a_budget_by_address(frontend, settings):
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "oauth": "2/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    for _ in range(2):
        refused(frontend.renew("x"), "invalid_grant")
    answer = frontend.renew("x")
    refused(answer, "temporarily_unavailable", 429)
    assert (int(answer["Retry-After"]) <= 60, answer["RateLimit-Limit"]) == (True, "2")


def test_people_give_no_endless_consent(frontend, settings):
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "oauth": "1/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    assert [frontend.decide().status_code for _ in range(2)] == [302, 429]
    assert Grant.objects.count() == 1


def test_a_database_that_is_away_is_told_to_programs(frontend, monkeypatch):
    code = frontend.code()

    def away(*_):
        raise OperationalError("the connection was lost")

    monkeypatch.setattr(oauth, "exchange_code", away)
    answer = frontend.exchange(code)
    refused(answer, "temporarily_unavailable", 503)
    assert answer["Retry-After"] == "5"
    monkeypatch.undo()
    assert frontend.exchange(code).status_code == 200


def test_passwords_are_tried_few_times_on_the_page_too(frontend, settings):
    browser = Client()
    for _ in range(5):
        page = browser.post("/oauth/log-in/", {"username": "Ruth", "password": "wrong"})
    assert page.status_code == 429
    assert browser.post("/oauth/log-in/", {"username": "RUTH", "password": PASSWORD}).status_code == 429
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "token": "1/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    page = browser.post("/oauth/log-in/", {"username": "Else", "password": "wrong"})
    assert (page.status_code, b"Too many tries" in page.content) == (429, True)


def test_nobody_is_sent_elsewhere_after_logging_in(frontend):
    browser = Client()
    sent = browser.post("/oauth/log-in/?next=https://evil.example/", {"username": "Ruth", "password": PASSWORD})
    assert (sent.status_code, sent["Location"]) == (302, "/")
