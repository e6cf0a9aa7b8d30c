"""A page whose line is cut, held back or refused, in a real browser: each says what it does instead and does it.

The page's own clock is turned by hand, and the stream is what the test says; all else is the service.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client
from playwright.sync_api import Page, Route, expect
from rest_framework.settings import api_settings

from api.pages.event.desk import DeskCommand
from tests.api.worlds import ToyGame, toy_game
from tests.browser import needed, open_pages
from tests.event_pages.browsers import CLOSE_AND_OPEN, button
from tests.test_serve import until

pytestmark = [needed, pytest.mark.long, pytest.mark.django_db(transaction=True)]
OPEN = "retry: 2000\n\nid: cursor-1\nevent: life\ndata: {}\n\n"
STREAMS = """
window.streams = [];
window.plan = %s;
const real = window.fetch;
window.fetch = (address, options) => {
  if (!String(address).includes('/stream/')) return real(address, options);
  const next = window.plan.length > 1 ? window.plan.shift() : window.plan[0];
  window.streams.push(String(address));
  if (next === 'blocked') return Promise.reject(new TypeError('Failed to fetch'));
  if (next === 'held') return new Promise((_, refuse) => {
    options.signal.addEventListener('abort', () => refuse(new Error('aborted')));
  });
  const later = { 'Retry-After': '2' };
  if (typeof next === 'number') return Promise.resolve(new Response('', { status: next, headers: later }));
  return Promise.resolve(new Response(new ReadableStream({ start(held) {
    held.enqueue(new TextEncoder().encode(next));
    window.cut = () => held.close();
  } })));
};
"""
ANSWERED = "window.answered = 0; document.addEventListener('htmx:afterOnLoad', () => window.answered++);"
"""The answers that the page is done with."""
NO_STREAMS = "delete window.TextDecoderStream;"
NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
)


@pytest.fixture
def toy() -> ToyGame:
    """A game that runs."""
    return toy_game()


@pytest.fixture
def desk(toy: ToyGame, live_server, tmp_path) -> Iterator[Page]:
    """The desk's page of its game-master, not yet open."""
    client = Client()
    client.force_login(toy.host)
    key = Session.objects.get().session_key
    with open_pages(tmp_path, "desk", routes=True) as (page,):
        page.context.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
        page.clock.install()
        page.desk = f"{live_server.url}/games/{toy.game.pk}/desk/"  # type: ignore[attr-defined]
        yield page


def open_desk(page: Page, *plan: object, more: str = "") -> Page:
    """Open it; plan: what each stream that it asks for does, the last for all that follow."""
    page.add_init_script(STREAMS % json.dumps(plan) + ANSWERED + more)
    page.goto(page.desk)  # type: ignore[attr-defined]
    return page


def streams(page: Page, count: int) -> list[str]:
    """The addresses of the streams that were asked for, once there are so many."""
    until(lambda: page.evaluate("streams.length") >= count)
    found: list[str] = page.evaluate("streams")
    return found


def test_a_page_whose_cursor_the_log_does_not_know_begins_anew(desk):
    for code in (410, 422):
        page = open_desk(desk, OPEN, code, OPEN)
        streams(page, 1)
        expect(page.locator("#stale")).to_be_hidden()
        page.evaluate("cut()")
        page.clock.run_for(1000)
        _, again, anew = streams(page, 3)
        assert "after=cursor-1" in again and "after=" not in anew and "from=now" in anew
        expect(page.locator("#stale")).to_be_hidden()


@pytest.mark.parametrize(
    ("plan", "more", "reason"),
    [
        ("blocked", "", ""), (503, "", "the service is busy"), (429, "", "too many are open"), (200, NO_STREAMS, ""),
        ("held", "", "something on the way holds it back"),
    ],
)  # fmt: skip
def test_a_page_without_a_stream_says_that_it_asks_and_asks(desk, plan, more, reason):
    page = open_desk(desk, OPEN if plan == 200 else plan, more=more)
    streams(page, 1)
    if plan == "held":
        page.clock.run_for(10_000)
    stale = page.locator("#stale.asks")
    expect(stale).to_contain_text("this page asks every 5 seconds")
    assert (f"({reason})" in stale.inner_text()) is bool(reason)
    for _ in range(2):
        with page.expect_response("**/desk/body/"):
            page.clock.run_for(6_000)
    page.evaluate(f"plan = [{json.dumps(OPEN)}]")
    if not more:
        page.clock.run_for(50_000)
        expect(page.locator("#stale")).to_be_hidden()


def test_a_page_that_is_asked_to_ask_less_does(desk):
    page = open_desk(desk, 503)
    page.route(
        "**/desk/body/", lambda route: route.fulfill(status=429, headers={"Retry-After": "30"}, body="Too many.")
    )
    expect(page.locator("#stale")).to_contain_text("asks every 30 seconds")


def test_what_is_pressed_on_a_cut_line_is_answered_at_the_button(desk, toy):
    page = open_desk(desk, OPEN, more=NO_STORAGE)
    streams(page, 1)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()  # a browser that stores nothing does all the same
    page.keyboard.press("Escape")
    pause, note = page.locator("#clock button[data-key=p]"), page.locator("#clock button[data-key=p] + .unsent")
    page.context.set_offline(True)
    pause.click()
    expect(note).to_have_text("Not connected: no answer came. See whether it was done before you press again.")
    page.context.set_offline(False)
    held: list[Route] = []
    page.route("**/commands/pause/**", lambda route: held.append(route))
    pause.click()
    page.clock.run_for(1_500)
    expect(note).to_have_text("No answer yet; still trying.")
    held.pop().fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")
    expect(note).to_contain_text("The service did not answer as it should (502).")
    look_again(page)
    expect(note).to_contain_text("The service did not answer as it should (502).")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.unroute("**/commands/pause/**")
    page.keyboard.press("e")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("dialog").locator("button.main").click()
    expect(page.get_by_role("dialog").locator(".unsent")).to_contain_text("Not connected")
    page.context.set_offline(False)
    page.keyboard.press("Escape")
    pause.click()
    page.clock.run_for(1_000)
    expect(page.locator("#clock .big")).to_have_text("paused")
    expect(note).to_have_count(0)
    page.evaluate("cut()")
    page.context.set_offline(True)
    page.clock.run_for(2_000)
    expect(page.locator("#stale")).to_contain_text("Not connected since")


def look_again(page: Page) -> None:
    """Let the page ask for what moves of it, and wait until that stands."""
    with page.expect_response("**/desk/body/"):
        page.evaluate("document.getElementById('moving').dispatchEvent(new Event('refresh'))")
    expect(page.locator("#moving.htmx-request")).to_have_count(0)


def test_what_is_refused_before_it_is_read_keeps_what_was_written(desk, monkeypatch):
    """The kind: a refusal that no form words, since too much was asked, nobody is signed in, or the service is away."""
    page = open_desk(desk, OPEN)
    page.keyboard.press("m")
    button(page.locator("#menu"), "Send message").click()
    dialog, written = page.get_by_role("dialog"), page.get_by_label("Text")
    note = dialog.locator(".unsent")
    written.fill("Long and dear words.")

    def press(text: str) -> None:
        dialog.locator("button.main").click()
        expect(note).to_contain_text(text)
        look_again(page)
        expect(note).to_contain_text(text)
        expect(written).to_have_value("Long and dear words.")

    page.route("**/commands/send-message/**", lambda route: route.fulfill(status=429, body="<h1>Many</h1>"), times=1)
    press("The service did not answer as it should (429).")  # a proxy refuses
    with monkeypatch.context() as spent:
        spent.setitem(api_settings.DEFAULT_THROTTLE_RATES, "command", "0/d")
        press("Too many requests; try again in")
    with monkeypatch.context() as away:
        away.setattr(DeskCommand, "post", unavailable)
        press("The database does not answer; nothing was changed.")
    page.context.clear_cookies(name="csrftoken")
    press("Nothing was done: this form was opened before you signed in")
    page.context.clear_cookies()
    look_again(page)
    expect(page.locator("#toast")).to_contain_text("You are signed out.")
    expect(written).to_have_value("Long and dear words.")
    page.keyboard.press("Escape")
    page.evaluate("document.getElementById('moving').dispatchEvent(new Event('refresh'))")
    expect(page).to_have_url(re.compile("/oauth/log-in/"))


def unavailable(*_: object, **__: object) -> None:
    raise OperationalError("away")


def test_a_late_answer_is_told_and_leaves_the_form_that_is_open_by_then(desk):
    """The kind: what was pressed is answered after another form was opened, in which somebody writes."""
    page = open_desk(desk, OPEN)
    dialog, toast, written = page.get_by_role("dialog"), page.locator("#toast"), page.get_by_label("Text")
    clock = page.locator("#clock .big")
    held: list[Route] = []

    def press(key: str, address: str = "") -> None:
        """Press a key; address: that of the request which is held back then."""
        if address:
            page.route(address, lambda route: held.append(route), times=1)
        page.keyboard.press(key)
        until(lambda: page.evaluate("1") and bool(held) == bool(address))

    def write() -> None:
        button(page.locator("#menu"), "Send message").click()
        written.fill("To all of you")

    def answer(words: str, **made: Any) -> None:
        """Let the held request have its answer: that of the service, or this one."""
        before = page.evaluate("answered")
        held[0].fulfill(**made) if made else held[0].continue_()
        until(lambda: page.evaluate("answered") > before)
        held.pop()
        expect(toast).to_contain_text(words)
        expect(written).to_have_value("To all of you")
        press("Escape")
        page.clock.run_for(10_000)  # the words are gone
        expect(toast).to_have_text("")

    press("m")
    press("p", "**/commands/pause/**")
    write()
    answer("The clock stands still.")
    expect(clock).to_have_text("paused")

    press("p", "**/commands/resume/**")
    write()
    answer("was not done", status=422, content_type="text/html", body='<h2 id="dialog-title">No</h2>')

    press("p")
    expect(clock).not_to_have_text("paused")
    page.clock.run_for(10_000)
    press("e", "**/commands/end-now/**")
    write()
    answer("")

    press("e")
    page.route("**/commands/end-now/**", lambda route: held.append(route), times=1)
    dialog.locator("button.main").click()
    until(lambda: page.evaluate("1") and held)
    page.keyboard.press("Escape")
    write()
    answer("Done.")


def test_a_form_that_opens_while_another_closes_stays(desk):
    """A dialog says that it has closed a moment later, when it may be open again."""
    page = open_desk(desk, OPEN)
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("button.main")).to_be_visible()
    page.evaluate(CLOSE_AND_OPEN)
    expect(dialog.locator("button.main")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#dialog-body")).to_be_empty()
