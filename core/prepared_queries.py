"""Statements that are built once: for the few queries and writings that stand on the path of every request.

Building a statement takes the ORM several times as long as running it. Queryset and model remain the definition, so
columns, conversions and visibility are written once, in the ORM; only the values change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet

Value = UUID | str | int | datetime
Fill = Callable[[Sequence[Any]], Any]
Converters: TypeAlias = "Sequence[tuple[int, Sequence[Callable[..., Any]], Any]]"
"""For some columns: which, what turns its value into that of the model's field, and the column."""


@dataclass(frozen=True, slots=True)
class Built:
    """The text of a statement, how each parameter follows from the values, and what turns columns into values."""

    text: str
    fills: tuple[Fill, ...]
    converters: Converters


class Statement:
    """A queryset of `values_list`, asked again and again with other ids, texts, numbers or times.

    make: takes one value for each of `kinds` and answers the queryset. Nothing else of it may depend on them: neither
    how many conditions it has, nor what stands in them besides.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]], *kinds: type[Value]) -> None:
        self.make = make
        self.kinds = kinds
        self._built: dict[str, Built | None] = {}

    def rows(self, *values: Value) -> list[tuple[Any, ...]]:
        """The rows for these values: one query. Raises TypeError for a value of another kind: it would fit no row."""
        if not all(map(isinstance, values, self.kinds)):
            raise TypeError(f"These are no {', '.join(kind.__name__ for kind in self.kinds)}: {values!r}")
        here = connections[DEFAULT_DB_ALIAS]  # once: the proxy looks for it at each attribute
        built = self.build(here)
        if built is None:
            return []
        adapted = [_adapt_value(value, here) for value in values]
        with here.cursor() as cursor:
            cursor.execute(built.text, [fill(adapted) for fill in built.fills])
            found: list[tuple[Any, ...]] = cursor.fetchall()
        if not built.converters:
            return found
        return [convert_row(row, built.converters, here) for row in found]

    def first(self, *values: Value) -> tuple[Any, ...] | None:
        """The first row for these values; None where there is none: one query."""
        found = self.rows(*values)
        return found[0] if found else None

    def build(self, here: BaseDatabaseWrapper) -> Built | None:
        """The statement as this kind of database is asked it; None where no row can ever fit."""
        vendor = here.vendor
        if vendor not in self._built:
            self._built[vendor] = self._build(here)
        return self._built[vendor]

    def _build(self, here: BaseDatabaseWrapper) -> Built | None:
        slots = [_unmistakable(kind) for kind in self.kinds]
        compiler = self.make(*slots).query.get_compiler(connection=here)
        try:
            text, parameters = compiler.as_sql()
        except EmptyResultSet:
            return None
        wanted = [_adapt_value(slot, here) for slot in slots]
        fills = tuple(_fill(parameter, wanted) for parameter in parameters)
        shown = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        return Built(text, fills, [(place, *found) for place, found in shown.items()])


def convert_row(row: Sequence[Any], converters_of: Converters, here: BaseDatabaseWrapper) -> tuple[Any, ...]:
    """A row with the values that the model's fields hold."""
    values = list(row)
    for place, converters, column in converters_of:
        for convert in converters:
            values[place] = convert(values[place], column, here)
    return tuple(values)


def _unmistakable(kind: type[Value]) -> Value:
    """A value of a kind that no queryset holds by chance."""
    chosen = uuid4()
    if kind is datetime:
        return datetime.fromtimestamp(chosen.int % 2**33, UTC) + timedelta(microseconds=chosen.int >> 110)
    return chosen if kind is UUID else chosen.hex if kind is str else chosen.int >> 66


def _adapt_value(value: Value, here: BaseDatabaseWrapper) -> Any:
    """A value as the database takes it."""
    if isinstance(value, datetime):
        return here.ops.adapt_datetimefield_value(value)
    return value.hex if isinstance(value, UUID) and not here.features.has_native_uuid_field else value


def _fill(parameter: Any, slots: Sequence[Any]) -> Fill:
    """How a parameter follows from the values: it is one of them, or the same each time."""
    for place, slot in enumerate(slots):
        if parameter == slot:
            return lambda values: values[place]
    return lambda _: parameter


def column_names(model: type[Model], path: str = "") -> list[str]:
    """The columns of a model by their lookups, behind a path that leads to it (`user__`)."""
    return [f"{path}{column.attname}" for column in model._meta.concrete_fields]


def instance(model: type[Model], values: Sequence[Any]) -> Any:
    """A row as an instance, from the values of `column_names`."""
    return model.from_db(connection.alias, [column.attname for column in model._meta.concrete_fields], values)
