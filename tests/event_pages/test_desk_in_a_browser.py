"""Desk and screen in a real browser, on the whole service with its worker: a century of an event is led from the desk.

Needs a browser; `make test-browser` runs these alone. Long for one reason: all of it is asked of one running event.
"""

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import needed, open_pages
from tests.event_pages.browsers import (
    CLOSE_AND_OPEN,
    BrowserDesk,
    BrowserScreen,
    Event,
    Stranger,
    button,
    open_desk,
    open_screen,
    sign_in,
)
from tests.test_serve import until

embedded = pytest.mark.skipif("DATABASE_URL" in os.environ, reason="The event runs on the embedded default alone.")
pytestmark = [needed, embedded, pytest.mark.long]
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
VALUES = "(all) => all.map((each) => each.value)"
UPPERMOST = """(shape) => {
    const box = shape.getBoundingClientRect();
    for (let y = Math.ceil(box.top); y < box.bottom; y += 3) {
        for (let x = Math.ceil(box.left); x < box.right; x += 3) {
            if (document.elementFromPoint(x, y) === shape) return [x, y];
        }
    }
}"""
MAP = "**/map.svg*"
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


def test_pages_move_by_themselves_and_outlive_the_service(event, tmp_path):
    with open_pages(tmp_path, "desk", "screen") as pages:
        desk, screen = open_desk(pages[0], event), open_screen(pages[1], event)
        loads = count_loads(pages)
        expect(desk.events.nth(3)).to_be_visible()
        first = desk.events.first.inner_text()
        desk.press("p")
        expect(desk.toast).to_contain_text("The clock stands still.")  # for some seconds
        expect(desk.remaining).to_have_text("paused")
        expect(desk.events.first).not_to_have_text(first)
        expect(desk.stale).to_be_hidden()
        expect(screen.remaining).to_have_text("paused")
        desk.press("p")
        for page in (desk, screen):
            expect(page.remaining).not_to_have_text("paused")

        button(desk.events.nth(2), "Rewind to here").click()
        expect(desk.falls.get_by_role("listitem").first).to_be_visible()
        desk.press("Escape")
        expect(desk.dialog).to_be_hidden()
        for width in (1280, 800):
            desk.page.set_viewport_size({"width": width, "height": 900})
            assert desk.page.evaluate("document.body.scrollWidth <= innerWidth"), width

        # The service goes and comes back: both pages say so, and go on by themselves.
        event.end(signal.SIGTERM)
        for page in (desk, screen):
            expect(page.stale).to_be_visible()
        event.process = event.start()
        until(event.answers)
        for page in (desk, screen):
            expect(page.stale).to_be_hidden()
        assert loads == []


def test_nothing_serious_stands_in_the_way_of_a_screen_reader_nor_of_the_policy(event, tmp_path):
    with open_pages(tmp_path, "desk") as (page,):
        page.add_init_script(OFFENCES)
        desk = open_desk(page, event)
        for address in (f"{event.base}/", f"{event.base}/games/new/", f"{event.base}/games/new/dawn/"):
            page.goto(address)
            assert findings(page) == [], address
        for ruleset in ("gods2", "albraxas", "dawn", "dietower", "forgeborn"):
            for name in ("desk", "screen"):
                address = f"{event.game_of(ruleset)}{name}/"
                with page.expect_response(f"{address}body/"):  # a page asks for its moving part once it is connected
                    page.goto(address)
                assert findings(page) == [], address
        page.goto(f"{event.game}desk/")
        page.set_viewport_size({"width": 1280, "height": 480})  # so low that the clock is as high as the window
        desk.open_menu()
        button(desk.menu, "Correct a row").click()
        expect(desk.dialog).to_be_visible()
        assert findings(page) == []


def test_a_player_acts_at_the_width_of_a_telephone(event, tmp_path):
    with open_pages(tmp_path, "seat") as (page,):
        page.add_init_script(OFFENCES)
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{event.game}seat/")
        sign_in(page, event, "demo-player-1")
        may, dialog, story = page.locator("#may"), page.get_by_role("dialog"), page.locator("#log")
        expect(page.locator("#clock .big")).to_be_visible()
        button(may, "Draw number").click()
        expect(dialog).to_be_visible()
        button(dialog, "Draw number").click()
        expect(dialog).to_be_hidden()
        expect(page.locator("#toast")).to_contain_text("was drawn")
        expect(story).to_contain_text("was drawn")
        expect(button(may, "Draw number")).to_have_count(0)  # nobody holds two numbers
        button(page.locator("#inbox, #may"), "Leave queue").click()
        expect(dialog.or_(button(may, "Draw number")).first).to_be_visible()
        if dialog.is_visible():  # a number that is called is given back at once, by the button of that question
            button(dialog, "Leave queue").click()
        expect(button(may, "Draw number")).to_be_visible()
        expect(page.get_by_role("img", name="The map as Gordrun sees it")).to_be_visible()
        assert page.evaluate("document.body.scrollWidth <= innerWidth")
        choose_on_map(page, may, dialog)
        for ruleset in ("gods2", "albraxas", "forgeborn"):
            page.goto(f"{event.game_of(ruleset)}seat/")
            expect(may.get_by_role("heading")).to_be_visible()
            expect(may).not_to_contain_text("A moment, please.")
            assert findings(page) == [], ruleset
            assert page.evaluate("document.body.scrollWidth <= innerWidth"), ruleset
        choose_by_keys(page, may, dialog)


def test_a_form_has_its_map_however_late_the_marks_are(event, tmp_path):
    """The kind: what depends on something that is still being loaded, or was not had, is decided when it is there."""
    with open_pages(tmp_path, "seat", routes=True) as (page,):
        held: list[Route] = []
        is_late = True

        def hold(route: Route) -> None:
            held.append(route) if is_late and is_read(route) else route.continue_()

        def fail(route: Route) -> None:
            route.abort() if is_read(route) else route.continue_()

        page.goto(f"{event.base}/oauth/log-in/?next=/")
        sign_in(page, event, "demo-player-1")
        page.route(MAP, hold)
        page.locator("form[action='/play/forgeborn/'] button").click()  # a game that waits for this player alone
        may, dialog = page.locator("#may"), page.get_by_role("dialog")
        mark = dialog.locator("svg.marks [data-ids]").first
        place = open_line(may, dialog)
        place.focus()
        until(lambda: page.evaluate("1") and held)  # what is asked of the page lets it call `hold`
        expect(dialog.locator("svg.marks")).to_have_count(0)
        before = len(held)
        page.evaluate("document.querySelector('#map img').src += '#next'")  # the picture of the next move
        until(lambda: page.evaluate("1") and len(held) > before)
        is_late = False
        last = held.pop()
        for each in held:
            each.continue_()
        expect(dialog.locator("svg.marks")).to_be_attached()
        last.abort()
        expect(mark).to_be_attached()
        choose_with_arrows(dialog, place)

        page.route(MAP, fail)
        page.reload()
        open_line(may, dialog)
        expect(dialog.locator("svg.marks")).to_have_count(0)
        page.unroute(MAP)
        page.evaluate("document.dispatchEvent(new Event('moved'))")  # as when anything happens in the game
        expect(mark).to_be_attached()
        page.evaluate("document.querySelector('#dialog-map img').id = 'same'")
        page.evaluate(CLOSE_AND_OPEN)  # as where an answer comes while a form closes
        expect(dialog.locator("#same")).to_be_attached()


def is_read(route: Route) -> bool:
    """Whether a picture is read for its marks, and not shown."""
    return route.request.resource_type == "fetch"


def choose_on_map(page: Page, may: Locator, dialog: Locator) -> None:
    """A touch fills the field of a form in that has the focus; without a form it says what may be done there."""
    button(may, "Cast power").click()
    targets = dialog.locator("select[name='targets:json']")
    expect(targets).to_be_visible()
    every = [json.loads(each) for each in targets.locator("option[value]").evaluate_all(VALUES) if each]
    race = next(each[0]["race"] for each in every if len(each) == 1 and "race" in each[0])
    targets.focus()
    touch(dialog.locator(f"svg.marks [data-ids~='{race}'] > *").first)
    expect(targets).to_have_value(re.compile(race))
    expect(dialog.locator(".over .chosen").first).to_be_attached()
    page.keyboard.press("Escape")
    touch(page.locator(f"#map svg.marks [data-ids~='{race}'] > *").first)
    button(page.locator("#here"), "Cast power").click()
    expect(targets).to_have_value(re.compile(race))
    page.keyboard.press("Escape")


def choose_by_keys(page: Page, may: Locator, dialog: Locator) -> None:
    """Arrow keys go from place to place of a realm, and Enter chooses one for the form."""
    place = open_line(may, dialog)
    expect(dialog.locator("svg.marks [data-ids]").first).to_be_attached()
    place.focus()
    choose_with_arrows(dialog, place)
    page.keyboard.press("Escape")


def open_line(may: Locator, dialog: Locator) -> Locator:
    """The field for a place, of the form that draws a line."""
    button(may, "Draw line").click()
    place = dialog.locator("select[name='place:json']")
    expect(place).to_be_visible()
    return place


def choose_with_arrows(dialog: Locator, place: Locator) -> None:
    """Go over the marks until one is what the field takes."""
    marks, keyboard = dialog.locator("svg.marks"), dialog.page.keyboard
    marks.focus()
    for _ in range(marks.locator(":scope > [data-ids]").count()):
        keyboard.press("ArrowRight")
        keyboard.press("Enter")
        if place.input_value():
            break
    expect(place).not_to_have_value("")


def touch(shape: Locator) -> None:
    """Touch a shape of a picture where it is uppermost, as a finger does."""
    shape.scroll_into_view_if_needed()
    shape.page.mouse.click(*look_until_there(lambda: shape.evaluate(UPPERMOST)))


def touch_square(within: Locator, value: str) -> None:
    """Touch a square of the grid by the value of its choice."""
    square, grid = json.loads(value), within.locator("svg.marks [data-columns]")
    columns, rows = (int(str(grid.get_attribute(f"data-{each}"))) for each in ("columns", "rows"))
    box = look_until_there(grid.bounding_box)
    x = box["x"] + (square["x"] + 0.5) * box["width"] / columns
    within.page.mouse.click(x, box["y"] + (square["y"] + 0.5) * box["height"] / rows)


def look_until_there(look: Callable[[], Any]) -> Any:
    """What a look at a part of a picture finds. Drawn anew, a picture has new parts: the one that was meant is gone."""
    seen = []

    def is_there() -> bool:
        seen.append(look())
        return seen[-1] is not None

    until(is_there)
    return seen[-1]


def test_nothing_on_a_screen_is_cut_nor_too_small_to_be_read_from_afar(event, tmp_path):
    with open_pages(tmp_path, "screen") as (page,):
        for ruleset in ("gods2", "albraxas", "dawn", "dietower", "forgeborn"):
            page.set_viewport_size({"width": 1920, "height": 1080})
            page.goto(f"{event.game_of(ruleset)}screen/")
            if ruleset != "albraxas":  # where nobody stands anywhere yet
                expect(page.locator("body[data-shape]")).to_be_visible()
            for width, height in ((1920, 1080), (3840, 2160), (1366, 768), (1024, 768)):
                page.set_viewport_size({"width": width, "height": height})
                least = min(26 * height / 1080, 14 * width / 1024)
                until(lambda least=least: page.evaluate(f"{CUT}.length == 0 && {SMALLEST} >= {least}"))
            # On a telephone the page is as long as it must be, and all of it is there.
            page.set_viewport_size({"width": 360, "height": 740})
            expect(page.locator("main [hidden]")).to_have_count(0)
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), ruleset


def test_what_has_no_room_on_a_screen_is_hidden_whole_and_counted(event, tmp_path):
    with open_pages(tmp_path, "screen") as pages:
        screen = open_screen(pages[0], event)
        expect(screen.page.locator("body[data-shape=tall]")).to_be_visible()
        rows, heading = screen.standings.locator("tbody tr"), screen.standings.get_by_role("heading")
        shown = rows.locator("visible=true")  # peoples come and go meanwhile: counts are taken together
        until(lambda: 0 < shown.count() == rows.count())
        grow = "(unit) => { document.body.style.setProperty('--u', unit); dispatchEvent(new Event('resize')); }"
        screen.page.evaluate(grow, "2.1px")
        until(lambda: 3 <= shown.count() < rows.count())
        until(lambda: f"{shown.count()} of {rows.count()}" in heading.inner_text())
        expect(shown.last).to_be_in_viewport()
        until(lambda: screen.page.evaluate(CUT) == [])
        screen.page.evaluate(grow, "")
        until(lambda: shown.count() == rows.count())
        expect(screen.standings.locator(".count")).to_be_empty()


def findings(page: Page) -> list[str]:
    """What is serious for a screen reader on a page, and what its policy has kept away since it was opened."""
    page.evaluate(AXE)
    return page.evaluate(FINDINGS) + page.evaluate("offences")


def count_loads(pages: tuple[Page, ...]) -> list[Page]:
    """A list of the pages that are loaded anew from now on."""
    loads = list[Page]()
    for page in pages:
        page.on("load", lambda page: loads.append(page))
    return loads


def test_a_century_is_led_from_the_desk_alone(event, tmp_path):
    stranger = Stranger(event)
    with open_pages(tmp_path, "desk", "other", "screen") as pages:
        desk, other, screen = open_desk(pages[0], event), open_desk(pages[1], event), open_screen(pages[2], event)
        loads = count_loads(pages)
        expect(desk.caption).to_have_text("Century 2 is in its Activity Phase")

        # Three gods come to the Window over the API; the desk calls one, and the worker is killed meanwhile.
        gods = event.players()
        for token in gods.values():
            assert event.issue(token, "draw-number") == 201
        expect(other.panel("At the Window").locator("tbody tr").nth(2)).to_be_visible()
        called = call_one_of(desk, set(gods))
        expect(other.row("At the Window", "at the Window")).to_contain_text(called)
        killed = event.child("celery")
        os.kill(killed, signal.SIGKILL)

        ask_in_a_card(desk)
        war = fight_a_war(desk, screen)
        expect(other.inbox).not_to_contain_text("By the rules")
        expect(screen.contest(war).locator(".outcome")).to_be_in_viewport()

        # A secret is corrected, then something public, which is taken back.
        desk.correct("purses", "Gordrun", "Balance", "91", SECRET)
        expect(desk.toast).to_contain_text(SECRET)
        expect(other.log).to_contain_text(SECRET)
        people = screen.standings.locator("tbody td").first.inner_text()
        desk.correct("races", people, "Name", "Folk of the Test", "A slip of the pen.")
        expect(desk.toast).to_contain_text("Folk of the Test")
        expect(screen.standings.get_by_text("Folk of the Test")).to_be_in_viewport()
        desk.rewind_one("A slip of the pen.")
        expect(screen.standings).not_to_contain_text("Folk of the Test")
        expect(other.events.filter(has_text="A slip of the pen.").get_by_text("undone")).to_be_visible()

        # The web process is killed: both desks say that they are cut, and go on behind the last event they had.
        os.kill(event.child("uvicorn"), signal.SIGKILL)
        for page in (desk, other, screen):
            expect(page.stale).to_be_visible()
        for page in (desk, other, screen):
            expect(page.stale).to_be_hidden()
        assert event.child("celery") not in (0, killed)  # and it has gone on: a number that nobody uses waits anew
        expect(desk.log).to_contain_text("goes to the end of the queue")

        # The other of the two pauses: the first one reads who did it.
        other.press("p")
        expect(desk.events.first).to_contain_text("Game-master: The clock stands still.")
        expect(desk.remaining).to_have_text("paused")  # the key does what the button says, which comes with the clock
        desk.press("p")
        expect(desk.remaining).not_to_have_text("paused")

        # The end of the century: the worksheet is corrected and approved, then each people grows.
        desk.end_now()
        desk.accept_until("Calculation")
        button(desk.panel("Worksheet"), "Correct").click()
        count = desk.field("Count")
        count.fill(str(int(count.input_value()) + 1))
        desk.send()
        button(desk.inbox, "Approve").click()
        expect(desk.inbox).not_to_contain_text("worksheet")
        desk.end_now()
        expect(desk.caption).to_contain_text("century 3 are growing")
        question = desk.question("Place otherwise")
        button(question, "Place otherwise").click()
        left = seconds_left(desk.dialog.locator(".left"))
        button(desk.dialog, "+1 min").click()
        until(lambda: seconds_left(desk.dialog.locator(".left")) > left)
        place_on_map(desk, question)
        expect(desk.toast).to_contain_text("The GM places the units of")
        expect(question).to_have_count(0)
        assert desk.accept_until("Century 3 is in its Activity Phase") > 3

        # A second century, without a word about anything.
        lead_on(desk, 4)
        assert loads == []

        seen = stranger.end() + screen.page.content().encode()
        assert b"Century 3" in seen and b'class="outcome"' in seen and b"event: life" in seen
        assert SECRET.encode() not in seen


def lead_on(desk: BrowserDesk, century: int) -> None:
    """Lead the century before this one to its end, and let the peoples grow."""
    desk.end_now()
    desk.accept_until("Calculation")
    button(desk.inbox, "Approve").click()
    expect(desk.inbox).not_to_contain_text("worksheet")
    desk.end_now()
    expect(desk.caption).to_contain_text(f"century {century} are growing")
    assert desk.accept_until(f"Century {century} is in its Activity Phase") > 3


def call_one_of(desk: BrowserDesk, gods: set[str]) -> str:
    """Call the next numbers until one of these gods stands at the Window; their name."""
    panel = desk.panel("At the Window")
    first = panel.locator("tbody tr").first
    for _ in range(13):
        before = first.locator("td").all_inner_texts()[:2]
        button(panel, "Call the next").or_(button(panel, "Serve the next")).click()
        until(lambda before=before: first.locator("td").all_inner_texts()[:2] != before)
        expect(first).to_contain_text("at the Window")
        if found := gods & set(first.locator("td").all_inner_texts()):
            return found.pop()
    raise AssertionError("none of them was called")


def ask_in_a_card(desk: BrowserDesk) -> None:
    """Open each form of the first war of the inbox, if one waits, with the mouse, the first one by its number, too."""
    card = desk.inbox.locator(".matter").filter(has=button(desk.page, "Hold war")).first
    if not card.count():
        return
    asking = card.get_by_role("button", name=re.compile("…$"))
    for place in range(asking.count()):
        asking.nth(place).click()
        expect(desk.dialog).to_be_visible()
        desk.press("Escape")
        expect(desk.dialog).to_be_hidden()
    desk.press("j")
    desk.press("1")
    expect(desk.dialog).to_be_visible()
    desk.press("Escape")
    expect(desk.dialog).to_be_hidden()


def fight_a_war(desk: BrowserDesk, screen: BrowserScreen) -> str:
    """Hold a war for a minute, keep its sides from diplomacy, fight it now, and accept what the rules would do.

    Which wars wait depends on dice and on the bots. Where each has a side that always talks, the war may be averted;
    then there is nothing to accept. A god may have called the only one off by a power; then that one is over. Returns
    who fights whom, as the screen says it.
    """
    names = desk.panel("Wars").locator("tbody td:first-child").all_inner_texts()
    if not names:
        return str(screen.page.locator(".contest.decided").first.get_attribute("aria-label"))
    name = next((each for each in names if all(refrain(desk, each, side) for side in (0, 1))), names[0])
    row = desk.row("Wars", name)
    due, sides = seconds_left(row), row.locator("td").nth(1).inner_text()
    button(row, "Hold").click()
    until(lambda: seconds_left(row) > due)
    button(row, "Fight now").click()
    accept = button(desk.inbox, "Accept")
    until(lambda: accept.count() > 0 or f"{name} is averted" in desk.log.inner_text())
    if accept.count():
        accept.click()
    expect(desk.log).to_contain_text(name)
    expect(desk.inbox).not_to_contain_text("By the rules")
    return sides


def place_on_map(desk: BrowserDesk, question: Locator) -> None:
    """Put a unit of a growing people on its last square by touching it: that is refused, it is taken away, and sent.

    What else the rules leave open hangs on dice.
    """
    lines, marks = desk.dialog.locator("table.entry tbody tr"), desk.dialog.locator("svg.marks")
    for takes_away in (False, True):
        expect(marks.locator(".chosen").first).to_be_visible()
        last = [line for line in lines.all() if line.locator("select").input_value()][-1]
        square, units = last.locator("select").input_value(), int(number_of(last).input_value())
        touch_square(desk.dialog, square)
        expect(number_of(last)).to_have_value(str(units + 1))
        if takes_away:
            button(desk.dialog, "Take away").click()
            touch_square(desk.dialog, square)
            expect(number_of(last)).to_have_value(str(units))
            desk.send()
        else:
            assert not desk.try_to_send()
            expect(desk.alert).to_contain_text("cannot stand like this")
            desk.press("Escape")
            expect(desk.dialog).to_be_hidden()
            button(question, "Place otherwise").click()


def number_of(line: Locator) -> Locator:
    """The field of a line of a form that holds a number."""
    return line.locator("input[type=number]")


def seconds_left(part: Locator) -> int:
    """What the countdown of a part of the page shows."""
    minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", part.locator(".countdown").inner_text()).groups()
    return 60 * int(minutes) + int(seconds)


def refrain(desk: BrowserDesk, war: str, side: int) -> bool:
    """Keep a side of a war from diplomacy; False where its nature will not have it, as the form says."""
    button(desk.row("Wars", war), "Diplomacy").click()
    race = desk.field("Race")
    race.select_option(label=race.locator("option:enabled").nth(side).text_content())
    desk.choose("Policy", "refrain")
    if desk.try_to_send():
        return True
    expect(desk.alert).to_contain_text("by their nature")
    desk.press("Escape")
    expect(desk.dialog).to_be_hidden()
    return False
