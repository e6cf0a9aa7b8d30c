"""The whole service on one machine: web, worker and beat, on 127.0.0.1, with its data in DATA_DIR."""

import fcntl
import http.client
import shutil
import socket
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from games.supervisor import Service, Supervisor

HOST = "127.0.0.1"
ASK_SECONDS = 2.0


def services(port: int) -> tuple[Service, ...]:
    """The three children. Beat is a process of its own: inside a worker it would outlive the worker's SIGKILL."""
    counts = {"PROMETHEUS_MULTIPROC_DIR": str(metrics_folder())}  # web tells what the worker counts, too
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
            counts,
        ),
        Service(
            "worker",
            "celery",
            (
                *("--quiet", "-A", "config", "worker", "--loglevel", "warning", "--hostname", "timers@%h"),
                *("--concurrency", str(settings.WORKER_PROCESSES), "--pool", "prefork"),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ),
            folder | counts,
        ),
        Service(
            "beat",
            "celery",
            (
                *("--quiet", "-A", "config", "beat", "--loglevel", "warning"),
                *("--schedule", str(settings.BEAT_SCHEDULE_FILE), "--pidfile", ""),
            ),
        ),
    )


def metrics_folder() -> Path:
    """Where web and worker put together what they count."""
    return Path(settings.METRICS_DIR or settings.DATA_DIR / "metrics")


def held(folder: Path) -> IO[str]:
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


class Command(BaseCommand):
    """Serve: migrate, prepare the demo where asked, keep web, worker and beat up until told to end."""

    help = "Run the whole service on this machine: web, worker and beat."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError when the port or the data folder is taken; exits with the supervisor's status."""
        port: int = settings.PORT
        require_free(port)
        with held(settings.DATA_DIR):
            self._prepare()
            supervisor = Supervisor(services(port), say=self._say)
            status = supervisor.run(lambda: answers(port), lambda: self._banner(port))
        self._say("Theogony has stopped.")
        if status:
            raise SystemExit(status)

    def _prepare(self) -> None:
        """Bring the database up to date, forget ticks and counts of a former run, prepare the demo where asked."""
        call_command("migrate", interactive=False, verbosity=0)
        metrics_folder().mkdir(parents=True, exist_ok=True)
        for count in metrics_folder().glob("*.db"):
            count.unlink()
        if not settings.REDIS_URL:
            for folder in ("messages", "tmp"):
                with suppress(FileNotFoundError):
                    shutil.rmtree(settings.BROKER_DIR / folder)
                (settings.BROKER_DIR / folder).mkdir(parents=True)
        if settings.DEMO and "demo" in get_commands():
            call_command("demo")
        connections.close_all()

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()

    def _banner(self, port: int) -> None:
        base = f"http://{HOST}:{port}"
        lines = [
            ("Theogony is ready", f"{base}/"),
            ("REST API, documented", f"{base}/api/docs/"),
            ("GraphQL, to try out", f"{base}/graphql/"),
            ("Admin", f"{base}/admin/"),
            ("Data", str(settings.DATA_DIR)),
        ]
        demo = settings.DATA_DIR / "demo.json"
        if settings.DEMO and demo.exists():
            lines.append(("Demo users and tokens", str(demo)))
        self._say("\n".join(("", *(f"  {name:<22}{value}" for name, value in lines), "  Ctrl-C stops it.", "")))
