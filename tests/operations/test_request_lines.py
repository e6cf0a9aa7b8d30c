"""One line a request: its status is the one that was answered, whichever layer turned the error into it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from accounts.sessions import SessionStore
from api.common.exceptions import Fault
from games.engine.errors import Refused
from tests.api.failing import RAISED, fails
from tests.operations.lines import Lines, reading

pytestmark = [pytest.mark.urls("tests.api.failing"), pytest.mark.django_db]


@pytest.fixture
def lines() -> Iterator[Lines]:
    with reading() as found:
        yield found


@pytest.fixture
def client() -> Iterator[Client]:
    yield Client(raise_request_exception=False)
    RAISED.clear()


def failures(lines: Lines) -> list[dict[str, Any]]:
    """The lines of a warning's weight or more, without what a request does not decide."""
    return [line for line in lines.all() if line["level"] in ("warning", "error", "critical")]


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (OperationalError("host 10.0.0.1 refused"), "database.down"),
        (Refused("game.busy", "Later."), "game.busy"),
        (Fault("clock.behind", "Later."), "clock.behind"),
    ],
)
def test_a_503_of_a_view_of_the_api_is_one_line_with_its_status(
    client: Client, lines: Lines, error: Exception, problem: str
) -> None:
    answer = fails(client, error)
    (line,) = failures(lines)
    assert (answer.status_code, line["event"], line["level"]) == (503, "request_finished", "error")
    assert (line["code"], line["problem"], line["error"]) == (503, problem, type(error).__name__)
    assert line["request_id"] == answer["X-Request-Id"]
    assert "10.0.0.1" not in lines.out.getvalue()


def test_a_database_that_is_missed_outside_the_views_is_one_line_with_503(client: Client, lines: Lines) -> None:
    RAISED["plain"] = OperationalError("host 10.0.0.1 refused")
    answer = client.get("/api/plain/")
    (line,) = failures(lines)
    assert (answer.status_code, line["event"], line["level"]) == (503, "request_failed", "error")
    assert (line["code"], line["problem"], line["error"]) == (503, "database.down", "OperationalError")
    assert "exception" not in line and "10.0.0.1" not in lines.out.getvalue()


def test_a_database_that_is_missed_with_a_session_is_one_line_with_503(
    client: Client, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("host 10.0.0.1 refused")

    client.cookies["sessionid"] = "a-session-that-cannot-be-looked-up"
    monkeypatch.setattr(SessionStore, "_get_session_from_db", away)
    answer = client.get("/api/plain/")
    (line,) = failures(lines)
    assert (answer.status_code, line["code"], line["problem"]) == (503, 503, "database.down")


@pytest.mark.parametrize("path", ["/api/plain/", "/plain/"])
def test_an_unforeseen_error_is_one_line_with_500_and_its_traceback(client: Client, lines: Lines, path: str) -> None:
    RAISED["plain"] = RuntimeError("unheard of")
    answer = client.get(path)
    (line,) = failures(lines)
    assert (answer.status_code, line["event"], line["code"]) == (500, "request_failed", 500)
    assert "unheard of" in line["exception"]


def test_a_503_leaves_nothing_in_the_line_of_the_next_request(client: Client, lines: Lines) -> None:
    fails(client, Refused("game.busy", "Later."))
    RAISED.clear()
    client.get("/api/nowhere/")
    last = lines.of("request_finished")[-1]
    assert last["code"] == 404 and "problem" not in last
