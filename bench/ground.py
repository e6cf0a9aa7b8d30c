"""What is measured on: a PostgreSQL that waits for its disk, a Redis, and the service's processes as they run in
`docker/compose.yaml`. All of it is started for the occasion, on free ports of this machine, and ended by its id.

The processes that measure from outside import nothing of Django; what needs it runs in a process of its own
(`bench/within.py`), since the address of the database is known to a process from its start.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from bench.clients import Tally
from bench.figures import Figure, missed_aims, table
from config.env import VARIABLES
from tools.with_services import HOST, await_port, end, free_port, own_postgres, own_redis, stop

ROOT = Path(__file__).resolve().parent.parent
KEY = "only-for-the-benchmarks-of-theogony-" + 40 * "x"
GAMES = 50
AT_MOST_SECONDS = 300
GRACE_SECONDS = 8
Measure = Callable[["Ground"], list[Figure]]


class TooLong(Exception):
    """A program did not end in its time."""


@dataclass
class Ground:
    """The two servers, and what runs on them."""

    stack: ExitStack
    folder: Path
    postgres: int
    redis: int
    games: int
    """How many games are prepared."""
    places: int = 0
    """Over how many schemas they are spread (PLACES)."""
    servers: str = ""
    """Other servers that may have them (PLACE_SERVERS)."""
    names: Iterator[int] = field(default_factory=count)

    @classmethod
    def create(cls, stack: ExitStack, games: int) -> "Ground":
        """Start both. Raises NoServer when one is not installed."""
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="theogony-bench-")))
        return cls(stack, folder, own_postgres(stack, durable=True), own_redis(stack), games)

    # --- databases ---------------------------------------------------------------------------------------------------
    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgres://postgres@{HOST}:{self.postgres}/{database}"

    def administer(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """One statement as the server's master, outside of any transaction; its rows."""
        with psycopg.connect(self.url(database), autocommit=True) as session:
            done = session.execute(statement)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    @cached_property
    def prepared_contents(self) -> dict[str, Any]:
        """A database with demo games and their people, made once; who and what is in it."""
        self.administer(f"CREATE DATABASE {self.ready}")
        found: dict[str, Any] = self.within(self.ready, "prepare", str(self.games))
        return found

    @property
    def ready(self) -> str:
        """What that database is called."""
        return f"ready_{self.places}"

    def copy(self) -> str:
        """The name of a new database that equals the prepared one."""
        _ = self.prepared_contents
        name = f"copy_{next(self.names)}"
        self.administer(f"CREATE DATABASE {name} TEMPLATE {self.ready}")
        self.administer("CHECKPOINT")  # what the copy left to write must not weigh on a measurement
        return name

    # --- processes ---------------------------------------------------------------------------------------------------
    def environment(self, database: str, **more: str) -> dict[str, str]:
        """The variables of a process on a database (its name; SQLite in a folder when empty), with our Redis."""
        ours = {
            "DJANGO_SETTINGS_MODULE": "bench.settings",
            "DATA_DIR": str(self.folder / "data"),
            "SECRET_KEY": KEY,
            "HTTPS": "0",
            "PROXIES": "1",
            "LOG_LEVEL": "INFO",  # as operators run it: a line for each command and request
            "PYTHONPATH": str(ROOT),
            "PLACES": str(self.places),
            "PLACE_SERVERS": self.servers,
        }
        if database:
            ours |= {"DATABASE_URL": self.url(database), "REDIS_URL": f"redis://{HOST}:{self.redis}/0"}
        return {name: value for name, value in os.environ.items() if name not in VARIABLES} | ours | more

    def within(self, database: str, job: str, *arguments: str, **more: str) -> Any:
        """Let a process of its own do a job of `bench/within.py`; its report. Raises RuntimeError where it fails."""
        command = [sys.executable, str(ROOT / "bench/within.py"), job, *arguments]
        environment, log = self.environment(database, **more), self.folder / f"{job}-{next(self.names)}.log"
        with log.open("wb") as output:  # thousands of lines at this level
            done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=output, text=True)
        if done.returncode:
            raise RuntimeError(f"{job} ended with {done.returncode}:\n{log.read_text()[-4_000:]}")
        *messages, lines = done.stdout.splitlines()
        if messages:
            print(*messages, sep="\n", flush=True)
        return json.loads(lines)

    def start(self, stack: ExitStack, environment: dict[str, str], module: str, *arguments: str) -> "Process":
        """Start a module, tied to this process as the supervisor's children are; it ends with the stack."""
        command = [sys.executable, "-m", "config.process", str(os.getpid()), module, *arguments]
        log = self.folder / f"{module}-{next(self.names)}.log"
        with log.open("wb") as output:
            popen = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                process_group=0,
            )  # fmt: skip
        process = Process(popen, log)
        stack.callback(process.end)
        return process

    def web(self, stack: ExitStack, database: str) -> int:
        """Requests, as compose runs them: granian with two processes of four threads. Its port, when it answers."""
        port, metrics = free_port(), self.folder / f"metrics-{next(self.names)}"
        metrics.mkdir()
        web = self.start(
            stack, self.environment(database, PROMETHEUS_MULTIPROC_DIR=str(metrics)),
            "granian", "--interface", "wsgi", "config.wsgi:application", "--host", HOST, "--port", str(port),
            "--workers", "2", "--blocking-threads", "4", "--backpressure", "64", "--respawn-failed-workers",
            "--workers-kill-timeout", "10s", "--log-level", "warning",
        )  # fmt: skip
        await_port(port, web.popen, web.log)
        return port

    def door(self, stack: ExitStack, database: str) -> int:
        """Commands, as compose runs them: one uvicorn. Its port."""
        return self._uvicorn(stack, "config.asgi:application", self.environment(database, DATABASE_POOL="1"))[1]

    def stream(self, stack: ExitStack, database: str) -> tuple["Process", int]:
        """Event streams, as compose runs them: one uvicorn. The process and its port."""
        environment = self.environment(database, DATABASE_POOL="1", THEOGONY_PROCESS="stream")
        return self._uvicorn(stack, "config.stream:application", environment)

    def _uvicorn(self, stack: ExitStack, application: str, environment: dict[str, str]) -> tuple["Process", int]:
        port = free_port()
        process = self.start(
            stack, environment, "uvicorn", application, "--host", HOST, "--port", str(port), "--no-access-log",
            "--log-level", "warning", "--timeout-graceful-shutdown", "5", "--timeout-keep-alive", "75",
            "--no-proxy-headers",
        )  # fmt: skip
        await_port(port, process.popen, process.log)
        return process, port

    def clock(self, stack: ExitStack, database: str, **more: str) -> None:
        """The clock, as compose runs it: a worker with two processes, and beat. more: variables of both."""
        environment = self.environment(database, **more)
        self.start(
            stack, environment, "celery", "--quiet", "-A", "config", "worker", "--loglevel", "warning", "--concurrency",
            "2", "--without-gossip", "--without-mingle", "--hostname", "timers@here",
        )  # fmt: skip
        self.start(
            stack, environment, "celery", "--quiet", "-A", "config", "beat", "--loglevel", "warning",
            "--pidfile", "",
        )  # fmt: skip


@dataclass
class Process:
    """One process of the service, leader of a group of its own."""

    popen: "subprocess.Popen[bytes]"
    log: Path

    def end(self) -> None:
        """End it: politely, then with all of its group."""
        with suppress(ProcessLookupError):
            self.popen.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(GRACE_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def megabytes(self) -> float:
        """Its resident memory now."""
        lines = Path(f"/proc/{self.popen.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


class Crowd:
    """Client processes that do one order together, a round at a time."""

    def __init__(
        self,
        stack: ExitStack,
        kind: str,
        order: dict[str, Any],
        *,
        processes: int = 2,
        shares: Sequence[dict[str, Any]] = ({},),
    ) -> None:
        """shares: what the processes' orders say besides, in turn."""
        self.hands: list[subprocess.Popen[str]] = []
        for place in range(processes):
            command = [sys.executable, str(ROOT / "bench/clients.py"), kind]
            hand = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(stop, hand, signal.SIGTERM)
            share = order["connections"] // processes
            self.say(
                hand,
                json.dumps(
                    order
                    | shares[place % len(shares)]
                    | {"connections": share, "name": f"{os.urandom(3).hex()}-{place}-"}
                ),
            )
            self.hands.append(hand)
        for hand in self.hands:
            self.hear(hand)

    def round(self) -> Tally:
        """One round of all of them."""
        for hand in self.hands:
            self.say(hand, "go")
        whole = Tally()
        for hand in self.hands:
            answer = json.loads(self.hear(hand))
            whole.answers.update(answer["answers"])
            whole.ms += answer["ms"]
            whole.seconds = max(whole.seconds, answer["seconds"])
        return whole

    @staticmethod
    def say(hand: "subprocess.Popen[str]", line: str) -> None:
        """Tell a process of clients one line."""
        hand.stdin.write(line + "\n")  # type: ignore[union-attr]
        hand.stdin.flush()  # type: ignore[union-attr]

    @staticmethod
    def hear(hand: "subprocess.Popen[str]") -> str:
        """One line of its output. Raises when it has ended."""
        line = hand.stdout.readline()  # type: ignore[union-attr]
        if not line:
            raise RuntimeError("a client process ended before its time; its output stands above")
        return line


def rate(tally: Tally, wanted: str) -> float:
    """Answers a second. Raises when another answer than the wanted one came: that would be no measurement."""
    if set(tally.answers) != {wanted}:
        raise RuntimeError(f"answers were {dict(tally.answers)}, wanted was {wanted} alone")
    return tally.answers[wanted] / tally.seconds


@contextmanager
def time_limit(seconds: int = AT_MOST_SECONDS) -> Iterator[None]:
    """Raise TooLong when what is within takes longer."""

    def ring(_number: int, _frame: object) -> None:
        raise TooLong(f"not done after {seconds} s")

    former = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


@contextmanager
def ground(games: int = GAMES) -> Iterator[Ground]:
    """The servers; whatever was started is gone at the end, however that comes. games: how many are prepared."""
    signal.signal(signal.SIGTERM, end)
    with ExitStack() as stack:
        yield Ground.create(stack, games)


def measurement(name: str, measure: Measure, on: Ground) -> list[Figure]:
    """The figures of one program, within its time limit; the duration goes to standard error."""
    begun = time.monotonic()
    with time_limit():
        figures = measure(on)
    print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    return figures


def alone(name: str, measure: Measure, *, games: int = GAMES) -> None:
    """Run one program by itself, and print its table. games: how many it needs.

    Exits with status 1 and the figures that miss their aim, where there are any.
    """
    with ground(games) as made:
        if games:
            _ = made.prepared_contents  # outside of the program's time
        figures = measurement(name, measure, made)
        print(table(figures))
    if late := missed_aims(figures):
        sys.exit("\n".join(["Missed:", *late]))


def bearer(token: str) -> dict[str, str]:
    """The header of a token."""
    return {"Authorization": f"Bearer {token}"}


def paths(games: Sequence[str], rest: str) -> list[str]:
    """An address in each of some games."""
    return [f"/api/v1/games/{game}/{rest}" for game in games]
