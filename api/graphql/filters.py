"""Filters and orders of rows: an input type of each for every resource, over the columns that it shows.

A filter narrows by lookups, `{units: {gte: 5}, race: {name: {iContains: "elf"}}}`; all that is given must fit. What
leads to an entity of a world is filtered by that entity's own columns. There are no filters by what is not shown, none
by regular expressions, and none that nest without end.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import strawberry
import strawberry_django
from django.db import models
from django.db.models import Q
from strawberry import UNSET
from strawberry_django.fields.filter_types import BaseFilterLookup, ComparisonFilterLookup
from strawberry_django.filters import resolve_value
from strawberry_django.ordering import Ordering

from api.common.exceptions import Fault
from api.graphql.mapping import choices_enum, maybe, named_enum
from api.representations.resources.resource import OneOf, Resource

MAX_LIST_LENGTH = 100
"""Values of one `inList`, and orders of one list."""


@strawberry.input(name="TextFilterLookup", description="How a text may be looked up.")
class TextFilterLookup(BaseFilterLookup[str]):
    """How a text may be looked up."""

    i_contains: str | None = UNSET
    i_starts_with: str | None = UNSET


def require_bounded(value: Any, parameter: str) -> None:
    """Raise Fault (query.invalid) where a list in a filter or an order is too long, or a text holds a NUL."""
    if isinstance(value, list | tuple):
        if len(value) > MAX_LIST_LENGTH:
            message = f"A list has at most {MAX_LIST_LENGTH} values here."
            raise Fault("query.invalid", message, parameter=parameter, most=MAX_LIST_LENGTH)
        for each in value:
            require_bounded(each, parameter)
    elif isinstance(value, str) and "\0" in value:
        raise Fault("query.invalid", "A text holds no NUL character.", parameter=parameter)
    elif hasattr(type(value), "__strawberry_definition__"):
        for name, inner in vars(value).items():
            require_bounded(inner, f"{parameter}.{name}")


def comparable_columns(resource: Resource) -> Iterator[tuple[str, "models.Field[Any, Any]"]]:
    """The shown columns that a database can compare: (name, column), without JSON and without links."""
    for name in resource.fields:
        found = resource.model._meta.get_field(name)
        if name not in resource.parsed and isinstance(found, models.Field) and not found.is_relation:
            yield name, found


def lookup_of(owner: str, name: str, column: "models.Field[Any, Any]") -> Any:
    """The lookups of a column."""
    if (enum := choices_enum(owner, name, column)) is not None:
        return BaseFilterLookup[enum]  # type: ignore[valid-type]
    match column:
        case models.UUIDField():
            return BaseFilterLookup[UUID]
        case models.BooleanField():
            return BaseFilterLookup[bool]
        case models.IntegerField() | models.BigIntegerField():
            return ComparisonFilterLookup[int]
        case models.DateTimeField():
            return ComparisonFilterLookup[datetime]
    return TextFilterLookup


def filter_type_of(resource: Resource, entities: dict[type[models.Model], Any]) -> Any:
    """The filter of a resource. entities: the filters of the entities that its rows may lead to."""
    hints: dict[str, Any] = {
        name: maybe(lookup_of(resource.type_name, name, column)) for name, column in comparable_columns(resource)
    }
    for name in resource.fields:
        found = resource.model._meta.get_field(name)
        if isinstance(found, models.ForeignKey):
            hints[name] = maybe(entities.get(found.related_model, BaseFilterLookup[UUID]))
    body = {"__annotations__": hints, "__module__": __name__, **dict.fromkeys(hints, UNSET)}
    body |= {part.parameter: _kind_filter(part) for part in resource.one_of}
    name = f"{resource.type_name}Filter"
    description = f"Which {resource.type_name} rows; all that is given must fit."
    made = strawberry_django.input(resource.model, name=name, partial=True, description=description)
    return made(type(name, (), body))


def kinds_enum(part: OneOf) -> Any:
    """The GraphQL enum of the kinds that one of several keys may lead to."""
    return named_enum(f"{part.type_name}Kind", part.keys, f"What the {part.name} may be.")


def _kind_filter(part: OneOf) -> Any:
    """The filter by the kind of what one of several keys leads to; `isNull` is for rows that fill none."""

    def fitting(value: Any, prefix: str) -> Q:
        wanted = Q()
        if value.exact:
            wanted &= part.fits([resolve_value(value.exact)], prefix)
        if isinstance(value.in_list, list):
            wanted &= part.fits(resolve_value(value.in_list), prefix)
        if isinstance(value.is_null, bool):
            filled = part.fits(part.keys, prefix)
            wanted &= ~filled if value.is_null else filled
        return wanted

    fitting.__annotations__["value"] = BaseFilterLookup[kinds_enum(part)]  # type: ignore[misc]
    return strawberry_django.filter_field(fitting)


def order_type_of(resource: Resource) -> Any:
    """The order of a resource: one column and its direction; several orders follow each other in a list."""
    hints = {name: Ordering for name, _ in comparable_columns(resource)}
    if not hints:
        return None
    name = f"{resource.type_name}Order"
    description = f"A column that {resource.type_name} rows are ordered by."
    body = {"__annotations__": hints, "__module__": __name__}
    return strawberry_django.order_type(resource.model, name=name, description=description)(type(name, (), body))
