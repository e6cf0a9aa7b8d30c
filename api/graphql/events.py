"""Events in GraphQL: the interface `GameEvent`, and one type for each event class of every ruleset.

One field name has one type in the whole schema, as a query may ask for a field in the fragments of many games. Within a
ruleset: where classes disagree about "may be null" it may be null everywhere; where they disagree about the type it is
JSON. Between rulesets: the one that was there first keeps the name, the other's field is called after its game
(`albraxasSides`). So a further game never changes a field that exists.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from inspect import getdoc
from typing import Any, Union, get_args
from uuid import UUID

import strawberry
from pydantic import BaseModel
from strawberry.scalars import JSON

from api.graphql.mapping import Outputs, object_type
from api.representations.commands import component_name
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
    type: str = strawberry.field(description="The event's class, as in REST.")
    at: datetime = strawberry.field(description="The game's time.")
    text: str = strawberry.field(description="One sentence for the chronicle; empty to stay silent.")
    rules: list[str] = strawberry.field(description="Ids of the rules it follows.")
    rolls: list[Roll] = strawberry.field(description="The dice it used.")
    by: str = strawberry.field(description="`deadline`, `clock` or `bot`; empty when somebody acted.")
    on_behalf_of: UUID | None = strawberry.field(description="The absent seat that a game-master acted for.")
    fallen: bool = strawberry.field(description="Whether a rewind undid it.")
    fields: JSON = strawberry.field(description="Its own fields, as REST shows them.")

    @classmethod
    def resolve_type(cls, value: Any, info: Any, kind: Any) -> str:
        """The type of an event's value."""
        return str(value["__typename"])


COMMON = frozenset({"cursor", "type", "at", "text", "rules", "rolls", "by", "on_behalf_of", "fallen", "fields"})


def event_value(slug: str, event: EventView) -> dict[str, Any]:
    """An event as its type reads it."""
    name = component_name(slug, registry.event_class(slug, event.type))
    return event.as_json() | _rename_fields(name, event.fields) | {"fields": event.fields, "__typename": name}


def event_values(slug: str, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events as REST shows them, as their types read them."""
    found = []
    for event in events:
        kind = registry.event_class(slug, event["type"])
        name = component_name(slug, kind)
        own = {field: event[field] for field in kind.model_fields if field in event}
        found.append(event | _rename_fields(name, own) | {"fields": own, "__typename": name})
    return found


def _rename_fields(kind: str, own: Mapping[str, Any]) -> dict[str, Any]:
    return {key: own[name] for name, key in RENAMED.get(kind, {}).items() if name in own}


RENAMED: dict[str, dict[str, str]] = {}
"""By the name of an event's type: its fields that are called after their game, and how; filled by `event_types`."""


def every_event() -> Iterator[tuple[str, dict[str, type[Event]]]]:
    """Each ruleset with its event classes by the name of their type; those of the table once, with the first."""
    seen: set[str] = set()
    for ruleset in registry.rulesets():
        named = {component_name(ruleset.slug, kind): kind for kind in ruleset.events.values()}
        new = {name: kind for name, kind in named.items() if name not in seen}
        seen |= new.keys()
        yield ruleset.slug, new


def agree_on_hints(kinds: Iterable[type[BaseModel]], outputs: Outputs) -> dict[str, Any]:
    """The one hint of each own field name, whatever class has it."""
    wanted: dict[str, list[Any]] = defaultdict(list)
    for kind in kinds:
        for name, found in kind.model_fields.items():
            wanted[name].append(outputs.hint(found.annotation))
    return {name: _agreement(hints) for name, hints in wanted.items()}


def _agreement(hints: list[Any]) -> Any:
    optional = any(type(None) in get_args(hint) for hint in hints)
    bare = [_bare(hint) for hint in hints]
    one = bare[0] if all(hint == bare[0] for hint in bare) else JSON
    return Union[one, None] if optional else one  # noqa: UP007


def _bare(hint: Any) -> Any:
    inner = [argument for argument in get_args(hint) if argument is not type(None)]
    return inner[0] if type(None) in get_args(hint) and len(inner) == 1 else hint


def event_types(outputs: Outputs) -> list[Any]:
    """The type of every event. A field that the interface has already is listed there, as in REST."""
    taken: dict[str, Any] = {}
    made = []
    for slug, kinds in every_event():
        agreement = agree_on_hints(kinds.values(), outputs)
        keys = {n: n if taken.get(n, hint) in (hint, hint | None) else f"{slug}_{n}" for n, hint in agreement.items()}
        taken = {keys[name]: hint for name, hint in agreement.items()} | taken
        for name, kind in kinds.items():
            own = {field: text for field, text in field_descriptions(kind).items() if field not in COMMON}
            hints = {keys[field]: taken[keys[field]] for field in own}
            descriptions = {keys[field]: text for field, text in own.items()}
            RENAMED[name] = {field: keys[field] for field in own if keys[field] != field}
            made.append(object_type(name, hints, descriptions, getdoc(kind) or name, bases=(GameEvent,), apart=True))
    return made
