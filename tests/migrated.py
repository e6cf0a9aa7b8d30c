"""The database that the tests begin from: made once as `manage.py prepare` makes a new one (ADR 94), then copied.

A copy takes no time of a process. SQLite's lies in `.pytest_cache`, that of PostgreSQL is a database beside those of
the tests. A changed model or migration makes a new one and the old one goes. After a test that has committed, the test
database is made equal to the migrated one again.
"""

import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from django.apps import apps
from django.conf import settings
from django.db import connection, models
from django.test import TransactionTestCase
from psycopg import sql

from core.places.place import CARDS, schema_name

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".pytest_cache" / "migrated"
PREFIX = "theogony_migrated_"
BUCKET = 2
"""Where every game lies in tests with PLACES, see `tests.placed`."""
KEPT = "migrated_"
"""Before the name of a schema: that which keeps a copy of each of its tables that has rows from the beginning."""
WHAT_MATTERS = ("uv.lock", "config/settings.py", "tests/settings.py", "tests/migrated.py", "core/new_database.py",
                "core/places/*.py",
                "*/migrations/*.py", "*/*/migrations/*.py", "games/gods2/packs/migrations/*.py",
                "games/gods2/pack/*.py", "games/gods2/pack/v*/*.yaml")  # fmt: skip
TABLES = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = ANY(%s)"
GROWN = "SELECT name FROM unnest(%s::text[]) AS name WHERE pg_relation_size(to_regclass(name)) > 0"
_COPIES = count()
_sessions: list[psycopg.Connection[Any]] = []


def begin_from_copy() -> None:
    """Let the test database of this process be a copy of the migrated one, which is made first where there is none."""
    here = settings.DATABASES["default"]
    name = PREFIX + _digest()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _one_process_at_a_time():
        if _is_sqlite():
            shutil.copyfile(_file(name), here["TEST"]["NAME"])
            TransactionTestCase._fixture_teardown = restore_file
        else:
            here["TEST"]["TEMPLATE"] = _database(name)
            TransactionTestCase._fixture_teardown = restore_rows


def restore_file(_: TransactionTestCase) -> None:
    """Let SQLite's test database be the migrated one again, after a test that has committed.

    Its pages are copied back: a fifth of the time of emptying every table and putting the permissions in anew.
    """
    connection.ensure_connection()
    with closing(sqlite3.connect(sqlite_file())) as migrated:
        migrated.backup(connection.connection)


def restore_rows(_: TransactionTestCase) -> None:
    """Let the rows of PostgreSQL's test database be those of the migrated one again, after a test that has committed.

    Only tables that differ are written: to truncate all of them takes a second of the server's processor. All is asked
    in one session that stays: a new one takes half a second to learn of so many tables.
    """
    try:
        _restore(_session())
    except psycopg.OperationalError:  # the test has ended all sessions
        close_session()
        _restore(_session())


def _restore(session: psycopg.Connection[Any]) -> None:
    begun_empty, begun_filled = _tables()
    with session.transaction():
        grown = session.execute(GROWN, [begun_empty]).fetchall()
        parts = [*begun_filled, *(f"SELECT '{table}', '' WHERE EXISTS (TABLE {table})" for (table,) in grown)]
        differing = session.execute(" UNION ALL ".join(parts)).fetchall()
        for table, _kept in differing:
            session.execute(f"DELETE FROM {table}")
        for table, kept in differing:
            if kept:
                session.execute(f"INSERT INTO {table} TABLE {kept}")


@cache
def _tables() -> tuple[list[str], list[str]]:
    """The tables that had no rows at the beginning; for each other the query for (table, its copy) where it differs."""
    found = {*_session().execute(TABLES, [[*_schemas(), *(KEPT + schema for schema in _schemas())]]).fetchall()}
    empty, filled = [], []
    for schema, name in sorted(each for each in found if not each[0].startswith(KEPT)):
        table, kept = f'{schema}."{name}"', f'{KEPT}{schema}."{name}"'
        if (KEPT + schema, name) in found:
            changes = f"(TABLE {table} EXCEPT TABLE {kept}) UNION ALL (TABLE {kept} EXCEPT TABLE {table})"
            filled.append(f"SELECT '{table}', '{kept}' WHERE EXISTS ({changes})")
        else:
            empty.append(table)
    return empty, filled


def _session() -> psycopg.Connection[Any]:
    """The session with the test database in which its rows are restored."""
    if not _sessions:
        _sessions.append(_server(connection.settings_dict["NAME"]))
        _sessions[0].execute("SET synchronous_commit = off")
    return _sessions[0]


def close_session() -> None:
    """End it; the next test opens another."""
    while _sessions:
        _sessions.pop().close()


def end_sessions() -> None:
    """End every session with PostgreSQL's test database, so that it can go: threads of the service keep theirs."""
    close_session()
    if not _is_sqlite():
        with _server() as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [connection.settings_dict["NAME"]],
            )


def _use_one_bucket(name: str) -> None:
    """Let every slot lie in the second bucket: `tests.placed` says why."""
    with _server(name) as server:
        server.execute("UPDATE places_slot SET bucket_id = %s", [BUCKET])


def _keep_rows(name: str) -> None:
    """Copy each table of a PostgreSQL database that has rows beside it."""
    with _server(name) as server:
        for schema in _schemas():
            server.execute(f"CREATE SCHEMA {KEPT}{schema}")
        for schema, table in server.execute(TABLES, [_schemas()]).fetchall():
            if server.execute(f'SELECT EXISTS (TABLE {schema}."{table}")').fetchone() == (True,):
                server.execute(f'CREATE TABLE {KEPT}{schema}."{table}" AS TABLE {schema}."{table}"')


@cache
def sqlite_file() -> Path:
    """The migrated SQLite file, to be copied by tests that need one; also where the tests run on PostgreSQL."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _one_process_at_a_time():
        return _file(PREFIX + _digest())


@contextmanager
def copy_database(folder: Path) -> Iterator[dict[str, str]]:
    """A copy of the migrated database of the kind in use; the variables of a process that works on it."""
    if _is_sqlite():
        yield _variables(str(shutil.copyfile(sqlite_file(), folder / "copy.sqlite3")))
        return
    with _one_process_at_a_time():
        migrated = _database(PREFIX + _digest())
    with _database_of(migrated) as name:
        yield _variables(name)


@contextmanager
def empty_database(folder: Path) -> Iterator[dict[str, str]]:
    """A database of the kind in use without any table; the variables of a process that works on it."""
    if _is_sqlite():
        yield _variables(str(folder / "empty.sqlite3"))
        return
    with _database_of("template0") as name:
        yield _variables(name)


@contextmanager
def _database_of(template: str) -> Iterator[str]:
    """The name of a database of the PostgreSQL server that is a copy of another one, and goes at the end."""
    name = f"theogony_copy_{os.getpid()}_{next(_COPIES)}"
    with _server() as server:
        with _one_process_at_a_time():
            made = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, template)))
            server.execute(made)
        try:
            yield name
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _schemas() -> list[str]:
    """The schemas of a PostgreSQL database of the tests."""
    buckets = [schema_name(number) for number in range(1, settings.PLACES + 1)]
    return ["public", *buckets, *([CARDS.schema] if buckets else [])]


def _is_sqlite() -> bool:
    """Whether the tests run on SQLite."""
    return bool(settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"))


def _digest() -> str:
    """Stands for everything that a new database follows from: the models, and the files that WHAT_MATTERS names."""
    digest = sha256("".join(map(_description, apps.get_models())).encode())
    for pattern in WHAT_MATTERS:
        for file in sorted(ROOT.glob(pattern)):
            digest.update(file.read_bytes())
    return f"{settings.PLACES}_{digest.hexdigest()[:16]}"


def _description(model: type[models.Model]) -> str:
    """What a model says of its table, its content type and its permissions, the same in every process."""
    meta = model._meta
    fields = [field.deconstruct() for field in (*meta.local_fields, *meta.local_many_to_many)]
    names = (meta.label, meta.db_table, str(meta.verbose_name), meta.default_permissions, meta.permissions)
    return re.sub(" at 0x[0-9a-f]+", "", repr((names, meta.unique_together, meta.constraints, meta.indexes, fields)))


def _file(name: str) -> Path:
    """The migrated SQLite file."""
    file = FOLDER / f"{name}.sqlite3"
    if not file.exists():
        for old in FOLDER.glob(f"{PREFIX}*"):
            old.unlink()
        _prepare(str(file.with_suffix(".part")), DATABASE_URL="", PLACES="0")
        file.with_suffix(".part").rename(file)
    return file


def _database(name: str) -> str:
    """The migrated database of the PostgreSQL server."""
    with _server() as server:
        names = {row[0] for row in server.execute("SELECT datname FROM pg_database")}
        if name not in names:
            part = f"{name}_part"
            for old in (found for found in names if found.startswith(f"{PREFIX}{settings.PLACES}_")):
                server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(old)))
            server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(part)))
            _prepare(part)
            if settings.PLACES:
                _use_one_bucket(part)
            _keep_rows(part)
            server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(*map(sql.Identifier, (part, name))))
    return name


def _server(name: str = "postgres") -> psycopg.Connection:
    """A session with a database of the PostgreSQL server, outside of any transaction."""
    here = settings.DATABASES["default"]
    known = {"host": here["HOST"], "port": here["PORT"], "user": here["USER"], "password": here["PASSWORD"]}
    values = {key: value for key, value in known.items() if value}
    return psycopg.connect(dbname=name, autocommit=True, **values)


def _variables(name: str) -> dict[str, str]:
    """The environment of a process that works on a database, under the settings of the tests."""
    return {**os.environ, "TEST_DATABASE_NAME": name, "DJANGO_SETTINGS_MODULE": "tests.settings"}


def _prepare(name: str, **more: str) -> None:
    """Make the tables of a new database in a process of its own, which leaves no connection to it open."""
    command = [sys.executable, "-m", "django", "prepare"]
    here = {**_variables(name), "THEOGONY_PROCESS": "clock", "DEMO": "0"} | more
    subprocess.run(command, env=here, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """So that one process of a run makes it and the others wait."""
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
