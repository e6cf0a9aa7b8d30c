"""Parts of the OpenAPI document: what every game has (`core`), or that and one ruleset.

A part is cut from the whole document, so nothing is said twice: the addresses, commands, events and options of other
rulesets go, then the components that nothing leads to any more.
"""

from collections.abc import Collection, Iterator
from typing import Any

from api.common.exceptions import Fault
from api.representations.shapes.shape import ANY_EVENT
from api.rest.schema_commands import add_commands
from api.rest.schema_components import REF
from games import registry

COMPONENTS, SECURITY = "#/components/", "securitySchemes"


def parts() -> list[str]:
    """The names of all parts: `core`, and each ruleset."""
    return [registry.CORE, *registry.folders()]


def part_of(document: dict[str, Any], part: str) -> dict[str, Any]:
    """The document of one part; the whole one is left as it is. Raises Fault (query.invalid) for another name."""
    if part not in parts():
        known = ", ".join(parts())
        raise Fault("query.invalid", f"There is no such part; there are {known}.", parameter="ruleset")
    others = [slug for slug in registry.folders() if slug != part]
    prefixes = tuple(f"{word}{slug.title()}" for slug in others for word in ("", "Open"))
    schemas = document["components"]["schemas"]
    gone = {f"{REF}{name}" for name in schemas if name.startswith(prefixes)}
    paths = {
        address: _without(operations, gone)
        for address, operations in document["paths"].items()
        if not address.startswith(tuple(f"/api/v1/{slug}/" for slug in others))
    }
    paths = add_commands(paths, [part])
    rest = {name: _without(schema, gone) for name, schema in schemas.items() if f"{REF}{name}" not in gone}
    if part == registry.CORE:
        # Written out: of an envelope behind a reference some generators make one class twice, and drop both.
        named = {"title": ANY_EVENT, "description": schemas[ANY_EVENT]["description"]}
        rest |= {ANY_EVENT: schemas["AnyEvent"] | named}
        rest |= {name: _shared_fields(schemas[name], schemas) for name in ("GameState", "GameStateParts")}
    components = document["components"] | {"schemas": rest}
    reached = _reachable(paths, components)
    used = {tag for operations in paths.values() for tag in _tags(operations)}
    return document | {
        "info": document["info"] | {"title": f"{document['info']['title']}: {part}"},
        "tags": [tag for tag in document["tags"] if tag["name"] in used],
        "paths": paths,
        "components": {
            kind: {name: each for name, each in found.items() if (kind, name) in reached or kind == SECURITY}
            for kind, found in components.items()
        },
    }


def _shared_fields(choice: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """What all of a choice have in common: an object with the fields that each has alike, open for those of its own."""
    each = [schemas[branch["$ref"].removeprefix(REF)] for branch in choice["oneOf"]]
    fields = {
        name: field
        for name, field in each[0]["properties"].items()
        if all(one["properties"].get(name) == field for one in each)
    }
    required = [name for name in fields if all(name in one["required"] for one in each)]
    slug = {"type": "string", "description": "The ruleset's slug."}
    found = {"type": "object", "description": choice["description"], "additionalProperties": True}
    return found | {"properties": {"ruleset": slug, **fields}, "required": ["ruleset", *required]}


def _without(value: Any, gone: Collection[str]) -> Any:
    """A part of the document without references to what is gone; a choice among nothing is any object."""
    if isinstance(value, list):
        found = [_without(item, gone) for item in value]
        return [item for item in found if not (isinstance(item, dict) and item.get("$ref") in gone)]
    if not isinstance(value, dict):
        return value
    clean = {key: _without(item, gone) for key, item in value.items()}
    if isinstance(mapping := clean.get("mapping"), dict) and set(map(str, mapping.values())) & set(gone):
        clean["mapping"] = {name: address for name, address in mapping.items() if address not in gone}
    for choice in ("anyOf", "oneOf"):
        if clean.get(choice) == [] and value[choice]:
            del clean[choice]
            clean.pop("discriminator", None)
            clean |= {"type": "object", "additionalProperties": True}
    return clean


def _reachable(paths: dict[str, Any], components: dict[str, Any]) -> set[tuple[str, str]]:
    """The components that the paths lead to, and those that every refusal is made of: kind and name."""
    reached: set[tuple[str, str]] = set()
    waiting = set(_places(paths))
    while waiting:
        kind, name = address = waiting.pop()
        if name in components[kind] and address not in reached:
            reached.add(address)
            waiting |= set(_places(components[kind][name])) - reached
    return reached


def _places(value: Any) -> Iterator[tuple[str, str]]:
    """Kind and name of all components that something refers to."""
    if isinstance(value, list):
        for item in value:
            yield from _places(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _places(item)
    elif isinstance(value, str) and value.startswith(COMPONENTS):
        kind, _, name = value.removeprefix(COMPONENTS).partition("/")
        yield kind, name


def _tags(operations: dict[str, Any]) -> Iterator[str]:
    for operation in operations.values():
        if isinstance(operation, dict):
            yield from operation.get("tags", ())
