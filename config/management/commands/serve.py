"""The whole service on one machine: web, worker and beat, on 127.0.0.1, with its data in DATA_DIR.

This process only supervises, so it is set up without tables (config.installed).
"""

import fcntl
import http.client
import json
import shutil
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.installed import CLOCK, WEB
from config.process.supervisor import Service, Supervisor

HOST = "127.0.0.1"
ASK_SECONDS = 2.0
PREPARE = Service("prepare", "django", ("prepare",), {"THEOGONY_PROCESS": CLOCK})


def services(port: int) -> tuple[Service, ...]:
    """The three children. Beat is a process of its own: inside a worker it would outlive the worker's SIGKILL."""
    counts = {"PROMETHEUS_MULTIPROC_DIR": str(metrics_folder())}  # web reports what the worker counts, too
    web, clock = {"THEOGONY_PROCESS": WEB}, {"THEOGONY_PROCESS": CLOCK}
    # Messages are JSON and come from a folder of our own: what this warns of, in eight lines, is not done here.
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    folder = {} if settings.REDIS_URL else {"TMPDIR": str(settings.BROKER_DIR / "tmp")}  # moved there, then deleted
    return (
        Service(
            "web",
            "uvicorn",
            (
                "config.asgi:application",
                *("--host", HOST, "--port", str(port), "--no-access-log", "--log-level", "warning"),
                *("--timeout-graceful-shutdown", "3", "--timeout-keep-alive", "30", "--ws-max-size", "65536"),
                *("--no-proxy-headers", "--no-server-header"),
            ),
            web | counts,
        ),
        Service(
            "worker",
            "celery",
            (
                *("--quiet", "-A", "config", "worker", "--loglevel", "warning", "--hostname", "timers@%h"),
                *("--concurrency", str(settings.WORKER_PROCESSES), "--pool", "prefork"),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ),
            clock | quiet | folder | counts,
        ),
        Service(
            "beat",
            "celery",
            (
                *("--quiet", "-A", "config.beat", "beat", "--loglevel", "warning"),
                *("--schedule", str(settings.BEAT_SCHEDULE_FILE), "--pidfile", ""),
            ),
            clock,
        ),
    )


def metrics_folder() -> Path:
    """Where web and worker put together what they count."""
    return Path(settings.METRICS_DIR or settings.DATA_DIR / "metrics")


def lock_folder(folder: Path) -> IO[str]:
    """The lock of a data folder, held while the file is open. Raises CommandError when another service has it."""
    file = (folder / "serve.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise CommandError(
            f"Another service already runs on the data in {folder}. Stop it, or choose another DATA_DIR."
        ) from error
    return file


def require_free(port: int) -> None:
    """Raise CommandError when something listens on the port already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} of {HOST} cannot be used ({error.strerror}). Stop what listens there, or choose another: "
                f"PORT={port + 1 if port < 65535 else port - 1}."
            ) from error


def answers(port: int) -> bool:
    """Does /livez answer?"""
    connection = http.client.HTTPConnection(HOST, port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def forget_former_run() -> None:
    """Drop the ticks and the counts of a run before this one."""
    metrics_folder().mkdir(parents=True, exist_ok=True)
    for count in metrics_folder().glob("*.db"):
        count.unlink()
    if not settings.REDIS_URL:
        for folder in ("messages", "tmp"):
            with suppress(FileNotFoundError):
                shutil.rmtree(settings.BROKER_DIR / folder)
            (settings.BROKER_DIR / folder).mkdir(parents=True)


class Command(BaseCommand):
    """Serve: prepare database and demo, keep web, worker and beat up until ordered to end."""

    help = "Run the whole service on this machine: web, worker and beat."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError when the port or the data folder is taken; exits with the supervisor's status."""
        port: int = settings.PORT
        require_free(port)
        with lock_folder(settings.DATA_DIR):
            forget_former_run()
            self._say("Theogony starts; the first time this takes up to a minute.")
            supervisor = Supervisor(services(port), say=self._say, first=PREPARE)
            status = supervisor.run(lambda: answers(port), lambda: self._say(banner(port)))
        self._say("Theogony has stopped.")
        if status:
            raise SystemExit(status)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def banner(port: int) -> str:
    """What is printed when everything is up: where it is, who may enter, what to try."""
    base = f"http://{HOST}:{port}"
    lines = [
        ("Theogony is ready", f"{base}/"),
        ("REST API, documented", f"{base}/api/docs/"),
        ("GraphQL, to try out", f"{base}/graphql/"),
        ("Admin", f"{base}/admin/"),
        ("Data", str(settings.DATA_DIR)),
    ]
    file = settings.DATA_DIR / "demo.json"
    if settings.DEMO and file.exists():
        lines += demo_lines(base, json.loads(file.read_text()))
        lines.append(("Passwords, all tokens", str(file)))
    return "\n".join(("", *(f"  {name:<22}{value}" for name, value in lines), "  Ctrl-C stops it.", ""))


def demo_lines(base: str, listing: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The demo's games and users, and what a newcomer may try first. listing: what demo.json holds."""
    lines = [
        ("Demo games" if n == 0 else "", f"{game['name']}: {game['game']}") for n, game in enumerate(listing["games"])
    ]
    for n, user in enumerate(listing["users"]):
        seat = f" ({user['seat_name']})" if user["role"] == "player" and user["seat_name"] else ""
        lines.append(("Demo users" if n == 0 else "", f"{user['name'] + seat:<26}{user['token']}"))
    player = next(user for user in listing["users"] if user["role"] == "player")
    watch = f"{base}/api/v1/games/{listing['game']}/stream/"
    return [*lines, ("Try", f"curl -sN -H 'Authorization: Bearer {player['token']}' {watch}")]
