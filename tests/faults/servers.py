"""A PostgreSQL and a Redis of the tests' own, and the service's processes on them: started, signalled, ended by id."""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import redis
from celery import Celery
from django.conf import settings
from django.db import connection, connections
from django.test import override_settings
from kombu import pools

from config.databases import databases
from config.env import VARIABLES
from core.places.place import Place, schema_name
from core.places.routing import at_place
from games.storage.state_cache import STATE_CACHE
from tests import migrated
from tests.test_serve import family, free_port, until
from tools.with_services import HOST, await_port, listening, own_postgres, own_redis, program, stop

ROOT = Path(__file__).resolve().parents[2]
ON_POSTGRES = "postgres" in os.environ.get("DATABASE_URL", "")
FULL = os.environ.get("FAULTS") == "full"
PATIENCE = 240.0
NO_SLIP = 100_000  # seconds: games here are hours old when their clock is first looked at
KEY = "only-for-the-tests-of-theogony-" + 40 * "x"
PLACE = Place.of(migrated.BUCKET, schema_name(migrated.BUCKET))
"""Where the games lie with PLACES, see `tests.placed`."""
SCHEMA = PLACE.schema if settings.PLACES else "public"
PREFIX = "theogony:"  # of Celery's keys in Redis


def choice(every: list[Any], short: list[Any]) -> list[Any]:
    """What is tried: all with FAULTS=full, else a choice."""
    return every if FULL else short


@dataclass
class Process:
    """One process of the service, leader of its own group, which ends when the tests do."""

    command: tuple[str, ...]
    environment: dict[str, str]
    log: Path
    popen: "subprocess.Popen[bytes]"

    @classmethod
    def start(cls, environment: dict[str, str], log: Path, module: str, *arguments: str) -> "Process":
        """Start a module, tied to this process as the supervisor's children are."""
        command = (sys.executable, "-m", "config.process", str(os.getpid()), module, *arguments)
        with log.open("wb") as output:
            popen = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                process_group=0,
            )  # fmt: skip
        return cls(command, environment, log, popen)

    def output(self) -> str:
        """Everything it has written so far."""
        return self.log.read_text()

    def until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait for something while the process lives. What it said stands in the failure."""

        def holds() -> object:
            assert self.popen.poll() is None, f"{self.command[3]} ended:\n{self.output()[-3000:]}"
            return condition()

        try:
            until(holds, seconds)
        except AssertionError as late:
            raise AssertionError(f"{late}; {self.command[3]} said:\n{self.output()[-3000:]}") from late

    def pool(self) -> set[int]:
        """The processes of a worker's pool."""
        return set(family(self.popen.pid))

    def kill(self) -> None:
        """End it and all of its group at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait(10)


@dataclass
class Ground:
    """The two servers and what runs on them."""

    stack: ExitStack
    folder: Path
    postgres: int
    redis: int
    running: list[Process] = field(default_factory=list)
    names: Iterator[int] = field(default_factory=count)

    @classmethod
    def launch(cls, stack: ExitStack) -> "Ground":
        """Start both. Raises NoServer when one is not installed."""
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="theogony-faults-")))
        (folder / "data").mkdir()
        ground = cls(stack, folder, own_postgres(stack), own_redis(stack))
        # The servers of tests are hasty; this one must keep what it has acknowledged, as one that matters does.
        ground.administer("ALTER ROLE postgres SET synchronous_commit = on")
        return ground

    # --- PostgreSQL --------------------------------------------------------------------------------------------------
    def url(self, database: str, *, port: int = 0, options: str = "") -> str:
        """The address of a database; `port` of a proxy before it; `options` of the sessions, as words of libpq."""
        more = f"?options={options.replace(' ', '%20').replace('=', '%3D')}" if options else ""
        return f"postgres://postgres@{HOST}:{port or self.postgres}/{database}{more}"

    def administer(self, statement: str) -> list[Any]:
        """One statement as the servers' master, outside of any transaction; its rows."""
        with psycopg.connect(self.url("postgres"), autocommit=True, connect_timeout=5) as session:
            done = session.execute(statement)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def copy_database(self, of: str = "template1") -> str:
        """The name of a new database that equals another; nobody may be connected to that."""
        name = f"copy_{next(self.names)}"
        self.administer(f"CREATE DATABASE {name} TEMPLATE {of}")
        self.administer("CHECKPOINT")  # a copied sequence forgets, in a crash before this, which numbers it gave
        return name

    def crash_postgres(self) -> Callable[[], None]:
        """End PostgreSQL uncleanly ("immediate": as if the power failed); returns what starts it again."""
        data = Path(self.administer("SHOW data_directory")[0][0])
        pid, options = int((data / "postmaster.pid").read_text().split()[0]), (data / "postmaster.opts").read_text()
        os.kill(pid, signal.SIGQUIT)
        until(lambda: not (data / "postmaster.pid").exists() or not alive(pid), 20)

        def again() -> None:
            (data / "postmaster.pid").unlink(missing_ok=True)
            user: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
            log = self.folder / "postgres.log"
            with log.open("wb") as output:
                process = subprocess.Popen(
                    shlex.split(options), stdout=output, stderr=output, cwd=data.parent, process_group=0, **user
                )
            self.stack.callback(stop, process, signal.SIGINT)
            await_port(self.postgres, process, log)
            until(self.answers, 20)

        return again

    def answers(self) -> bool:
        """Whether PostgreSQL has recovered and takes sessions."""
        try:
            return bool(self.administer("SELECT 1"))
        except psycopg.OperationalError:
            return False

    # --- Redis -------------------------------------------------------------------------------------------------------
    @property
    def broker(self) -> str:
        """The address of Redis."""
        return f"redis://{HOST}:{self.redis}/0"

    def bell(self) -> "redis.Redis":
        """A client of Redis."""
        return redis.Redis.from_url(self.broker)

    def stop_redis(self) -> Callable[[], None]:
        """End Redis, with all that was in it; returns what starts it again at the same port."""
        with closing(self.bell()) as client:
            client.shutdown(nosave=True)
        argv = [program("redis-server"), "--port", str(self.redis), "--bind", HOST, "--save", "", "--appendonly", "no"]

        def again() -> None:
            log = self.folder / "redis.log"
            with log.open("wb") as output:
                process = subprocess.Popen(argv, stdout=output, stderr=output, cwd=self.folder, process_group=0)
            self.stack.callback(stop, process, signal.SIGTERM)
            await_port(self.redis, process, log)

        return again

    # --- the service -------------------------------------------------------------------------------------------------
    def environment(self, database: str, **more: str) -> dict[str, str]:
        """The variables of a process on a database (its name or whole address) and on our Redis."""
        ours = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database if "//" in database else self.url(database),
            "REDIS_URL": self.broker,
            "DATA_DIR": str(self.folder / "data"),
            "SECRET_KEY": KEY,
            "HTTPS": "0",
            "GRAPHQL_EARLY": "0",
            "CLOCK_SLIP_SECONDS": str(NO_SLIP),
            "PLACES": str(settings.PLACES),
        }
        return {name: value for name, value in os.environ.items() if name not in VARIABLES} | ours | more

    def _start_process(self, name: str, environment: dict[str, str], module: str, *arguments: str) -> Process:
        log = self.folder / f"{name}-{next(self.names)}.log"
        process = Process.start(environment, log, module, *arguments)
        self.running.append(process)
        return process

    def worker(self, database: str, *, processes: int = 1, ready: bool = True, **more: str) -> Process:
        """A Celery worker as `docker/compose.yaml` runs it; ready when it answers a ping."""
        name = f"timers{next(self.names)}@here"
        worker = self._start_process(
            "worker", self.environment(database, **more), "celery", "--quiet", "-A", "config", "worker",
            "--loglevel", "warning", "--concurrency", str(processes), "--without-gossip", "--without-mingle",
            "--hostname", name,
        )  # fmt: skip
        if ready:
            with self.post() as post:
                worker.until(lambda: post.control.ping(destination=[name], timeout=0.3))
        return worker

    def beat(self, database: str) -> Process:
        """Beat, which ticks each second."""
        return self._start_process(
            "beat", self.environment(database), "celery", "--quiet", "-A", "config", "beat", "--loglevel", "warning",
            "--pidfile", "",
        )  # fmt: skip

    def web(self, database: str, **more: str) -> tuple[Process, int]:
        """Requests and streams at one port, as `manage.py serve` runs them; its process and its port."""
        port = free_port()
        web = self._start_process(
            "web", self.environment(database, DATABASE_POOL="1", **more), "uvicorn", "config.asgi:application",
            "--host", HOST, "--port", str(port), "--no-access-log", "--log-level", "warning", "--no-proxy-headers",
        )  # fmt: skip
        web.until(lambda: listening(port))
        return web, port

    @contextmanager
    def post(self) -> Iterator[Celery]:
        """A sender of task messages through our Redis."""
        options = {"global_keyprefix": PREFIX, "socket_timeout": 5}
        app = Celery("tests", broker=self.broker, set_as_current=False, broker_transport_options=options)
        try:
            yield app
        finally:
            app.close()
            pools.reset()  # left to the next sender otherwise, also when Redis has been away since

    def tick(self, task: str, *arguments: str, times: int = 1) -> None:
        """Send a tick (`sweep`, `fire_timers_of`) so many times."""
        with self.post() as post:
            for _ in range(times):
                post.send_task(f"games.tasks.{task}", args=arguments, expires=5 if task == "sweep" else 30)

    @contextmanager
    def clear_redis(self) -> Iterator[None]:
        """An empty Redis; afterwards every process that was started within is gone."""
        with closing(self.bell()) as client:
            client.flushall()
        before = len(self.running)
        try:
            yield
        finally:
            for process in self.running[before:]:
                process.kill()
            del self.running[before:]


def state_of(pid: int) -> str:
    """The letter that `ps` has for a process: T when stopped, Z when dead and not yet buried, nothing when gone."""
    return subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout[:1]


def alive(pid: int) -> bool:
    """Whether a process runs, or could."""
    return state_of(pid) not in ("", "Z")


def is_frozen(pid: int) -> bool:
    """Whether a process is stopped by a signal."""
    return state_of(pid) == "T"


@contextmanager
def at(url: str) -> Iterator[None]:
    """This thread's models stand in the database at this address, and no clock slips; all games lie in one place."""
    former = connections.settings["default"]
    connection.close()
    del connections["default"]
    there = databases(url, ROOT, pool=False, places=settings.PLACES)
    connections.settings["default"] = connections.configure_settings(there)["default"]
    STATE_CACHE.clear()
    try:
        with override_settings(CLOCK_SLIP_SECONDS=NO_SLIP), at_place(PLACE):
            yield
    finally:
        STATE_CACHE.clear()
        connection.close()
        del connections["default"]
        connections.settings["default"] = former
