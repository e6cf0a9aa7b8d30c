"""A live event in real browsers: the whole service on the embedded default, desks, screens, players at the API."""

import json
import threading
import urllib.error
import urllib.request
from typing import Any

from tests.accounts.browser import Page
from tests.test_serve import Running

CENTURY_SECONDS = "1800"
"""As on the day: what happens sooner, happens since somebody at the desk wanted it so."""


class Event(Running):
    """The demo event with previews, in a folder of its own."""

    def start(self, **more: str) -> Any:
        """Start it, or start it again on the same data."""
        return super().start(**more, DEMO="1", DEMO_PREVIEWS="1", DEMO_CENTURY_SECONDS=CENTURY_SECONDS)

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
        """Its games and its people."""
        found: dict[str, Any] = json.loads((self.folder / "demo.json").read_text())
        return found

    def game_of(self, ruleset: str) -> str:
        """The address of the pages of its game of a ruleset."""
        found = next(game["game"] for game in self.demo["games"] if game["ruleset"] == ruleset)
        return f"{self.base}/games/{found}/"

    @property
    def game(self) -> str:
        """The address of the pages of the event."""
        return self.game_of("gods2")

    def players(self) -> dict[str, str]:
        """The gods whom people play, each with a token."""
        tokens = {each["name"]: each["token"] for each in self.demo["users"]}
        seats = next(game["seats"] for game in self.demo["games"] if game["ruleset"] == "gods2")
        return {seat["seat_name"]: tokens[seat["user"]] for seat in seats if seat["role"] == "player"}

    def issue(self, token: str, command: str, **body: Any) -> int:
        """Issue a command over the API; the status of the answer."""
        address = f"{self.base}/api/v1/games/{self.demo['game']}/commands/{command}/"
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code


class Stranger:
    """Somebody without a seat who keeps every byte that the screen and the public stream send."""

    def __init__(self, event: Event) -> None:
        self.event, self.over, self.kept = event, threading.Event(), bytearray()
        self.threads = [threading.Thread(target=each, daemon=True) for each in (self.look, self.listen)]
        for thread in self.threads:
            thread.start()

    def look(self) -> None:
        """Ask for the screen with all its parts, again and again."""
        while not self.over.wait(0.5):
            for part in ("", "body/", "map.svg", "charts/population.svg"):
                self.keep(f"{self.event.game}screen/{part}")

    def listen(self) -> None:
        """Follow the stream, again and again."""
        while not self.over.is_set():
            self.keep(f"{self.event.base}/api/v1/games/{self.event.demo['game']}/stream/?life=1")

    def keep(self, address: str) -> None:
        """Keep what an address sends until it ends, or until this is over; a service that is away sends nothing."""
        try:
            with urllib.request.urlopen(address, timeout=20) as answer:
                while not self.over.is_set() and (line := answer.readline()):
                    self.kept += line
        except urllib.error.HTTPError as refused:
            self.kept += refused.read()
        except OSError:
            self.over.wait(0.5)

    def end(self) -> bytes:
        """Everything that was sent."""
        self.over.set()
        for thread in self.threads:
            thread.join(30)
        return bytes(self.kept)


def sign_in(page: Page, event: Event, path: str = "desk/") -> None:
    """Sign in as the game-master, on the way to a page of the event."""
    lead = next(each for each in event.demo["users"] if each["role"] == "gm")
    page.go(f"{event.game}{path}")
    page.until("location.pathname == '/oauth/log-in/' && document.readyState == 'complete'")
    for field, value in (("username", lead["name"]), ("password", lead["password"])):
        page.run(f"document.getElementById('id_{field}').value = '{value}'")
    page.run("document.querySelector('button.main').click()")
    page.until(f"location.pathname.endsWith('/{path}') && document.readyState == 'complete' && !!window.htmx")


def visit(page: Page, address: str) -> None:
    """Open a page, and wait until all of it is there."""
    page.go(address)
    page.until(f"location.href == {json.dumps(address)} && document.readyState == 'complete'")


def press(page: Page, key: str) -> None:
    """Press a key of the keyboard."""
    page.run(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))")


def find_button(label: str, within: str) -> str:
    """A script for the first button with this label, in an element."""
    every = f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
    return f"{every}.find((each) => each.textContent.trim().startsWith({json.dumps(label)}))"


def click(page: Page, label: str, within: str) -> None:
    """Click the first button with this label as soon as it is there."""
    found = find_button(label, within)
    page.until(f"!!{found}")
    page.run(f"{found}.click()")


def has_button(page: Page, label: str, within: str) -> bool:
    """Whether there is a button with this label now."""
    return bool(page.run(f"!!{find_button(label, within)}"))


def fill(page: Page, field: str, value: str) -> None:
    """Write into a field of the dialog as soon as it is there."""
    found = f"document.querySelector('#dialog [name^=\"{field}\"]:not([type=hidden])')"
    page.until(f"document.getElementById('dialog').open && !!{found}")
    page.run(f"{found}.value = {json.dumps(value)}")


def choose(page: Page, field: str, title: str) -> None:
    """Choose in a field of the dialog as soon as there is a choice whose title has these words."""
    found = f"document.querySelector('#dialog select[name^=\"{field}\"]')"
    option = f"[...({found} || {{options: []}}).options].find((each) => each.text.includes({json.dumps(title)}))"
    page.until(f"document.getElementById('dialog').open && !!{option}")
    page.run(f"{found}.value = {option}.value")
    page.run(f"{found}.dispatchEvent(new Event('change', {{bubbles: true}}))")


def send(page: Page) -> str:
    """Send the form of the dialog, which closes; what the page says then."""
    page.run("document.getElementById('toast').textContent = ''")
    page.run("document.querySelector('#dialog button.main').click()")
    page.until("!document.getElementById('dialog').open")
    said: str = page.run("document.getElementById('toast').textContent")
    return said


def text(page: Page, selector: str) -> str:
    """What an element says; "" without it."""
    found: str = page.run(f"(document.querySelector({json.dumps(selector)}) || {{innerText: ''}}).innerText")
    return found
