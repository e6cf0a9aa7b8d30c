"""Every part starts as `docker/compose.yaml` writes it, says that it is well by its own probe, and ends as it should.

On a PostgreSQL and a Redis of this test's own. SIGTERM comes while something is under way: a request and a timer that
wait for a lock, an open stream. What was begun is finished, within the grace that the composition grants.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoDbBlocker

from config.process.parent_watch import die_with_parent
from games.models import Game, LoggedEvent, Timer
from tests.faults.era import open_era
from tests.operations.composition import ROOT, SERVICES, interpolate, seconds
from tests.operations.standing import standing_in
from tests.promises import WITHOUT_SERVERS
from tests.test_serve import PATIENCE, free_port, until
from tools.with_services import HOST, NoServer, listening, own_postgres, own_redis

pytestmark = pytest.mark.long

PARTS = ("web", "stream", "worker", "beat")
ON_POSTGRES = "postgres" in os.environ.get("DATABASE_URL", "")
VALUES = {"SECRET_KEY": 60 * "x", "POSTGRES_PASSWORD": "none", "HOST_NAME": "play.example", "HTTPS": "0"}
GAME_ID = 77
SWEEPS = 6


class Parts:
    """The parts of the composition as processes of this machine."""

    def __init__(self, folder: Path, postgres: int, redis: int) -> None:
        self.folder = folder
        self.database = f"postgres://postgres@{HOST}:{postgres}/postgres"
        self.redis = f"redis://{HOST}:{redis}/0"
        self.ports = {name: free_port() for name in ("web", "stream")}
        self.metrics = free_port()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for name in SERVICES:
            for place in ("metrics", "cache"):
                (folder / name / place).mkdir(parents=True)

    def local_text(self, name: str, text: str) -> str:
        """A value of the composition as it reads here: our folder, our ports, our address."""
        text = interpolate(text, VALUES).replace("/app/var", str(self.folder / name))
        return text.replace("0.0.0.0", HOST).replace("8000", str(self.ports.get(name, 0)))

    def environment(self, name: str) -> dict[str, str]:
        """The environment of a part, with the servers of this test."""
        values = {key: self.local_text(name, value) for key, value in SERVICES[name]["environment"].items()}
        ours = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOSTNAME": socket.gethostname(),
            "DATA_DIR": str(self.folder / name),
            "DATABASE_URL": self.database,
            "REDIS_URL": self.redis,
            "PYTHONPATH": str(ROOT),
        }
        if "METRICS_PORT" in values:
            ours["METRICS_PORT"] = str(self.metrics)
        return values | ours

    def start(self, name: str) -> None:
        """Start a part by the command of the composition; it ends with this process."""
        command = [self.local_text(name, word) for word in SERVICES[name]["command"]]
        parent = os.getpid()
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(
                command, cwd=ROOT, env=self.environment(name), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=lambda: die_with_parent(parent),
            )  # fmt: skip

    def log_text(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def up(self, name: str) -> bool:
        """Whether a part has come so far that its probe is worth its while: each is a process of its own."""
        assert self.running[name].poll() is None, f"{name} ended:\n{self.log_text(name)[-3000:]}"
        if name == "beat":
            return (self.folder / name / "cache" / "beat.pid").exists()
        return listening(self.metrics if name == "worker" else self.ports[name])

    def well(self, name: str) -> bool:
        """Whether the part's own probe says so, within the time that the composition grants it."""
        probe = SERVICES[name]["healthcheck"]
        assert self.running[name].poll() is None, f"{name} ended:\n{self.log_text(name)[-3000:]}"
        kind, *words = (self.local_text(name, word) for word in probe["test"])
        done = subprocess.run(
            ["sh", "-c", words[0]] if kind == "CMD-SHELL" else words,
            cwd=ROOT, env=self.environment(name), capture_output=True, timeout=4 * seconds(probe["timeout"]),
        )  # fmt: skip
        return done.returncode == 0

    def end(self) -> None:
        for process in self.running.values():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with ExitStack() as stack:
        try:
            found = Parts(tmp_path, own_postgres(stack), own_redis(stack))
        except NoServer as missing:
            if ON_POSTGRES:
                raise
            pytest.skip(f"{WITHOUT_SERVERS} {missing}")
        try:
            yield found
        finally:
            found.end()


def together(act: Callable[[str], object], names: tuple[str, ...]) -> list[object]:
    """Do something with each part at once; what came of each."""
    found: dict[str, object] = {}

    def keep(name: str) -> None:
        found[name] = act(name)

    threads = [threading.Thread(target=keep, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return [found.get(name) for name in names]


def test_every_part_starts_is_well_and_finishes_what_it_has_begun(
    parts: Parts, django_db_blocker: DjangoDbBlocker
) -> None:
    parts.start("migrate")
    assert parts.running["migrate"].wait(PATIENCE) == 0, parts.log_text("migrate")
    with django_db_blocker.unblock(), standing_in(parts.database):
        era = open_era(GAME_ID, timezone.now(), seconds=7200)
        quiet = timezone.now() + timedelta(days=1)
        Timer.objects.update(due=quiet)  # beat and worker find nothing yet
        seq = Game.objects.get(pk=era.game).seq

    for name in PARTS:
        parts.start(name)
    until(lambda: all(parts.up(name) for name in PARTS))
    assert together(lambda name: until(lambda: parts.well(name)) >= 0, PARTS) == [True] * 4

    # The worker serves what its pool counts, at a port of its own.
    def sweep_count() -> float:
        with urlopen(f"http://{HOST}:{parts.metrics}/metrics", timeout=PATIENCE) as answer:
            families = list(text_string_to_metric_families(answer.read().decode()))
        return sum(s.value for f in families for s in f.samples if s.name == "theogony_sweep_seconds_count")

    # A tick begins no session of its own: a process of the pool begins one for what it does first, at most.
    with psycopg.connect(parts.database, autocommit=True) as observer:
        sessions = "SELECT sessions FROM pg_stat_database WHERE datname = current_database()"
        until(lambda: sweep_count() >= 1)
        swept, (begun,) = sweep_count(), observer.execute(sessions).fetchone()
        until(lambda: sweep_count() >= swept + SWEEPS)
        assert observer.execute(sessions).fetchone()[0] - begun < SWEEPS

    stream = http.client.HTTPConnection(HOST, parts.ports["stream"], timeout=PATIENCE)
    stream.request("GET", f"/api/v1/games/{era.game}/stream/", headers={"Host": "play.example"})
    events = stream.getresponse()
    assert events.status == 200
    until(lambda: events.readline().startswith(b"id: "))  # it serves metrics

    answers: list[tuple[int, bytes]] = []

    def ask() -> None:
        with closing(http.client.HTTPConnection(HOST, parts.ports["web"], timeout=600)) as web:
            web.request("GET", f"/api/v1/games/{era.game}/events/", headers={"Host": "play.example"})
            answer = web.getresponse()
            answers.append((answer.status, answer.read()))

    with psycopg.connect(parts.database) as keeper, psycopg.connect(parts.database, autocommit=True) as other:
        # Nobody may write or read the log: a timer and a request get stuck half-way.
        keeper.execute("LOCK TABLE games_loggedevent IN ACCESS EXCLUSIVE MODE")
        asking = threading.Thread(target=ask)
        asking.start()
        other.execute("UPDATE games_timer SET due = now() WHERE game_id = %s AND key LIKE 'war%%'", [era.game])

        def waiting(verb: str) -> int:
            statement = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
            return int(other.execute(statement, [f"{verb}%games_loggedevent%"]).fetchone()[0])  # type: ignore[index]

        until(lambda: waiting("INSERT") and waiting("SELECT"))

        begin = time.monotonic()
        for name in PARTS:
            parts.running[name].send_signal(signal.SIGTERM)
        time.sleep(1.0)
        assert parts.running["web"].poll() is None and parts.running["worker"].poll() is None  # they finish first
        assert answers == []
        keeper.rollback()

    def ends_in_time(name: str) -> bool:
        grace = seconds(SERVICES[name]["stop_grace_period"])
        status = parts.running[name].wait(max(0.1, begin + grace - time.monotonic()))
        assert status in (0, -signal.SIGTERM), f"{name} ended with {status}:\n{parts.log_text(name)[-3000:]}"
        return True

    assert together(ends_in_time, PARTS) == [True] * 4
    asking.join(PATIENCE)
    assert [status for status, _ in answers] == [200], answers
    assert b"event: bye" in events.read()
    stream.close()
    with django_db_blocker.unblock(), standing_in(parts.database):
        fired = LoggedEvent.objects.filter(game=era.game, seq__gt=seq, type="TimerFired").values_list("body", flat=True)
        assert len(fired) == 1 and "war" in fired[0]
