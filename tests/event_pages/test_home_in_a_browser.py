"""The wall of games: the place of a picture that is not there yet stays empty, in a real browser, without a service."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser import needed, open_pages

pytestmark = [needed, pytest.mark.long]
SCRIPT = Path(__file__).parents[2] / "api" / "pages" / "static" / "pages" / "home.js"
HOME = "http://games.test/"
WALL = """<!doctype html><ul class="games">{}</ul><script src="home.js" defer></script>"""
CARD = '<li><a class="shown"><img id="{0}" src="{0}.svg" data-live alt="" width="40" height="40"></a></li>'
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4"/></svg>'


def test_a_picture_that_is_not_there_is_not_shown_as_broken_and_comes_when_it_is(tmp_path):
    drawn = {"ready"}

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(HOME).partition(".svg")[0]
        if not name:
            route.fulfill(content_type="text/html", body=WALL.format("".join(map(CARD.format, ("ready", "later")))))
        elif name == "home.js":
            route.fulfill(content_type="text/javascript", body=SCRIPT.read_text())
        elif name in drawn:
            route.fulfill(content_type="image/svg+xml", body=DRAWING)
        else:
            route.fulfill(status=404)

    with open_pages(tmp_path, "home") as (page,):
        page.route("**/*", answer)
        page.clock.install()
        page.goto(HOME)
        expect(page.locator("#later")).to_have_css("visibility", "hidden")
        expect(page.locator("#ready")).to_have_css("visibility", "visible")
        drawn.add("later")
        page.clock.fast_forward(61_000)
        expect(page.locator("#later")).to_have_css("visibility", "visible")
        expect(page.locator("#ready")).to_have_css("visibility", "visible")
