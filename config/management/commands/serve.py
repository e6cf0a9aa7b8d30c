"""The whole service on one machine: web, worker and beat, on 127.0.0.1, with its data in DATA_DIR.

What is started follows from the settings; who keeps it up is config.process.serving. No table is needed for either
(config.installed).
"""

import fcntl
import shutil
import socket
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.installed import CLOCK, WEB
from config.process.serving import HOST, Plan, become
from config.process.supervisor import Service

PREPARE = Service("prepare", "django", ("prepare",), {"THEOGONY_PROCESS": CLOCK})


def services(port: int) -> tuple[Service, ...]:
    """The three children. Beat is a process of its own: inside a worker it would outlive the worker's SIGKILL.

    A worker of one process fires the timers itself; of more it only hands them to its pool.
    """
    counts = {"PROMETHEUS_MULTIPROC_DIR": str(metrics_folder())}  # web reports what the worker counts, too
    web, clock = {"THEOGONY_PROCESS": WEB}, {"THEOGONY_PROCESS": CLOCK}
    # Messages are JSON and come from a folder of our own: what this warns of, in eight lines, is not done here.
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    folder = {} if settings.REDIS_URL else {"TMPDIR": str(settings.BROKER_DIR / "tmp")}  # moved there, then deleted
    pool = "prefork" if settings.WORKER_PROCESSES > 1 else "solo"
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
                *("--concurrency", str(settings.WORKER_PROCESSES), "--pool", pool),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ),
            clock | quiet | folder | counts,
        ),
        Service(
            "beat",
            "celery",
            (
                *("--quiet", "-A", "config.beat", "beat", "--loglevel", "warning"),
                *("--pidfile", ""),
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

    def handle(self, *args: Any, **options: Any) -> NoReturn:
        """Raises CommandError when the port or the data folder is taken; else becomes the process that supervises."""
        port: int = settings.PORT
        require_free(port)
        lock = lock_folder(settings.DATA_DIR)
        forget_former_run()
        self.stdout.write("Theogony starts; the first time this takes up to a minute ...")
        self.stdout.flush()
        demo = str(settings.DATA_DIR / "demo.json") if settings.DEMO else ""
        become(Plan(port, str(settings.DATA_DIR), demo, PREPARE, services(port)), lock.fileno())
