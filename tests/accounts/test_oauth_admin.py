"""Applications in the admin: registered and revoked there; what the admin and the logs show of secrets: nothing."""

import logging

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts import keys
from accounts.models import Token, User
from accounts.oauth.models import Application, Grant, RefreshToken
from accounts.sessions import BACKEND
from api.common.problems import redact as redact_problem
from config.logs import redact
from tests.accounts.frontend import CALLBACK, ORIGIN, me, register

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LIST, ADD = reverse("admin:oauth_application_changelist"), reverse("admin:oauth_application_add")


@pytest.fixture
def page(db: None) -> Client:
    """An administrator's browser."""
    client = Client()
    client.force_login(User.objects.create_superuser("root"), backend=BACKEND)
    return client


def test_an_administrator_registers_an_application(page):
    form = {"name": "Atlas", "redirect_uris": CALLBACK, "allowed_origins": ORIGIN, "scope_words": "read play"}
    assert page.post(ADD, form).status_code == 302
    made = Application.objects.get()
    assert keys.CLIENT_SHAPE.fullmatch(made.client_id)
    assert made.client_id in page.get(LIST).content.decode()
    wrong = page.post(ADD, {**form, "redirect_uris": "http://atlas.example/back"})
    assert (wrong.status_code, b"must be https" in wrong.content) == (200, True)
    assert Application.objects.count() == 1


def test_an_administrator_revokes_an_application_and_cannot_delete_it(page, frontend):
    tokens, other = frontend.sign_in(), register("Boreas")
    row = str(frontend.application.pk)
    assert page.post(LIST, {"action": "revoke", "_selected_action": [row]}).status_code == 302
    assert me(tokens["access_token"]).status_code == 401
    assert page.post(reverse("admin:oauth_application_delete", args=[row]), {"post": "yes"}).status_code == 403
    other.refresh_from_db()
    assert (other.revoked_at, Application.objects.count()) == (None, 2)


def test_lists_cost_the_same_for_many(page, frontend, django_assert_max_num_queries):
    for n in range(10):
        register(f"Titan {n}")
        frontend.sign_in()
    for address in (LIST, reverse("admin:accounts_token_changelist")):
        with django_assert_max_num_queries(14):
            assert b"Atlas" in page.get(address).content


def test_codes_and_refresh_tokens_have_no_page():
    assert {model for model in admin.site._registry if model._meta.app_label in ("oauth", "oauth2_provider")} == {
        Application
    }
    for name in ("oauth_grant", "oauth_refreshtoken", "oauth2_provider_idtoken"):
        with pytest.raises(NoReverseMatch):
            reverse(f"admin:{name}_changelist")


def test_who_is_no_administrator_sees_no_application(frontend):
    for address in (LIST, ADD):
        assert frontend.browser.get(address)["Location"].startswith("/admin/login/")


def test_no_log_line_holds_a_code_or_a_token(frontend, caplog):
    with caplog.at_level(logging.INFO):
        code = frontend.code()
        first = frontend.exchange(code).json()
        second = frontend.renew(first["refresh_token"]).json()
        frontend.renew(first["refresh_token"])
        frontend.revoke(second["access_token"])
    secrets = [code, *(tokens[name] for tokens in (first, second) for name in ("access_token", "refresh_token"))]
    assert [secret for secret in secrets if secret in caplog.text] == []


@pytest.mark.parametrize("hide", [redact, redact_problem])
def test_a_refresh_token_is_taken_out_wherever_it_stands(hide):
    plain = keys.new(keys.REFRESH_WORD, keys.REFRESH_LETTERS)
    assert plain not in hide(f"there is no {plain} here")


def test_rows_show_no_secret(frontend):
    frontend.sign_in()
    for model in (Application, Grant, RefreshToken, Token):
        row = model.objects.get()
        digest = getattr(row, "digest", getattr(row, "code", "none"))
        assert digest not in f"{row} {row!r}"
