"""`manage.py serve`: three children running, none left behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from config.process.serving import Plan, banner
from config.process.supervisor import Service, Supervisor

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 200.0
SERVE = [sys.executable, "manage.py", "serve"]
OURS = frozenset({"SECRET_KEY", "REDIS_URL", "DATABASE_URL"})


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> float:
    """Wait for a condition; returns how long it took, in seconds."""
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < seconds, f"not within {seconds} s"
        time.sleep(0.05)
    return time.monotonic() - begin


def processes() -> list[tuple[int, int, str]]:
    """Every living process: its id, its parent's, its command line."""
    lines = subprocess.run(
        ["ps", "-ww", "-eo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 3) for line in lines.splitlines()]
    return [(int(row[0]), int(row[1]), row[3]) for row in rows if len(row) == 4 and not row[2].startswith("Z")]


def family(pid: int) -> dict[int, str]:
    """Every living descendant of a process: id -> command line."""
    alive, found = processes(), dict[int, str]()
    parents = {pid}
    while parents:
        below = {child: args for child, parent, args in alive if parent in parents and child not in found}
        found |= below
        parents = set(below)
    return found


def living(pids: set[int]) -> set[int]:
    """Those of the processes that still run (a zombie does not)."""
    lines = subprocess.run(["ps", "-ww", "-eo", "pid=,stat="], capture_output=True, text=True, check=True).stdout
    return {int(pid) for pid, stat in (line.split() for line in lines.splitlines()) if stat[0] != "Z"} & pids


class Running:
    """A service started for a test, in a folder and on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.log = folder / "serve.log"
        self.process = self.start(WORKER_PROCESSES="2")

    def start(self, **more: str) -> subprocess.Popen[bytes]:
        own = environment(self.folder, self.port) | more
        with self.log.open("ab") as log:
            return subprocess.Popen(SERVE, cwd=ROOT, env=own, stderr=log, stdout=log)

    def output(self) -> str:
        return self.log.read_text()

    def ready(self) -> bool:
        assert self.process.poll() is None, self.output()
        return "Theogony is ready" in self.output()

    def child(self, word: str) -> int:
        """The child of the supervisor whose command line has a word; 0 while there is none."""
        own = (pid for pid, parent, args in processes() if parent == self.process.pid and f" {word} " in f" {args} ")
        return next(own, 0)

    def pool(self) -> set[int]:
        worker = self.child("worker")
        return set(family(worker)) if worker else set()

    def has_swept(self) -> bool:
        """Whether /metrics counts sweeps."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
            return re.search(r"^theogony_sweep_seconds_count [1-9]", answer.read().decode(), re.M) is not None

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def environment(folder: Path, port: int) -> dict[str, str]:
    ours = {"SECRET_KEY", "REDIS_URL", "DATABASE_URL", "PLACES"}
    preserved = {name: value for name, value in os.environ.items() if name not in ours}
    changes = {"DATA_DIR": str(folder), "PORT": str(port), "DEBUG": "1", "DEMO": "0", "PYTHONUNBUFFERED": "1"}
    changes |= {"LOG_LEVEL": "WARNING", "LOG_FORMAT": "console"}
    return preserved | changes | {"DJANGO_SETTINGS_MODULE": "config.settings"}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    service = Running(tmp_path)
    try:
        yield service
    finally:
        with suppress(ProcessLookupError):
            service.process.kill()
        service.process.wait()


def test_serve_keeps_its_children_up_and_leaves_none_behind(running: Running) -> None:
    until(running.ready)
    starts, database, children = running.output().splitlines()[:3]
    assert starts.startswith("Theogony starts") and database.startswith("Making the tables of a new database")
    assert children == "Starting web, worker, beat ..."
    with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/readyz") as answer:
        assert answer.status == 200
    until(lambda: len(running.pool()) == 2)
    until(running.has_swept)  # what the worker counts, web serves
    assert running.output().rstrip().endswith("Ctrl-C stops it.")  # and nobody has said anything since
    worker, pool = running.child("worker"), running.pool()

    # A worker that is killed takes its pool along and is back at once.
    os.kill(worker, signal.SIGKILL)
    until(lambda: not living({worker} | pool))
    until(lambda: running.child("worker") not in {0, worker})
    until(lambda: len(running.pool()) == 2)

    # Ctrl-C ends everything, with exit status 0.
    everyone = set(family(running.process.pid))
    assert running.end(signal.SIGINT) == 0, running.output()
    assert not living(everyone)
    assert "Theogony has stopped." in running.output()

    # A second run on the same data works, with a worker of one process; a supervisor that is killed takes all along.
    running.log.write_text("")
    running.process = running.start()
    until(running.ready)
    until(running.has_swept)
    everyone = set(family(running.process.pid))
    assert len(everyone) == 3

    # Nobody else may start on these data.
    second = subprocess.run(
        SERVE, cwd=ROOT, env=environment(running.folder, free_port()), capture_output=True, text=True
    )
    assert "Another service already runs on the data" in second.stderr
    running.process.kill()
    running.process.wait()
    until(lambda: not living(everyone))


def test_a_port_that_is_taken_is_reported_and_nothing_is_started(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(SERVE, cwd=ROOT, env=environment(tmp_path, port), capture_output=True, text=True)

    assert done.returncode == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.stderr
    assert not (tmp_path / "theogony.sqlite3").exists()


def test_a_process_with_a_parent_watch_ends_when_its_parent_is_killed() -> None:
    script = (
        "import os, subprocess, sys, time\n"
        "watched = [sys.executable, '-m', 'config.process', str(os.getpid()), 'http.server', '0']\n"
        "child = subprocess.Popen(watched)\n"
        "print(child.pid); time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    pid, serves = sorted(parent.stdout.readline() for _ in range(2))  # its id, and that it is there
    child = int(pid)
    assert serves.startswith("Serving HTTP") and living({child})

    parent.kill()
    parent.wait()

    until(lambda: not living({child}))


def test_a_service_that_never_stays_up_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.process.supervisor.FIRST_PAUSE", 0.01)
    messages: list[str] = []

    status = Supervisor([Service("broken", "no_such_module", ())], messages.append).run(lambda: False, lambda: None)

    assert status == 1
    assert messages[0] == "Starting broken ..."
    assert messages[-1] == "broken ended 5 times before it was ready; giving up."


def test_the_preparation_must_end_well_before_anything_is_started() -> None:
    messages: list[str] = []
    first, later = Service("first", "no_such_module", ()), Service("later", "http.server", ("0",))

    supervisor = Supervisor([later], messages.append, first=first)
    status = supervisor.run(lambda: False, lambda: None)

    assert (status, supervisor.children[0].process) == (1, None)
    assert messages == ["first ended (1); nothing is started."]


def test_a_service_that_is_ended_while_it_is_prepared_leaves_nothing_behind() -> None:
    messages: list[str] = []
    supervisor = Supervisor([], messages.append, first=Service("first", "http.server", ("0",)))

    threading.Timer(0.5, supervisor.end).start()
    assert supervisor.run(lambda: False, lambda: None) == 0
    assert supervisor.first is not None and supervisor.first.process is not None
    assert not living({supervisor.first.process.pid})
    assert messages == []


def test_the_banner_says_where_it_is_who_may_sign_in_and_what_to_try(tmp_path: Path) -> None:
    listing = tmp_path / "demo.json"
    plan = Plan(8000, str(tmp_path), "", Service("first", "http.server", ()), [])
    assert [line.split("  ")[1] for line in banner(plan).strip("\n").splitlines()] == [
        "Theogony is ready", "REST API, documented", "GraphQL, to try out", "Admin", "Data", "Ctrl-C stops it.",
    ]  # fmt: skip

    users = [
        {"name": "demo-gm", "role": "gm", "seat_name": "Game-master", "token": "theo_g"},
        {
            "name": "demo-player-1",
            "role": "player",
            "seat_name": "Gordrun",
            "token": "theo_p",
            "sign_in": "http://x/demo/1/",
        },
    ]
    values = {"game": "1f", "games": [{"name": "Era Centrum, live", "game": "1f"}], "users": users}
    listing.write_text(json.dumps(values))

    lines = banner(replace(plan, demo=str(listing))).splitlines()
    assert any("Era Centrum, live: 1f" in line for line in lines)
    assert any("demo-player-1 (Gordrun)" in line and line.endswith("theo_p") for line in lines)
    assert any(f"{tmp_path}/demo.json" in line for line in lines)
    (advice,) = [line for line in lines if line.startswith("  Try ")]
    assert "Bearer theo_p" in advice and advice.endswith("'http://127.0.0.1:8000/api/v1/games/1f/stream/?from=now'")
    assert [line.split() for line in lines[-2:]] == [["Play", "http://x/demo/1/"], ["Ctrl-C", "stops", "it."]]
