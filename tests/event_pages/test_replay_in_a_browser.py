"""The replay in a real browser, without a service: keys and Play show other chapters, and the address follows."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Route, expect

from tests.browser import needed, open_pages
from tests.event_pages.test_replay import finished  # noqa: F401

pytestmark = [needed, pytest.mark.long, pytest.mark.django_db]
STATIC = Path(__file__).parents[2] / "api" / "pages" / "static"


def test_keys_and_play_show_other_chapters_and_the_address_holds_them(finished, tmp_path):  # noqa: F811
    address, last = f"/games/{finished.id}/replay/", finished.game.chapter
    paths = [f"{address}?at=0", *(f"{address}body/?at={chapter}" for chapter in range(last + 1))]
    answers = {path: Client().get(path).content for path in paths}

    def answer(route: Route) -> None:
        asked = urlsplit(route.request.url)
        if (found := answers.get(f"{asked.path}?{asked.query}")) is not None:
            route.fulfill(body=found, content_type="text/html")
        elif (file := STATIC / asked.path.removeprefix("/static/")).is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404)

    with open_pages(tmp_path, "replay") as (page,):
        page.route("**/*", answer)
        page.goto(f"http://theogony.test{address}?at=0")
        here, play = page.locator("#here"), page.locator("#play")
        expect(here).to_have_text("Before the first turn")
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(r"\?at=1$"))
        expect(here).to_have_text("Turn 1")
        page.keyboard.press("End")
        expect(page).to_have_url(re.compile(rf"\?at={last}$"))
        page.get_by_role("link", name="Back").click()
        expect(here).to_have_text(f"Turn {last - 1}")
        page.locator("#speed").select_option("900")
        play.click()
        expect(here).to_have_text(f"Turn {last}")
        expect(play).to_have_text("Play")
        page.keyboard.press("Home")
        expect(page.locator("#moving h2")).to_have_text("Before the first turn")
