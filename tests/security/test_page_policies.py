"""A policy on every page: what a page may load and run, also where something failed."""

import re

import pytest
from django.test import Client

from accounts.models import User
from api.common.page_policy import ADMIN, DOCS, NOTHING
from api.pages.error_pages import POLICY

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.parametrize(
    ("path", "status", "policy"),
    [
        ("/api/docs/", 200, DOCS),
        ("/admin/games/game/?next=x", 302, ADMIN),
        ("/games/new/", 302, NOTHING),
    ],
)
def test_a_page_without_a_policy_of_its_own_is_given_one(path, status, policy):
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Security-Policy"]) == (status, policy)


def test_an_error_runs_nothing(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("api.pages.way_in.home.HomePage.get", fail)
    answer = Client(raise_request_exception=False).get("/")
    refused = Client(enforce_csrf_checks=True).post("/oauth/log-in/", {"username": "a"})
    missing = Client().get("/no/such/page/")
    for page, status in ((answer, 500), (refused, 403), (missing, 404)):
        assert (page.status_code, page["Content-Security-Policy"]) == (status, POLICY)
        assert "<script" not in page.content.decode() and "<form" not in page.content.decode()
    assert POLICY.startswith("default-src 'none'") and "script" not in POLICY and "form-action 'none'" in POLICY


def test_the_reader_of_the_api_has_no_script_in_its_page():
    page = Client().get("/api/docs/?ruleset=gods2")
    assert re.findall(r"<script>", page.content.decode()) == []
    script = re.findall(r'<script src="([^"]*script=[^"]*)"', page.content.decode())[0].replace("&amp;", "&")
    found = Client().get(script)
    assert found["Content-Type"].startswith("application/javascript")
    assert b"gods2" in found.content


def test_pages_keep_their_own_policies_and_the_admin_has_one():
    client = Client()
    assert "sha256-" in client.get("/oauth/log-in/")["Content-Security-Policy"]
    assert "'unsafe" not in client.get("/")["Content-Security-Policy"]
    client.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    assert client.get("/admin/")["Content-Security-Policy"] == ADMIN
    assert all(part not in ADMIN for part in ("http", "*"))
