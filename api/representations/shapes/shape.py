"""What the shapes of answers have in common."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from games.engine.model import Model

ANY_EVENT = "GameEvent"
"""The component that stands for every event of every ruleset; `api.rest.schema_components` makes it."""

EventJson = Annotated[dict[str, Any], WithJsonSchema({"x-component": ANY_EVENT})]

JsonSchema = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": True})]


class Shape(Model):
    """What the shapes have in common: exact fields."""
