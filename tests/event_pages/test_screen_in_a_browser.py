"""What the screen hides where there is no room: its template, style and script in a real browser, without a service."""

from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from api.pages.event.screen_view import Dice, ShownContest
from games.engine.insight.event_pages import Contest, ContestSide
from tests.browser import needed, open_pages

pytestmark = [needed, pytest.mark.long]
STATIC = Path(__file__).parents[2] / "api" / "pages" / "static" / "pages"
ROOM = ".screen #now { width: 20em; max-height: 21.6em; }"
"""What is left beside a map that is higher than wide: 600 by 648 pixels of 1920 by 1080."""
SHORT, LONG = ("Norsemen", "Coast Folk"), ("Plainsmen of the Dawn", "Riders of the Western Pampas")


def show_contests(page: Page, names: tuple[str, str]) -> None:
    """Show an open contest, one that was decided, and dice, as the screen of a game does that has no picture."""
    figures = ("strength 28", "hits with 5%", "would lose 6")
    still_open = Contest("War 6", tuple(ContestSide(name, figures) for name in names), None, f"{names[0]} lose.")
    decided = Contest(
        "War 3",
        tuple(ContestSide(name, ("hit with 30%", "lost 4 units")) for name in names),
        outcome=f"{names[1]} have lost the war.",
    )
    context = {
        "game": {"name": "Era Centrum", "pk": 1},
        "caption": "Century 2 is in its Activity Phase",
        "status": "running",
        "contests": [ShownContest(each, None) for each in (still_open, decided)],
        "dice": Dice("Aggressive wars of this century.", "4d6", (3, 2, 3, 2), 0, False),
        "lines": [{"heading": "Century 2", "text": "War 3."}] * 12,
    }
    body = render_to_string("pages/screen_body.html", context)
    page.set_content(f"<body class=screen><main id=moving>{body}</main></body>")
    for sheet in ("tokens", "pages", "show"):
        page.add_style_tag(path=STATIC / f"{sheet}.css")
    page.add_style_tag(content=ROOM)
    page.add_script_tag(path=STATIC / "screen.js")


@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768), (1024, 768)])
def test_how_the_last_contest_ended_outlasts_its_figures_and_the_dice(tmp_path, size, names):
    with open_pages(tmp_path, "screen") as (page,):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        show_contests(page, names)
        outcome = page.get_by_role("region", name="War 3").locator(".outcome")
        expect(outcome).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("region", name="War 6").get_by_text("would lose 6").first).to_be_visible()
        expect(page.locator("#dice")).to_be_visible(visible=names is SHORT)
