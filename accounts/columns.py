"""Rows written by columns: however many rows of a model in one statement, whose text is always the same.

On PostgreSQL each column goes as one array, so that the server keeps one plan for every number of rows; SQLite, which
works in this process, takes row after row. The model remains the definition: columns, conversions and defaults are
those of its fields.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from django.db import connection
from django.db.models import AutoField, BigAutoField, Field, Model

from accounts.prepared_queries import Alteration, check_found

AnyField: TypeAlias = "Field[Any, Any]"
Row = Sequence[Any]
"""The values of a row, one for each of the names that its statement was made for."""
AT_ONCE = 10_000
"""Rows in one statement of PostgreSQL."""
SPREAD = 900
"""Values in one statement of SQLite, where they stand in its text."""
AS_TEXT = ("varchar", "char")  # a value that is too long is refused by the column; a cast would cut it


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
        self.given = [_field(model, name) for name in names]
        self.others = [field for field in _written_fields(model) if field.attname not in {*names, *self.computed}]
        for field in self.others:
            if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
                raise TypeError(f"{model.__name__}.{field.name} sets itself; name it among the values")

    def statements(self, rows: Sequence[Row]) -> Iterator[Sent]:
        """What writes these rows: one statement (for some 10,000 of them on PostgreSQL), none where there are none."""
        if connection.vendor == "postgresql":
            for some in _chunks(rows, AT_ONCE):
                yield Sent(self._by_arrays, columns_of(self._values(some)))
        elif not self.computed:
            if rows:
                yield Sent(self._by_row, self._values(rows), each=True)
        else:
            for some in _chunks(rows, SPREAD // len(self._fields)):
                source, values = _many_rows(self._fields, len(some)), self._values(some)
                yield Sent(self._text(source), [value for row in values for value in row])

    def _values(self, rows: Sequence[Row]) -> list[list[Any]]:
        return _prepared(self._fields, [[*row, *(field.get_default() for field in self.others)] for row in rows])

    @cached_property
    def _fields(self) -> list[AnyField]:
        return [*self.given, *self.others]

    @cached_property
    def _by_arrays(self) -> str:
        return self._text(_arrays(self._fields))

    @cached_property
    def _by_row(self) -> str:
        return self._text(_one_row(self._fields))

    def _text(self, source: str) -> str:
        """The statement over a source of rows `k`."""
        target, columns = _quoted(self.model._meta.db_table), _columns(self._fields)
        given = {f.attname: f"k.{column}" for f, column in zip(self._fields, columns, strict=True)}
        values = list((given | {name: sql.format_map(given) for name, sql in self.computed.items()}).values())
        columns += _columns(_field(self.model, name) for name in self.computed if name not in given)
        text = f"INSERT INTO {target} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {source} WHERE true"
        if not self.unique:
            return text
        met, changed = (_columns(_field(self.model, name) for name in names) for names in (self.unique, self.changing))
        changes = ", ".join(f"{column} = excluded.{column}" for column in changed)
        return f"{text} ON CONFLICT ({', '.join(met)}) DO UPDATE SET {changes}"


class RowEraser:
    """A DELETE of the rows of a model that have certain values in certain columns (attribute names); nothing cascades.

    What refers to such a row is deleted by a statement of its own, in the same transaction.
    """

    def __init__(self, model: type[Model], names: Sequence[str]) -> None:
        self.model, self.fields = model, [_field(model, name) for name in names]

    def statements(self, keys: Sequence[Row]) -> Iterator[Sent]:
        """What deletes the rows that fit: one statement (for some 10,000 keys on PostgreSQL), none without a key."""
        if connection.vendor == "postgresql":
            for some in _chunks(keys, AT_ONCE):
                yield Sent(self._by_arrays, columns_of(_prepared(self.fields, some)))
        elif keys:
            yield Sent(self._by_row, _prepared(self.fields, keys), each=True)

    @cached_property
    def _by_arrays(self) -> str:
        target = _quoted(self.model._meta.db_table)
        fits = " AND ".join(f"{target}.{column} = k.{column}" for column in _columns(self.fields))
        return f"DELETE FROM {target} USING {_arrays(self.fields)} WHERE {fits}"

    @cached_property
    def _by_row(self) -> str:
        fits = " AND ".join(f"{column} = %s" for column in _columns(self.fields))
        return f"DELETE FROM {_quoted(self.model._meta.db_table)} WHERE {fits}"


class Writes:
    """What is to be written, sent in one go: first what goes, then what comes, then rows that change by themselves."""

    def __init__(self) -> None:
        self._erased: dict[RowEraser, list[Row]] = {}
        self._written: dict[RowWriter, list[Row]] = {}
        self._altered: list[tuple[Alteration, Model]] = []

    def erase(self, eraser: RowEraser, keys: Iterable[Row]) -> None:
        """Delete the rows that fit."""
        self._erased.setdefault(eraser, []).extend(keys)

    def write(self, writer: RowWriter, rows: Iterable[Row]) -> None:
        """Write rows, no two of them in the same place."""
        self._written.setdefault(writer, []).extend(rows)

    def alter(self, alteration: Alteration, row: Model) -> None:
        """Update a row that is there."""
        self._altered.append((alteration, row))

    def send(self) -> None:
        """Send all of it. Raises LookupError where a row to be updated is gone.

        To PostgreSQL it goes in one pipeline, which waits for the last answer alone. Nothing else is done meanwhile:
        the server does not watch for a frozen client in the middle of a pipeline.
        """
        made = [each for eraser, keys in self._erased.items() for each in eraser.statements(keys)]
        made += [each for writer, rows in self._written.items() for each in writer.statements(rows)]
        last = [(*alteration.statement(row), row) for alteration, row in self._altered]
        connection.ensure_connection()
        together = connection.connection.pipeline if connection.vendor == "postgresql" else nullcontext
        with connection.wrap_database_errors, together(), connection.cursor() as cursor:
            for text, values, each in made:
                (cursor.executemany if each else cursor.execute)(text, values)
            for text, values, row in last:
                cursor.execute(text, values)
                check_found(cursor, row)


def columns_of(rows: Sequence[Row]) -> list[list[Any]]:
    """Rows as columns."""
    return [list(column) for column in zip(*rows, strict=True)]


def _arrays(fields: Sequence[AnyField]) -> str:
    """Rows `k` of an array for each column."""
    arrays = ", ".join(f"%s::{_array_type(field)}[]" for field in fields)
    return f"unnest({arrays}) AS k ({', '.join(_columns(fields))})"


def _one_row(fields: Sequence[AnyField]) -> str:
    """A row `k` of a value for each column."""
    return f"(SELECT {', '.join(f'%s AS {column}' for column in _columns(fields))}) AS k"


def _many_rows(fields: Sequence[AnyField], number: int) -> str:
    """Rows `k` of a value for each column, which stand in the statement one after the other."""
    row = f"({', '.join('%s' for _ in fields)})"
    named = ", ".join(f"column{place} AS {column}" for place, column in enumerate(_columns(fields), start=1))
    return f"(SELECT {named} FROM (VALUES {', '.join([row] * number)})) AS k"


def _array_type(field: AnyField) -> str:
    """What the server calls the elements of an array of a column's values."""
    known = field.rel_db_type(connection) if field.is_relation else field.db_type(connection)
    name = str(known).partition("(")[0]
    return "text" if name in AS_TEXT else name


def _prepared(fields: Sequence[AnyField], rows: Sequence[Row]) -> list[list[Any]]:
    """The values as the database takes them."""
    fit = [field.get_db_prep_save for field in fields]
    return [[prepare(value, connection) for prepare, value in zip(fit, row, strict=True)] for row in rows]


def _written_fields(model: type[Model]) -> list[AnyField]:
    """The fields that are written: not those that the database numbers or generates."""
    return [
        field
        for field in model._meta.concrete_fields
        if not field.generated and not (field.primary_key and isinstance(field, AutoField | BigAutoField))
    ]


def _field(model: type[Model], name: str) -> AnyField:
    """A field by its attribute name."""
    return next(field for field in model._meta.concrete_fields if field.attname == name)


def _columns(fields: Iterable[AnyField]) -> list[str]:
    return [_quoted(str(field.column)) for field in fields]


def _quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))


def _chunks(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
