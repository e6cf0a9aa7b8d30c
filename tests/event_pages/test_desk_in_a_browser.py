"""The desk in a real browser, on the whole service with its worker: it moves by itself, and the clock is led from it.

A stranger's screen stands beside it. Needs a browser; `make test-browser` runs these alone.
"""

import json
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.accounts.browser import Page, chromium, needed
from tests.test_serve import Running, until

pytestmark = needed
CENTURY_SECONDS = "40"


class Event(Running):
    """The demo event with previews, in a folder of its own."""

    def start(self, **more: str) -> Any:
        """Start it, or start it again on the same data."""
        return super().start(**more, DEMO="1", DEMO_CENTURY_SECONDS=CENTURY_SECONDS)

    @property
    def base(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> bool:
        """Whether it answers requests."""
        try:
            with urllib.request.urlopen(f"{self.base}/livez") as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    @property
    def demo(self) -> dict[str, Any]:
        """Its game and its people."""
        found: dict[str, Any] = json.loads((self.folder / "demo.json").read_text())
        return found


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """The demo event, under way."""
    service = Event(tmp_path)
    try:
        until(service.ready)
        yield service
    finally:
        service.end(signal.SIGTERM)


def sign_in(page: Page, event: Event) -> None:
    """Sign in as the game-master, on the way to the desk."""
    lead = next(each for each in event.demo["users"] if each["role"] == "gm")
    page.go(f"{event.base}/games/{event.demo['game']}/desk/")
    page.until("location.pathname == '/oauth/log-in/' && document.readyState == 'complete'")
    for field, value in (("username", lead["name"]), ("password", lead["password"])):
        page.run(f"document.getElementById('id_{field}').value = '{value}'")
    page.run("document.querySelector('button.main').click()")
    page.until("location.pathname.endsWith('/desk/') && document.readyState == 'complete' && !!window.htmx")


def press(page: Page, key: str) -> None:
    """Press a key of the keyboard."""
    page.run(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))")


def test_an_event_is_led_from_the_desk_and_the_screen_follows(event, tmp_path):
    with chromium(tmp_path / "desk") as desk, chromium(tmp_path / "screen") as screen:
        screen.go(f"{event.base}/games/{event.demo['game']}/screen/")
        screen.until("document.readyState == 'complete' && !!document.querySelector('.head')")
        sign_in(desk, event)
        desk.until("document.querySelectorAll('.events li').length > 3")
        first = desk.run("document.querySelector('.events li').innerText")
        desk.until(f"document.querySelector('.events li').innerText != {json.dumps(first)}")  # nobody has reloaded it
        assert desk.run("document.getElementById('stale').hidden")

        press(desk, "p")
        desk.until("document.querySelector('#clock .big').innerText == 'paused'")
        screen.until("document.querySelector('#clock .big').innerText == 'paused'")
        assert desk.run("document.getElementById('toast').textContent").startswith("The clock stands still.")
        press(desk, "p")
        desk.until("document.querySelector('#clock .big').innerText != 'paused'")
        screen.until("document.querySelector('#clock .big').innerText != 'paused'")

        desk.run("document.querySelectorAll('.events button')[2].click()")
        desk.until("document.getElementById('dialog').open && !!document.querySelector('.falls li')")
        desk.run("document.getElementById('dialog').close()")

        # What is being written stays while the page moves underneath.
        desk.run("htmx.ajax('GET', document.querySelector('#menu button').getAttribute('hx-get'), '#dialog-body')")
        desk.until("document.getElementById('dialog').open")
        assert not desk.run("document.body.scrollWidth > innerWidth")

        # The service goes and comes back: both pages say so, and go on by themselves.
        event.end(signal.SIGTERM)
        for page in (desk, screen):
            page.until("!document.getElementById('stale').hidden")
        event.process = event.start()
        until(event.answers)
        for page in (desk, screen):
            page.until("document.getElementById('stale').hidden")


def test_nothing_of_the_pages_offends_the_policy(event, tmp_path):
    with chromium(tmp_path / "desk") as page:
        sign_in(page, event)
        watch = "window.offences = []; addEventListener('securitypolicyviolation', (e) => offences.push(e.blockedURI));"
        page.run(watch)
        page.until("document.querySelectorAll('.events li').length > 3")
        page.run("live.refresh()")
        page.until("performance.getEntriesByType('resource').some((each) => each.name.endsWith('/desk/body/'))")
        assert page.run("offences") == []
