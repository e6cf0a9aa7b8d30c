"""First pages of rows that show columns alone: one prepared statement, and no work of the ORM.

A frontend's most frequent question of a world (`world(id:) { squares(first: 100) { edges { node { x y terrain } } } }`)
asks for no filter, order, cursor, count or link, so nothing is left for the optimizer. What a viewer may see stays in
`visible_to`, of which the statement is made.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from django.db.models import Model
from graphql import FieldNode, SelectionSetNode
from strawberry.relay.types import PageInfo
from strawberry_django.relay.cursor_connection import (
    OrderedCollectionCursor,
    OrderingDescriptor,
    annotate_ordering_fields,
)
from strawberry_django.relay.utils import resolve_edge_class

from api.representations.resources.resource import Resource
from worlds.models import World
from worlds.visibility import Visibility

ENDS = ("start_cursor", "end_cursor")


class FlatPages:
    """The first pages of a resource of worlds, in the order of its lists."""

    def __init__(self, resource: Resource, order: tuple[Any, ...]) -> None:
        """order: as `order_of` makes it."""
        self.resource = resource
        rows: Any = resource.model._default_manager
        self.ordered = rows.order_by(*order)

    @cached_property
    def descriptors(self) -> list[OrderingDescriptor]:
        """What a cursor holds of a row."""
        _, found, _ = annotate_ordering_fields(self.ordered)
        return found

    def page(self, kind: Any, world: Model, visibility: Visibility, first: int, *, has_cursors: bool) -> Any:
        """The first rows of a world that the viewer may see, as a connection of a type.

        has_cursors: whether a cursor is asked for, here or in `pageInfo`; to make them takes a third of the page.
        """
        found = self.resource.first_instances(self.ordered, visibility.user, world.pk, first + 1)
        made = resolve_edge_class(kind)
        edges = [self._edge(made, row) if has_cursors else made(node=row, cursor="") for row in found[:first]]
        ends = {"start_cursor": edges[0].cursor, "end_cursor": edges[-1].cursor} if edges else dict.fromkeys(ENDS)
        return kind(edges=edges, page_info=PageInfo(has_previous_page=False, has_next_page=len(found) > first, **ends))

    def _edge(self, made: Any, row: Model) -> Any:
        return made.resolve_edge(row, cursor=OrderedCollectionCursor.from_model(row, self.descriptors))


def extras_of_flat_page(source: Any, info: Any) -> frozenset[str] | None:
    """What is asked besides columns of first rows (`pageInfo`, `cursor`), of a list below a world that was asked for
    by its id; None where it is more than those.
    """
    if not isinstance(source, World) or info.path.prev.prev is not None:
        return None
    found: set[str] = set()
    for node in info._raw_info.field_nodes:
        for name, inner in _fields(node.selection_set):
            parts = {name} if name == "pageInfo" else _parts(inner) if name == "edges" else None
            if parts is None:
                return None
            found |= parts
    return frozenset(found - {"node"})


def _parts(edge: SelectionSetNode | None) -> set[str] | None:
    """What is asked of an edge, if its node is asked for leaves alone."""
    asked = list(_fields(edge))
    fits = all(
        name == "cursor" or (name == "node" and all(leaf and below is None for leaf, below in _fields(inner)))
        for name, inner in asked
    )
    return {name for name, _ in asked} if fits else None


def _fields(selection: SelectionSetNode | None) -> Iterator[tuple[str, SelectionSetNode | None]]:
    """(name, what is selected below) of each field; an empty name for a fragment."""
    for node in selection.selections if selection is not None else ():
        if isinstance(node, FieldNode):
            yield node.name.value, node.selection_set
        else:
            yield "", None
