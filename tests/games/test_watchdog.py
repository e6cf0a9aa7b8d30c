"""The watchdog: with beat and broker away, what is late is fired all the same."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.runtime import service_clock
from games.workers import watchdog

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
GAMES = [UUID(int=1), UUID(int=2)]


class Due:
    """The games in which something has been due for so many seconds, and what was fired of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
        self.fired: list[UUID] = []
        since = [NOW - timedelta(seconds=each) for each in seconds.values()]
        due = dict(zip(GAMES, since, strict=False))
        found = lambda until: [game for game, at in due.items() if at <= until]  # noqa: E731
        monkeypatch.setattr(watchdog.due_timers, "games_with_due_timers", found)
        monkeypatch.setattr(watchdog.services, "fire_due", self.fired.append)


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [0.0, 2.0, 5.0])
def test_what_a_sweep_should_have_fired_three_seconds_ago_is_fired(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = Due(monkeypatch, late=3.0, only_just=2.9)
    service_clock.renew(service_clock.SWEEP, NOW - timedelta(seconds=seconds))
    assert watchdog.sweep_what_is_late(NOW) == 1
    assert due.fired == GAMES[:1]  # what is only just due is left to the sweep


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [5.1, 60.0, None])
def test_where_no_sweep_is_seen_what_is_a_second_late_is_fired(
    seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = Due(monkeypatch, late=1.0, only_just=0.9)
    if seconds is not None:
        service_clock.renew(service_clock.SWEEP, NOW - timedelta(seconds=seconds))
    assert watchdog.sweep_what_is_late(NOW) == 1
    assert due.fired == GAMES[:1]


@pytest.mark.django_db
def test_when_nothing_is_late_nothing_is_done() -> None:
    with CaptureQueriesContext(connection) as asked:
        assert watchdog.sweep_what_is_late(NOW) == 0
    assert len(asked) == 1
