"""Run a command with a PostgreSQL and a Redis at hand: `python tools/with_services.py [--own] COMMAND ...`.

DATABASE_URL and REDIS_URL are taken from the environment where set. Else the servers at the standard ports of this
machine are used; where none listens, one is started on a free port in a folder that is thrown away, and stopped again
at the end. With --own that is always done. A server that can be neither found nor started is a failure (exit status
1), never a skipped test. Standard library only.
"""

import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

HOST = "127.0.0.1"
POSTGRES_PORT, REDIS_PORT, REDIS_DATABASE = 5432, 6379, 9
WAIT_SECONDS = 120.0


class NoServer(Exception):
    """A server is neither running nor installed; the message says what would do."""


def listening(port: int) -> bool:
    """Does something on this machine take connections at the port?"""
    with closing(socket.socket()) as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def free_port() -> int:
    """A port nobody uses now."""
    with closing(socket.socket()) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def program(name: str, *elsewhere: str) -> str:
    """The path of a program: on PATH, or the newest among the patterns. Raises NoServer."""
    found = [path for pattern in elsewhere for path in sorted(glob.glob(pattern), reverse=True)]
    path = shutil.which(name) or next(iter(found), "")
    if not path:
        raise NoServer(f"{name} is not installed and no server listens at its standard port of {HOST}.")
    return path


def stop(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """End a server we started: politely, then for certain."""
    with suppress(ProcessLookupError):
        process.send_signal(number)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def await_port(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until a server takes connections. Raises NoServer when it ended or took too long."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not listening(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise NoServer(f"{process.args!r} did not start:\n{log.read_text()[-2000:]}")
        time.sleep(0.1)


def own_postgres(stack: ExitStack, *, durable: bool = False) -> int:
    """Start a PostgreSQL in a folder that is thrown away; returns its port. As root it runs as user postgres.

    durable: it waits for the disk at each commit, as a real one does; tests need not.
    """
    initdb, postgres = (program(name, f"/usr/lib/postgresql/*/bin/{name}") for name in ("initdb", "postgres"))
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="theogony-postgres-")))
    root = os.geteuid() == 0
    user: dict[str, str] = {"user": "postgres", "group": "postgres"} if root else {}
    if root:
        shutil.chown(folder, "postgres", "postgres")
    data, log, port = folder / "data", folder / "log", free_port()
    subprocess.run(
        [initdb, "--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C", "-D", str(data)],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        **user,  # type: ignore[call-overload]
    )
    waits = "on" if durable else "off"
    settings = [f"{name}={waits}" for name in ("fsync", "synchronous_commit", "full_page_writes")]
    settings.append(f"listen_addresses={HOST}")
    options = [word for setting in settings for word in ("-c", setting)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [postgres, "-D", str(data), "-p", str(port), "-k", str(folder), *options],
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            process_group=0,
            **user,  # type: ignore[call-overload]
        )
    stack.callback(stop, process, signal.SIGINT)  # "fast": sessions are cut
    await_port(port, process, log)
    return port


def own_redis(stack: ExitStack) -> int:
    """Start a Redis that keeps nothing; returns its port."""
    server = program("redis-server")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="theogony-redis-")))
    log, port = folder / "log", free_port()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [server, "--port", str(port), "--bind", HOST, "--save", "", "--appendonly", "no", "--dir", str(folder)],
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
    stack.callback(stop, process, signal.SIGTERM)
    await_port(port, process, log)
    return port


def addresses(stack: ExitStack, *, own: bool) -> dict[str, str]:
    """DATABASE_URL and REDIS_URL of servers that answer; each run has a database name of its own."""
    database, redis = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    if own or not database:
        port = own_postgres(stack) if own or not listening(POSTGRES_PORT) else POSTGRES_PORT
        database = f"postgres://postgres@{HOST}:{port}/theogony_{os.getpid()}"
    if own or not redis:
        port = own_redis(stack) if own or not listening(REDIS_PORT) else REDIS_PORT
        redis = f"redis://{HOST}:{port}/{REDIS_DATABASE}"
    return {"DATABASE_URL": database, "REDIS_URL": redis}


def end(number: int, _frame: object) -> None:
    """Turn a signal into an exception, so that every server is stopped on the way out."""
    raise SystemExit(128 + number)


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns its exit status, or 1 when a server is missing."""
    own = arguments[:1] == ["--own"]
    command = list(arguments[1:] if own else arguments)
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, end)
    with ExitStack() as stack:
        try:
            found = addresses(stack, own=own)
        except NoServer as missing:
            print(f"with_services: {missing}", file=sys.stderr)
            return 1
        print("with_services:", *(f"{name}={value}" for name, value in found.items()), file=sys.stderr, flush=True)
        return subprocess.run(command, env={**os.environ, **found}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
