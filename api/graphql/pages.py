"""Connections: pages of rows by position, with the same cursors, bounds and filters as the REST lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import strawberry
from django.db import models
from django.db.models import QuerySet
from django_filters.utils import translate_validation  # type: ignore[import-untyped]

from api.common.exceptions import Fault
from api.common.paging import DEFAULT_SIZE, LARGEST_SIZE, beyond, decode_cursor, encode_cursor
from api.graphql.mapping import many, object_type
from api.representations.resource import Resource
from api.representations.serializers import filterset_of

Rows = QuerySet[Any, dict[str, Any]]


@strawberry.type
class PageInfo:
    """Where a page stands in its list."""

    has_next_page: bool
    has_previous_page: bool = strawberry.field(description="Whether the page was asked for with `after`.")
    start_cursor: str | None
    end_cursor: str | None


def connection_of(name: str, node: Any) -> Any:
    """The connection type of a node type."""
    descriptions: dict[str, str | None] = {"cursor": "The next `after`."}
    edge = object_type(f"{name}Edge", {"cursor": str, "node": node}, descriptions, f"One {name} of a list.")
    hints = {"edges": many(edge), "nodes": many(node), "page_info": PageInfo}
    return object_type(f"{name}Connection", hints, {"nodes": "The rows of the edges."}, f"A page of {name} rows.")


def page_size(first: int) -> int:
    """The size of a page. Raises Fault (page.size)."""
    if not 1 <= first <= LARGEST_SIZE:
        message = f"A page has 1 to {LARGEST_SIZE} rows."
        raise Fault("page.size", message, parameter="first", least=1, most=LARGEST_SIZE)
    return first


def page_of(rows: Rows, model: type[models.Model], order: Sequence[str], first: int, after: str | None) -> Any:
    """The rows of a page as columns, and whether more are there. Raises Fault (page.size, page.cursor)."""
    page_size(first)
    if after is not None:
        backward, values = decode_cursor(after, order, model)
        rows = rows.filter(beyond(order, values, backward))
    found = list(rows.order_by(*order)[: first + 1])
    return found[:first], len(found) > first


@dataclass(frozen=True)
class Connected:
    """A page as a connection reads it: rows as columns, as nodes, in an order. Cursors are made when asked for."""

    read: Sequence[Mapping[str, Any]]
    nodes: Sequence[Any]
    order: Sequence[str]
    more: bool
    after: str | None

    @property
    def edges(self) -> list[dict[str, Any]]:
        """Each node with its cursor."""
        return [{"cursor": self.cursor(row), "node": node} for row, node in zip(self.read, self.nodes, strict=True)]

    @property
    def page_info(self) -> dict[str, Any]:
        """Where the page stands."""
        return {
            "has_next_page": self.more,
            "has_previous_page": self.after is not None,
            "start_cursor": self.cursor(self.read[0]) if self.read else None,
            "end_cursor": self.cursor(self.read[-1]) if self.read else None,
        }

    def cursor(self, row: Mapping[str, Any]) -> str:
        """The cursor of a row."""
        return encode_cursor(self.order, False, [row[name.lstrip("-")] for name in self.order])


PAGE_HINTS: dict[str, Any] = {"first": int, "after": str | None}
PAGE_DEFAULTS: dict[str, Any] = {"first": DEFAULT_SIZE, "after": None}


def filter_hints(resource: Resource) -> dict[str, Any]:
    """The arguments that filter a resource: REST's parameters, typed."""
    return {parameter: _hint_of(resource, parameter) for parameter in resource.filters}


def _hint_of(resource: Resource, parameter: str) -> Any:
    found, _ = resource.filter_field(parameter)
    target: Any = found
    while isinstance(target, models.ForeignKey):
        target = target.target_field
    match target:
        case models.UUIDField():
            return UUID | None
        case models.BooleanField():
            return bool | None
        case models.IntegerField():
            return int | None
        case models.DateTimeField():
            return datetime | None
    return str | None


def filter_rows(resource: Resource, rows: QuerySet[Any], wanted: Mapping[str, Any]) -> QuerySet[Any]:
    """The rows that fit, judged by the very filter set that REST uses. Raises DRF's ValidationError."""
    texts = {name: _text(value) for name, value in wanted.items() if value is not None}
    if not texts:
        return rows
    chosen = filterset_of(resource)(data=texts, queryset=rows)
    if not chosen.is_valid():
        raise translate_validation(chosen.errors)
    found: QuerySet[Any] = chosen.qs
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)
