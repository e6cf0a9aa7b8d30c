"""Rows of the graph, for the tests: what GraphQL shows of a resource, as REST writes it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import ForeignKey
from django.test import Client
from graphql import get_named_type, is_leaf_type

from api.graphql.commands import camel
from api.representations.resources.resource import Resource
from api.representations.resources.state_tables import every_own_resource
from api.representations.resources.worlds import RESOURCES, WORLDS
from api.representations.table import SEATS

BY_MODEL = {r.model: r for r in (WORLDS, SEATS, *RESOURCES, *(r for _, r in every_own_resource()))}
"""The resources whose rows GraphQL shows where REST shows their ids."""


def nodes(connection: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a page."""
    return [edge["node"] for edge in connection["edges"]]


def selection(resource: Resource) -> str:
    """The fields of a resource: both numbers of a square, the key of another row, what REST joins by its link."""
    joined = (f"{name}: {camel(path.replace('__', ' { '))} }}" for name, path in resource.noun_columns.items())
    return " ".join((*(camel(name) + _inner(resource, name) for name in resource.fields), *joined))


def _inner(resource: Resource, name: str) -> str:
    found: Any = resource.model._meta.get_field(name)
    target = BY_MODEL.get(found.related_model) if isinstance(found, ForeignKey) else None
    if target is None:
        return ""
    if resource.to_square(name):
        return " { x y }"
    key = str(target.key)
    return f" {{ {camel(key)}{_inner(target, key)} }}"


def flat(value: Any) -> Any:
    """A row that was asked for its key alone, as that key."""
    return flat(next(iter(value.values()))) if isinstance(value, dict) and len(value) == 1 else value


def rows_of_graph(
    viewer: Client, slug: str, game: UUID, resource: Resource, *, as_gm: bool = False
) -> list[dict[str, Any]]:
    """The rows of one game that GraphQL shows, with the names that REST has in camel case: a list, or the one row."""
    relation: Any = resource.model._meta.get_field("game")
    field = camel(resource.name.replace("-", "_"))
    fields = f"(first: 100) {{ edges {{ node {{ {selection(resource)} }} }} }}"
    if relation.one_to_one:
        accessor = relation.remote_field.get_accessor_name().removeprefix(f"{slug}_")
        field, fields = camel(accessor), f"{{ {selection(resource)} }}"
    query = (
        f"query($g: UUID!, $gm: Boolean!) {{ game(id: $g, asGm: $gm) "
        f"{{ ... on {slug.title()}Game {{ it: {field} {fields} }} }} }}"
    )
    body = {"query": query, "variables": {"g": str(game), "gm": as_gm}}
    answer = viewer.post("/graphql/", body, content_type="application/json").json()
    assert "errors" not in answer, answer
    found = answer["data"]["game"]["it"]
    rows = ([found] if found else []) if relation.one_to_one else nodes(found)
    return [{name: flat(value) for name, value in row.items()} for row in rows]


def whole_selection(kind: Any) -> str:
    """Every field of a type, as deep as it goes."""
    if is_leaf_type(kind):
        return ""
    return "{ " + " ".join(f"{n} {whole_selection(get_named_type(f.type))}" for n, f in kind.fields.items()) + " }"


def camel_case(value: Any, kind: Any) -> Any:
    """A value of REST with the names of GraphQL; what is JSON there keeps its own."""
    kind = get_named_type(kind)
    if isinstance(value, list):
        return [camel_case(each, kind) for each in value]
    if isinstance(value, dict) and not is_leaf_type(kind):
        return {camel(name): camel_case(held, kind.fields[camel(name)].type) for name, held in value.items()}
    return value
