"""The rule of expand and contract, read from migrations: what the release before this one could not live with.

While a release is rolled out both versions run on one database. So a migration may add what the old code does not
know; what the old code still uses goes in a later release, and is named in CONTRACTED with the reason.
"""

from collections.abc import Iterable, Iterator

from django.db import models
from django.db.migrations import Migration
from django.db.migrations import operations as op
from django.db.migrations.operations.base import Operation

BASELINE = {
    ("accounts", "0001_tables"), ("accounts", "0002_tokens_of_applications"), ("albraxas", "0001_tables"),
    ("dawn", "0001_tables"), ("dietower", "0001_tables"), ("forgeborn", "0001_tables"), ("games", "0001_tables"),
    ("gods2", "0001_tables"), ("gods2_packs", "0001_tables"), ("gods2_packs", "0002_house_packs"),
    ("oauth", "0001_tables"), ("worlds", "0001_tables"),
}  # fmt: skip
"""Migrations of the first release: nothing ran before them."""

CONTRACTED: dict[tuple[str, str], str] = {
    ("games", "0013_kind_attacked"): "its check of kinds allows all that the one before it has allowed, and one more",
    ("worlds", "0002_lists_of_a_world"): "it puts longer indexes in the place of shorter ones: no column changes",
}
"""(app, migration) -> why nothing that runs beside it still uses what it takes away, with the release that stopped."""


def breakages(migration: Migration) -> Iterator[str]:
    """One sentence for each operation that code of the release before would fall over."""
    created = {o.name.lower() for o in migration.operations if isinstance(o, op.CreateModel)}
    for operation in all_operations(migration.operations):
        model = str(getattr(operation, "model_name", "") or getattr(operation, "name", "")).lower()
        if model not in created and (fault := _fault(operation)):
            yield f"{migration.app_label}.{migration.name}: {fault}"


def all_operations(operations: Iterable[Operation]) -> Iterator[Operation]:
    """What a migration does to the database, operation by operation."""
    for operation in operations:
        if isinstance(operation, op.SeparateDatabaseAndState):
            yield from all_operations(operation.database_operations)
        else:
            yield operation


def _fault(operation: Operation) -> str:
    match operation:
        case op.RemoveField() | op.DeleteModel():
            return f"{operation.describe()}: the old code reads and writes it"
        case op.RenameField() | op.RenameModel() | op.AlterModelTable():
            return f"{operation.describe()}: the old code knows it by its old name; add, copy, drop in a later release"
        case op.AlterField(field=field) if not field.null:
            return f"{operation.describe()}: it must stay nullable until every writer fills it"
        case op.AddField(field=field) if not _has_default(field):
            return f"{operation.describe()}: the old code inserts rows without it; give it a db_default or null=True"
        case op.AddConstraint():
            return f"{operation.describe()}: the old code may break it; write by it for a release first"
        case op.RunPython(reverse_code=None) | op.RunSQL(reverse_sql=None):
            return f"{operation.describe()}: there is no way back; give it a reverse, noop where nothing is to be done"
        case _:
            return ""


def _has_default(field: models.Field) -> bool:
    """Whether a row that says nothing of this column can be written."""
    return field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED


def faults(migrations: list[Migration]) -> list[str]:
    """What breaks the rule among migrations after the baseline, those left out that are named in CONTRACTED."""
    known = BASELINE | set(CONTRACTED)
    return [fault for m in migrations if (m.app_label, m.name) not in known for fault in breakages(m)]
