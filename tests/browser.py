"""Real browsers without a window: Debian's chromium, driven by Playwright as a person would.

Clicks, keys and writing are the browser's own input: a button that is covered, hidden or off screen is not pressed.
While a page is open an event loop runs in its thread, where Django refuses its ORM: read rows before and after.
"""

import asyncio
import atexit
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, Route, ViewportSize, expect, sync_playwright

PATH = shutil.which("chromium")
needed = pytest.mark.skipif(PATH is None, reason="Needs a browser: apt-get install chromium")
TIMEOUT_MS = 300_000
"""For what hangs: a click, an expectation, a page that loads."""
NOTE_TIMEOUT_MS = 5_000
NOWHERE = "**/nowhere/"
"""What no page asks for."""
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking")
WINDOW = ViewportSize(width=1280, height=800)
expect.set_options(timeout=TIMEOUT_MS)


@dataclass(frozen=True, slots=True)
class Driver:
    """Playwright and the one browser that the tests of a process share: to start both takes as long as a short test."""

    playwright: Playwright
    browser: Browser
    loop: asyncio.AbstractEventLoop

    @classmethod
    def start(cls) -> "Driver":
        """Start both; they end with the process."""
        playwright = sync_playwright().start()
        browser = playwright.chromium.launch(executable_path=PATH, args=ARGUMENTS)
        driver = cls(playwright, browser, asyncio.get_running_loop())
        atexit.register(driver.stop)
        return driver

    @contextmanager
    def at_work(self) -> Iterator[Browser]:
        """The browser; only inside has this thread a running event loop, which Playwright leaves marked as such."""
        asyncio.events._set_running_loop(self.loop)
        try:
            yield self.browser
        finally:
            asyncio.events._set_running_loop(None)

    def stop(self) -> None:
        """End both."""
        with self.at_work():
            self.playwright.stop()


DRIVERS: list[Driver] = []
"""Of this process: one, once a test has opened a page, and another for each browser that has crashed."""


@contextmanager
def open_pages(folder: Path, *names: str, moves: bool = False, routes: bool = False) -> Iterator[tuple[Page, ...]]:
    """One page of the browser for each name; none shares cookies or storage with another, nor with an earlier test's.

    moves: whether what fades is seen fading. Else the browser asks pages for less motion, as a person can: to draw
    each step of it without a graphics card is a tenth of what a test costs.
    routes: whether the test sets routes for what an open page asks. The browser takes a moment to heed the first one of
    a page: a request that follows at once may pass it by. So there is one from the start.
    An error that leaves this says what stood on each page, and where in the folder its picture is.
    """
    if not DRIVERS or not DRIVERS[-1].browser.is_connected():
        DRIVERS.append(Driver.start())
    with DRIVERS[-1].at_work() as browser, ExitStack() as contexts:
        pages = tuple(open_page(browser, contexts, moves=moves, routes=routes) for _ in names)
        try:
            yield pages
        except Exception as error:
            add_notes(error, folder, names, pages)
            raise


def open_page(browser: Browser, contexts: ExitStack, *, moves: bool, routes: bool) -> Page:
    """A page in a context of its own, which ends with the others."""
    context = browser.new_context(viewport=WINDOW, reduced_motion="no-preference" if moves else "reduce")
    contexts.callback(context.close)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    if routes:
        page.route(NOWHERE, Route.abort)
    return page


def add_notes(error: Exception, folder: Path, names: Sequence[str], pages: Sequence[Page]) -> None:
    """Say with an error what stands on each page, and keep a picture of it."""
    for name, page in zip(names, pages, strict=True):
        picture = folder / f"{name}.png"
        error.add_note(f"Page {name!r} at {page.url}, its picture: {picture}")
        with suppress(Error):  # a page that has crashed has neither
            page.screenshot(path=picture, timeout=NOTE_TIMEOUT_MS)
            error.add_note(" ".join(page.locator("body").inner_text(timeout=NOTE_TIMEOUT_MS).split()))
