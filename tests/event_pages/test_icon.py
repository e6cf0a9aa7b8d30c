"""The icon of the service: the same drawing where a page names it and where a browser asks of itself."""

from xml.etree import ElementTree

from django.contrib.staticfiles import finders
from django.test import Client

from api.pages.icon import DRAWN


def test_anybody_gets_the_icon_that_the_pages_name() -> None:
    answer = Client().get("/favicon.ico")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml") and not answer.cookies
    assert "public" in answer["Cache-Control"]
    with open(str(finders.find("pages/icon.svg")), "rb") as drawn:
        assert answer.content == DRAWN == drawn.read()
    assert ElementTree.fromstring(answer.content).tag.endswith("svg") and len(answer.content) < 2_000
    assert Client().post("/favicon.ico").status_code == 405
