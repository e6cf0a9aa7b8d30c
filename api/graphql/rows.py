"""Rows in GraphQL: a type, a connection and a field for each `Resource`, of worlds and of every game.

Fields, filters, order and visibility are the resource's own, as in REST; ids are the same ids. A foreign key to another
resource is shown as that row, and all rows of one page are fetched together: one query a page and key.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from inspect import cleandoc
from typing import Any
from uuid import UUID

import strawberry
from django.db import models
from django.db.models import ForeignKey, Model
from strawberry.annotation import StrawberryAnnotation
from strawberry.scalars import JSON
from strawberry.types.field import StrawberryField

from api.common.permissions import require_reading
from api.graphql.commands import with_arguments
from api.graphql.context import asker_of
from api.graphql.mapping import SquareName, maybe, object_type
from api.graphql.pages import (
    PAGE_DEFAULTS,
    PAGE_HINTS,
    Connected,
    connection_of,
    filter_hints,
    filter_rows,
    page_of,
    page_size,
)
from api.representations.resource import Resource, every_own_resource
from api.representations.visibility import visibility_of
from api.representations.worlds import RESOURCES, WORLDS
from worlds.visibility import Visibility

KINDS: tuple[tuple[Any, Any], ...] = (
    (models.UUIDField, UUID),
    (models.BooleanField, bool),
    (models.DateTimeField, datetime),
    (models.BigIntegerField, JSON),
    (models.IntegerField, int),
    (models.CharField, str),
    (models.TextField, str),
)
"""What a column is in GraphQL, the first that fits; JSON for what `Int` cannot hold and for all else."""


class Page:
    """The rows of one page, and the rows they lead to, fetched when the first of them is asked for."""

    def __init__(self, visibility: Visibility) -> None:
        self.visibility = visibility
        self.rows: list[Row] = []
        self.fetched: dict[str, dict[Any, Row]] = {}

    def beyond(self, column: str, target: Resource) -> "dict[Any, Row]":
        """The rows that a column leads to, by their keys: one query."""
        if column not in self.fetched:
            keys = {row[column] for row in self.rows} - {None}
            if len(keys) == 1 and self.visibility == Visibility(
                user=self.visibility.user
            ):  # most often: the world of a page
                found = target.row(self.visibility.user, *keys)
                rows = as_page(target.representations([found] if found else []), self.visibility)
            else:
                rows = rows_of(
                    target, target.visible(self.visibility).filter(**{f"{target.key}__in": keys}), self.visibility
                )
            self.fetched[column] = {row[str(target.key)]: row for row in rows}
        return self.fetched[column]


class Row(dict[str, Any]):
    """One row as REST shows it, and its page."""

    def __init__(self, values: Mapping[str, Any], page: Page) -> None:
        super().__init__(values)
        self.page = page


def rows_of(resource: Resource, rows: Any, visibility: Visibility) -> list[Row]:
    """A queryset's rows as one page."""
    return as_page(resource.representations(resource.read_from(rows)), visibility)


def as_page(shown: Iterable[Mapping[str, Any]], visibility: Visibility) -> list[Row]:
    """Rows as REST shows them, as one page."""
    page = Page(visibility)
    page.rows = [Row(values, page) for values in shown]
    return page.rows


class Link(StrawberryField):
    """A field that leads to a row of another resource. No resolver: what one receives costs more than the look."""

    def get_result(self, source: Any, info: Any, args: Any, kwargs: Any) -> Row | None:
        """The row that a column leads to; None where there is none that the viewer may see."""
        column = self.python_name
        found: Row | None = source.page.beyond(column, self.metadata["leads_to"]).get(source[column])
        return found


class RowTypes:
    """The types of all resources, made in the order in which they lead to each other."""

    def __init__(self) -> None:
        self.worlds = (WORLDS, *RESOURCES)
        self.own = tuple(every_own_resource())
        self.of_model: dict[type[Model], Resource] = {r.model: r for r in self.worlds if r.key == "id"}
        self.made: dict[Resource, Any] = {}

    def type_of(self, resource: Resource) -> Any:
        """The type of a resource's rows."""
        if resource not in self.made:
            hints: dict[str, Any] = {}
            texts: dict[str, str | None] = {}
            links: dict[str, Any] = {}
            for name in resource.fields:
                found: Any = resource.model._meta.get_field(name)
                texts[name] = str(found.help_text) or None
                target = self.of_model.get(found.related_model) if isinstance(found, ForeignKey) else None
                if target is not None and not resource.to_square(name):
                    links[name] = self.link(name, target, texts[name])
                else:
                    hints[name] = _hint(resource, name, found)
            self.made[resource] = object_type(resource.type_name, hints, texts, cleandoc(resource.summary), more=links)
        return self.made[resource]

    def link(self, name: str, target: Resource, description: str | None) -> Any:
        """A field that leads to a row of another resource."""

        hint = StrawberryAnnotation.from_annotation(maybe(self.type_of(target)))
        return Link(name, type_annotation=hint, description=description, metadata={"leads_to": target})

    def queries(self) -> dict[str, Any]:
        """The root fields: a connection for each resource, and one row by its key where it has one."""
        found: dict[str, Any] = {}
        for resource in self.worlds:
            self._add(found, "", resource, framed=False)
        for slug, resource in self.own:
            self._add(found, f"{slug}_", resource, framed=True)
        return found

    def _add(self, found: dict[str, Any], prefix: str, resource: Resource, *, framed: bool) -> None:
        noun = f"{prefix}{resource.name.replace('-', '_')}"
        found[noun] = self.list_field(resource, framed=framed)
        if resource.key is not None:
            one = "".join(f"_{c.lower()}" if c.isupper() else c for c in resource.type_name).lstrip("_")
            found[one] = self.row_field(resource, framed=framed)

    def list_field(self, resource: Resource, *, framed: bool) -> Any:
        """The connection of a resource."""

        def resolve(info: strawberry.Info, first: int, after: str | None, **wanted: Any) -> Any:
            visibility = _visibility(info, wanted, framed=framed)
            given = {name for name, value in wanted.items() if value is not None}
            resource.check_scope(given)
            if not framed and after is None and given <= {"world"}:  # what most ask for
                found = resource.first_rows(visibility.user, wanted.get("world"), page_size(first) + 1)
                read, more = found[:first], len(found) > first
            else:
                rows = filter_rows(resource, resource.visible(visibility), wanted)
                read, more = page_of(resource.read_from(rows), resource.model, resource.order, first, after)
            nodes = as_page(resource.representations(read), visibility)
            return Connected(read, nodes, resource.order, more, after)

        hints = {"info": strawberry.Info, **filter_hints(resource), **_viewer_hints(framed), **PAGE_HINTS}
        defaults = dict.fromkeys(hints) | _viewer_defaults(framed) | PAGE_DEFAULTS
        return _field(resolve, hints, defaults, connection_of(resource.type_name, self.type_of(resource)), resource)

    def row_field(self, resource: Resource, *, framed: bool) -> Any:
        """One row by its key; null where there is none that the viewer may see."""

        def resolve(info: strawberry.Info, id: UUID, **wanted: Any) -> Any:
            visibility = _visibility(info, wanted, framed=framed)
            rows = rows_of(resource, resource.visible(visibility).filter(**{str(resource.key): id}), visibility)
            return rows[0] if rows else None

        hints = {"info": strawberry.Info, "id": UUID, **_viewer_hints(framed)}
        answer = maybe(self.type_of(resource))
        return _field(resolve, hints, _viewer_defaults(framed), answer, resource)


def _field(resolve: Any, hints: dict[str, Any], defaults: dict[str, Any], answer: Any, resource: Resource) -> Any:
    defaults = {name: value for name, value in defaults.items() if name not in ("info", "id")}
    typed = with_arguments(resolve, hints, defaults)
    return strawberry.field(resolver=typed, graphql_type=answer, description=cleandoc(resource.summary))


def _viewer_hints(framed: bool) -> dict[str, Any]:
    return {"game": UUID | None, "seat": UUID | None, "as_gm": bool} if framed else {}


def _viewer_defaults(framed: bool) -> dict[str, Any]:
    return {"game": None, "seat": None, "as_gm": False} if framed else {}


def _visibility(info: Any, wanted: dict[str, Any], *, framed: bool) -> Visibility:
    """Who looks; takes `seat` and `as_gm` out of the wanted filters, and `game` where it is no filter."""
    asker = asker_of(info)
    if not framed:
        require_reading(asker.principal)
        return Visibility(user=asker.user)
    as_gm = wanted.pop("as_gm", False)
    asker.may_look(as_gm=as_gm)
    return visibility_of(asker.user, game=wanted.get("game"), seat=wanted.pop("seat", None), as_="gm" if as_gm else "")


def _hint(resource: Resource, name: str, found: Any) -> Any:
    target = found
    while isinstance(target, ForeignKey):
        target = target.target_field
    if resource.to_square(name):
        kind: Any = SquareName
    elif name in resource.parsed:
        kind = JSON
    else:
        kind = next((ours for theirs, ours in KINDS if isinstance(target, theirs)), JSON)
    return maybe(kind) if found.null else kind
