"""The database that the tests begin from: migrated once for each set of migrations, then copied.

Migrating takes some ten seconds of each process of a run; a copy takes none. SQLite's lies in `.pytest_cache`, that of
PostgreSQL is a database beside those of the tests. A changed migration makes a new one and the old one goes.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import psycopg
from django.conf import settings
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".pytest_cache" / "migrated"
PREFIX = "theogony_migrated_"
WHAT_MATTERS = ("uv.lock", "config/settings.py", "tests/settings.py", "tests/toy/*.py", "*/migrations/*.py",
                "games/*/migrations/*.py", "games/gods2/pack/*.py", "games/gods2/pack/v*/*.yaml")  # fmt: skip


def begin_from_copy() -> None:
    """Let the test database of this process be a copy of the migrated one, which is made first where there is none."""
    here = settings.DATABASES["default"]
    name = PREFIX + _digest()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _one_process_at_a_time():
        if here["ENGINE"].endswith("sqlite3"):
            shutil.copyfile(_file(name), here["TEST"]["NAME"])
        else:
            here["TEST"]["TEMPLATE"] = _database(name)


def sqlite_file() -> Path:
    """The migrated SQLite file, to be copied by tests that need one; also where the tests run on PostgreSQL."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _one_process_at_a_time():
        return _file(PREFIX + _digest())


@contextmanager
def copy_database(folder: Path) -> Iterator[dict[str, str]]:
    """A copy of the migrated database of the kind in use; the variables of a process that works on it."""
    here = settings.DATABASES["default"]
    if here["ENGINE"].endswith("sqlite3"):
        name = str(shutil.copyfile(sqlite_file(), folder / "copy.sqlite3"))
        yield _variables(name)
        return
    name = sql.Identifier(copy := f"theogony_copy_{os.getpid()}")
    with _server() as server:
        with _one_process_at_a_time():
            migrated = sql.Identifier(_database(PREFIX + _digest()))
            server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, migrated))
        try:
            yield _variables(copy)
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def _digest() -> str:
    """Stands for everything that a migrated database follows from."""
    digest = sha256()
    for pattern in WHAT_MATTERS:
        for file in sorted(ROOT.glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _file(name: str) -> Path:
    """The migrated SQLite file."""
    file = FOLDER / f"{name}.sqlite3"
    if not file.exists():
        for old in FOLDER.glob(f"{PREFIX}*"):
            old.unlink()
        _migrate(str(file.with_suffix(".part")), DATABASE_URL="")
        file.with_suffix(".part").rename(file)
    return file


def _database(name: str) -> str:
    """The migrated database of the PostgreSQL server."""
    with _server() as server:
        names = {row[0] for row in server.execute("SELECT datname FROM pg_database")}
        if name not in names:
            part = f"{name}_part"
            for old in (found for found in names if found.startswith(PREFIX)):
                server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(old)))
            server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(part)))
            _migrate(part)
            server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(*map(sql.Identifier, (part, name))))
    return name


def _server() -> psycopg.Connection:
    """A session with the PostgreSQL server, outside of any transaction."""
    here = settings.DATABASES["default"]
    known = {"host": here["HOST"], "port": here["PORT"], "user": here["USER"], "password": here["PASSWORD"]}
    values = {key: value for key, value in known.items() if value}
    return psycopg.connect(dbname="postgres", autocommit=True, **values)


def _variables(name: str) -> dict[str, str]:
    """The environment of a process that works on a database, under the settings of the tests."""
    return {**os.environ, "TEST_DATABASE_NAME": name, "DJANGO_SETTINGS_MODULE": "tests.settings"}


def _migrate(name: str, **more: str) -> None:
    """Migrate a database in a process of its own, which leaves no connection to it open."""
    command = [sys.executable, "-m", "django", "migrate", "--run-syncdb", "--noinput", "--verbosity", "0"]
    subprocess.run(command, env=_variables(name) | more, cwd=ROOT, check=True)


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """So that one process of a run migrates and the others wait for it."""
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
