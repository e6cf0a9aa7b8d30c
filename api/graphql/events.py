"""Events in GraphQL: the interface `GameEvent`, and one type for each event class of every ruleset.

An event's own fields stand in `data`, with the types and the nullability of its class. So a further game changes no
field that exists; a query that asks two games for fields of one name and different types gives one of them an alias.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from inspect import getdoc
from typing import Any
from uuid import UUID

import strawberry
from strawberry.scalars import JSON

from api.graphql.mapping import Outputs, object_type
from api.representations.issuing.commands import component_name
from games import registry
from games.engine.kernel import Event
from games.engine.model import field_descriptions
from games.reads.selectors import EventView


@strawberry.type
class Roll:
    """One die that an event used."""

    label: str
    index: int
    sides: int
    value: int
    source: str
    rule: str


@strawberry.interface
class GameEvent:
    """Something that happened in a game, as far as the viewer may know; each kind has a type of its own."""

    cursor: str = strawberry.field(description="Right after this event: the next `after`.")
    type: str = strawberry.field(description="Ruleset and class, as in REST: `gods2.WarDeclared`, `core.Paused`.")
    at: datetime = strawberry.field(description="The game's time.")
    text: str = strawberry.field(description="One sentence for the chronicle; empty to stay silent.")
    rules: list[str] = strawberry.field(description="Ids of the rules it follows.")
    rolls: list[Roll] = strawberry.field(description="The dice it used.")
    by: str = strawberry.field(description="`deadline`, `clock` or `bot`; empty when somebody acted.")
    on_behalf_of: UUID | None = strawberry.field(description="The absent seat that a game-master acted for.")
    undone: bool = strawberry.field(description="Whether a rewind undid it.")
    data_json: JSON = strawberry.field(description="Its own fields, the `data` of REST, whatever its type.")

    @classmethod
    def resolve_type(cls, value: Any, info: Any, kind: Any) -> str:
        """The type of an event's value."""
        return str(value["__typename"])


def event_value(slug: str, event: EventView) -> dict[str, Any]:
    """An event as its type reads it."""
    return typed_value(slug, event.as_json())


def typed_value(slug: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """An event as REST shows it, as its type reads it."""
    kind = registry.event_class(slug, event["type"].rpartition(".")[2])
    return {**event, "data_json": event["data"], "__typename": component_name(slug, kind)}


def every_event() -> Iterator[tuple[str, type[Event]]]:
    """The event classes of all rulesets by the name of their type; those of every game once."""
    seen: set[str] = set()
    for ruleset in registry.rulesets():
        for kind in ruleset.events.values():
            name = component_name(ruleset.slug, kind)
            if name not in seen:
                seen.add(name)
                yield name, kind


def event_types(outputs: Outputs) -> list[Any]:
    """The type of every event. What the interface says of its fields is not said again in each."""
    return [_event_type(outputs, name, kind) for name, kind in every_event()]


def _event_type(outputs: Outputs, name: str, kind: type[Event]) -> Any:
    hints = dict(GameEvent.__annotations__)
    own = {field: outputs.hint(found.annotation) for field, found in kind.model_fields.items()}
    if own:
        hints["data"] = object_type(f"{name}Data", own, field_descriptions(kind), f"The own fields of `{name}`.")
    return object_type(name, hints, {}, getdoc(kind) or name, bases=(GameEvent,), apart=True)
