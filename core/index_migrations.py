"""Migrations that drop the indexes of single fields where longer ones begin with them: no table is written anew.

Django's own `AlterField` copies each table on SQLite, and builds every model again for each field.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.migrations import AlterField, RunPython, SeparateDatabaseAndState
from django.db.models import Field, Model


def without_index(app: str, *fields: AlterField) -> SeparateDatabaseAndState:
    """Give these fields of an app `db_index=False`: their indexes alone are dropped, and made again on the way back."""
    return SeparateDatabaseAndState(
        database_operations=[RunPython(_each(app, fields, _drop), _each(app, fields, _make), elidable=True)],
        state_operations=list(fields),
    )


def _each(
    app: str, fields: Sequence[AlterField], act: Callable[[Any, type[Model], Any], None]
) -> Callable[[Any, Any], None]:
    def run(apps: Any, schema_editor: Any) -> None:
        for each in fields:
            model = apps.get_model(app, each.model_name)
            act(schema_editor, model, model._meta.get_field(each.name))

    return run


def _drop(schema_editor: Any, model: type[Model], field: "Field[Any, Any]") -> None:
    """Drop the index of one field. Those that the model declares by name stay."""
    connection, declared = schema_editor.connection, {index.name for index in model._meta.indexes}
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    for name, each in found.items():
        if each["index"] and not each["unique"] and each["columns"] == [field.column] and name not in declared:
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def _make(schema_editor: Any, model: type[Model], field: "Field[Any, Any]") -> None:
    """Make the index of a field again, under the name that Django gives it."""
    schema_editor.execute(schema_editor._create_index_sql(model, fields=[field]))
