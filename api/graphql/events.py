"""Events in GraphQL: the interface `GameEvent`, and one type for each event class of every ruleset.

An event's own fields stand in `data`, with the types of its class, each as nullable as anywhere in its ruleset. A
further game changes no field that exists; where two events have fields of one name and different types, a query that
asks both gives one of them an alias.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, reduce
from inspect import getdoc
from operator import or_
from types import NoneType
from typing import Any, get_args
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
    text: str = strawberry.field(description="One sentence with its figures; empty to stay silent.")
    rules: list[str] = strawberry.field(description="Ids of the rules it follows.")
    rolls: list[Roll] = strawberry.field(description="The dice it used.")
    by: str = strawberry.field(description="`deadline`, `clock` or `bot`; empty when somebody acted.")
    on_behalf_of: UUID | None = strawberry.field(description="The absent seat that a game-master acted for.")
    undone: bool = strawberry.field(description="Whether a rewind undid it.")
    muted: bool = strawberry.field(
        description="Whether it is a message of a seat that you mute; its text is withheld from you then."
    )
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
    own = {**_defaults(kind), **event["data"]}
    return {**event, "data": own, "data_json": event["data"], "__typename": component_name(slug, kind)}


@cache
def _defaults(kind: type[Event]) -> Mapping[str, Any]:
    """What fields have that an event of an earlier release lacks."""
    fields = kind.model_fields.items()
    return {name: field.get_default(call_default_factory=True) for name, field in fields if not field.is_required()}


def every_event() -> Iterator[tuple[str, type[Event]]]:
    """The event classes of all rulesets by the name of their type; those of every game once."""
    return ((name, kind) for kinds in _events_by_owner().values() for name, kind in kinds.items())


def _events_by_owner() -> dict[str, dict[str, type[Event]]]:
    """The event classes of every game (`core`, first), then of each ruleset alone, by the name of their type."""
    owned: dict[str, dict[str, type[Event]]] = {registry.CORE: {}}
    for ruleset in registry.rulesets():
        for kind in ruleset.events.values():
            owner = registry.event_type(ruleset.slug, kind.__name__).partition(".")[0]
            owned.setdefault(owner, {})[component_name(ruleset.slug, kind)] = kind
    return owned


def event_types(outputs: Outputs) -> list[Any]:
    """The type of every event. What the interface says of its fields is not said again in each.

    A field of one name and type is nullable in all events of a ruleset once it is in one of them, or in an event of
    every game: a query may then ask many types for it without an alias. Events of every game follow each other alone.
    """
    made = []
    of_every_game: set[tuple[str, Any]] = set()
    for owner, kinds in _events_by_owner().items():
        hints = {name: _own_hints(outputs, kind) for name, kind in kinds.items()}
        nullable = of_every_game | {pair for own in hints.values() for pair in _nullable(own)}
        if owner == registry.CORE:
            of_every_game = nullable
        for name, kind in kinds.items():
            own = {field: hint | None if (field, hint) in nullable else hint for field, hint in hints[name].items()}
            made.append(_event_type(name, kind, own))
    return made


def _own_hints(outputs: Outputs, kind: type[Event]) -> dict[str, Any]:
    return {field: outputs.hint(found.annotation) for field, found in kind.model_fields.items()}


def _nullable(own: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields that may be null, each with the hint that it has where it may not."""
    for field, hint in own.items():
        if NoneType in get_args(hint):
            yield field, reduce(or_, (each for each in get_args(hint) if each is not NoneType))


def _event_type(name: str, kind: type[Event], own: Mapping[str, Any]) -> Any:
    hints = dict(GameEvent.__annotations__)
    if own:
        hints["data"] = object_type(f"{name}Data", own, field_descriptions(kind), f"The own fields of `{name}`.")
    return object_type(name, hints, {}, getdoc(kind) or name, bases=(GameEvent,), apart=True)
