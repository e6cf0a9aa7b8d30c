"""Real browsers without a window: Debian's chromium, driven by Playwright as a person would.

Clicks, keys and writing are the browser's own input: a button that is covered, hidden or off screen is not pressed.
While a page is open an event loop runs in its thread, where Django refuses its ORM: read rows before and after.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, ViewportSize, expect, sync_playwright

PATH = shutil.which("chromium")
needed = pytest.mark.skipif(PATH is None, reason="Needs a browser: apt-get install chromium")
TIMEOUT_MS = 300_000
"""For what hangs: a click, an expectation, a page that loads."""
NOTE_TIMEOUT_MS = 5_000
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking")
WINDOW = ViewportSize(width=1280, height=800)
expect.set_options(timeout=TIMEOUT_MS)


@contextmanager
def open_pages(folder: Path, *names: str) -> Iterator[tuple[Page, ...]]:
    """A browser with one page for each name; none shares cookies or storage with another.

    An error that leaves this says what stood on each page, and where in the folder its picture is.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PATH, args=ARGUMENTS)
        pages = tuple(browser.new_context(viewport=WINDOW).new_page() for _ in names)
        for page in pages:
            page.set_default_timeout(TIMEOUT_MS)
        try:
            yield pages
        except Exception as error:
            add_notes(error, folder, names, pages)
            raise


def add_notes(error: Exception, folder: Path, names: Sequence[str], pages: Sequence[Page]) -> None:
    """Say with an error what stands on each page, and keep a picture of it."""
    for name, page in zip(names, pages, strict=True):
        picture = folder / f"{name}.png"
        error.add_note(f"Page {name!r} at {page.url}, its picture: {picture}")
        with suppress(Error):  # a page that has crashed has neither
            page.screenshot(path=picture, timeout=NOTE_TIMEOUT_MS)
            error.add_note(" ".join(page.locator("body").inner_text(timeout=NOTE_TIMEOUT_MS).split()))
