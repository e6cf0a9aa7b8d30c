"""Where an operation reads, with PLACES: each root field, with all below it, in the place of the id in its arguments.

One operation may so have root fields of games in several places. What stands below a game is read in the game's place
also where no id was given, as below one that was just opened. Subscriptions read in the hub, which sees to it itself.
"""

from typing import Any
from uuid import UUID

from graphql import GraphQLError, OperationType
from graphql.execution.values import get_argument_values
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from api.graphql.game_fields import Seen
from core.places import routing

NAMES = ("game", "world", "id")
"""The arguments of root fields that say where their rows lie, the first that is given."""


class PlacedExecution(StrawberryGraphQLCoreExecutionContext):
    """Executes operations, in the right places; for schemas of a service with PLACES alone."""

    def execute_field(self, parent_type: Any, source: Any, details: Any, path: Any, context: Any) -> Any:
        """As without places, and there."""
        identity = self._identity(parent_type, source, details, path)
        if identity is None:
            return super().execute_field(parent_type, source, details, path, context)
        with routing.at(identity):
            return super().execute_field(parent_type, source, details, path, context)

    def _identity(self, parent_type: Any, source: Any, details: Any, path: Any) -> UUID | None:
        """Whose place a field enters; None for what goes on in that of the field above."""
        if isinstance(source, Seen):
            return source.viewer.game.pk
        field = self.schema.get_field(parent_type, details[0].node.name.value)
        if path.prev is not None or field is None or self.operation.operation is OperationType.SUBSCRIPTION:
            return None
        try:
            given = get_argument_values(field, details[0].node, self.variable_values)
        except GraphQLError:  # the field itself is about to say so
            return None
        return next((given[name] for name in NAMES if isinstance(given.get(name), UUID)), None)
