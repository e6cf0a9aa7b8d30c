"""Rows and columns of a model as they stand in a statement: a document or arrays for PostgreSQL, values for SQLite."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

import orjson
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import (
    AutoField,
    BigAutoField,
    BigIntegerField,
    BooleanField,
    CharField,
    DateTimeField,
    Field,
    ForeignKey,
    IntegerField,
    Model,
    PositiveBigIntegerField,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    SmallIntegerField,
    TextField,
    UUIDField,
)

V = TypeVar("V")
AnyField: TypeAlias = "Field[Any, Any]"
Row = Sequence[Any]
"""The values of a row, one for each of the names that its statement was made for."""
AS_THEY_ARE: dict[type[AnyField], type] = {
    CharField: str,
    TextField: str,
    BooleanField: bool,
    IntegerField: int,
    SmallIntegerField: int,
    BigIntegerField: int,
    PositiveIntegerField: int,
    PositiveSmallIntegerField: int,
    PositiveBigIntegerField: int,
    UUIDField: UUID,
    DateTimeField: datetime,
}
"""Of Django's own fields: values of exactly this type are stored as they are."""
AS_TEXT = ("varchar", "char")  # a value that is too long is refused by the column; a cast would cut it


def columns_of(rows: Sequence[Row]) -> list[Any]:
    """Rows as columns, each of them an array for PostgreSQL."""
    return [array_of(column) for column in zip(*rows, strict=True)]


def array_of(values: Sequence[Any]) -> Any:
    """Values as an array; texts as the literal of one, since psycopg takes its time over quotes."""
    if not all(isinstance(value, str) or value is None for value in values):
        return list(values)
    texts = ("NULL" if v is None else '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in values)
    return "{" + ",".join(texts) + "}"


def array_rows(fields: Sequence[AnyField]) -> str:
    """Rows `k` of an array for each column."""
    arrays = ", ".join(f"%s::{array_type(field)}[]" for field in fields)
    return f"unnest({arrays}) AS k ({', '.join(quote_columns(fields))})"


def document_rows(fields: Sequence[AnyField]) -> str:
    """Rows `k` of one JSON document, an array of objects."""
    named = ", ".join(f"{quote(str(field.column))} {array_type(field)}" for field in fields)
    return f"json_to_recordset(%s::json) AS k ({named})"


def document_of(fields: Sequence[AnyField], rows: Sequence[Row]) -> str:
    """Rows as that document: one value to bind, however many columns, which the server takes apart.

    Raises TypeError for a value that no JSON text stands for.
    """
    names, prepared = _names_and_prepared(tuple(fields))
    found = [dict(zip(names, row, strict=True)) for row in rows]
    here = connections[DEFAULT_DB_ALIAS]  # once: the proxy looks for it at each attribute
    for name, field in prepared:
        for record in found:
            record[name] = field.get_db_prep_save(record[name], here)
    return orjson.dumps(found, default=_as_text).decode()


@cache
def _names_and_prepared(fields: tuple[AnyField, ...]) -> tuple[list[str], list[tuple[str, AnyField]]]:
    """The columns, and those of them whose fields must be asked how a value is stored."""
    names = [str(field.column) for field in fields]
    return names, [(n, f) for n, f in zip(names, fields, strict=True) if _type_that_fits(f, "postgresql") is None]


def _as_text(value: Any) -> str:
    """What JSON has no word for, as the server reads it. Raises TypeError."""
    match value:
        case bytes() | memoryview():
            return "\\x" + bytes(value).hex()
        case timedelta():
            return f"{value.days} days {value.seconds}.{value.microseconds:06} seconds"
        case Decimal():
            return str(value)
    raise TypeError(f"no JSON text stands for {type(value).__name__}")


def one_row(fields: Sequence[AnyField]) -> str:
    """A row `k` of a value for each column."""
    return f"(SELECT {', '.join(f'%s AS {column}' for column in quote_columns(fields))}) AS k"


def many_rows(fields: Sequence[AnyField], number: int) -> str:
    """Rows `k` of a value for each column, which stand in the statement one after the other."""
    row = f"({', '.join('%s' for _ in fields)})"
    named = ", ".join(f"column{place} AS {column}" for place, column in enumerate(quote_columns(fields), start=1))
    return f"(SELECT {named} FROM (VALUES {', '.join([row] * number)})) AS k"


def array_type(field: AnyField) -> str:
    """What the server calls the elements of an array of a column's values."""
    known = field.rel_db_type(connection) if field.is_relation else field.db_type(connection)
    name = str(known).partition("(")[0]
    return "text" if name in AS_TEXT else name


def database_values(fields: Sequence[AnyField], rows: Sequence[Row]) -> list[Row]:
    """The values as the database takes them.

    A column is prepared as a whole or not at all: PostgreSQL's arrays do not take a number beside a prepared one.
    """
    if not rows:
        return []
    columns = zip(fields, zip(*rows, strict=True), strict=True)
    return list(zip(*(_prepare(field, column) for field, column in columns), strict=True))


def _prepare(field: AnyField, column: Row) -> Row:
    """The values of a column as the database takes them."""
    here = connections[DEFAULT_DB_ALIAS]  # once: the proxy looks for it at each attribute
    kind = _type_that_fits(field, here.vendor)
    if kind is not None and all(type(value) is kind or value is None for value in column):
        return column
    return [field.get_db_prep_save(value, here) for value in column]


@cache
def _type_that_fits(field: AnyField, vendor: str) -> type | None:
    """The type whose values a column takes as they are, so that nobody has to be asked each time; None: ask."""
    if isinstance(field, ForeignKey):
        return _type_that_fits(field.target_field, vendor)
    if vendor != "postgresql" and type(field) in (UUIDField, DateTimeField):
        return None
    return AS_THEY_ARE.get(type(field))


def fields_to_write(model: type[Model]) -> list[AnyField]:
    """The fields that are written: not those that the database numbers or generates."""
    return [
        field
        for field in model._meta.concrete_fields
        if not field.generated and not (field.primary_key and isinstance(field, AutoField | BigAutoField))
    ]


def field_of(model: type[Model], name: str) -> AnyField:
    """A field by its attribute name."""
    return next(field for field in model._meta.concrete_fields if field.attname == name)


def quote_columns(fields: Iterable[AnyField]) -> list[str]:
    """The names of columns as they stand in a statement."""
    return [quote(str(field.column)) for field in fields]


def quote(name: str) -> str:
    """A name as it stands in a statement."""
    return str(connection.ops.quote_name(name))


def chunks(values: Sequence[V], size: int) -> Iterator[Sequence[V]]:
    """Rows or other values, at most `size` at a time."""
    return (values[start : start + size] for start in range(0, len(values), size))
