"""Foreign tables (postgres_fdw): what lies on one server, seen from another (ADR 134).

At home the schema of a place elsewhere has them for the tables there, so that what looks over all places goes on; on
the other server `public` has them for home's, so that a transaction of a place reads people and packs.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from core.places.models import Bucket
from core.places.place import PUBLIC
from core.places.postgresql.servers import wrapper_of
from core.places.routing import at_place

EXTENSION = "postgres_fdw"
HOME = "place_home"
"""What home is called among the foreign servers of another server."""
NUMBERS = "place_numbers"
"""The schema with a view for each table of `public` that numbers its rows: what it reads is the next number."""
ROWS_AT_ONCE = "1000"
PASSED_ON = ("sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "target_session_attrs")
"""Options of an address that the server which asks needs, too."""
NUMBERED = """
SELECT relname, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attidentity <> '' ORDER BY relname
"""
FOREIGN = """
SELECT relname FROM pg_foreign_table JOIN pg_class c ON c.oid = ftrelid
WHERE relnamespace = %s::regnamespace ORDER BY relname
"""
ORDINARY = """
SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = %s AND relkind IN ('r', 'p') ORDER BY relname
"""


class Unreachable(Exception):
    """A server that cannot take or show a place; the message says why, and what would do."""


@contextmanager
def session_on(server: str) -> Iterator[Any]:
    """A connection of psycopg to another server, outside of transactions, for the length of the block.

    Raises UnknownServer, and OperationalError where it is away.
    """
    wrapper = wrapper_of(server, connection.settings_dict)
    options = wrapper.settings_dict["OPTIONS"]
    wrapper.settings_dict["OPTIONS"] = {name: value for name, value in options.items() if name != "pool"}
    wrapper.ensure_connection()
    try:
        yield wrapper.connection
    finally:
        wrapper.close()


def name_at_home(server: str) -> str:
    """What another server is called among the foreign servers of home."""
    return f"place_server_{server}"


def ordinary_tables(session: Any, schema: str) -> list[str]:
    """The tables of a schema whose rows lie there. session: a cursor, or a connection of psycopg."""
    return [name for (name,) in session.execute(ORDINARY, [schema]).fetchall()]


def connect_both(server: str, address: Mapping[str, Any], home: Mapping[str, Any]) -> None:
    """Let another server and home see each other's tables. Safe to run again, also with other addresses.

    address, home: Django's settings by which each is reached from the other. Raises Unreachable.
    """
    numbered = _offer_numbers()
    with session_on(server) as session, session.transaction():
        if ordinary := ordinary_tables(session, PUBLIC):
            raise Unreachable(f"The database of {server} has a table {ordinary[0]} in public; it must be an empty one.")
        _make_server(session, server, HOME, home)
        _show_public(session, numbered)
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        _make_server(cursor, "home", name_at_home(server), address)
        for bucket in Bucket.objects.filter(server=server):
            show_at_home(cursor, bucket)


def show_both(bucket: Bucket) -> None:
    """Make the foreign tables of a place elsewhere anew on both sides, after migrations."""
    numbered = _offer_numbers()
    with session_on(bucket.server) as session, session.transaction():
        _show_public(session, numbered)
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        show_at_home(cursor, bucket)


def show_at_home(cursor: Any, bucket: Bucket) -> None:
    """Let the schema of a place at home be foreign tables of those elsewhere. Raises Unreachable where it has its own.

    Call it in a transaction.
    """
    if ordinary := ordinary_tables(cursor, bucket.schema):
        raise Unreachable(f"{bucket.schema} has a table {ordinary[0]} at home, and {bucket.server} has the place.")
    cursor.execute(f'DROP SCHEMA IF EXISTS "{bucket.schema}" CASCADE')
    cursor.execute(f'CREATE SCHEMA "{bucket.schema}"')
    _import(cursor, bucket.schema, name_at_home(bucket.server))


def _offer_numbers() -> list[tuple[str, str]]:
    """The tables of `public` that number their rows, each with the column of its numbers.

    A foreign table has no default of its own: an INSERT on another server reads the number by a view.
    """
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        numbered: list[tuple[str, str]] = cursor.execute(NUMBERED).fetchall()
        cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {NUMBERS}")
        for table, column in numbered:
            sequence = f"pg_get_serial_sequence('public.\"{table}\"', '{column}')"
            cursor.execute(f'CREATE OR REPLACE VIEW {NUMBERS}."{table}" AS SELECT nextval({sequence}) AS number')
    return numbered


def _show_public(session: Any, numbered: Sequence[tuple[str, str]]) -> None:
    """Let `public` of another server be foreign tables of home's, anew."""
    session.execute(f"DROP SCHEMA IF EXISTS {NUMBERS} CASCADE")
    for (name,) in session.execute(FOREIGN, [PUBLIC]).fetchall():
        session.execute(f'DROP FOREIGN TABLE {PUBLIC}."{name}"')
    _import(session, PUBLIC, HOME)
    session.execute(f"CREATE SCHEMA {NUMBERS}")
    _import(session, NUMBERS, HOME)
    for table, column in numbered:
        session.execute(
            f'CREATE FUNCTION {NUMBERS}."next_{table}"() RETURNS bigint LANGUAGE sql '
            f'AS $$ SELECT number FROM {NUMBERS}."{table}" $$'
        )
        session.execute(
            f'ALTER FOREIGN TABLE {PUBLIC}."{table}" ALTER COLUMN "{column}" SET DEFAULT {NUMBERS}."next_{table}"()'
        )


def _make_server(session: Any, where: str, name: str, settings: Mapping[str, Any]) -> None:
    """Name a foreign server and who asks it, anew; its foreign tables go."""
    if session.execute("SELECT 1 FROM pg_available_extensions WHERE name = %s", [EXTENSION]).fetchone() is None:
        raise Unreachable(f"The server {where} has no {EXTENSION}; it is a part of PostgreSQL's contrib.")
    session.execute(f"CREATE EXTENSION IF NOT EXISTS {EXTENSION}")
    given = {key: settings["OPTIONS"][key] for key in PASSED_ON if key in settings["OPTIONS"]}
    given |= {
        "host": settings["HOST"],
        "port": settings["PORT"],
        "dbname": settings["NAME"],
        "fetch_size": ROWS_AT_ONCE,
    }
    who = {"user": settings["USER"], "password": settings["PASSWORD"]}
    session.execute(f'DROP SERVER IF EXISTS "{name}" CASCADE')
    session.execute(f'CREATE SERVER "{name}" FOREIGN DATA WRAPPER {EXTENSION}{_options(given)}')
    session.execute(f'CREATE USER MAPPING FOR CURRENT_USER SERVER "{name}"{_options(who)}')


def _options(given: Mapping[str, Any]) -> str:
    """Options as they stand in a statement, without those that are empty."""
    shown = ", ".join(f"{key} {sql.Literal(str(value)).as_string(None)}" for key, value in given.items() if value)
    return f" OPTIONS ({shown})" if shown else ""


def _import(session: Any, schema: str, server: str) -> None:
    session.execute(f'IMPORT FOREIGN SCHEMA "{schema}" FROM SERVER "{server}" INTO "{schema}"')
