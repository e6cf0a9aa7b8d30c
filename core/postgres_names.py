"""Names that PostgreSQL keeps when a table or column is renamed: migrations change them, to end where models begin."""

from typing import Any

from django.db.migrations.operations.base import Operation


class RenameInPostgres(Operation):
    """Rename what belongs to a table: (`CONSTRAINT`, `INDEX` or `SEQUENCE`, old, new) each. Elsewhere nothing."""

    reversible = True
    reduces_to_sql = True

    def __init__(self, table: str, *names: tuple[str, str, str]) -> None:
        self.table, self.names = table, names

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """How the operation is written."""
        return type(self).__name__, [self.table, *self.names], {}

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Models know nothing of these names."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """From old to new."""
        for kind, old, new in self.names:
            self._rename(schema_editor, kind, old, new)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """From new to old."""
        for kind, old, new in self.names:
            self._rename(schema_editor, kind, new, old)

    def _rename(self, schema_editor: Any, kind: str, one: str, other: str) -> None:
        if schema_editor.connection.vendor == "postgresql":
            what = (
                f'TABLE "{self.table}" RENAME CONSTRAINT "{one}"' if kind == "CONSTRAINT" else f'{kind} "{one}" RENAME'
            )
            schema_editor.execute(f'ALTER {what} TO "{other}"')

    def describe(self) -> str:
        """For those who migrate."""
        return f"Rename what belongs to {self.table} in PostgreSQL"
