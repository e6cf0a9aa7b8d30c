"""Desk and screen in a real browser, on the whole service with its worker: a century of an event is led from the desk.

Needs a browser; `make test-browser` runs these alone.
"""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.accounts.browser import Page, chromium, needed
from tests.event_pages.browsers import (
    Event,
    Stranger,
    choose,
    click,
    fill,
    find_button,
    has_button,
    press,
    send,
    sign_in,
    text,
    visit,
)
from tests.test_serve import until

pytestmark = needed
AXE = (Path(__file__).parent / "lib" / "axe.min.js").read_text()
FINDINGS = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.filter(
    (each) => ['serious', 'critical'].includes(each.impact)).map((each) => each.id + ': ' + each.nodes[0].html))"""
OFFENCES = "window.offences = []; addEventListener('securitypolicyviolation', (e) => offences.push(e.blockedURI))"
CUT = """(() => {
    const every = [...document.querySelectorAll('.fitted')];
    const boxes = every.filter((box) => getComputedStyle(box).display != 'contents');
    const parts = document.querySelectorAll('.head, main section, main li, main tr');
    const isOff = (at) => at.height && (at.bottom > innerHeight + 1 || at.right > innerWidth + 1);
    return [
        ...boxes.filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1),
        ...[...parts].filter((part) => isOff(part.getBoundingClientRect())),
    ].map((each) => each.className + each.tagName);
})()"""
SMALLEST = """Math.min(...[...document.querySelectorAll('main *')].filter(
    (each) => each.offsetParent && [...each.childNodes].some((node) => node.nodeType == 3 && node.textContent.trim())
).map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
SECRET = "Whispered to Gordrun alone"


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """The demo event, under way."""
    service = Event(tmp_path_factory.mktemp("event"))
    try:
        until(service.ready)
        yield service
    finally:
        service.end(signal.SIGTERM)


def watch(screen: Page, event: Event) -> None:
    """Open the screen."""
    visit(screen, f"{event.game}screen/")
    screen.until("!!document.querySelector('.head')")


def test_pages_move_by_themselves_and_outlive_the_service(event, tmp_path):
    with chromium(tmp_path / "desk") as desk, chromium(tmp_path / "screen") as screen:
        watch(screen, event)
        sign_in(desk, event)
        desk.until("document.querySelectorAll('.events li').length > 3")
        first = desk.run("document.querySelector('.events li').innerText")
        press(desk, "p")
        desk.until("document.querySelector('#clock .big').innerText == 'paused'")
        desk.until(f"document.querySelector('.events li').innerText != {json.dumps(first)}")  # nobody has reloaded it
        assert desk.run("document.getElementById('stale').hidden")
        screen.until("document.querySelector('#clock .big').innerText == 'paused'")
        assert text(desk, "#toast").startswith("The clock stands still.")
        press(desk, "p")
        desk.until("document.querySelector('#clock .big').innerText != 'paused'")
        screen.until("document.querySelector('#clock .big').innerText != 'paused'")

        desk.run("document.querySelectorAll('.events button')[2].click()")
        desk.until("document.getElementById('dialog').open && !!document.querySelector('.falls li')")
        desk.run("document.getElementById('dialog').close()")
        assert not desk.run("document.body.scrollWidth > innerWidth")

        # The service goes and comes back: both pages say so, and go on by themselves.
        event.end(signal.SIGTERM)
        for page in (desk, screen):
            page.until("!document.getElementById('stale').hidden")
        event.process = event.start()
        until(event.answers)
        for page in (desk, screen):
            page.until("document.getElementById('stale').hidden")


def test_nothing_serious_stands_in_the_way_of_a_screen_reader_nor_of_the_policy(event, tmp_path):
    with chromium(tmp_path / "desk") as page:
        sign_in(page, event)
        opened = [f"{event.base}/", f"{event.base}/games/new/", f"{event.base}/games/new/dawn/"]
        for ruleset in ("gods2", "albraxas", "dawn", "dietower", "forgeborn"):
            opened += [f"{event.game_of(ruleset)}{name}/" for name in ("desk", "screen")]
        for address in opened:
            visit(page, address)
            page.run(
                "window.offences = []; addEventListener('securitypolicyviolation', (e) => offences.push(e.blockedURI))"
            )
            if address.endswith("/desk/"):
                page.run("live.refresh()")
                moving = "performance.getEntriesByType('resource').some((each) => each.name.endsWith('/desk/body/'))"
                page.until(moving)
            assert page.run("offences") == [], address
            page.run(AXE)
            assert page.run(FINDINGS) == [], address
        visit(page, f"{event.game}desk/")
        click(page, "Correct a row", "#menu")
        page.until("document.getElementById('dialog').open")
        page.run(AXE)
        assert page.run(FINDINGS) == []


def test_nothing_on_a_screen_is_cut_nor_too_small_to_be_read_from_afar(event, tmp_path):
    with chromium(tmp_path / "screen") as screen:
        for ruleset in ("gods2", "albraxas", "dawn", "dietower", "forgeborn"):
            resize(screen, 1920, 1080)
            visit(screen, f"{event.game_of(ruleset)}screen/")
            if ruleset != "albraxas":  # where nobody stands anywhere yet
                screen.until("!!document.body.dataset.shape")
            for width, height in ((1920, 1080), (3840, 2160), (1366, 768), (1024, 768)):
                resize(screen, width, height)
                screen.until(f"innerWidth == {width} && ({CUT}).length == 0")
                assert screen.run(SMALLEST) >= min(26 * height / 1080, 14 * width / 1024), (ruleset, width)
            # On a telephone the page is as long as it must be, and all of it is there.
            resize(screen, 360, 740)
            screen.until("innerWidth == 360 && !document.querySelector('main [hidden]')")
            assert not screen.run("document.documentElement.scrollWidth > innerWidth"), ruleset


def test_what_has_no_room_on_a_screen_is_hidden_whole_and_counted(event, tmp_path):
    with chromium(tmp_path / "screen") as screen:
        resize(screen, 1920, 1080)
        watch(screen, event)
        screen.until("document.body.dataset.shape == 'tall'")
        people = "document.querySelectorAll('#standings tbody tr:not([hidden])').length"
        every = screen.run("document.querySelectorAll('#standings tbody tr').length")
        screen.until(f"{people} == {every}")
        grow = "(size) => { document.body.style.fontSize = size; dispatchEvent(new Event('resize')); }"
        screen.run(f"({grow})('40px')")
        screen.until(f"{people} < {every} && {people} >= 3")
        shown = screen.run(people)
        assert text(screen, "#standings-title").endswith(f"{shown} of {every}")
        assert screen.run(f"document.querySelectorAll('#standings tbody tr')[{shown - 1}].hidden") is False
        assert screen.run(CUT) == []
        screen.run(f"({grow})('')")
        screen.until(f"{people} == {every} && !document.querySelector('#standings .count').textContent")


def resize(page: Page, width: int, height: int) -> None:
    """Give the page the size of a screen."""
    page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def answer_until(desk: Page, label: str, over: str) -> int:
    """Press a button of the inbox again and again, until a script is true; how often."""
    count = 0
    while not desk.run(over):
        found = find_button(label, "#inbox .questions > li:first-child")
        if desk.run(f"!!{found} && ({found}.click(), {found}.remove(), true)"):
            count += 1
        desk.until(f"!!{find_button(label, '#inbox')} || ({over})")
    return count


def correct(desk: Page, table: str, row: str, field: str, value: str, reason: str) -> str:
    """Correct a row at the desk; what is said of it."""
    if not desk.run("document.getElementById('menu').open"):
        press(desk, "m")
    click(desk, "Correct a row", "#menu")
    choose(desk, "table", table)
    choose(desk, "row", row)
    fill(desk, field, value)
    fill(desk, "reason", reason)
    return send(desk)


def test_a_century_is_led_from_the_desk_alone(event, tmp_path):
    stranger = Stranger(event)
    with (
        chromium(tmp_path / "desk") as desk,
        chromium(tmp_path / "other") as other,
        chromium(tmp_path / "screen") as screen,
    ):
        watch(screen, event)
        for page in (desk, other):
            sign_in(page, event)
        desk.until("document.querySelector('#clock h2').innerText.startsWith('Century 2 is in its Activity Phase')")

        # Three gods come to the Window over the API; the desk calls one, and the worker is killed meanwhile.
        gods = event.players()
        for token in gods.values():
            assert event.issue(token, "draw-number") == 201
        other.until("document.querySelectorAll('#panel-queue tbody tr').length >= 3")
        called = call_one_of(desk, set(gods))
        other.until(f"document.querySelector('#panel-queue tbody tr').innerText.includes({json.dumps(called)})")
        killed = event.child("celery")
        os.kill(killed, signal.SIGKILL)

        fight_a_war(desk)
        other.until("!document.querySelector('#inbox').innerText.includes('By the rules')")
        screen.until("!!document.querySelector('.contest .outcome')")

        # A secret is corrected, then something public, which is taken back.
        said = correct(desk, "purses", "Gordrun", "balance", "91", SECRET)
        assert SECRET in said
        other.until(f"document.getElementById('log').innerText.includes({json.dumps(SECRET)})")
        people = text(screen, "#standings tbody td")
        assert "Folk of the Test" in correct(desk, "races", people, "name", "Folk of the Test", "A slip of the pen.")
        screen.until("document.getElementById('standings').innerText.includes('Folk of the Test')")
        rewind_one(desk, "A slip of the pen.")
        screen.until("!document.getElementById('standings').innerText.includes('Folk of the Test')")
        other.until("!!document.querySelector('.events .undone')")

        # The web process is killed: both desks say that they are cut, and go on behind the last event they had.
        os.kill(event.child("uvicorn"), signal.SIGKILL)
        for page in (desk, other, screen):
            page.until("!document.getElementById('stale').hidden")
        for page in (desk, other, screen):
            page.until("document.getElementById('stale').hidden")
        assert event.child("celery") not in (0, killed)  # and it has gone on: a number that nobody uses waits anew
        desk.until("document.getElementById('log').innerText.includes('goes to the end of the queue')")

        # The end of the century: the worksheet is corrected and approved, then each people grows.
        end_now(desk)
        answer_until(desk, "Accept", "document.querySelector('#clock h2').innerText.includes('Calculation')")
        click(desk, "Correct", "#panel-worksheet")
        desk.until("!!document.querySelector('#dialog [name^=count]')")
        before = int(desk.run("document.querySelector('#dialog [name^=count]').value"))
        fill(desk, "count", str(before + 1))
        send(desk)
        click(desk, "Approve", "#inbox")
        desk.until("!document.querySelector('#inbox').innerText.includes('worksheet')")
        end_now(desk)
        desk.until("document.querySelector('#clock h2').innerText.includes('century 3 are growing')")
        click(desk, "Place otherwise", "#inbox")
        desk.until("document.getElementById('dialog').open")
        send(desk)
        over = "document.querySelector('#clock h2').innerText.includes('Century 3 is in its Activity Phase')"
        assert answer_until(desk, "Accept", over) > 3
        assert not desk.run("performance.getEntriesByType('navigation').some((each) => each.type == 'reload')")

        seen = stranger.end() + screen.run("document.documentElement.outerHTML").encode()
        assert b"Century 3" in seen and b'class="outcome"' in seen and b"event: life" in seen
        assert SECRET.encode() not in seen


def call_one_of(desk: Page, gods: set[str]) -> str:
    """Call the next numbers until one of these gods stands at the Window; their name."""
    for _ in range(13):
        label = "Call the next" if has_button(desk, "Call the next", "#panel-queue") else "Serve the next"
        click(desk, label, "#panel-queue")
        desk.until("document.querySelector('#panel-queue tbody tr').innerText.includes('at the Window')")
        if found := gods & set(re.split(r"\s+", text(desk, "#panel-queue tbody tr"))):
            return found.pop()
    raise AssertionError("none of them was called")


def fight_a_war(desk: Page) -> None:
    """Hold a war for a minute, keep its sides from diplomacy, fight it now, and accept what the rules would do."""
    names = desk.run(
        "[...document.querySelectorAll('#panel-wars tbody tr td:first-child')].map((each) => each.innerText)"
    )
    name = next(each for each in names if all(refrain(desk, row_of(each), side) for side in (0, 1)))
    row = row_of(name)
    left = f"Number({row}.querySelector('.countdown').dataset.left)"
    due = desk.run(left)
    push(desk, row, "Hold")
    desk.until(f"{left} > {due + 20}")
    push(desk, row, "Fight now")
    click(desk, "Accept", "#inbox")
    desk.until(f"document.getElementById('log').innerText.includes({json.dumps(name)})")
    desk.until("!document.getElementById('inbox').innerText.includes('By the rules')")


def row_of(war: str) -> str:
    """A script for the row of a war."""
    return (
        f"[...document.querySelectorAll('#panel-wars tr')].find((each) => each.innerText.startsWith({json.dumps(war)}))"
    )


def refrain(desk: Page, row: str, side: int) -> bool:
    """Keep a side of a war from diplomacy; False where its nature will not have it, as the form says."""
    push(desk, row, "Diplomacy")
    desk.until("document.getElementById('dialog').open && !!document.querySelector('#dialog select[name^=race]')")
    choose(desk, "race", desk.run(f"document.querySelector('#dialog select[name^=race]').options[{side}].text"))
    choose(desk, "policy", "refrain")
    desk.run("document.querySelector('#dialog button.main').click()")
    desk.until("!document.getElementById('dialog').open || !!document.querySelector('#dialog [role=alert]')")
    if not desk.run("document.getElementById('dialog').open"):
        return True
    assert "by their nature" in text(desk, "#dialog [role=alert]")
    desk.run("document.getElementById('dialog').close()")
    return False


def push(desk: Page, row: str, label: str) -> None:
    """Press a button of a row of a panel."""
    desk.run(f"[...{row}.querySelectorAll('button')].find((each) => each.innerText.startsWith('{label}')).click()")


def rewind_one(desk: Page, last: str) -> None:
    """Go back to before the last event that says something."""
    rows = "[...document.querySelectorAll('.events li')]"
    at = f"{rows}.findIndex((each) => each.innerText.includes({json.dumps(last)}))"
    desk.run(f"{rows}.slice({at} + 1).find((each) => each.querySelector('button')).querySelector('button').click()")
    falls = f"document.querySelector('.falls').innerText.includes({json.dumps(last)})"
    desk.until(f"document.getElementById('dialog').open && !!document.querySelector('.falls') && {falls}")
    fill(desk, "reason", "It was not one.")
    send(desk)


def end_now(desk: Page) -> None:
    """End what goes on."""
    press(desk, "e")
    desk.until("document.getElementById('dialog').open && !!document.querySelector('#dialog button.main')")
    send(desk)
