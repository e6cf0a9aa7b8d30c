"""/readyz and the clock: a service whose timers nobody fires says so, and is not turned away for it."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from config.health import LATE, Clock, Parts, ReadyView
from games.engine.lifecycle.gm_commands import Pause
from games.models import Pulse, Timer
from games.reads import due_timers
from games.runtime import service_clock
from games.runtime.service_clock import CLOCK, PULSE_SECONDS, SILENT, SWEEP, renew
from games.workers.watchdog import LATE as WATCHDOG_LATE
from tests.games.cairns import Cairns, table

pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def run_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every part has been at work, and is not missed before an hour has gone by."""
    monkeypatch.setattr(service_clock, "SILENT", HOUR)
    for part in (CLOCK, SWEEP):
        renew(part, timezone.now())


def ready() -> tuple[int, str, str]:
    """The status code, the verdict, and what was found of the clock."""
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()["status"], answer.json()["checks"]["clock"]


def due(cairns: Cairns, ago: timedelta) -> None:
    Timer.objects.filter(game=cairns.game).update(due=timezone.now() - ago)


def test_a_timer_that_nobody_fires_degrades_the_service_until_somebody_does() -> None:
    cairns = table()
    due(cairns, -timedelta(hours=1))
    assert ready() == (200, "ready", "ok")
    due(cairns, LATE - timedelta(seconds=10))  # a worker may still be on its way
    assert ready() == (200, "ready", "ok")
    due(cairns, timedelta(seconds=100))
    code, verdict, found = ready()
    assert (code, verdict) == (200, "degraded")
    assert found.startswith("Unavailable: a timer is 10") and found.endswith("s late; look at worker and beat")
    assert str(cairns.game.pk) not in found
    due(cairns, -timedelta(hours=1))
    assert ready() == (200, "ready", "ok")


def test_the_clock_of_a_paused_game_is_nobodys_fault() -> None:
    cairns = table()
    cairns.run(Pause(reason="lunch"), cairns.gm)
    Timer.objects.filter(game=cairns.game).update(due=timezone.now() - timedelta(hours=1), left=None)
    assert ready() == (200, "ready", "ok")


def test_a_clock_that_cannot_be_read_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise DatabaseError("away")

    monkeypatch.setattr(due_timers, "oldest_due", away)
    assert ready() == (200, "degraded", "Unavailable: the database cannot be asked")


@pytest.mark.parametrize("away", [HOUR * 1.1, -HOUR * 1.1, HOUR * 24, -HOUR * 24], ids=str)
@pytest.mark.parametrize("part", [CLOCK, SWEEP])
def test_a_part_that_is_silent_degrades_the_service_whoever_does_its_work(part: str, away: timedelta) -> None:
    assert verdict_and_parts() == ("ready", "ok")
    renew(part, timezone.now() - away)
    verdict, found = verdict_and_parts()
    assert verdict == "degraded"
    sentence = Parts.meanings[part] if away > timedelta(0) else f"{part} was last seen"
    assert found.startswith(f"Unavailable: {sentence}") and ";" not in found.removeprefix(f"Unavailable: {sentence}")


@pytest.mark.parametrize("part", [CLOCK, SWEEP])
def test_a_part_that_has_never_begun_degrades_the_service(part: str) -> None:
    Pulse.objects.filter(part=part).delete()
    assert verdict_and_parts() == ("degraded", f"Unavailable: {Parts.meanings[part]} (never seen)")
    Pulse.objects.all().delete()
    never = [f"{Parts.meanings[each]} (never seen)" for each in sorted((CLOCK, SWEEP))]
    assert verdict_and_parts() == ("degraded", f"Unavailable: {'; '.join(never)}")


def verdict_and_parts() -> tuple[str, str]:
    answer = Client().get("/readyz").json()
    return answer["status"], answer["checks"]["parts"]


def test_a_part_is_missed_within_ten_seconds() -> None:
    assert PULSE_SECONDS + 1 < SILENT.total_seconds() < 10


def test_what_a_watchdog_still_catches_is_no_alarm() -> None:
    assert LATE >= 3 * WATCHDOG_LATE
    assert Clock in ReadyView.wished and Clock not in ReadyView.needed
