"""Schema and rows of a database as lines of text.

Two databases that were made in different ways are compared by them. The order of columns is left out: a migration adds
one at the end, a model has it where it belongs. So are keys and times; a row that another one points to is written out.
"""

import re
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder

POSTGRESQL = {
    "column": """
        SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision, numeric_scale,
               is_nullable, column_default, is_identity, collation_name
        FROM information_schema.columns WHERE table_schema = 'public'""",
    "constraint": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), condeferrable, condeferred, convalidated
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
    "index": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "relation": "SELECT relname, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    "trigger": "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "function": "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "comment": "SELECT objoid::regclass::text, objsubid, description FROM pg_description WHERE objoid >= 16384",
}
PIECE = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|[^'"(),]+""")
KEYS = (models.AutoField, models.UUIDField)


def lines() -> list[str]:
    """Everything that the database of this process holds, sorted."""
    schema = _postgresql() if connection.vendor == "postgresql" else _sqlite()
    return sorted((*schema, *_rows()))


def _postgresql() -> Iterator[str]:
    with connection.cursor() as cursor:
        for kind, statement in POSTGRESQL.items():
            cursor.execute(statement)
            yield from (f"{kind} {' '.join(map(str, row))}" for row in cursor.fetchall())


def _sqlite() -> Iterator[str]:
    """SQLite keeps its schema as the statements that made it; a table's is a line for each column and constraint."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT type, tbl_name, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        for kind, table, name, sql in cursor.fetchall():
            text = " ".join(sql.split())
            if kind == "table":
                yield from (f"table {table}: {line}" for line in definitions(text.partition("(")[2].removesuffix(")")))
            else:
                yield f"{kind} {table} {name}: {text}"


def definitions(text: str) -> list[str]:
    """The text between the brackets of CREATE TABLE, cut at its commas outside of brackets and quotes."""
    found, depth = [""], 0
    for piece in PIECE.findall(text):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "," and not depth:
            found.append("")
        else:
            found[-1] += piece
    return [definition.strip() for definition in found]


def _rows() -> Iterator[str]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.can_migrate(connection):
            keys = [field.name for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
            for row in model._base_manager.select_related(*keys):
                yield f"row {model._meta.db_table} {_values(row)}"
    for app, name in MigrationRecorder(connection).applied_migrations():
        yield f"row django_migrations {app} {name}"


def _values(row: models.Model) -> dict[str, Any]:
    """The values of a row by field: no keys of its own; of a time, whether there is one."""
    found = {}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.name)
        if isinstance(value, models.Model):
            found[field.name] = _values(value)
        elif not isinstance(field, KEYS):
            found[field.name] = value is not None if isinstance(field, models.DateTimeField) else value
    return found
