"""Where an operation reads, with PLACES: each root field, with all below it, in the place of the id in its arguments.

Lists read cards; what leads on from a row of theirs is read in the row's own place, most of it with the page
(`core.places.card_rows`). One operation may so have root fields of several places. What stands below a game is read in
the game's place also where no id was given, as below one that was just opened. Subscriptions read in the hub, which
sees to it itself.
"""

from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from django.db.models import Model
from graphql import GraphQLError, OperationType
from graphql.execution.values import get_argument_values

from api.graphql.execution import LeafExecution
from api.graphql.game_fields import Seen
from core.places import routing
from core.places.cards import across
from core.places.place import CARDS

PAGE = "first"
"""The argument that lists have; those at the root name no game and no world."""
NAMES = ("game", "world", "id")
"""The arguments of root fields that say where their rows lie, the first that is given."""


class PlacedExecution(LeafExecution):
    """Executes operations, in the right places; for schemas of a service with PLACES alone."""

    def complete_object_value(
        self, return_type: Any, details: Any, info: Any, path: Any, result: Any, position: Any
    ) -> Any:
        """As without places; a game in the place where it lies."""
        if not isinstance(result, Seen):
            return super().complete_object_value(return_type, details, info, path, result, position)
        with routing.at(result.viewer.game.pk):
            return super().complete_object_value(return_type, details, info, path, result, position)

    def execute_field(self, parent_type: Any, source: Any, details: Any, path: Any, context: Any) -> Any:
        """As without places, and there."""
        entered = self._place(parent_type, source, details, path)
        if entered is None:
            return super().execute_field(parent_type, source, details, path, context)
        with entered:
            return super().execute_field(parent_type, source, details, path, context)

    def _place(self, parent_type: Any, source: Any, details: Any, path: Any) -> AbstractContextManager[None] | None:
        """What a field enters; None for what goes on in the place of the field above."""
        name, below = details[0].node.name.value, details[0].node.selection_set
        if path.prev is not None:
            is_of_list = below and isinstance(source, Model) and routing.current() is CARDS
            return routing.at(source.pk) if is_of_list else None
        field = self.schema.get_field(parent_type, name)
        if field is None or self.operation.operation is OperationType.SUBSCRIPTION:
            return None
        if PAGE in field.args:
            return across()
        try:
            given = get_argument_values(field, details[0].node, self.variable_values)
        except GraphQLError:  # the field itself is about to say so
            return None
        identity = next((given[name] for name in NAMES if isinstance(given.get(name), UUID)), None)
        return None if identity is None else routing.at(identity)
