"""A place that moves to another PostgreSQL server, and back home, while all others go on (ADR 134).

Its state says MOVING meanwhile: it is read, not written. It is carried while its tables are locked where they lie, and
the commit that says so lets the new ones count. Killed anywhere, its rows are whole where its bucket's row says, and
the same command, or that of the way back, goes on.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection, transaction

from core.places import routing
from core.places.carrying import carry, missing_programs, take_fingerprint
from core.places.foreign import connect_both, ordinary_tables, session_on, show_at_home
from core.places.models import Bucket, State
from core.places.routing import at_place, forget

AT_HOME = "home"
"""What is written for home in place of the name of another server."""
RELOCATION = 134_000_134
"""The key of the lock that a relocation holds in its session."""
PATIENT = (
    "SET LOCAL idle_in_transaction_session_timeout TO 0",  # it waits for pg_dump
    "SET LOCAL lock_timeout TO '60s'",
)
Say = Callable[[str], None]


class Unmovable(Exception):
    """A place that cannot move so; the message says why, and what would do."""


def relocate(number: int, to: str, *, home: Mapping[str, Any], say: Say) -> None:
    """Let a place lie on another server (`home`: at home again).

    home: Django's settings by which the other server reaches this database. say: called with a line before each longer
    step. Raises Unmovable, and what `foreign` and `carrying` raise; then it may be repeated.
    """
    target = "" if to == AT_HOME else to
    with _alone():
        bucket = _bucket_to_move(number, target)
        if bucket.server == target and bucket.state == State.OPEN:
            say(f"{bucket.schema} lies at {to} already.")
            return
        other = target or bucket.server
        if other:
            connect_both(other, settings.PLACE_SERVERS[other], home)
        say(f"{bucket.schema} takes no changes from now on ...")
        Bucket.objects.filter(pk=number).update(state=State.MOVING)
        _let_all_know()
        if bucket.server != target:
            say(f"Carrying {bucket.schema} to {to} ...")
            if target:
                _carry_away(number, target)
                _let_all_know()
            else:
                _carry_home(bucket)
        _drop_what_is_left(bucket.schema, target, say)
        Bucket.objects.filter(pk=number).update(state=State.OPEN)
        forget()
        say(f"{bucket.schema} lies at {to} and is open.")


@contextmanager
def _alone() -> Iterator[None]:
    """No other relocation goes on meanwhile. Raises Unmovable."""
    with at_place(None), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [RELOCATION])
        if not cursor.fetchone()[0]:
            raise Unmovable("Another place is being moved to or from a server; wait until it has arrived.")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [RELOCATION])


def _bucket_to_move(number: int, target: str) -> Bucket:
    """The row of a place that may move there. Raises Unmovable."""
    if target and target not in settings.PLACE_SERVERS:
        known = ", ".join([AT_HOME, *sorted(settings.PLACE_SERVERS)])
        raise Unmovable(f"PLACE_SERVERS names no server {target}; there is {known}.")
    if missing := missing_programs():
        raise Unmovable(f"{' and '.join(missing)} must be installed where this command runs.")
    with transaction.atomic():  # what a killed run has begun at home ends before
        found = Bucket.objects.select_for_update().exclude(state=State.NEW).filter(pk=number).first()
    if found is None:
        raise Unmovable(f"There is no place {number} with tables; raise PLACES and run `manage.py migrate_places`.")
    if found.server and found.server not in settings.PLACE_SERVERS:
        raise Unmovable(f"{found.schema} lies on {found.server}, which PLACE_SERVERS does not name.")
    if target and found.server not in ("", target):
        raise Unmovable(f"{found.schema} lies on {found.server}; bring it home first: `places relocate {number} home`.")
    if target and not Bucket.objects.filter(server="", state=State.OPEN).exclude(pk=number).exists():
        raise Unmovable("One place stays at home: the tables of cards are made like its own.")
    for server in {target, found.server} - {""}:
        try:
            with session_on(server):
                pass
        except OperationalError as fault:
            raise Unmovable(f"The server {server} cannot be reached: {fault}") from fault
    return found


def _let_all_know() -> None:
    """Wait until each process has read the table of slots and places anew."""
    forget()
    time.sleep(routing.REFRESH_SECONDS)


def _carry_away(number: int, target: str) -> None:
    """From home to another server; there it is committed first, and counts with the commit at home."""
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        for setting in PATIENT:
            cursor.execute(setting)
        bucket = Bucket.objects.select_for_update().get(pk=number)
        tables = _lock(cursor, bucket.schema)
        carry(
            bucket.schema,
            connection.settings_dict,
            {**connection.settings_dict, **settings.PLACE_SERVERS[target]},
            tables,
            take_fingerprint(cursor, bucket.schema, tables),
            before=[f'DROP SCHEMA IF EXISTS "{bucket.schema}" CASCADE'],
        )
        cursor.execute(f'DROP SCHEMA "{bucket.schema}" CASCADE')
        bucket.server = target
        bucket.save(update_fields=["server"])
        show_at_home(cursor, bucket)


def _carry_home(bucket: Bucket) -> None:
    """From another server; at home its rows and the row that says where they lie are one transaction.

    There its tables stay locked until all know and they are dropped: who froze before the write stop loses nothing.
    """
    schema, number = bucket.schema, bucket.number
    with session_on(bucket.server) as session, session.transaction():
        for setting in PATIENT:
            session.execute(setting)
        tables = _lock(session, schema)
        is_moving = f"(SELECT state FROM public.places_bucket WHERE number = {number} FOR UPDATE) = '{State.MOVING}'"
        carry(
            schema,
            {**connection.settings_dict, **settings.PLACE_SERVERS[bucket.server]},
            connection.settings_dict,
            tables,
            take_fingerprint(session, schema, tables),
            before=[
                f"DO $$ BEGIN IF NOT {is_moving} THEN RAISE EXCEPTION '{schema} is not being moved'; END IF; END $$",
                f"DO $$ BEGIN IF EXISTS (SELECT FROM pg_tables WHERE schemaname = '{schema}') "
                f"THEN RAISE EXCEPTION '{schema} has tables at home'; END IF; END $$",
                f'DROP SCHEMA "{schema}" CASCADE',
            ],
            after=[f"UPDATE public.places_bucket SET server = '' WHERE number = {number}"],
        )
        _let_all_know()
        session.execute(f'DROP SCHEMA "{schema}" CASCADE')


def _lock(session: Any, schema: str) -> list[str]:
    """Wait for all who write in a schema, and let nobody begin until the transaction ends; its tables."""
    tables = ordinary_tables(session, schema)
    named = ", ".join(f'"{schema}"."{name}"' for name in tables)
    session.execute(f"LOCK TABLE {named} IN EXCLUSIVE MODE")
    return tables


def _drop_what_is_left(schema: str, server: str, say: Say) -> None:
    """Drop the tables of a place on every server that does not have it; one that is away keeps what it has.

    A lock that is held where the place lies (at home by `_alone`) tells the same database by another name.
    """
    lock = "SELECT pg_try_advisory_lock(%s)"
    with session_on(server) if server else nullcontext() as there:
        if there is not None:
            there.execute(lock, [RELOCATION])
        for name in sorted({*settings.PLACE_SERVERS} - {server}):
            try:
                with session_on(name) as session:
                    if session.execute(lock, [RELOCATION]).fetchone()[0]:
                        session.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
            except OperationalError:
                say(f"{name} is away; if it has a schema {schema}, drop it there: the place lies elsewhere.")
