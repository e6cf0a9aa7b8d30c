"""The watchdog: with beat and broker away, what is late is fired all the same."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from games.workers import watchdog

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
GAMES = [UUID(int=1), UUID(int=2)]


def test_what_a_sweep_should_have_fired_is_fired(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[datetime] = []
    fired: list[UUID] = []
    monkeypatch.setattr(watchdog.selectors, "games_with_due_timers", lambda now: calls.append(now) or GAMES)
    monkeypatch.setattr(watchdog.services, "fire_due", fired.append)

    assert watchdog.sweep_what_is_late(NOW) == 2

    assert calls == [NOW - timedelta(seconds=3)]  # a sweep that is only just due is left to the sweep
    assert fired == GAMES


@pytest.mark.django_db
def test_when_nothing_is_late_nothing_is_done() -> None:
    assert watchdog.sweep_what_is_late(NOW) == 0
