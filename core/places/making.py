"""The tables of `public` and of each place, made or brought up to date: `public` first, then bucket by bucket.

Each has a `django_migrations` of its own, in which what belongs elsewhere is recorded, too. Whatever is killed, the
next run goes on: a new bucket is one transaction, and a migration is as Django runs it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from core import new_database
from core.ids import SLOT_BITS
from core.places import foreign
from core.places.card_tables import make_cards, make_notes
from core.places.models import Bucket, Slot, State
from core.places.place import Place, even_share, schema_name
from core.places.router import is_placed
from core.places.routing import at_place, forget

SLOTS = 2**SLOT_BITS
FIRST = schema_name(1)
NUMBER_BITS = 48
"""Rows of a table that one bucket numbers, two to this power: more than it ever writes."""
Script = list[tuple[str, Any]]
"""Statements with their values."""


class Unfit(Exception):
    """A database that cannot have these places; the message says what would do."""


def bring_up_to_date(say: Callable[[str], None]) -> None:
    """Make or migrate `public`, then each bucket, then the cards of all. say: called with a line before a longer step.

    Raises Unfit.
    """
    with at_place(None):
        _take_games_of_public(say)
        _make_or_migrate("public", say, partial(new_database.create, connection))
        _add_buckets()
    script: Script = []
    for bucket in Bucket.objects.order_by("number"):
        with at_place(Place.of(bucket.number, bucket.schema, bucket.server).alone()):
            _make_or_migrate(bucket.schema, say, partial(_make_bucket, bucket.schema, script))
            with transaction.atomic():
                make_notes(bucket.schema)
            _number_apart(bucket.number)
        Bucket.objects.filter(pk=bucket.pk, state=State.NEW).update(state=State.OPEN)
    forget()
    for bucket in Bucket.objects.exclude(server="").order_by("number"):
        say(f"Telling {bucket.server} and home of the tables of {bucket.schema} ...")
        foreign.show_both(bucket)
    make_cards(say)


def _make_or_migrate(name: str, say: Callable[[str], None], make: Callable[[], None]) -> None:
    """Make the tables of the place in force where it has none; else migrate what is behind."""
    if new_database.is_empty(connection):
        say(f"Making the tables of {name} ...")
        make()
        return
    executor = MigrationExecutor(connection)
    if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        say(f"Bringing {name} up to date: {len(plan)} migrations ...")
        call_command("migrate", interactive=False, verbosity=0)


def _make_bucket(schema: str, script: Script) -> None:
    """Make a bucket in one transaction: by the statements that made one before it in this run, or by the models."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        if not script:
            with connection.execute_wrapper(_recorder(script)):
                new_database.create(connection)
            return
        for statement, values in script:
            cursor.execute(statement, values)


def _number_apart(number: int) -> None:
    """Let what a bucket numbers by itself begin where no other bucket comes: so its rows fit into any other."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(sequencename) FROM pg_sequences "
            "WHERE schemaname = current_schema() AND coalesce(last_value, 0) < %s",
            [number << NUMBER_BITS],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"SELECT setval('{name}', %s)", [number << NUMBER_BITS])


def _recorder(script: Script) -> Callable[..., Any]:
    """Notes the statements that change something, and lets them pass."""

    def note(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if str(sql).startswith(("CREATE", "ALTER", "INSERT", "UPDATE", "DELETE", "COMMENT")):
            script.extend((str(sql), values) for values in (params if many else [params]))
        return execute(sql, params, many, context)

    return note


def _add_buckets() -> None:
    """The rows of the buckets that PLACES asks for; at first they share the slots evenly, of a database that began
    without places the first has all. Raises Unfit."""
    with transaction.atomic():
        known = set(Bucket.objects.select_for_update().values_list("number", flat=True))
        if len(known) > settings.PLACES:
            raise Unfit(f"PLACES is {settings.PLACES}, and this database has {len(known)}; set PLACES={len(known)}.")
        missing = sorted({*range(1, settings.PLACES + 1)} - known)
        Bucket.objects.bulk_create(Bucket(number=number, schema=schema_name(number)) for number in missing)
        if not known:
            with connection.cursor() as cursor:
                buckets = 1 if _began_without_places(cursor) else settings.PLACES
            Slot.objects.bulk_create(
                Slot(slot=slot, bucket_id=even_share(slot, SLOTS, buckets)) for slot in range(SLOTS)
            )


def _take_games_of_public(say: Callable[[str], None]) -> None:
    """Of a database that began without places, let all games be the first place: their tables change the schema.

    No row is written. Killed, nothing has changed. Raises Unfit where there are places already.
    """
    tables = {*connection.introspection.table_names()}
    found = sorted(tables & {model._meta.db_table for model in apps.get_models() if is_placed(model._meta.app_label)})
    if not found:
        return
    if Bucket._meta.db_table in tables:
        raise Unfit(f"This database has places, and {found[0]} in `public` besides; no game may be there. Drop it.")
    say(f"Taking the games of public into {FIRST} ...")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'CREATE SCHEMA "{FIRST}"')
        for table in found:
            cursor.execute(f'ALTER TABLE "{table}" SET SCHEMA "{FIRST}"')
        cursor.execute(f'CREATE TABLE "{FIRST}".django_migrations (LIKE django_migrations INCLUDING ALL)')
        cursor.execute(
            f'INSERT INTO "{FIRST}".django_migrations (app, name, applied) '
            "SELECT app, name, applied FROM django_migrations ORDER BY id"
        )


def _began_without_places(cursor: Any) -> bool:
    """Whether the first place has the games that lay in `public`: it is there before any bucket is known."""
    cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [f"{FIRST}.django_migrations"])
    return bool(cursor.fetchone()[0])
