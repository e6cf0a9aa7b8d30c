"""A live event in real browsers: the whole service on the embedded default, desks, screens, players at the API."""

import json
import re
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Response, TimeoutError, expect

from tests.test_serve import Running

CENTURY_SECONDS = "14400"
"""As on the day: what happens sooner, happens since somebody at the desk wanted it so."""
ANSWER_TIMEOUT_MS = 10_000
"""For the click on an answer; then the question is not there any more."""
TRIES = 10
"""So often a form is sent that comes back because more has happened since it was shown: bots play on."""
CLOSE_AND_OPEN = """new Promise((done) => {
  const dialog = document.getElementById('dialog');
  dialog.addEventListener('close', done, { once: true });
  dialog.close();
  dialog.showModal();
})"""
"""A dialog that is closed and opened before it has said that it closed."""


class Event(Running):
    """The demo event with previews, in a folder of its own."""

    def start(self, **more: str) -> Any:
        """Start it, or start it again on the same data."""
        return super().start(**more, DEMO="1", DEMO_PREVIEWS="1", DEMO_STEP_SECONDS=CENTURY_SECONDS)

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
        for each in (self.look, self.listen):
            threading.Thread(target=each, daemon=True).start()

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
        """Everything that was sent until now; the threads end with the next line that they are sent."""
        self.over.set()
        return bytes(self.kept)


class LivePage:
    """What desk and screen have in common: a clock, and a line that says when they are cut off."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clock = page.locator("#clock")
        self.remaining = self.clock.locator(".big")
        self.stale = page.get_by_text("Not connected since")


class BrowserScreen(LivePage):
    """A screen in a browser."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.standings = page.locator("#standings")

    def contest(self, name: str) -> Locator:
        """The card of a contest."""
        return self.page.get_by_role("region", name=name)


class BrowserDesk(LivePage):
    """A desk in a browser: where its parts are, and what a person does with them."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.caption = self.clock.get_by_role("heading")
        self.inbox = page.get_by_role("region", name="Inbox")
        self.log = page.get_by_role("region", name="What happened")
        self.events = self.log.get_by_role("listitem")
        self.menu = page.get_by_role("region", name="Every command")
        self.dialog = page.get_by_role("dialog")
        self.alert = self.dialog.get_by_role("alert")
        self.falls = self.dialog.locator(".falls")
        self.toast = page.locator("#toast")

    def panel(self, title: str) -> Locator:
        """A panel of the ruleset."""
        return self.page.get_by_role("region", name=title, exact=True)

    def row(self, title: str, text: str) -> Locator:
        """The row of a panel that has these words."""
        return self.panel(title).locator("tbody tr").filter(has_text=text)

    def question(self, label: str) -> Locator:
        """The question that is now the first of the inbox with such a button, wherever it stands later."""
        first = self.inbox.locator(".matter").filter(has=button(self.page, label)).first
        return self.page.locator(f"#{first.get_attribute('id')}")

    def field(self, label: str) -> Locator:
        """A field of the dialog."""
        return self.dialog.get_by_label(re.compile(rf"^\s*{re.escape(label)}(\s+needed)?\s*$"))

    def press(self, key: str) -> None:
        """Press a key of the keyboard."""
        self.page.keyboard.press(key)

    def choose(self, label: str, title: str) -> None:
        """Choose in a field of the dialog as soon as there is a choice whose title has these words."""
        option = self.field(label).locator("option:enabled").filter(has_text=title).first
        self.field(label).select_option(label=option.text_content())

    def send(self) -> None:
        """Send the form of the dialog, which is taken: one that is refused closes, too, once its question is over."""
        assert self.try_to_send(), self.alert.inner_text()

    def try_to_send(self) -> bool:
        """Send the form of the dialog; whether it is taken, or stays with what speaks against it."""
        address = urlsplit(self.dialog.locator("form").get_attribute("hx-post")).path
        with self.page.expect_response(lambda response: is_answer_to(response, address)) as sent:
            self.dialog.locator("button.main").click()
        expect(self.dialog if sent.value.ok else self.alert).to_be_visible(visible=not sent.value.ok)
        return sent.value.ok

    def open_menu(self) -> None:
        """See every command."""
        if not button(self.menu, "Correct a row").is_visible():
            self.press("m")

    def correct(self, table: str, row: str, label: str, value: str, reason: str) -> None:
        """Correct a row."""
        self.open_menu()
        button(self.menu, "Correct a row").click()
        self.choose("Table", table)
        self.choose("Row", row)
        self.field(label).fill(value)
        self.field("Reason").fill(reason)
        self.send()

    def rewind_one(self, last: str) -> None:
        """Go back to before the last event that says something."""
        event = self.events.filter(has_text=last).first
        button(event.locator("xpath=following-sibling::li"), "Rewind to here").click()
        expect(self.falls).to_contain_text(last)
        self.field("Reason").fill("It was not one.")
        assert any(self.try_to_send() for _ in range(TRIES))

    def end_now(self) -> None:
        """End what goes on."""
        self.press("e")
        self.send()

    def accept_until(self, caption: str) -> int:
        """Accept one preview of the inbox after the other until this goes on; how many."""
        accept, over, count = button(self.inbox, "Accept"), self.caption.filter(has_text=caption), 0
        while True:
            expect(accept.or_(over).first).to_be_visible()
            if over.is_visible():
                return count
            question = self.question("Accept")
            with suppress(TimeoutError):  # the rules answer after twenty seconds, maybe just now
                button(question, "Accept").click(timeout=ANSWER_TIMEOUT_MS)
                count += 1
            expect(question).to_have_count(0)


def is_answer_to(response: Response, address: str) -> bool:
    """Whether this answers a form of this address, and not what was pressed before it or asks for a ticket."""
    return response.request.method == "POST" and urlsplit(response.url).path == address


def button(within: Page | Locator, label: str) -> Locator:
    """The first button whose label begins so."""
    return within.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).first


def sign_in(page: Page, event: Event, name: str = "demo-gm") -> None:
    """Sign in where the page asks for it, as the game-master unless said."""
    who = next(each for each in event.demo["users"] if each["name"] == name)
    page.get_by_label("User name").fill(who["name"])
    page.get_by_label("Password").fill(who["password"])
    button(page, "Log in").click()


def open_desk(page: Page, event: Event) -> BrowserDesk:
    """Open the desk of the event; its game-master signs in on the way."""
    page.goto(f"{event.game}desk/")
    sign_in(page, event)
    page.wait_for_url(f"{event.game}desk/")
    return BrowserDesk(page)


def open_screen(page: Page, event: Event) -> BrowserScreen:
    """Open the screen of the event, as a projector shows it."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{event.game}screen/")
    return BrowserScreen(page)
