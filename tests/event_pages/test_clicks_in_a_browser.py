"""Games played by clicks alone at the width of a telephone: each ruleset is entered by one press and played on.

With EXAMPLES=full each is played to its end but Dawn, of which an Age takes hundreds of clicks (all of it is played in
`tests/play/test_by_forms.py`); The Gods II for four centuries. The clock is turned by a process beside the service, so
that a century takes no century. Needs a browser.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Response, expect

from tests.browser import needed, open_pages
from tests.event_pages.browsers import Event, sign_in
from tests.play.by_forms import GIVES_UP, LEARNS, SHARES, TRIES, FormPage
from tests.test_serve import ROOT, environment, until

embedded = pytest.mark.skipif("DATABASE_URL" in os.environ, reason="The event runs on the embedded default alone.")
pytestmark = [needed, embedded, pytest.mark.long]
COMMAND = re.compile(r"/commands/([a-z-]+)/")
BUTTONS = """(parts) => parts.flatMap((part) => [...part.querySelectorAll('button')]).filter(
    (button) => button.checkVisibility()).flatMap((button) => ['hx-get', 'hx-post'].map(
    (name) => [name, button.getAttribute(name)])).filter((pair) => pair[1])"""
CLICK_TIMEOUT_MS = 20_000
"""For a button, a form or a field that goes while it is pressed or filled in, since more has happened."""
SIGHT = "document.querySelector('#may [name=sight]')?.value"
LOOKS, LOOK_MS = 50, 100
"""A page is waited for no longer than five seconds: where bots move on all the while it never shows the last event."""
IS_FULL = os.environ.get("EXAMPLES") == "full"
TURNS = 5_000 if IS_FULL else 400
"""More moments than any of these games has until it is played far enough."""
ACTS = {"gods2": 8, "dietower": 12, "dawn": 12}
"""So many commands are issued in a game; of the others three, which are a turn or more."""
LONG_CHAPTERS = ("dietower", "dawn")
"""Whose chapter, a session of an evening or an Age, is longer than what is played of it."""
CENTURIES = 4
"""Of a game of The Gods II that is played in full; it has no end of its own."""


class Turning:
    """The process that turns the clock."""

    def __init__(self, event: Event) -> None:
        own = environment(event.folder, event.port) | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        program = [sys.executable, "-m", "tests.event_pages.turning"]
        self.process = subprocess.Popen(
            program, cwd=ROOT, env=own, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, deed: str, game: str, seat: str) -> dict[str, Any]:
        """Let what is due next happen (`turn`), or nothing (`look`); how the game stands then."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{deed} {game} {seat}\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """The service with its demo."""
    service = Event(tmp_path_factory.mktemp("clicks"))
    try:
        until(service.ready)
        yield service
    finally:
        service.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def clock(event: Event) -> Iterator[Turning]:
    """What turns the clock of the service."""
    turning = Turning(event)
    yield turning
    turning.process.kill()
    turning.process.wait()


class PlayerByClicks:
    """Somebody who presses what stands on the page of a seat, and fills in the forms that open."""

    def __init__(self, page: Page, chance: Random) -> None:
        self.page, self.chance = page, chance
        self.dialog = page.get_by_role("dialog")
        self.done, self.given_up, self.let_go = Counter[str](), Counter[str](), Counter[str]()

    def act(self) -> bool:
        """Do one of the things that the page offers, a question first; whether anything was done."""
        self.close()  # an answer may come late
        may = self.page.locator("#may")
        expect(may).not_to_contain_text("A moment, please.")
        for part in (self.page.locator("#inbox > ol.questions"), self.page.locator("#may > ul.acts")):
            buttons: list[tuple[str, str]] = part.evaluate_all(BUTTONS)
            named = [(found.group(1), each) for each in buttons if (found := COMMAND.search(each[1]))]
            self.chance.shuffle(named)
            for name, each in sorted(named, key=lambda pair: self.done[pair[0]])[:2]:
                if name not in GIVES_UP and self.given_up[name] < LEARNS and self.press(name, *each):
                    self.done[name] += 1
                    return True
        return False

    def press(self, name: str, method: str, address: str) -> bool:
        """Press a button; fill in the form that it opens until it is taken, or close it.

        What goes meanwhile is let go, since others act and time passes: a button, a form whose question is over, and
        either of them that came back as another one. No step waits for what may hold for a moment only.
        """
        pressed = self.page.query_selector(f"[{method}={json.dumps(address)}]")
        if pressed is None:
            return False
        try:
            with self.page.expect_response(
                lambda response: f"/commands/{name}/" in response.url, timeout=CLICK_TIMEOUT_MS
            ) as answer:
                pressed.click(timeout=CLICK_TIMEOUT_MS)  # that very button: one that has gone is not waited for
            if answer.value.status == 204:
                return True
            self.dialog.wait_for(timeout=CLICK_TIMEOUT_MS)
            if self.is_taken(name):
                return True
            self.given_up[name] += 1
        except Error:
            self.let_go[name] += 1
        self.close()
        return False

    def is_taken(self, name: str) -> bool:
        """Fill in the form that is open until the command is issued; False where it comes back each time."""
        for attempt in range(TRIES):
            form = FormPage(self.page.locator("#dialog").inner_html())
            if not form.is_form:
                return False
            self.fill(form, SHARES[attempt % len(SHARES)])
            with self.page.expect_response(lambda each: is_sent(each, name), timeout=CLICK_TIMEOUT_MS) as sent:
                self.dialog.locator("button.main").click(timeout=CLICK_TIMEOUT_MS)
            if sent.value.status == 204:
                expect(self.dialog).to_be_hidden()
                return True
            self.page.locator("#dialog .htmx-request").wait_for(state="detached", timeout=CLICK_TIMEOUT_MS)
            self.dialog.locator("div.alert").wait_for(timeout=CLICK_TIMEOUT_MS)
        return False

    def look(self, clock: Turning, game: str, seat: str) -> dict[str, Any]:
        """Wait until the page shows the game as it stands, or for some looks where it moves on; how it stands."""
        for _ in range(LOOKS):
            state = clock.ask("look", game, seat)
            if self.page.evaluate(SIGHT) == state["sight"]:
                break
            self.page.wait_for_timeout(LOOK_MS)
        return state

    def close(self) -> None:
        """Close the form that is open, if any is."""
        while self.dialog.is_visible():
            self.page.keyboard.press("Escape")

    def fill(self, form: FormPage, given: float) -> None:
        """Write into the fields as a person would: choose, tick, type."""
        for name, texts in form.filled(self.chance, given).items():
            fields = self.dialog.locator(f'[name="{name}"]')
            kinds = [each.kind for each in form.inputs if each.name == name]
            ticked = Counter(texts)
            values = iter(texts)
            for place, kind in enumerate(kinds):
                field = fields.nth(place)
                if kind == "checkbox":
                    is_ticked = ticked[field.get_attribute("value", timeout=CLICK_TIMEOUT_MS) or ""] > 0
                    field.set_checked(is_ticked, timeout=CLICK_TIMEOUT_MS)
                    continue
                text = next(values)
                if kind == "select" and text:
                    field.select_option(value=text, timeout=CLICK_TIMEOUT_MS)
                elif kind not in ("select", "hidden"):
                    field.fill(text, timeout=CLICK_TIMEOUT_MS)


def is_sent(response: Response, name: str) -> bool:
    """Whether it answers the form of a command: tickets to the stream are asked for in between."""
    return response.request.method == "POST" and f"/commands/{name}/" in response.url


def is_far_enough(slug: str, acts: int, chapters: int) -> bool:
    """Whether a game that is not over is played far enough. chapters: how many are over since it began."""
    if IS_FULL and slug != "dawn":
        return slug == "gods2" and chapters >= CENTURIES
    return (chapters > 0 or slug in LONG_CHAPTERS) and acts >= ACTS.get(slug, 3)


@pytest.mark.timeout(7200 if IS_FULL else 1200)
@pytest.mark.parametrize("slug", ["gods2", "dietower", "dawn", "albraxas", "forgeborn"])
def test_a_game_of_each_ruleset_is_entered_and_played_by_clicks_at_a_telephones_width(
    slug: str, event: Event, clock: Turning, tmp_path: Path
) -> None:
    with open_pages(tmp_path, "seat") as (page,):
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{event.base}/oauth/log-in/?next=/")
        sign_in(page, event, "demo-player-1")
        page.locator(f"form[action='/play/{slug}/'] button").click()
        expect(page.locator("#clock")).to_be_visible()
        _, _, game, _, seat, *_ = page.url.removeprefix(event.base).split("/")
        player = PlayerByClicks(page, Random(slug))
        begun, is_over = 0, False
        for _ in range(TURNS):
            state = player.look(clock, game, seat)
            begun = begun or state["chapter"]
            is_over = state["over"] or is_far_enough(slug, player.done.total(), state["chapter"] - begun)
            if is_over:
                break
            if state["must"] or (state["may"] and player.chance.random() < 0.3):
                player.act()
            clock.ask("turn", game, seat)
        assert is_over, (player.done, state)
        assert player.done.total() >= min(3, ACTS.get(slug, 3)), (player.done, state)
        assert player.let_go.total() <= player.done.total(), (player.let_go, player.done)
        assert page.evaluate("document.body.scrollWidth <= innerWidth")
        page.screenshot(path=Path(os.environ.get("PICTURES", tmp_path)) / f"{slug}.png", full_page=True)
