"""What has just happened is marked on a screen that runs: at the event, for twenty seconds of the page's own clock."""

import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Route, expect

from games.models import LoggedEvent
from tests.browser import needed, open_pages
from tests.games.albraxas import of_bots

pytestmark = [needed, pytest.mark.long, pytest.mark.django_db]
STATIC = Path(__file__).parents[2] / "api" / "pages" / "static"
REFRESH = "htmx.trigger('#moving', 'refresh')"


def test_a_mark_comes_with_the_event_and_goes_after_twenty_seconds(tmp_path, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    here = of_bots(("steady", "random", "steady"), {"phases": 5, "sides": 6, "check_from": 2})
    while here.game.chapter < 2:
        here.fire()
    address = f"/games/{here.id}/screen/"

    def asked(path: str, seconds: int) -> bytes:
        """A part of the screen so many seconds after the last event."""
        LoggedEvent.objects.filter(game=here.id).update(at=now - timedelta(seconds=seconds))
        caches["responses"].clear()
        return Client().get(path).content

    calm, marked = asked(f"{address}body/", 30), asked(f"{address}body/", 0)
    marks = re.findall(r'data-marks="([^"]+)"', marked.decode())[0]
    assert b"data-marks" not in calm
    answers = {address: asked(address, 30), f"{address}body/": calm, f"{address}map.svg": asked(f"{address}map.svg", 0)}
    answers[urlsplit(marks).path] = asked(marks, 0)

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if (found := answers.get(path)) is not None:
            route.fulfill(body=found, content_type="image/svg+xml" if path.endswith(".svg") else "text/html")
        elif (file := STATIC / path.removeprefix("/static/")).is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404)

    with open_pages(tmp_path, "screen", moves=True) as (page,):
        page.clock.install()
        page.route("**/*", answer)
        page.goto(f"http://theogony.test{address}")
        picture = page.locator("#picture-marks")
        expect(page.locator("#turn-map")).to_have_class(re.compile("on"))
        expect(picture).to_have_count(0)
        answers[f"{address}body/"] = marked
        page.evaluate(REFRESH)
        expect(picture).to_be_visible()
        expect(picture).to_have_attribute("src", marks)
        page.clock.run_for(14_000)
        assert 0 < float(picture.evaluate("each => each.style.opacity")) < 1
        page.clock.run_for(7_000)
        expect(picture).to_be_hidden()
        page.evaluate(REFRESH)  # the same event once more
        expect(picture).to_be_hidden()
        answers[f"{address}body/"] = marked.replace(marks.encode(), marks.encode() + b"1")
        page.evaluate(REFRESH)
        expect(picture).to_be_visible()
        answers[f"{address}body/"] = calm
        page.evaluate(REFRESH)
        expect(picture).to_have_count(0)
