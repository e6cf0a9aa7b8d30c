"""Rows read and written by columns: however many rows of a model in one statement, whose text is always the same.

To PostgreSQL rows go as one JSON document and keys as an array for each column, so that the server keeps one plan for
every number of rows; SQLite, which works in this process, takes row after row. The model remains the definition:
columns, conversions and defaults are those of its fields.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model

from core.column_sql import (
    AnyField,
    Row,
    array_rows,
    chunks,
    columns_of,
    database_values,
    document_of,
    document_rows,
    field_of,
    fields_to_write,
    many_rows,
    one_row,
    quote,
    quote_columns,
)
from core.places.routing import whole
from core.prepared_queries import Converters, convert_row

AT_ONCE = 10_000
"""Rows in one statement of PostgreSQL."""
SPREAD = 900
"""Values in one statement of SQLite, where they stand in its text."""


class Sent(NamedTuple):
    """A statement as it goes to the database."""

    text: str
    values: Sequence[Any]
    each: bool = False
    """Whether it is run for each of the values."""


class RowWriter:
    """An INSERT of rows of a model by columns; where a row with the same `unique` is there, its `changing` are set.

    names: the attributes (`race_id`) whose values are given; other fields hold their default. computed: attributes that
    follow from the given values, as SQL over these (`{name}`), which sees what stands there before the statement.
    Raises TypeError for a field that sets itself.
    """

    def __init__(
        self,
        model: type[Model],
        names: Sequence[str],
        unique: Sequence[str] = (),
        changing: Sequence[str] = (),
        computed: Mapping[str, str] | None = None,
    ) -> None:
        self.model, self.unique, self.changing = model, tuple(unique), tuple(changing)
        self.computed = dict(computed or {})
        self.given = [field_of(model, name) for name in names]
        self.others = [field for field in fields_to_write(model) if field.attname not in {*names, *self.computed}]
        for field in self.others:
            if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
                raise TypeError(f"{model.__name__}.{field.name} sets itself; name it among the values")

    def statements(self, rows: Sequence[Row]) -> Iterator[Sent]:
        """What writes these rows: one statement (for some 10,000 of them on PostgreSQL), none where there are none."""
        if connection.vendor == "postgresql":
            for some in chunks(rows, AT_ONCE):
                yield Sent(self._by_document, [document_of(self._fields, self._whole(some))])
        elif not self.computed:
            if rows:
                yield Sent(self._by_row, self._values(rows), each=True)
        else:
            for some in chunks(rows, SPREAD // len(self._fields)):
                source, values = many_rows(self._fields, len(some)), self._values(some)
                yield Sent(self._text(source), [value for row in values for value in row])

    def _whole(self, rows: Sequence[Row]) -> list[Row]:
        return [[*row, *(field.get_default() for field in self.others)] for row in rows]

    def _values(self, rows: Sequence[Row]) -> list[Row]:
        return database_values(self._fields, self._whole(rows))

    @cached_property
    def _fields(self) -> list[AnyField]:
        return [*self.given, *self.others]

    @cached_property
    def _by_document(self) -> str:
        return self._text(document_rows(self._fields))

    @cached_property
    def _by_row(self) -> str:
        return self._text(one_row(self._fields))

    def _text(self, source: str) -> str:
        """The statement over a source of rows `k`."""
        target, columns = quote(self.model._meta.db_table), quote_columns(self._fields)
        given = {f.attname: f"k.{column}" for f, column in zip(self._fields, columns, strict=True)}
        values = list((given | {name: sql.format_map(given) for name, sql in self.computed.items()}).values())
        columns += quote_columns(field_of(self.model, name) for name in self.computed if name not in given)
        text = f"INSERT INTO {target} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {source} WHERE true"
        if not self.unique:
            return text
        met, changed = (
            quote_columns(field_of(self.model, name) for name in names) for names in (self.unique, self.changing)
        )
        changes = ", ".join(f"{column} = excluded.{column}" for column in changed)
        return f"{text} ON CONFLICT ({', '.join(met)}) DO UPDATE SET {changes}"


class RowEraser:
    """A DELETE of the rows of a model that have certain values in certain columns (attribute names); nothing cascades.

    What refers to such a row is deleted by a statement of its own, in the same transaction.
    """

    def __init__(self, model: type[Model], names: Sequence[str]) -> None:
        self.model, self.fields = model, [field_of(model, name) for name in names]

    def statements(self, keys: Sequence[Row]) -> Iterator[Sent]:
        """What deletes the rows that fit: one statement (for some 10,000 keys on PostgreSQL), none without a key."""
        if connection.vendor == "postgresql":
            for some in chunks(keys, AT_ONCE):
                yield Sent(self._by_arrays, columns_of(database_values(self.fields, some)))
        elif keys:
            yield Sent(self._by_row, database_values(self.fields, keys), each=True)

    @cached_property
    def _by_arrays(self) -> str:
        target = quote(self.model._meta.db_table)
        fits = " AND ".join(f"{target}.{column} = k.{column}" for column in quote_columns(self.fields))
        return f"DELETE FROM {target} USING {array_rows(self.fields)} WHERE {fits}"

    @cached_property
    def _by_row(self) -> str:
        fits = " AND ".join(f"{column} = %s" for column in quote_columns(self.fields))
        return f"DELETE FROM {quote(self.model._meta.db_table)} WHERE {fits}"


class RowUpdater:
    """An UPDATE of all fields of certain rows but a few. fixed: the names of the fields that never change."""

    def __init__(self, model: type[Model], fixed: Collection[str]) -> None:
        self.model, self.key = model, model._meta.pk
        unchanged = {self.key.name, *fixed}
        self.fields = [self.key, *(field for field in model._meta.concrete_fields if field.name not in unchanged)]

    def send(self, cursor: Any, rows: Sequence[Model]) -> None:
        """Send it: one statement on PostgreSQL, one for each row on SQLite. Raises LookupError where a row is gone."""
        values = [[field.pre_save(row, False) for field in self.fields] for row in rows]
        if connection.vendor == "postgresql":
            cursor.execute(self._by_document, [document_of(self.fields, values)])
            found = len(cursor.fetchall())  # of a pipeline only an answer says how it went
        else:
            found = 0
            for key, *others in database_values(self.fields, values):
                cursor.execute(self._by_row, [*others, key])
                found += cursor.rowcount
        if found != len(rows):
            raise LookupError(f"{len(rows) - found} of {len(rows)} {self.model.__name__} rows are gone")

    @cached_property
    def _by_document(self) -> str:
        target, (key, *columns) = quote(self.model._meta.db_table), quote_columns(self.fields)
        changes = ", ".join(f"{column} = k.{column}" for column in columns)
        return f"UPDATE {target} t SET {changes} FROM {document_rows(self.fields)} WHERE t.{key} = k.{key} RETURNING 1"

    @cached_property
    def _by_row(self) -> str:
        key, *columns = quote_columns(self.fields)
        changes = ", ".join(f"{column} = %s" for column in columns)
        return f"UPDATE {quote(self.model._meta.db_table)} SET {changes} WHERE {key} = %s"


class RowReader:
    """A SELECT of the rows of a model that have certain values in certain columns (attribute names), in their order.

    shown: the attributes of each row, all where none is named. lock: whether the rows are locked, too, one after the
    other in that order; SQLite locks the whole database by itself. skip_locked: skip rows that are locked elsewhere.
    """

    def __init__(
        self,
        model: type[Model],
        names: Sequence[str],
        shown: Sequence[str] = (),
        *,
        lock: bool = False,
        skip_locked: bool = False,
    ) -> None:
        self.model, self.fields = model, [field_of(model, name) for name in names]
        chosen = shown or [field.attname for field in model._meta.concrete_fields]
        self.shown = [field_of(model, name) for name in chosen]
        self._converters: dict[str, Converters] = {}  # by the kind of database
        self.locking = f" FOR UPDATE OF t{' SKIP LOCKED' if skip_locked else ''}" if lock else ""

    def statements(self, keys: Sequence[Row]) -> Iterator[Sent]:
        """What reads these rows: one statement on PostgreSQL, one for each key on SQLite."""
        if connection.vendor == "postgresql":
            yield Sent(self._by_arrays, columns_of(database_values(self.fields, keys)))
        else:
            yield from (Sent(self._by_row, values) for values in database_values(self.fields, keys))

    def rows(self, found: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """The rows as the model holds their values."""
        if connection.vendor not in self._converters:
            self._converters[connection.vendor] = list(self._find_converters())
        converters = self._converters[connection.vendor]
        here = connections[DEFAULT_DB_ALIAS]
        return [convert_row(row, converters, here) if converters else tuple(row) for row in found]

    def _find_converters(self) -> Iterator[tuple[int, Sequence[Any], Any]]:
        for place, field in enumerate(self.shown):
            column: Any = field.get_col("t")
            if found := connection.ops.get_db_converters(column) + column.get_db_converters(connection):
                yield place, found, column

    @cached_property
    def _select(self) -> str:
        shown = ", ".join(f"t.{column}" for column in quote_columns(self.shown))
        return f"SELECT {shown} FROM {quote(self.model._meta.db_table)} t"

    @cached_property
    def _by_arrays(self) -> str:
        columns = quote_columns(self.fields)
        fits = " AND ".join(f"t.{column} = k.{column}" for column in columns)
        order = ", ".join(f"t.{column}" for column in columns)
        return f"{self._select} JOIN {array_rows(self.fields)} ON {fits} ORDER BY {order}{self.locking}"

    @cached_property
    def _by_row(self) -> str:
        return f"{self._select} WHERE {' AND '.join(f't.{column} = %s' for column in quote_columns(self.fields))}"


def read_together(*wanted: tuple[RowReader, Sequence[Row]]) -> list[list[tuple[Any, ...]]]:
    """The rows that several readers find for their keys; to PostgreSQL they are one pipeline."""
    with _together():
        cursors = [[_execute(sent) for sent in reader.statements(keys)] if keys else [] for reader, keys in wanted]
        found = [[row for cursor in each for row in cursor.fetchall()] for each in cursors]
    for cursor in (cursor for each in cursors for cursor in each):
        cursor.close()
    return [reader.rows(rows) for (reader, _), rows in zip(wanted, found, strict=True)]


class Writes:
    """What is to be written, sent in one go: first what goes, then what comes, then rows that change by themselves."""

    def __init__(self) -> None:
        self._erased: dict[RowEraser, list[Row]] = {}
        self._written: dict[RowWriter, list[Row]] = {}
        self._updated: dict[RowUpdater, list[Model]] = {}

    def erase(self, eraser: RowEraser, keys: Iterable[Row]) -> None:
        """Delete the rows that fit."""
        self._erased.setdefault(eraser, []).extend(keys)

    def write(self, writer: RowWriter, rows: Iterable[Row]) -> None:
        """Write rows, no two of them in the same place."""
        self._written.setdefault(writer, []).extend(rows)

    def update(self, updater: RowUpdater, row: Model) -> None:
        """Update a row that is there."""
        self._updated.setdefault(updater, []).append(row)

    def send(self) -> None:
        """Send all of it. Raises LookupError where a row to be updated is gone.

        To PostgreSQL it goes in one pipeline, which waits for the last answer alone. Nothing else is done meanwhile:
        the server does not watch for a frozen client in the middle of a pipeline.
        """
        made = [each for eraser, keys in self._erased.items() for each in eraser.statements(keys)]
        made += [each for writer, rows in self._written.items() for each in writer.statements(rows)]
        with _together(), connection.cursor() as cursor:
            for text, values, each in made:
                (cursor.executemany if each else cursor.execute)(text, values)
            for updater, rows in self._updated.items():
                updater.send(cursor, rows)


@contextmanager
def _together() -> Iterator[None]:
    """Statements that go to PostgreSQL as one pipeline."""
    connection.ensure_connection()
    with whole(), connection.wrap_database_errors:
        together: Any = connection.connection.pipeline if connection.vendor == "postgresql" else nullcontext
        with together():
            yield


def _execute(sent: Sent) -> Any:
    """A cursor that has sent its statement; what it finds is fetched, and it is closed, by the caller."""
    cursor = connection.cursor()
    cursor.execute(sent.text, sent.values)
    return cursor
