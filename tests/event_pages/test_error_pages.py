"""What a person is shown where a page fails: a page in words with a way home, and nothing of the database is needed.

The kind: every answer to a person that no view has made. Programs get problems (`tests/api/test_problems.py`).
"""

import json
from html import unescape
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import OperationalError, connection
from django.test import Client

from accounts.models import User
from api.pages.error_pages import POLICY
from api.pages.way_in.home import HomePage
from core.places.place import BeingMoved

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def browser() -> Client:
    """A browser of somebody who is signed in, that shows errors as the service answers them."""
    made = Client(raise_request_exception=False, enforce_csrf_checks=True)
    made.force_login(User.objects.create_user("ada", is_staff=True))
    return made


def require_page(answer, status: int, *words: str) -> None:
    """Require a page of ours that says this, is kept nowhere, and leads home."""
    text = answer.content.decode()
    assert answer.status_code == status and [each for each in words if each not in text] == []
    assert 'href="/">To the games</a>' in text and 'role="alert"' in text and "/static/pages/pages.css" in text
    assert answer["Content-Security-Policy"] == POLICY and answer["Cache-Control"] == "no-store"


def away(*_: object) -> None:
    """Stands for every statement while there is no database."""
    raise OperationalError("away")


def fails_with(monkeypatch, error: Exception) -> None:
    """Let the home page fail."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(HomePage, "get", fail)


@pytest.mark.parametrize("address", ["/nothing/", "/games/", "/games/0/desk/", "/admin/nothing/", "/nothing/?a=%00"])
def test_an_address_of_nothing(browser, address):
    require_page(browser.get(address), 404, "There is no such page", "Copy a link whole")


@pytest.mark.parametrize("address", ["/nothing/", "/admin/nothing/"])
def test_with_debug_an_address_of_nothing_is_the_same_page(browser, settings, address):
    """`make run` runs with it: who follows an old link is not shown the addresses of the service."""
    settings.DEBUG = True
    require_page(browser.get(address), 404, "There is no such page")
    require_part(browser.get(address, headers=PART), 404, "Nothing is at this address")


def test_a_page_of_the_admin_without_the_permission(browser):
    require_page(browser.get("/admin/accounts/user/"), 403, "Your account may not do that.")


@pytest.mark.parametrize("address", ["/oauth/log-out/", "/games/new/toy/", "/admin/accounts/user/"])
def test_a_form_without_the_token_of_its_session(browser, address):
    require_page(browser.post(address), 403, "Nothing was done: this form was opened before you signed in")


def test_who_has_tried_too_many_passwords(db):
    guesser = Client()
    for _ in range(settings.AXES_FAILURE_LIMIT):
        answer = guesser.post("/oauth/log-in/", {"username": "ada", "password": "wrong"})
    require_page(answer, 429, "Too many wrong passwords for this name")


def test_a_budget_that_is_spent(settings, browser):
    """A page of its own and one of the admin; what is sent from a form is refused beside its button."""
    rates = dict.fromkeys(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "0/day")
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    words = "Too many requests; try again in"
    for address in ("/", "/nothing/", "/admin/accounts/user/"):
        answer = browser.get(address)
        require_page(answer, 429, words)
        assert f"{words} {answer['Retry-After']} s." in answer.content.decode()
    require_part(browser.get("/nothing/", headers=PART), 429, words)
    sent = browser.post("/nothing/", headers=PART)
    assert words in json.loads(sent["HX-Trigger"])["refused"]["message"]


@pytest.mark.parametrize(
    "address", ["/oauth/log-out/", "/play/toy/", "/games/00000000-0000-4000-8000-00000000dead/desk/mute/"]
)
def test_a_link_to_what_takes_forms_alone(browser, address):
    answer = browser.get(address)
    require_page(answer, 405, "There is no such page", "nothing was done")
    assert "POST" in answer["Allow"] and "GET" not in answer["Allow"]


def test_a_program_gets_problems_where_no_view_has_made_any(browser):
    """The kind: what Django answers without a word of ours."""
    for address in ("/graphql/schema.graphql", "/api/asyncapi/"):  # a session asks for no token of a form
        refused = browser.post(address)
        assert (refused.status_code, refused["Allow"], refused.json()["code"]) == (405, "GET, HEAD", "method.unknown")
        assert refused.json()["detail"] == "This address takes GET, HEAD alone."


def test_a_host_that_is_not_ours(settings):
    settings.ALLOWED_HOSTS = ["play.example"]
    require_page(Client(headers={"Host": "evil.example"}).get("/"), 400, "This request cannot be read")


def test_a_request_that_is_not_as_it_should_be(browser, monkeypatch):
    fails_with(monkeypatch, SuspiciousOperation("tampered"))
    answer = browser.get("/")
    require_page(answer, 400, "This request cannot be read")
    assert b"tampered" not in answer.content


@pytest.mark.parametrize(
    ("error", "seconds", "words"),
    [
        (OperationalError("connection refused at 10.0.0.1"), "5", "The database does not answer; nothing was changed."),
        (BeingMoved(), "1", str(BeingMoved())),
    ],
)
def test_what_passes_by_itself_says_so_and_when_to_come_again(browser, monkeypatch, error, seconds, words):
    fails_with(monkeypatch, error)
    answer = browser.get("/")
    require_page(answer, 503, words)
    assert answer["Retry-After"] == seconds and b"10.0.0.1" not in answer.content


def test_a_failure_names_its_line_in_the_log_and_nothing_of_its_cause(browser, monkeypatch):
    fails_with(monkeypatch, ZeroDivisionError("secret-of-the-service"))
    answer = browser.get("/")
    require_page(answer, 500, f"logged under {answer['X-Request-Id']};")
    assert b"secret-of-the-service" not in answer.content


@pytest.mark.parametrize("address", ["/", "/sign-up/", "/games/new/", "/admin/accounts/user/"])
def test_without_a_database_every_page_says_so(browser, address):
    with connection.execute_wrapper(away):
        answer = browser.get(address)
    require_page(answer, 503, "The database does not answer")


PART = {"HX-Request": "true"}


def require_part(answer, status: int, words: str) -> None:
    """Require a part of a page that says this and can be closed, and is no page of its own."""
    text = answer.content.decode()
    assert answer.status_code == status and words in text and "<html" not in text and "data-close" in text


def test_a_part_that_is_refused_is_a_part(browser):
    for address in ("/nothing/", f"/games/{uuid4()}/desk/body/"):
        answer = browser.get(address, headers=PART)
        require_part(answer, 404, "There is no such" if "desk" in address else "Nothing is at this address")
        assert "HX-Trigger" not in answer


def test_what_was_sent_is_refused_beside_its_button(browser):
    """The kind: a form that no view of forms has read; it keeps what somebody has written in it (desk.js)."""
    address = f"/games/{uuid4()}/desk/commands/pause/"
    refused = browser.post(address, headers=PART)
    require_part(refused, 403, "Nothing was done: this form was opened before you signed in")
    stranger = Client().post(address, headers=PART)
    known = Client(raise_request_exception=False)
    known.force_login(User.objects.get(username="ada"))
    require_part(stranger, 401, "Sign in first; nothing was done.")
    with connection.execute_wrapper(away):
        failed = known.post(address, headers=PART)
    require_part(failed, 503, "The database does not answer")
    for answer in (refused, stranger, failed):
        assert json.loads(answer["HX-Trigger"])["refused"]["message"] in unescape(answer.content.decode())
