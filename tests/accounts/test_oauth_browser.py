"""Signing in from a page of another origin in a real browser, with the very script of docs/sign-in.md."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Token, User
from core.process_cache import clear_process_caches
from tests.accounts.frontend import PASSWORD, register
from tests.browser import needed, open_pages

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = re.findall(r"```js\n(.*?)```", (ROOT / "docs" / "sign-in.md").read_text(), re.S)[0]
DRIVE = """
const done = (result) => { window.result = result; };
const who = ({ access_token }) => ask(`${BASE}/api/v1/me/`, { headers: { Authorization: `Bearer ${access_token}` } });
if (!location.search) signIn().catch((error) => done({ error: error.message }));
else comeBack().then(async (tokens) => {
  const first = await who(tokens), next = await renew(tokens), second = await who(next);
  await signOut(next);
  const after = await who(next).then(() => 200, (error) => error.status);
  done({ names: [first.username, second.username], scope: next.scope, after, address: location.href });
}).catch((error) => done({ error: error.message }));
"""
"""In the place of a real frontend: it uses what the script offers as soon as the page is there."""


class Site(BaseHTTPRequestHandler):
    """Another origin: one page, whatever is asked."""

    page = ""

    def do_GET(self) -> None:
        """The page."""
        body = self.page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """The origin of another server on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@needed
@pytest.mark.django_db(transaction=True)
def test_a_page_of_another_origin_signs_in_and_out(live_server, site, tmp_path, monkeypatch):
    application = register("Atlas", redirect_uris=f"{site}/back", allowed_origins=site)
    User.objects.create_user("Ruth", password=PASSWORD)
    clear_process_caches()
    names = {"BASE": live_server.url, "CLIENT": application.client_id, "BACK": f"{site}/back"}
    values = "".join(f'const {name} = "{value}";\n' for name, value in names.items())
    monkeypatch.setattr(Site, "page", f"<!DOCTYPE html><title>Atlas</title><script>{values}{SCRIPT}{DRIVE}</script>")
    with open_pages(tmp_path, "atlas") as (page,):
        page.goto(f"{site}/")
        expect(page.get_by_role("heading")).to_have_text("Log in to Theogony")
        expect(page.locator("main")).to_have_css("max-width", "512px")  # the policy lets the style in
        page.screenshot(path=tmp_path / "log-in.png")
        page.get_by_label("User name").fill("ruth")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()

        expect(page.get_by_role("main")).to_contain_text(site.removeprefix("http://"))
        page.screenshot(path=tmp_path / "consent.png")
        page.get_by_role("button", name="Allow", exact=True).click()
        assert result(page) == {
            "names": ["Ruth", "Ruth"],
            "scope": "read play",
            "after": 401,
            "address": f"{site}/back",
        }

        page.goto(f"{site}/")  # still logged in here, and asked again
        page.get_by_role("button", name="Do not allow").click()
        assert result(page) == {"error": "access_denied"}

        tried = f"fetch('{live_server.url}/oauth/token/', {{ method: 'POST' }}).then(() => 'read', () => 'kept away')"
        monkeypatch.setattr(
            Site, "page", f"<!DOCTYPE html><script>{tried}.then((r) => {{ window.result = r }})</script>"
        )
        page.goto(f"{site.replace('127.0.0.1', 'localhost')}/")
        assert result(page) == "kept away"  # another origin, which no application has
    assert Token.objects.get().revoked_at is not None


def result(page: Page) -> Any:
    """What the script in the page came to, as soon as it has."""
    return page.wait_for_function("window.result").json_value()
