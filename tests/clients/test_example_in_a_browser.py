"""The example of a frontend in a real browser, from another port, on the whole service: games played by drawn forms."""

import json
import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Locator, Page, Route, expect

from clients.build import HERE
from tests.browser import needed, open_pages
from tests.clients.relay import Relay
from tests.event_pages.browsers import Event, button, sign_in
from tests.event_pages.test_desk_in_a_browser import OFFENCES, findings
from tests.pages import ROOT, blocks
from tests.play.tables import UNKNOWABLE
from tests.test_serve import until

embedded = pytest.mark.skipif("DATABASE_URL" in os.environ, reason="The demo runs on the embedded default alone.")
pytestmark = [needed, embedded, pytest.mark.long]
TRIES = (Path(__file__).parent / "sample_every_command.js").read_text()


class Quiet(SimpleHTTPRequestHandler):
    """What `python3 -m http.server` serves with, without its log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """The demo, under way."""
    service = Event(tmp_path_factory.mktemp("event"))
    try:
        until(service.ready)
        yield service
    finally:
        service.end(signal.SIGTERM)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of another origin, with the files of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The example as it stands in the repository."""
    with served(HERE / "example") as address:
        yield address


class Example:
    """The example's page, and somebody who plays on it."""

    def __init__(self, page: Page, event: Event, site: str, name: str, base: str = "") -> None:
        self.page, self.event = page, event
        self.feed = page.locator("#feed li")
        page.add_init_script(OFFENCES)
        page.goto(site)
        page.get_by_label("Service").fill(base or event.base)
        button(page, "Sign in").click()
        sign_in(page, event, name)
        page.get_by_role("button", name="Allow", exact=True).click()
        expect(page.get_by_role("listitem").first).to_be_visible()

    def open(self, ruleset: str) -> None:
        """Follow the link to the demo's game of a ruleset."""
        game = next(each for each in self.event.demo["games"] if each["ruleset"] == ruleset)
        self.page.get_by_role("link", name="Theogony").click()
        self.page.get_by_role("link", name=game["name"]).click()
        expect(self.page.get_by_role("heading", name=game["name"])).to_be_visible()
        expect(self.feed.first).to_be_visible()
        self.page.wait_for_function("document.getElementById('picture').naturalWidth > 0")

    def field(self, label: str) -> Locator:
        """The field below a label; the text of a label that has a choice in it has the values, too."""
        name = self.page.locator(".name").get_by_text(label, exact=True)
        return self.page.locator("label").filter(has=name).locator("input, select, textarea").first

    def choose(self, label: str, begin: str = "") -> None:
        """Choose the first value of a field that begins so, as soon as there is one."""
        field = self.field(label)
        value = field.locator("option:not([value=''])").filter(has_text=re.compile(f"^{begin}")).first
        expect(value).to_be_attached()
        field.select_option(label=value.text_content())

    def write(self, **texts: str) -> None:
        """Write into fields."""
        for label, text in texts.items():
            self.field(label).fill(text)

    def act(self, text: str) -> None:
        """Send the form; what happened is this, as the answer says, and then the feed."""
        button(self.page, "Do it").click()
        answer = self.page.locator("#answer")
        expect(answer).to_contain_text("Done:")
        said = answer.get_by_role("listitem").filter(has_text=text).first.inner_text()
        expect(self.feed.filter(has_text=said).first).to_be_visible()


def issue_as_master(event: Event, command: str, **body: str) -> None:
    """Issue a command as the game-master of the first game."""
    token = next(each["token"] for each in event.demo["users"] if each["name"] == "demo-gm")
    address = f"{event.base}/api/v1/games/{event.demo['game']}/commands/{command}/?as=gm"
    httpx.post(address, headers={"Authorization": f"Bearer {token}"}, json=body).raise_for_status()


def test_each_game_is_played_through_a_form_that_its_schema_draws(event, site, tmp_path):
    with open_pages(tmp_path, "player-1", "player-2", "player-3") as pages:
        first, second, third = (
            Example(page, event, site, f"demo-player-{number}") for number, page in enumerate(pages, start=1)
        )
        first.open("albraxas")
        expect(first.page.get_by_label("Command")).to_have_value("Define character")  # what is asked stands first
        first.write(Name="Sael", Backbone="5")
        first.choose("Battle", "4")
        expect(first.page.locator("#fields .settled")).to_have_text("Blitz 4")  # which follows from the other two
        button(first.page, "Do it").click()
        expect(first.page.locator("#answer .refused")).to_contain_text("Sael")  # another has that name
        first.write(Name="Nyx the Bold")
        first.act("Nyx the Bold")

        first.open("forgeborn")
        first.choose("Command", "Set standing answer")
        first.choose("Kind", "help")
        first.choose("Answer", "decline")
        button(first.page, "What would happen?").click()
        expect(first.page.locator("#answer")).to_contain_text("With other dice:")
        first.act("Hele says")

        first.open("gods2")
        assert findings(first.page) == []
        first.choose("Command", "Declare war")
        first.choose("Attacker")  # whose neighbour is chosen, where there are several
        defender = first.page.locator("#fields .settled").filter(has_text="Defender")
        if defender.count():
            expect(defender).not_to_have_text(re.compile("[0-9a-f]{8}-"))  # a name, as the state has it
        else:
            first.choose("Defender")
        first.act("declare war on")

        second.open("dawn")
        second.write(Name="Ilune of the Tides", Portfolio="tides")
        second.choose("Moral")
        second.act("Ilune of the Tides")

        third.open("dietower")
        third.choose("Command", "Request check")
        third.write(Intent="Climb the wall without a sound.")
        third.act("Climb the wall")
        third.page.set_viewport_size({"width": 390, "height": 844})
        assert third.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_cut_feed_goes_on_behind_what_it_has_shown_and_people_sign_out(event, site, tmp_path):
    with open_pages(tmp_path, "player-1") as (page,), Relay(event.port) as relay:
        Thread(target=relay.serve_forever, daemon=True).start()
        example = Example(page, event, site, "demo-player-1", relay.base)
        example.open("gods2")
        cut = example.feed.filter(has_text="The line is cut.")
        with page.expect_event("requestfailed", lambda each: "/stream/" in each.url):
            relay.cut()
        before = example.feed.all_inner_texts()
        issue_as_master(event, "pause", reason="The line is cut.")
        assert cut.count() == 0
        with page.expect_request(lambda each: "/stream/" in each.url) as again:
            relay.mend()
            expect(cut).to_have_count(1)
        after = example.feed.all_inner_texts()
        assert after[-len(before) :] == before and len(after) > len(before)
        assert again.value.header_value("Last-Event-ID")
        issue_as_master(event, "resume")

        button(page, "Sign out").click()
        expect(page.get_by_label("Service")).to_be_visible()
        assert page.evaluate("sessionStorage.length") == 0
        relay.shutdown()


def test_what_is_answered_after_somebody_has_gone_on_is_shown_nowhere(event, site, tmp_path):
    """The kind: an answer shown wherever its reader has gone since; and what is replaced while it is pressed."""
    with open_pages(tmp_path, "player-1", routes=True) as (page,):
        Example(page, event, site, "demo-player-1")
        shown, title = page.locator("#list"), page.locator("#title")
        game = next(each for each in event.demo["games"] if each["ruleset"] == "gods2")

        lists = hold(page, "**/api/v1/games/?*", 2)
        page.get_by_role("link", name="Theogony").click()
        expect(shown).to_be_hidden()
        page.evaluate("(id) => { location.hash = id }", game["game"])
        expect(title).to_be_visible()
        release(page, lists)
        expect(title).to_be_visible()
        expect(shown).to_be_hidden()

        page.get_by_role("link", name="Theogony").click()
        expect(shown).to_be_visible()
        games = hold(page, f"**/api/v1/games/{game['game']}/", 1)
        page.get_by_role("link", name=game["name"]).click()
        expect(shown).to_be_hidden()
        page.get_by_role("link", name="Theogony").click()
        expect(shown).to_be_visible()
        release(page, games)
        expect(shown).to_be_visible()
        expect(title).to_be_hidden()
        expect(page.locator("#fault")).to_be_hidden()


def hold(page: Page, address: str, count: int) -> list[Route]:
    """Keep the first requests of an address from the service: they are in the list."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route) if len(held) < count else route.continue_())
    return held


def release(page: Page, held: list[Route]) -> None:
    """Let the service answer what was held, and the page have looked at it."""
    for each in held:
        with page.expect_response(each.request.url):
            each.continue_()
    page.evaluate("new Promise((done) => setTimeout(done))")


def test_what_the_page_of_the_docs_changes_for_one_game_shows_what_it_says(event, tmp_path):
    before, after, purse, refresh = blocks((ROOT / "docs" / "frontends.md").read_text(), "js")
    (place,) = blocks((ROOT / "docs" / "frontends.md").read_text(), "html")
    shutil.copytree(HERE / "example", folder := tmp_path / "my-frontend")
    app, index = folder / "app.js", folder / "index.html"
    text = app.read_text()
    former = next(line for line in text.splitlines(keepends=True) if line.startswith(refresh.partition("(")[0]))
    assert text.count(before) == 1
    app.write_text(text.replace(before, after).replace(former, refresh) + purse)
    index.write_text(index.read_text().replace("<figure>", f"{place}<figure>"))
    with open_pages(tmp_path, "player-1") as (page,), served(folder) as site:
        example = Example(page, event, site, "demo-player-1")
        expect(page.locator("#list li")).to_have_count(1)
        example.open("gods2")
        expect(page.locator("#purse")).to_have_text(re.compile(r"^\d+ mana$"))


def test_a_sample_of_every_command_fits_its_schema_and_is_taken_by_the_service(event, site, tmp_path):
    with open_pages(tmp_path, "samples") as (page,):
        page.goto(site)
        found = page.evaluate(TRIES, {"base": event.base, **event.demo})
    assert {each["ruleset"] for each in found} == {each["ruleset"] for each in event.demo["games"]}
    for each in found:
        assert Draft202012Validator(each["schema"]).is_valid(each["body"]), json.dumps(each)[:2000]
        assert each["refused"] in ("", *UNKNOWABLE), (each["command"], each["body"], each["refused"])
    assert len({(each["ruleset"], each["command"]) for each in found}) > 40
