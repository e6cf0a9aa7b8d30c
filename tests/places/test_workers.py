"""Workers with games in both buckets: sweeps, watchdog, pulses, metrics, health and commands look into every place."""

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from config import metrics as pages
from config.health import LATE
from core.places import routing
from core.places.place import Place
from games.models import Pulse, Timer
from games.runtime import service_clock
from games.runtime.service_clock import CLOCK, SWEEP
from games.workers import tasks, watchdog
from games.workers.clock_watch import ClockWatch
from tests.faults.shared import clock_at
from tests.games.cairns import Cairns
from tests.places.buckets import BOTH, ONE, TWO
from tests.places.games import in_its_place, one_in_each

TIDES = '{"tide_seconds": 60}'
pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def nothing_renewed(monkeypatch):
    monkeypatch.setattr(tasks, "_renewed", type(tasks._renewed)(lambda: -math.inf))


def tides(cairns: Cairns) -> int:
    return in_its_place(cairns, lambda of: of.types().count("TideCame"))


def pulses(part: str) -> list[bool]:
    """In which places a part has shown that it is at work."""
    return [seen is not None for seen in routing.in_every_place(service_clock.pulse_of, part)]


@contextmanager
def held(statement: str) -> Iterator[None]:
    """Another session holds what a statement locks."""
    here = connection.settings_dict
    address = {"host": here["HOST"], "port": here["PORT"], "user": here["USER"], "password": here["PASSWORD"]}
    with psycopg.connect(dbname=here["NAME"], **{name: value for name, value in address.items() if value}) as other:
        other.execute(statement)
        yield
        other.rollback()


def test_beat_sends_a_sweep_for_each_bucket():
    sent = {name: entry.get("args") for name, entry in settings.CELERY_BEAT_SCHEDULE.items() if "sweep" in name}

    assert sent == {"sweep-1": (1,), "sweep-2": (2,)}
    assert {entry["task"] for name, entry in settings.CELERY_BEAT_SCHEDULE.items() if name in sent} == {
        tasks.sweep.name
    }


def test_a_sweep_fires_what_is_due_in_its_bucket_and_one_without_a_bucket_in_all():
    first, second = one_in_each(TIDES)
    with clock_at(61):
        tasks.sweep.delay(1)
        assert (tides(first), tides(second), pulses(SWEEP)) == (1, 0, [True, False])
        tasks.sweep.delay(2)
        assert (tides(first), tides(second), pulses(SWEEP)) == (1, 1, [True, True])
    with clock_at(121):
        tasks.sweep.delay()
        assert (tides(first), tides(second)) == (2, 2)
    assert all(in_its_place(each, lambda of: of.rows_equal_log()) for each in (first, second))


def test_a_game_that_somebody_holds_delays_no_other_place():
    first, second = one_in_each(TIDES)
    with held(f"SELECT 1 FROM {ONE.schema}.games_game WHERE id = '{first.game.pk}' FOR UPDATE"), clock_at(61):
        tasks.sweep.delay()
        assert (tides(first), tides(second)) == (0, 1)
    with clock_at(62):
        tasks.sweep.delay()
    assert (tides(first), tides(second)) == (1, 1)


def test_a_bucket_that_is_locked_delays_its_own_sweep_alone():
    first, second = one_in_each(TIDES)

    def sweep_the_first() -> None:
        try:
            tasks.sweep.delay(1)
        finally:
            connections.close_all()

    waiting = threading.Thread(target=sweep_the_first)
    with clock_at(61):
        with held(f"LOCK TABLE {ONE.schema}.games_game, {ONE.schema}.games_timer IN ACCESS EXCLUSIVE MODE"):
            waiting.start()
            tasks.sweep.delay(2)
            assert tides(second) == 1 and waiting.is_alive()
        waiting.join(30)
    assert (tides(first), tides(second)) == (1, 1)


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_the_watchdogs_of_a_pool_look_after_each_place_once(processes):
    places = [Place.of(number, f"place_{number}") for number in range(1, 8)]
    shares = [watchdog.share_of(places, index, processes) for index in range(processes)]

    assert sorted((place for share in shares for place in share), key=lambda place: place.number) == places
    assert watchdog.share_of(places, None, processes) == places
    assert watchdog.share_of((None,), 1, 2) == (None,)


def test_a_watchdog_fires_what_is_late_and_renews_the_clock_in_each_place():
    first, second = one_in_each(TIDES)
    with clock_at(70):
        for place in routing.every_place():
            with routing.at_place(place):
                ClockWatch().look(timezone.now(), 1000.0)
                assert watchdog.sweep_what_is_late(timezone.now()) == 1
    assert (tides(first), tides(second), pulses(CLOCK)) == (1, 1, [True, True])


def test_a_place_that_cannot_be_looked_at_does_not_keep_the_watchdog_from_the_others(monkeypatch):
    seen = []

    class Stop(BaseException):
        """Ends the watchdog of this test."""

    def look(now, level):
        seen.append(routing.current())
        if len(seen) == 3:
            raise Stop
        if routing.current() == ONE:
            raise ValueError("broken")

    monkeypatch.setattr(watchdog, "LOOK_SECONDS", 0)
    monkeypatch.setattr(watchdog, "sweep_what_is_late", look)
    with pytest.raises(Stop):
        watchdog._watch()
    assert seen == [ONE, TWO, ONE]


def due_ago(cairns: Cairns, ago: timedelta) -> None:
    due = timezone.now() - ago
    in_its_place(cairns, lambda of: Timer.objects.filter(game=of.game).update(due=due))


@pytest.mark.parametrize("late", [0, 1])
def test_metrics_and_health_look_into_every_place(late, monkeypatch):
    games = one_in_each()
    for each in games:
        due_ago(each, -timedelta(hours=1))
    due_ago(games[late], LATE + timedelta(seconds=100))
    (age,) = [sample.value for family in pages.oldest_due() for sample in family.samples]
    assert 100 < age < 300
    renew_in_every_place(monkeypatch)
    answer = Client().get("/readyz").json()
    assert answer["status"] == "degraded" and "s late" in answer["checks"]["clock"]
    assert answer["checks"]["migrations"] == answer["checks"]["parts"] == "ok"


def renew_in_every_place(monkeypatch):
    """Every part has been at work everywhere, and is not missed before an hour has gone by; when that was."""
    monkeypatch.setattr(service_clock, "SILENT", HOUR)
    now = timezone.now()
    for place in BOTH:
        with routing.at_place(place):
            for part in (SWEEP, CLOCK):
                service_clock.renew(part, now)
    return now


def test_a_part_that_has_never_begun_in_one_place_is_missed(monkeypatch):
    renew_in_every_place(monkeypatch)
    assert Client().get("/readyz").json()["checks"]["parts"] == "ok"
    with routing.at_place(TWO):
        Pulse.objects.filter(part=CLOCK).delete()
    assert Client().get("/readyz").json()["checks"]["parts"].endswith("look at the workers (never seen)")


def test_a_part_that_is_silent_in_one_place_is_missed(monkeypatch):
    now = renew_in_every_place(monkeypatch)
    for place, ago in zip(BOTH, (HOUR / 2, HOUR * 27), strict=True):
        with routing.at_place(place):
            service_clock.renew(SWEEP, now - ago)
    found = Client().get("/readyz").json()["checks"]["parts"]

    assert found.startswith("Unavailable: no sweep of beat") and "(97" in found and found.count("(") == 1


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_replay_and_verify_dice_look_at_every_game_or_at_one():
    games = one_in_each()
    for command in ("replay", "verify_dice"):
        lines = run(command, "--all").splitlines()
        assert [line.split()[0] for line in lines] == [str(each.game.pk) for each in games]
        for each in games:
            assert run(command, str(each.game.pk)).startswith(str(each.game.pk))
    in_its_place(games[1], lambda of: of.game.events.filter(seq=1).update(digest="0" * 64))
    with pytest.raises(CommandError, match="1 game"):
        run("replay", "--all")
    run("replay", str(games[0].game.pk))


def test_a_map_goes_out_and_in_in_the_place_of_its_world(tmp_path):
    file, places = tmp_path / "small.txt", set()
    file.write_text("PP\nFW\n")
    for _ in range(16):  # random ids: one in two lies in each place
        made = UUID(run("atlas", "import", str(file), "--name", "Small").split()[1].rstrip(":"))
        assert run("atlas", "export", str(made), "--letters").split() == ["PP", "FW"]
        places.add(routing.place_of(made))
    assert places == {*BOTH}
