"""First pages of rows that show columns alone: one prepared statement, and no work of the ORM.

A frontend's most frequent question of a world (`world(id:) { squares(first: 100) { edges { node { x y terrain } } } }`)
asks for no filter, order, cursor, count or link, so nothing is left for the optimizer. What a viewer may see stays in
`visible_to`, of which the statement is made.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import Model
from graphql import FieldNode, SelectionSetNode
from strawberry_django.optimizer import mark_optimized_by_prefetching
from strawberry_django.queryset import get_queryset_config
from strawberry_django.relay.cursor_connection import annotate_ordering_fields

from api.representations.resources.resource import Resource
from worlds.models import World
from worlds.visibility import Visibility


class FlatPages:
    """The first pages of a resource of worlds, in the order of its lists."""

    def __init__(self, resource: Resource, order: tuple[Any, ...]) -> None:
        """order: as `order_of` makes it."""
        self.resource = resource
        rows: Any = resource.model._default_manager
        self.empty = rows.none()
        self.ordered = rows.order_by(*order)
        self.descriptors: Any = None

    def page(self, world: Model, visibility: Visibility, first: int) -> Any:
        """The first rows of a world that the viewer may see, and one more: as a queryset that was asked already."""
        if self.descriptors is None:
            _, self.descriptors, _ = annotate_ordering_fields(self.ordered)
        found = self.empty._chain()
        found._result_cache = self.resource.first_instances(self.ordered, visibility.user, world.pk, first + 1)
        get_queryset_config(found).ordering_descriptors = self.descriptors
        return mark_optimized_by_prefetching(found)


def wants_flat_page(source: Any, info: Any) -> bool:
    """Whether a list below a world that was asked for by its id shows columns of its first rows, and nothing else."""
    if not isinstance(source, World) or info.path.prev.prev is not None:
        return False
    return all(
        name == "pageInfo" or (name == "edges" and _shows_columns(inner))
        for node in info._raw_info.field_nodes
        for name, inner in _fields(node.selection_set)
    )


def _shows_columns(edge: SelectionSetNode | None) -> bool:
    """Whether the nodes of an edge are asked for leaves alone."""
    return all(
        name == "cursor" or (name == "node" and all(leaf and below is None for leaf, below in _fields(inner)))
        for name, inner in _fields(edge)
    )


def _fields(selection: SelectionSetNode | None) -> Iterator[tuple[str, SelectionSetNode | None]]:
    """(name, what is selected below) of each field; an empty name for a fragment."""
    for node in selection.selections if selection is not None else ():
        if isinstance(node, FieldNode):
            yield node.name.value, node.selection_set
        else:
            yield "", None
