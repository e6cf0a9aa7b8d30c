"""A resource: the rows of one model as both APIs show them. One definition, two APIs.

A `Resource` names the columns that are shown, the filters, and the order. REST makes its lists and filters from it,
GraphQL its type, connection and filter; both read through `visible_to(visibility)`. A game lists its own rows as
`RESOURCES` in `games.<game>.api`; the entities of worlds are in `api.representations.resources.worlds`.
"""

import json
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from inspect import cleandoc
from operator import or_
from typing import Any, ClassVar
from uuid import UUID

from django.core.exceptions import FieldDoesNotExist
from django.db import DEFAULT_DB_ALIAS
from django.db.models import DecimalField, Field, ForeignKey, Model, Q, QuerySet
from django.db.models.constants import LOOKUP_SEP

from api.common.exceptions import Fault
from core.naming import naming_fields
from core.prepared_queries import Statement
from games.engine.wording import decimal_text
from worlds.models import Square
from worlds.visibility import Visibility

Row = Mapping[str, Any]
WITHIN = ("game", "world")
"""The filters that say where rows live: a list of rows is of one game or of one world."""


@dataclass(frozen=True)
class Column:
    """One shown field: the lookup paths that are read for it, and how its value follows from theirs."""

    name: str
    paths: tuple[str, ...]
    shaped: Callable[..., Any]


@dataclass(frozen=True)
class OneOf:
    """A shown field that says which one of several foreign keys a row fills: `{kind, id}`, null where it fills none.

    name: of the field; the filter `<name>_kind` chooses by the kind. keys: foreign keys of the model, of which a row
    fills one at most; their names are the kinds. type_name: of its object in both documents.
    """

    PARTS: ClassVar = {"kind": "What it is: the field of this name leads to it.", "id": "Its id."}
    """What its value has, and what that means."""
    name: str
    keys: tuple[str, ...]
    type_name: str
    description: str

    @property
    def summary(self) -> str:
        """What its object is."""
        *others, last = self.keys
        return f"A {', '.join(others)} or {last}, by its kind and id."

    @property
    def parameter(self) -> str:
        """The name of its filter."""
        return f"{self.name}_kind"

    @property
    def attnames(self) -> tuple[str, ...]:
        """The columns that its value follows from."""
        return tuple(f"{key}_id" for key in self.keys)

    def value(self, *ids: UUID | None) -> dict[str, Any] | None:
        """The kind and the id of what the row leads to. ids: what stands in the columns, in their order."""
        filled = ({"kind": kind, "id": held} for kind, held in zip(self.keys, ids, strict=True) if held is not None)
        return next(filled, None)

    def fits(self, kinds: Collection[str], prefix: str = "") -> Q:
        """The condition that a row fills the key of one of these kinds; without a kind no row does."""
        return reduce(or_, (Q(**{f"{prefix}{kind}__isnull": False}) for kind in kinds), Q(pk__in=()))


@dataclass(frozen=True, eq=False)
class Resource:
    """The rows of a model, as the APIs show them.

    name: plural kebab, the address part. fields: model fields in order; a foreign key is shown as its id, a square as
    `{x, y}`. filters: parameter -> lookup path (`{"world": "race__world", "name_contains": "name__icontains"}`).
    ordering: it names each row; of a column that may be NULL, no two rows that are alike before it have NULL. key: the
    field that names a row in an address; None where rows are only listed. parsed: text columns that hold JSON and are
    shown as JSON. largest: rows of a page at most. one_of: what follows from several keys, shown after the fields.
    """

    name: str
    model: type[Model]
    fields: tuple[str, ...]
    type_name: str
    filters: Mapping[str, str] = field(default_factory=dict)
    ordering: tuple[str, ...] = ("pk",)
    description: str = ""
    key: str | None = "id"
    parsed: frozenset[str] = frozenset()
    largest: int = 100
    one_of: tuple[OneOf, ...] = ()

    @property
    def summary(self) -> str:
        """The description, else the model's docstring."""
        return self.description or cleandoc(self.model.__doc__ or "")

    @cached_property
    def within(self) -> tuple[str, ...]:
        """The filters of which a list needs one: none where the rows are of no game and no world (packs, worlds)."""
        return tuple(name for name in WITHIN if name in self.filters)

    def check_within(self, given: Container[str]) -> None:
        """Refuse (Fault `within.missing`, 422) a list of rows of no game and no world in particular."""
        if self.within and not any(name in given for name in self.within):
            would_do = " or ".join(f"`{name}`" for name in self.within)
            message = f"A list of {self.name} is of one {' or '.join(self.within)}; say which, with {would_do}."
            raise Fault("within.missing", message, parameter=self.within[0], within=list(self.within))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The names of all shown fields, in order."""
        return (*self.fields, *(part.name for part in self.one_of))

    @cached_property
    def noun_columns(self) -> dict[str, str]:
        """What lists show beside: the name of the thing of a world that a row is the sheet of, and its lookup path.

        In GraphQL the link to the thing leads to it.
        """
        path = self.filters.get("name", "name")
        return {"name": path} if LOOKUP_SEP in path and "name" not in self.fields else {}

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of all filters."""
        return (*self.filters, *(part.parameter for part in self.one_of))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Each shown field with what is read for it."""
        derived = (Column(part.name, part.attnames, part.value) for part in self.one_of)
        beside = (Column(name, (path,), _same) for name, path in self.noun_columns.items())
        return (*(self._column(name) for name in self.fields), *derived, *beside)

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The lookup paths that are read: for what is shown, and for the order."""
        paths = [path for column in self.columns for path in column.paths]
        return tuple(dict.fromkeys((*paths, *(name.lstrip("-") for name in self.order))))

    @cached_property
    def plain(self) -> dict[str, str]:
        """The shown fields whose value is shown as it is read, and the path it is read by."""
        return {column.name: column.paths[0] for column in self.columns if column.shaped is _same}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The ordering by columns: `pk` spelled out, and what names a row in place of a running number.

        A link stands there as its column: by its name a database would follow it, and order by what it leads to, while
        a cursor holds the id.
        """
        own, names = self.model._meta.pk.name, naming_fields(self.model)
        spelt = [name.replace("pk", own) if name in ("pk", "-pk") else name for name in self.ordering]
        if own not in names:
            spelt = [name for name in spelt if name.lstrip("-") != own]
            spelt += [name for name in names if name not in {each.lstrip("-") for each in spelt}]
        return tuple(self._as_column(name) for name in spelt)

    def _as_column(self, name: str) -> str:
        """A part of the ordering by the column that it is: `-race_id` of `-race`."""
        field: Any = self.model._meta.get_field(name.lstrip("-"))
        return f"-{field.attname}" if name.startswith("-") else str(field.attname)

    def _column(self, name: str) -> Column:
        found: Any = self.model._meta.get_field(name)
        if self.to_square(name):
            return Column(name, (f"{name}__x", f"{name}__y"), _square)
        if isinstance(found, ForeignKey):
            return Column(name, (found.attname,), _same)
        if isinstance(found, DecimalField):
            return Column(name, (found.attname,), decimal_text)
        return Column(name, (found.attname,), json.loads if name in self.parsed else _same)

    def to_square(self, name: str) -> bool:
        """Whether a field leads to a square, which is shown as `{x, y}`."""
        found = self.model._meta.get_field(name)
        return isinstance(found, ForeignKey) and found.related_model is Square

    def visible(self, visibility: Visibility) -> QuerySet[Any]:
        """The rows that this viewer may see."""
        return self.model._default_manager.visible_to(visibility)  # type: ignore[attr-defined]

    def read_from(self, rows: QuerySet[Any]) -> QuerySet[Any, dict[str, Any]]:
        """These rows as the columns that are shown, and those that they are ordered by: one query."""
        return rows.values(*self.reads)

    def first_rows(self, user: UUID | None, world: UUID | None, size: int) -> list[dict[str, Any]]:
        """What `read_from` gives of the first rows that a user may see, of one world or of all: one query."""
        asked = [value for value in (user, world) if value is not None]
        statement = _first_rows(self, user is not None, world is not None, size)
        return [dict(zip(self.reads, row, strict=True)) for row in statement.rows(*asked)]

    def first_instances(self, ordered: QuerySet[Any], user: UUID | None, world: UUID, size: int) -> list[Model]:
        """The first rows of a world that a user may see, with the columns that are shown: one query.

        ordered: all rows of the model in the wanted order; always the same one for this resource.
        """
        statement = _first_instances(self, ordered, user is not None, size)
        asked = [value for value in (user, world) if value is not None]
        names = self.attnames
        return [self.model.from_db(DEFAULT_DB_ALIAS, names, row) for row in statement.rows(*asked)]

    @cached_property
    def attnames(self) -> list[str]:
        """The shown fields as a row holds them: `race_id` of `race`."""
        fields: list[Any] = [self.model._meta.get_field(name) for name in self.fields]
        return [field.attname for field in fields]

    def instance(self, user: UUID | None, key: UUID) -> Model | None:
        """The row of a key with the columns that are shown; None where there is none that the user may see."""
        found = _one_instance(self, user is not None).first(key, *([user] if user is not None else []))
        return None if found is None else self.model.from_db(DEFAULT_DB_ALIAS, self.attnames, found)

    def representations(self, values: Iterable[Row]) -> list[dict[str, Any]]:
        """What `read_from` gave, field by field, as the APIs show it."""
        columns, plain = self.columns, self.plain
        if len(plain) == len(columns):
            return [{name: row[path] for name, path in plain.items()} for row in values]
        return [{c.name: c.shaped(*(row[path] for path in c.paths)) for c in columns} for row in values]

    def filter_field(self, parameter: str) -> "tuple[Field[Any, Any], str]":
        """The model field that a filter compares with, and the lookup (`exact` where the path names none)."""
        model, found, lookup = self.model, None, "exact"
        for part in self.filters[parameter].split(LOOKUP_SEP):
            try:
                found = model._meta.get_field(part)
            except FieldDoesNotExist:
                lookup = part
                continue
            if found.is_relation and found.related_model is not None:
                model = found.related_model
        if not isinstance(found, Field):
            raise TypeError(f"{self.name}: the filter {parameter} leads to no field")
        return found, lookup


@lru_cache(maxsize=1_000)
def _first_rows(resource: Resource, known: bool, within: bool, size: int) -> Statement:
    def make(*values: UUID) -> QuerySet[Any, Any]:
        rows = resource.visible(Visibility(user=values[0] if known else None))
        if within:
            rows = rows.filter(**{resource.filters["world"]: values[-1]})
        return rows.order_by(*resource.order).values_list(*resource.reads)[:size]

    return Statement(make, *[UUID] * (known + within))


@lru_cache(maxsize=1_000)
def _first_instances(resource: Resource, ordered: QuerySet[Any], known: bool, size: int) -> Statement:
    def make(*values: UUID) -> QuerySet[Any, Any]:
        rows: Any = ordered.filter(**{resource.filters["world"]: values[-1]})
        shown = rows.visible_to(Visibility(user=values[0] if known else None))
        return shown.values_list(*resource.attnames)[:size]

    return Statement(make, *[UUID] * (known + 1))


@lru_cache(maxsize=200)
def _one_instance(resource: Resource, known: bool) -> Statement:
    def make(key: UUID, user: UUID | None = None) -> QuerySet[Any, Any]:
        rows = resource.visible(Visibility(user=user)).filter(pk=key)
        return rows.order_by().values_list(*resource.attnames)

    return Statement(make, *[UUID] * (1 + known))


def _same(value: Any) -> Any:
    return value


def _square(x: int | None, y: int | None) -> dict[str, int] | None:
    return None if x is None or y is None else {"x": x, "y": y}
