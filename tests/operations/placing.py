"""What a place can take: migrations and models of games must also fit schemas that lie on other servers (ADR 115).

A bucket may be a schema of Citus. There a column comes without a constraint in its line (the constraint is an operation
after it), an UPDATE calls nothing that differs from row to row, and no key leads from a bucket to `public` or back.
"""

import re
from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import models
from django.db.migrations import Migration
from django.db.migrations import operations as op
from django.db.migrations.operations.base import Operation

from core.places.router import is_placed
from tests.operations.expanding import all_operations

VOLATILE = re.compile(
    r"\b(random|gen_random_uuid|uuid_generate_v\d|clock_timestamp|nextval|timeofday)\s*\(", re.IGNORECASE
)
UPDATE = re.compile(r"\bUPDATE\b", re.IGNORECASE)
CHECKED = (
    models.PositiveIntegerField,
    models.PositiveSmallIntegerField,
    models.PositiveBigIntegerField,
    models.JSONField,
)
"""Fields whose column has a CHECK in its line, or may have."""


def misfits(migration: Migration) -> Iterator[str]:
    """One sentence for each operation of a migration of games that a place cannot take."""
    for operation in all_operations(migration.operations):
        if fault := _fault(operation):
            yield f"{migration.app_label}.{migration.name}: {fault}"


def _fault(operation: Operation) -> str:
    match operation:
        case op.AddField(field=models.ForeignKey(db_constraint=True)) | op.AddField(field=models.OneToOneField()):
            return f"{operation.describe()}: add it with db_constraint=False, and the key by AlterField after it"
        case op.AddField(field=field) if isinstance(field, CHECKED) or field.unique:
            return f"{operation.describe()}: add a column without check and unique, and AddConstraint after it"
        case op.RunPython(hints=hints) if not hints:
            return f"{operation.describe()}: say by hints={{'model_name': ...}} whose rows it writes"
        case op.RunSQL(sql=sql) if UPDATE.search(str(sql)) and VOLATILE.search(str(sql)):
            return f"{operation.describe()}: an UPDATE must not call what differs from row to row; compute it before"
        case _:
            return ""


def faults(migrations: Iterable[Migration], baseline: Iterable[tuple[str, str]]) -> list[str]:
    """What does not fit among migrations of games after the baseline."""
    known = set(baseline)
    new = (m for m in migrations if (m.app_label, m.name) not in known and is_placed(m.app_label))
    return [fault for migration in new for fault in misfits(migration)]


def keys_across(every: Iterable[type[models.Model]] | None = None) -> list[str]:
    """The keys of the database that lead from a bucket to `public`, or back."""
    return [
        f"{model._meta.label}.{field.name} -> {field.related_model._meta.label}"
        for model in (apps.get_models() if every is None else every)
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey)
        and field.db_constraint
        and is_placed(model._meta.app_label) != is_placed(field.related_model._meta.app_label)
    ]
