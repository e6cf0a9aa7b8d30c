"""Rows in GraphQL: a type for each `Resource`, of worlds and of every game, joined to a graph.

Made with strawberry-graphql-django from the definitions that REST uses: the columns of a resource are the fields of its
type; a foreign key to another resource is a link to that row, and the other resource gets the way back: a list, or one
row where the key is unique. `get_queryset` of every type is `visible_to`, so no path leads to a row that its viewer may
not see, nor does a count or a filter tell of one.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

import strawberry
import strawberry_django
from django.db import models
from django.db.models import ForeignKey, Model, OneToOneField
from strawberry.annotation import StrawberryAnnotation
from strawberry.scalars import JSON

from api.graphql.connections import Column, Link, connection_of, order_of, rows_field
from api.graphql.filters import filter_type_of, kinds_enum, order_type_of
from api.graphql.flat_pages import FlatPages
from api.graphql.mapping import choices_enum, maybe, object_type
from api.graphql.visibility import visibility_at, visibility_of_worlds_at
from api.representations.resources.resource import OneOf, Resource
from api.representations.resources.state_tables import every_own_resource
from api.representations.resources.worlds import RESOURCES, WORLDS
from api.representations.table import SEATS
from worlds.models import Square, World

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
WORLDS_APP = World._meta.app_label


def is_of_worlds(model: type[Model]) -> bool:
    """Whether a model is an entity of worlds, of which no game keeps a secret."""
    return model._meta.app_label == WORLDS_APP


class RowTypes:
    """The types of all resources, which lead to each other in both directions."""

    def __init__(self) -> None:
        """Make them: filters, then the types with their columns, then what leads from one to another."""
        self.worlds = (WORLDS, *RESOURCES)
        self.own = tuple(every_own_resource())
        self.slugs = {resource: slug for slug, resource in self.own}
        every = (*self.worlds, SEATS, *(resource for _, resource in self.own))
        self.of_model: dict[type[Model], Resource] = {resource.model: resource for resource in every}
        self.entities: dict[type[Model], Any] = {}
        for resource in sorted(self.worlds, key=_links_to_worlds):
            self.entities[resource.model] = filter_type_of(resource, self.entities)
        self.made = {resource: self._make(resource) for resource in every}
        for resource in every:
            self._join(resource)

    def _make(self, resource: Resource) -> Any:
        """The type of a resource with its columns, without links."""
        fields = {name: _column(resource, name) for name in resource.fields if self._target(resource, name) is None}
        fields |= {part.name: _one_of(part) for part in resource.one_of}
        body = {
            "__annotations__": {name: field.type_annotation.raw_annotation for name, field in fields.items()},
            "__module__": __name__,
            "get_queryset": classmethod(_visible_rows),
            **fields,
        }
        made = strawberry_django.type(
            resource.model,
            name=resource.type_name,
            description=resource.summary,
            filters=self.entities.get(resource.model) or filter_type_of(resource, self.entities),
            ordering=order_type_of(resource),
            only=attnames_of(resource.model, resource.fields),  # a cursor may hold any of them
        )
        return made(type(resource.type_name, (), body))

    def _join(self, resource: Resource) -> None:
        """Give the type of a resource its links and its ways back."""
        made = self.made[resource]
        own: list[Any] = made.__strawberry_definition__.fields
        columns = {field.python_name: field for field in own}
        own.clear()
        own.extend(columns.get(name) or self._link(resource, name) for name in resource.shown)
        for name, back in self._reverse_links(resource):
            if name in resource.shown:
                raise TypeError(f"{resource.type_name}: two fields are called {name}")
            own.append(_place_field(back, made, name))

    def _target(self, resource: Resource, name: str) -> Resource | None:
        """The resource that a column leads to."""
        column: Any = resource.model._meta.get_field(name)
        return self.of_model.get(column.related_model) if isinstance(column, ForeignKey) else None

    def _link(self, resource: Resource, name: str) -> Any:
        column: Any = resource.model._meta.get_field(name)
        target = self.of_model[column.related_model]
        kind = self.made[target]
        sure = not column.null and is_of_worlds(resource.model)
        link = _link(name, kind if sure else maybe(kind), str(column.help_text) or None)
        return _place_field(link, self.made[resource], name)

    def _reverse_links(self, target: Resource) -> Iterator[tuple[str, Any]]:
        """The rows of other resources that lead to this one: (name, field)."""
        for source in self.of_model.values():
            keys = [
                f
                for name in source.fields
                if isinstance(f := source.model._meta.get_field(name), ForeignKey)
                and f.related_model is target.model
                and not f.remote_field.hidden
            ]
            for key in keys:
                accessor = str(key.remote_field.get_accessor_name())
                if isinstance(key, OneToOneField):
                    yield accessor, _link(accessor, maybe(self.made[source]), source.summary.splitlines()[0])
                else:
                    name = self._name_back(source, target, accessor if len(keys) > 1 or source is target else "")
                    yield name, self._list(source, accessor=accessor)

    def _name_back(self, source: Resource, target: Resource, accessor: str) -> str:
        """How a list of rows is called where they lead to: as its resource; with its game where that is another's."""
        slug = self.slugs.get(source, "")
        name = source.name.replace("-", "_")
        if accessor:
            name = accessor.removeprefix(f"{slug}_")
        return f"{slug}_{name}" if slug != self.slugs.get(target, "") else name

    def game_fields(self, slug: str) -> dict[str, Any]:
        """The fields of a game's own type: its lists of rows, the one row that some have, and a row by its id."""
        found: dict[str, Any] = {}
        for owner, resource in self.own:
            if owner != slug or not any(f.name == "game" for f in resource.model._meta.concrete_fields):
                continue
            game: Any = resource.model._meta.get_field("game")
            if isinstance(game, OneToOneField):
                name = str(game.remote_field.get_accessor_name()).removeprefix(f"{slug}_")
                found[name] = self._row_of_game(resource)
                continue
            found[resource.name.replace("-", "_")] = self._rows_of_game(resource)
            if resource.key == "id":
                found[_snake(resource.type_name.removeprefix(slug.title()))] = self._row_by_id(resource)
        return found

    def _rows_of_game(self, resource: Resource) -> Any:
        manager: Any = resource.model._default_manager

        def resolve(root: Any) -> Iterable[Any]:
            rows: Iterable[Any] = manager.filter(game=root["id"])
            return rows

        return self._list(resource, resolve)

    def _list(self, resource: Resource, resolve: Any = None, *, accessor: str | None = None) -> Any:
        text, order = resource.summary, _order(resource)
        of_world = accessor is not None and resource.filters.get("world") == "world" and is_of_worlds(resource.model)
        return rows_field(
            order=order,
            most=resource.largest,
            hint=connection_of(self.made[resource]),
            accessor=accessor,
            resolver=resolve,
            description=text.splitlines()[0] if accessor else text,
            flat=FlatPages(resource, order) if of_world else None,
        )

    def _row(self, resource: Resource, resolve: Any) -> Any:
        hint = maybe(self.made[resource])
        return strawberry_django.field(resolver=resolve, graphql_type=hint, description=resource.summary)

    def _row_of_game(self, resource: Resource) -> Any:
        manager: Any = resource.model._default_manager

        def resolve(root: Any) -> Any:
            return manager.filter(game=root["id"])

        return self._row(resource, resolve)

    def _row_by_id(self, resource: Resource) -> Any:
        manager: Any = resource.model._default_manager

        def resolve(root: Any, id: UUID) -> Any:
            return manager.filter(game=root["id"], pk=id)

        return self._row(resource, resolve)

    def queries(self) -> dict[str, Any]:
        """The root fields: lists of what stands for itself (worlds, packs), and an entity of a world by its id."""
        found: dict[str, Any] = {}
        for resource in (*self.worlds, *(r for _, r in self.own)):
            slug = self.slugs.get(resource, "")
            if slug and any(f.name == "game" for f in resource.model._meta.concrete_fields):
                continue
            if not any(
                isinstance(f, ForeignKey) and f.related_model in self.of_model and f.related_model is not resource.model
                for f in resource.model._meta.concrete_fields
            ):
                found["_".join(filter(None, (slug, resource.name.replace("-", "_"))))] = self._every_row(resource)
            if resource.key == "id":
                found[_snake(resource.type_name)] = self._entity_by_id(resource)
        return found

    def _every_row(self, resource: Resource) -> Any:
        manager: Any = resource.model._default_manager

        def resolve() -> Iterable[Any]:
            rows: Iterable[Any] = manager.all()
            return rows

        return self._list(resource, resolve)

    def _entity_by_id(self, resource: Resource) -> Any:
        manager: Any = resource.model._default_manager
        of_worlds = is_of_worlds(resource.model)

        def resolve(info: strawberry.Info, id: UUID) -> Any:
            return entity_of(resource, info, id) if of_worlds else manager.filter(pk=id)

        return self._row(resource, resolve)


def _order(resource: Resource) -> Any:
    """How rows are ordered where nothing else is asked; squares by what names them in their world, not by a number."""
    return order_of(resource.model, ("y", "x") if resource.model is Square else resource.order)


def _visible_rows(kind: Any, queryset: Any, info: Any) -> Any:
    """`get_queryset` of every type: the rows that the viewer may see."""
    of_worlds = is_of_worlds(queryset.model)
    return queryset.visible_to(visibility_of_worlds_at(info) if of_worlds else visibility_at(info))


def entity_of(resource: Resource, info: Any, key: UUID) -> Any:
    """An entity of a world by its id, if the viewer may see it; each list below it is a query of its own."""
    found: Any = resource.instance(visibility_of_worlds_at(info).user, key)
    return found


def attnames_of(model: type[Model], names: Iterable[str]) -> list[str]:
    """The columns of fields as the database reads them: `race_id` of `race`."""
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    return [field.attname for field in fields]


def _links_to_worlds(resource: Resource) -> int:
    """How many links to other entities of worlds an entity has at most below it: those with none come first."""
    links = [
        f.related_model
        for f in resource.model._meta.concrete_fields
        if isinstance(f, ForeignKey) and is_of_worlds(f.related_model)
    ]
    known = {r.model: r for r in (WORLDS, *RESOURCES)}
    return 1 + max((_links_to_worlds(known[model]) for model in links if model in known), default=0)


def _link(name: str, hint: Any, description: str | None) -> Any:
    return Link(django_name=name, type_annotation=StrawberryAnnotation(hint), description=description)


def _place_field(field: Any, owner: Any, name: str) -> Any:
    """A field of a type that exists already."""
    field.python_name = field.name = name
    field.origin = owner
    field.origin_django_type = owner.__strawberry_django_definition__
    field.is_relation = True
    return field


def _column(resource: Resource, name: str) -> Any:
    column: Any = resource.model._meta.get_field(name)
    shown = next(each for each in resource.columns if each.name == name)
    kind: Any = _kind_of(resource, name, column)
    is_open = column.blank and issubclass(kind, Enum)  # nothing was chosen: empty in REST, null where enums are enums
    field = Column(
        django_name=column.attname,
        type_annotation=StrawberryAnnotation(maybe(kind) if column.null or is_open else kind),
        description=str(column.help_text) or None,
    )
    field.attname = column.attname
    field.shape = _choice if is_open else None if name in resource.plain else shown.shaped
    return field


def _one_of(part: OneOf) -> Any:
    """The field of what one of several keys leads to: its value follows from the keys that were read with the row."""
    hints = {"kind": kinds_enum(part), "id": UUID}
    shape = object_type(part.type_name, hints, part.PARTS, part.summary)

    def resolve(root: Any) -> Any:
        return part.value(*(getattr(root, name) for name in part.attnames))

    return strawberry_django.field(resolver=resolve, graphql_type=maybe(shape), description=part.description)


def _choice(value: str) -> str | None:
    return value or None


def _kind_of(resource: Resource, name: str, column: Any) -> Any:
    target = column
    while isinstance(target, ForeignKey):
        target = target.target_field
    if name in resource.parsed:
        return JSON
    if (enum := choices_enum(resource.type_name, name, column)) is not None:
        return enum
    return next((ours for theirs, ours in KINDS if isinstance(target, theirs)), JSON)


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


ROWS = RowTypes()
