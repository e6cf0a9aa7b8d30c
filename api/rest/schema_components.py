"""What commands, events and answers look like in the OpenAPI document: components made from the classes themselves.

A command's component is called after game and class (`Gods2DeclareWar`), those of every game `CorePause`; an event's
component carries `type` as its constant. Bodies bear no tag: the address names the command.
"""

from collections.abc import Collection, Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from api.representations.games import opening_of
from api.representations.issuing.commands import component_name
from api.representations.resources.accounts import StrictSerializer
from api.representations.shapes.log import AnyEvent
from api.representations.shapes.shape import ANY_EVENT, Shape
from api.representations.shapes.state_schemas import own_names, state_parts_schema, state_schema
from games import registry
from games.engine.lifecycle.seating import Join

REF = "#/components/schemas/"
ENVELOPE = "EventEnvelope"
"""The component of what every event has."""


class CommandBody:
    """Marker: the body of any command of any ruleset."""


class JoinBody:
    """Marker: the body of `join`."""


class StateAnswer:
    """Marker: the state of a game of any ruleset, or parts of it."""


class OpenGame:
    """Marker: the body that opens a game of any ruleset."""


def ref(name: str) -> dict[str, str]:
    """A reference to a component."""
    return {"$ref": f"{REF}{name}"}


def has(auto_schema: Any, name: str) -> bool:
    """Whether the document has a component already."""
    return (name, ResolvedComponent.SCHEMA) in auto_schema.registry._components


def add(auto_schema: Any, name: str, schema: dict[str, Any]) -> dict[str, str]:
    """Put a component into the document, once; the reference to it. Its title is its name: clients call classes so."""
    if "title" in schema:
        schema = {**schema, "title": name}
    component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=schema)
    auto_schema.registry.register_on_missing(component)
    return ref(name)


def schema_of(
    auto_schema: Any,
    model: type[BaseModel],
    mode: JsonSchemaMode,
    prefix: str = "",
    own_names: Collection[str] | None = None,
) -> dict[str, Any]:
    """The JSON Schema of a model; the models inside it become components, their names behind the prefix.

    own_names: those of the inner models that get the prefix; all where it is None.
    """
    _, found = models_json_schema([(model, mode)], ref_template=f"{REF}{{model}}")
    inner = found.get("$defs", {})
    own = inner.pop(model.__name__)
    names = {name: behind(prefix, name) if own_names is None or name in own_names else name for name in inner}
    for name, schema in inner.items():
        add(auto_schema, names[name], resolve_references(auto_schema, schema, names))
    return dict(resolve_references(auto_schema, own, names))


def behind(prefix: str, name: str) -> str:
    """A name behind a prefix, unless it bears it already."""
    return name if name.startswith(prefix) else f"{prefix}{name}"


def resolve_references(auto_schema: Any, schema: Any, names: Mapping[str, str]) -> Any:
    """The schema with references to our components: those of its fields, and those that a shape asked for.

    names: of the components, by the name of the model that each is made of.
    """
    if isinstance(schema, list):
        return [resolve_references(auto_schema, item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("x-component") == ANY_EVENT:
        return any_event(auto_schema)
    if isinstance(fields := schema.get("properties"), dict):
        schema = {**schema, "properties": {name: without_title(found) for name, found in fields.items()}}
    if "prefixItems" in schema:
        schema = {"items": {}, **schema}  # a pair; some readers ask of every list what it holds
    if isinstance(address := schema.get("$ref"), str):
        schema = {**schema, **ref(names.get(address.removeprefix(REF), address.removeprefix(REF)))}
    return {
        key: value if key == "$ref" else resolve_references(auto_schema, value, names) for key, value in schema.items()
    }


def without_title(field: Any) -> Any:
    """The schema of a field without the title that repeats its name."""
    return {key: value for key, value in field.items() if key != "title"} if isinstance(field, dict) else field


def union(told_by: str, refs: Mapping[str, dict[str, str]]) -> dict[str, Any]:
    """One of several components; the value of the property `told_by` says which."""
    mapping = {value: found["$ref"] for value, found in refs.items()}
    return {"oneOf": list(refs.values()), "discriminator": {"propertyName": told_by, "mapping": mapping}}


def state_component(auto_schema: Any, slug: str, model: type[BaseModel]) -> dict[str, str]:
    """The component of a ruleset's state; what it may leave out has no default."""
    found = schema_of(auto_schema, model, "serialization", slug.title(), own_names(slug))
    found["required"] = [name for name, field in model.model_fields.items() if field.is_required()]
    for field in found["properties"].values():
        field.pop("default", None)
    return add(auto_schema, model.__name__, found)


def prefix_of(name: str, kind: type) -> str:
    """What stands before a class's name in its component's name: the components of its fields get it too."""
    return name.removesuffix(kind.__name__)


def command_component(auto_schema: Any, slug: str, kind: type[BaseModel]) -> dict[str, str]:
    """The component of a command."""
    name = component_name(slug, kind)
    return add(auto_schema, name, schema_of(auto_schema, kind, "validation", prefix_of(name, kind)))


def any_command(auto_schema: Any) -> dict[str, Any]:
    """Any command as a body; each becomes a component, to which the operation of its own refers."""
    for rules in registry.rulesets():
        for kind in rules.open_commands.values():
            command_component(auto_schema, rules.slug, kind)
    description = "The command that the address names: the component of its own operation."
    return {"description": description, "type": "object", "additionalProperties": True}


def event_component(auto_schema: Any, slug: str, kind: type[BaseModel]) -> dict[str, str]:
    """The component of an event as it is shown: the envelope, with its own fields as `data`."""
    name = component_name(slug, kind)
    own = schema_of(auto_schema, kind, "serialization", prefix_of(name, kind))
    description = own.pop("description", "")
    own.pop("title", None)
    fields = own.get("properties", {})
    properties = {
        "type": {"type": "string", "const": registry.event_type(slug, kind.__name__)},
        "data": {**own, "type": "object", "properties": fields, "required": list(fields)},
    }
    schema = {"type": "object", "title": name, "description": description}
    own_part = {"type": "object", "properties": properties, "required": list(properties)}
    return add(auto_schema, name, {**schema, "allOf": [envelope(auto_schema), own_part]})


def envelope(auto_schema: Any) -> dict[str, str]:
    """The component of what every event has, but for `type`: generators cannot merge a type with its constant."""
    if has(auto_schema, ENVELOPE):
        return ref(ENVELOPE)
    schema = schema_of(auto_schema, AnyEvent, "serialization")
    properties = {name: field for name, field in schema["properties"].items() if name not in ("type", "data")}
    found = {"type": "object", "description": "What every event has.", "properties": properties}
    return add(auto_schema, ENVELOPE, {**found, "required": list(properties)})


def any_event(auto_schema: Any) -> dict[str, str]:
    """Any event of any ruleset; each ruleset's are a union distinguished by `type`."""
    if has(auto_schema, ANY_EVENT):
        return ref(ANY_EVENT)
    unions = []
    for rules in registry.rulesets():
        refs = {
            registry.event_type(rules.slug, name): event_component(auto_schema, rules.slug, kind)
            for name, kind in rules.events.items()
        }
        events = {"description": f"An event of {rules.title}.", **union("type", refs)}
        unions.append(add(auto_schema, f"{rules.slug.title()}Event", events))
    description = "An event: one envelope, its own fields in `data`. Its game's ruleset says which union applies."
    return add(auto_schema, ANY_EVENT, {"description": description, "anyOf": unions})


class ShapeExtension(OpenApiSerializerExtension):
    """Answers that are described by a `Shape`."""

    target_class = Shape
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """The class's name."""
        return str(self.target.__name__)

    def get_identity(self, auto_schema: Any, direction: Any) -> Any:
        """As an inner component has it, so that a shape may stand alone and inside another."""
        return self.target.__name__

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Its JSON Schema."""
        return schema_of(auto_schema, self.target, "serialization")


class CommandBodyExtension(OpenApiSerializerExtension):
    """The body of a command."""

    target_class = CommandBody

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """How the component is called."""
        return "AnyCommand"

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Any command of any ruleset."""
        return any_command(auto_schema)


class JoinBodyExtension(OpenApiSerializerExtension):
    """The body of `join`."""

    target_class = JoinBody

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """How the component is called."""
        return "JoinWish"

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The command's own component."""
        return {"allOf": [command_component(auto_schema, registry.CORE, Join)]}


class StateAnswerExtension(OpenApiSerializerExtension):
    """The state of a game, whole or in parts."""

    target_class = StateAnswer

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """How the component is called."""
        return "StateAnswer"

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The whole state, or parts of it; `ruleset` tells those of the rulesets apart."""
        whole = {
            rules.slug: state_component(auto_schema, rules.slug, state_schema(rules.slug))
            for rules in registry.rulesets()
        }
        parts = {
            rules.slug: state_component(auto_schema, rules.slug, state_parts_schema(rules.slug))
            for rules in registry.rulesets()
        }
        description = "The whole game as this viewer may see it; `ruleset` says which tables it has."
        state = add(auto_schema, "GameState", {"description": description, **union("ruleset", whole)})
        some = add(auto_schema, "GameStateParts", {"description": "Parts of it.", **union("ruleset", parts)})
        return {"description": "The whole state, or where `parts` was asked, those parts.", "anyOf": [state, some]}


class OpenGameExtension(OpenApiSerializerExtension):
    """The body that opens a game."""

    target_class = OpenGame

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """How the component is called."""
        return "OpenGame"

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """One body for each ruleset, distinguished by `ruleset`."""
        refs: dict[str, dict[str, str]] = {}
        for rules in registry.rulesets():
            body, prefix = opening_of(rules.slug), rules.slug.title()
            refs[rules.slug] = add(auto_schema, body.__name__, schema_of(auto_schema, body, "validation", prefix))
        return union("ruleset", refs)


class StrictExtension(OpenApiSerializerExtension):
    """Bodies that may hold their fields and no others."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """As drf-spectacular has it, and closed."""
        found = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**found, "additionalProperties": False}
