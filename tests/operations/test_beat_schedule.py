"""Beat sends by the monotonic clock: a wall clock that leaps, back or ahead, neither silences nor hurries it."""

from datetime import timedelta

import pytest
from celery import Celery
from django.utils import timezone

from config import beat_schedule
from config.beat_schedule import SteadyScheduler

SWEEP, DEMO = "games.tasks.sweep", "games.tasks.keep_demo"


class Sending(SteadyScheduler):
    """A scheduler that notes what it sends, over a clock that is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monotonic, self.found = 1000.0, list[tuple[float, str]]()
        monkeypatch.setattr(beat_schedule, "monotonic", lambda: self.monotonic)
        app = Celery("tests", set_as_current=False)
        app.conf.beat_schedule = {"sweep": {"task": SWEEP, "schedule": 1.0}, "demo": {"task": DEMO, "schedule": 5.0}}
        super().__init__(app)

    def apply_entry(self, entry: object, producer: object = None) -> None:
        self.found.append((self.monotonic, entry.task))  # type: ignore[attr-defined]

    def goes_on(self, seconds: int) -> list[str]:
        """Tick as beat does for so long; what was sent."""
        self.found.clear()
        end = self.monotonic + seconds
        for _ in range(10 * seconds):
            waits = self.tick()
            assert 0 <= waits < 6
            self.monotonic += waits
            if self.monotonic >= end:
                break
        return [task for _, task in self.found]


@pytest.mark.parametrize("leap", [timedelta(0), timedelta(hours=-1), timedelta(hours=1), timedelta(days=-90)])
def test_whatever_the_wall_clock_does_each_entry_is_sent_at_its_pace(
    monkeypatch: pytest.MonkeyPatch, leap: timedelta
) -> None:
    scheduler, begun = Sending(monkeypatch), timezone.now()
    scheduler.goes_on(3)
    monkeypatch.setattr("celery.app.base.Celery.now", lambda *_: begun + leap)
    sent = scheduler.goes_on(20)
    assert 19 <= sent.count(SWEEP) <= 21
    assert 3 <= sent.count(DEMO) <= 5


def test_the_service_uses_it(settings) -> None:
    kind = settings.CELERY_BEAT_SCHEDULER
    assert kind == f"{SteadyScheduler.__module__}:{SteadyScheduler.__name__}"
