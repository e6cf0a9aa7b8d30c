"""What a browser asks before a page of another origin may use the APIs, and what the page on it promises."""

import re
from pathlib import Path

import pytest
from django.test import Client

from games import registry
from games.engine.kernel import Event

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/browser.md").read_text()
LOCAL = (
    "http://localhost:5173",
    "http://localhost",
    "http://127.0.0.1:8080",
    "http://[::1]:3000",
    "https://localhost:8443",
)
STRANGE = ("https://play.example", "http://localhost.evil.example", "http://evil.example:8000", "null")
GAME = "/api/v1/games/00000000-0000-4000-8000-000000000000/"
SENT = {"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID"}
"""What the page's examples send."""


@pytest.fixture(autouse=True)
def demo(settings):
    """As with `make run`."""
    settings.CORS_ALLOWED_ORIGIN_REGEXES = settings.LOCAL_ORIGINS


def preflight(origin: str, address: str, method: str):
    """The answer to a browser's question."""
    wish = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": ",".join(sorted(SENT)).lower()}
    return Client(headers={"Origin": origin, **wish}).options(address)


@pytest.mark.parametrize("origin", LOCAL)
@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", "/api/v1/games/?demo=1"),
        ("GET", f"{GAME}state/"),
        ("POST", f"{GAME}commands/declare-war/"),
        ("POST", f"{GAME}tickets/"),
        ("POST", "/graphql/"),
    ],
)
def test_a_page_of_this_machine_may_send_what_the_examples_send(origin, method, address):
    answer = preflight(origin, address, method)

    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (200, origin)
    assert method in answer["Access-Control-Allow-Methods"].split(", ")
    assert {name.lower() for name in SENT} <= set(answer["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer  # tokens, no cookies


@pytest.mark.django_db
@pytest.mark.parametrize("origin", STRANGE)
def test_a_page_from_elsewhere_may_not(origin):
    assert "Access-Control-Allow-Origin" not in preflight(origin, "/api/v1/games/", "GET")


@pytest.mark.django_db
def test_without_demo_and_debug_no_origin_of_this_machine_is_known(settings):
    settings.CORS_ALLOWED_ORIGIN_REGEXES = []
    assert "Access-Control-Allow-Origin" not in preflight(LOCAL[0], "/api/v1/games/", "GET")


@pytest.mark.django_db
def test_answers_and_refusals_show_a_page_their_headers():
    page = Client(headers={"Origin": LOCAL[0]})
    for address, status in (("/api/v1/games/", 200), (GAME, 404), ("/api/v1/me/", 401)):
        answer = page.get(address)
        assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, LOCAL[0])
        names = set(answer["Access-Control-Expose-Headers"].split(", "))
        ours = {"etag", "retry-after", "x-request-id", "x-server-time"}
        assert ours <= names
        of_everybody = {"content-type", "content-length", "cache-control", "vary", "allow", "x-frame-options"}
        hidden = {name.lower() for name in answer.headers} - names - of_everybody
        assert {name for name in hidden if not re.match("access-control-|content-|cross-origin-|referrer-", name)} <= {
            "x-content-type-options"
        }


def test_the_page_lists_the_headers_as_they_are_set(settings):
    read, sent = re.findall(r"read these headers.*?: (.*?)\. It may send (.*?)\.", PAGE, re.S)[0]
    names = [[name.lower() for name in re.findall(r"`([\w-]+)`", part)] for part in (read, sent)]
    assert names == [sorted(settings.CORS_EXPOSE_HEADERS), sorted(settings.CORS_ALLOW_HEADERS)]
    used = set(re.findall(r'headers\.get\("([\w-]+)"\)', PAGE))
    assert used and {name.lower() for name in used} <= set(names[0])
    assert {name for name in SENT if name in PAGE} == SENT


def test_the_types_that_the_page_listens_to_are_events():
    (types,) = re.findall(r"for \(const type of \[(.*?)\]\)", PAGE)
    for name in re.findall(r'"(\w+)"', types):
        assert issubclass(registry.event_class("gods2", name), Event)
