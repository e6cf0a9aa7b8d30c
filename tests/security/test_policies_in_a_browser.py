"""The policies of pages, kept by a real browser: it reports what it was not allowed to load or run."""

import pytest
from django.core.cache import caches

from accounts.models import User
from tests.browser import expect, needed, open_pages

pytestmark = [needed, pytest.mark.long, pytest.mark.django_db(transaction=True)]
PASSWORD = "seven-gates-of-horn"


def test_the_reader_of_the_api_and_the_admin_work_under_their_policies(live_server, tmp_path):
    caches["throttles"].clear()
    User.objects.create_superuser("root", password=PASSWORD)
    said: list[str] = []
    with open_pages(tmp_path, "page") as (page,):
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{live_server.url}/api/docs/?ruleset=core")
        expect(page.get_by_text("Theogony: core").first).to_be_visible()
        page.goto(f"{live_server.url}/admin/accounts/user/")
        page.get_by_label("User name").fill("root")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("link", name="root").first).to_be_visible()
        page.get_by_role("link", name="root").first.click()
        expect(page.get_by_role("button", name="Save", exact=True).first).to_be_visible()
        page.goto(f"{live_server.url}/admin/password_change/")
        expect(page.locator("#id_old_password")).to_be_visible()
        page.goto(f"{live_server.url}/admin/")
    assert [text for text in said if "Content Security Policy" in text or "EvalError" in text] == []
