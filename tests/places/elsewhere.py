"""Two databases of one PostgreSQL as two servers: home, a copy of the migrated one, and `other`, which begins empty."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from core.places import routing
from core.places.models import Bucket, Slot, State
from core.places.place import Place
from core.places.postgresql import servers
from tests import migrated
from tests.faults.shared import another
from tests.games.cairns import Cairns, table
from tests.places.buckets import ONE, TWO
from tests.places.games import LONG, opened_in

OTHER = "other"
AWAY = Place.of(2, TWO.schema, OTHER)
"""The second bucket where it lies on the other server."""
KEYS = ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")


@contextmanager
def databases_of_two_servers(folder: Path) -> Iterator[None]:
    """Let this process work on two databases of its own; slots 0 to 2047 lie in the first bucket."""
    with migrated.copy_database(folder) as home, migrated.empty_database(folder) as other:
        there = {key: connection.settings_dict[key] for key in KEYS} | {"NAME": other["TEST_DATABASE_NAME"]}
        connection.close()
        former = connection.settings_dict["NAME"]
        connection.settings_dict["NAME"] = home["TEST_DATABASE_NAME"]
        connections["default"]._servers = servers.Servers(connection.settings_dict)
        try:
            with patch.object(settings, "PLACE_SERVERS", {OTHER: there}):
                Slot.objects.filter(slot__lt=2048).update(bucket=1)
                yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = former


def places(*arguments: str) -> str:
    """What the command says."""
    out = StringIO()
    call_command("places", *arguments, stdout=out)
    return out.getvalue()


def relocate(to: str = OTHER) -> str:
    """Let the second bucket lie there; what the command says."""
    return places("relocate", "2", to)


def where() -> tuple[str, str]:
    """Which server has the second bucket, and its state."""
    found = Bucket.objects.get(pk=2)
    return found.server, found.state


@contextmanager
def write_stop() -> Iterator[None]:
    """The second bucket is being moved, as every process knows."""
    Bucket.objects.filter(pk=2).update(state=State.MOVING)
    routing.forget()
    try:
        yield
    finally:
        Bucket.objects.filter(pk=2).update(state=State.OPEN)
        routing.forget()


def ask_other(question: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows that the other server answers to a session of its own."""
    with session(settings.PLACE_SERVERS[OTHER]) as other:
        return other.execute(question, list(values)).fetchall()


def session(there: dict[str, Any]) -> psycopg.Connection[Any]:
    """A session with a database, which no test shares."""
    parts = {"host": there["HOST"], "port": there["PORT"], "user": there["USER"], "password": there["PASSWORD"]}
    given = {key: value for key, value in parts.items() if value}
    return psycopg.connect(dbname=there["NAME"], autocommit=True, **given)


@contextmanager
def server_away() -> Iterator[None]:
    """The other server takes no connection within the block, and those that there were are broken."""
    name = settings.PLACE_SERVERS[OTHER]["NAME"]
    with session(connection.settings_dict) as home:
        home.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        home.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            yield
        finally:
            home.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
            servers._away_until.clear()


def first_game() -> Cairns:
    """A game in the first bucket, whose people open the others."""
    return opened_in(ONE, lambda: table(LONG))


def opened_beside(first: Cairns, number: int = 2, options: str = LONG) -> Cairns:
    """One more game of the same people in a bucket, wherever that lies."""
    place = next(place for place in routing.every_place() if place is not None and place.number == number)
    return opened_in(place, lambda: another(first, options))


def ordinary_tables_at_home() -> int:
    """How many tables the second bucket has at home that are no foreign ones."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname = %s", [TWO.schema])
        return int(cursor.fetchone()[0])


def database() -> str:
    """The database that answers a statement."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        return str(cursor.fetchone()[0])
