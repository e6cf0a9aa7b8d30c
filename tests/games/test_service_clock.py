"""The clocks without rows: which timer is first, when a process doubts its own clock, when the row is renewed."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from games.runtime import service_clock
from games.runtime.clock import next_due
from games.runtime.service_clock import ProcessClock
from games.workers.clock_watch import ClockWatch
from tests.games.cairns import NOON

SLIP = timedelta(seconds=60)


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


def test_of_timers_that_are_due_at_one_moment_the_one_that_was_set_first_is_first() -> None:
    timers = {
        key: SimpleNamespace(key=key, due=due, generation=generation)
        for key, due, generation in (("a", NOON, 2), ("b", NOON, 1), ("c", None, 0), ("d", NOON + seconds(1), 0))
    }
    session: Any = SimpleNamespace(state=SimpleNamespace(timers=timers))
    assert next_due(session, NOON + seconds(1)) == (NOON, 1, "b")
    assert next_due(session, NOON - seconds(1)) is None


@pytest.fixture
def row(monkeypatch: pytest.MonkeyPatch) -> dict[str, datetime]:
    """The pulse of the clock, which is no row here."""
    held: dict[str, datetime] = {}
    monkeypatch.setattr(service_clock, "slip", lambda: SLIP)
    monkeypatch.setattr(service_clock, "pulse_of", held.get)
    monkeypatch.setattr(service_clock, "renew", held.__setitem__)
    return held


def test_a_clock_stays_in_doubt_until_the_row_is_no_longer_ahead(row: dict[str, datetime]) -> None:
    row[service_clock.CLOCK] = ahead = NOON + seconds(3600)
    clock = ProcessClock()
    assert [clock.look(NOON + seconds(n), n) for n in range(3)] == [ahead] * 3  # it runs evenly, and is wrong still
    row[service_clock.CLOCK] = NOON
    assert clock.look(NOON + seconds(3), 3) == NOON + seconds(3)
    row[service_clock.CLOCK] = ahead
    assert clock.look(NOON + seconds(4), 4) == NOON + seconds(4)  # nothing gives it cause to ask


def test_a_row_that_is_ahead_by_less_than_the_slip_is_renewed_at_once(row: dict[str, datetime]) -> None:
    watch = ClockWatch()
    for monotonic, now, found in ((0.0, 0, 0), (0.5, 0.5, 0), (0.6, -5, -5), (2.7, 2.7, 2.7)):
        assert watch.look(NOON + seconds(now), monotonic) == 0
        assert row[service_clock.CLOCK] == NOON + seconds(found)
