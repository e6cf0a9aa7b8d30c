"""Parts of the OpenAPI document: what every game has (`core`), or that and one ruleset.

A part is cut from the whole document, so nothing is said twice: the addresses, commands, events and options of other
rulesets go, then the components that nothing leads to any more.
"""

from collections.abc import Collection, Iterator
from typing import Any

from api.common.exceptions import Fault
from api.rest.schema_components import REF
from games import registry

GAMES = "/api/v1/games/{game_id}/"
NAMED = tuple(f"{GAMES}{place}/{{name}}/" for place in ("commands", "forecast"))
"""Addresses whose `name` is a command's."""


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
        place: _without(operations, gone)
        for place, operations in document["paths"].items()
        if not place.startswith(tuple(f"/api/v1/{slug}/" for slug in others))
    }
    for place in NAMED:
        _name_commands(paths.get(place, {}), part)
    rest = {name: _without(schema, gone) for name, schema in schemas.items() if f"{REF}{name}" not in gone}
    reached = _reached(paths, rest)
    used = {tag for operations in paths.values() for tag in _tags(operations)}
    return document | {
        "info": document["info"] | {"title": f"{document['info']['title']}: {part}"},
        "tags": [tag for tag in document["tags"] if tag["name"] in used],
        "paths": paths,
        "components": document["components"] | {"schemas": {n: s for n, s in rest.items() if n in reached}},
    }


def _without(value: Any, gone: Collection[str]) -> Any:
    """A part of the document without references to what is gone; a choice among nothing is any object."""
    if isinstance(value, list):
        found = [_without(item, gone) for item in value]
        return [item for item in found if not (isinstance(item, dict) and item.get("$ref") in gone)]
    if not isinstance(value, dict):
        return value
    clean = {key: _without(item, gone) for key, item in value.items()}
    if isinstance(mapping := clean.get("mapping"), dict) and set(map(str, mapping.values())) & set(gone):
        clean["mapping"] = {name: place for name, place in mapping.items() if place not in gone}
    for choice in ("anyOf", "oneOf"):
        if clean.get(choice) == [] and value[choice]:
            del clean[choice]
            clean.pop("discriminator", None)
            clean["type"] = "object"
    return clean


def _name_commands(operations: dict[str, Any], part: str) -> None:
    """Let the parameter `name` be one of the part's commands. The operations are a copy already."""
    slugs = [part] if part != registry.CORE else list(registry.folders())
    names = {
        name
        for slug in slugs
        for name, kind in registry.ruleset(slug).open_commands.items()
        if part != registry.CORE or registry.owner(slug, kind.__name__) == registry.CORE
    }
    for operation in operations.values():
        for parameter in operation.get("parameters", ()) if isinstance(operation, dict) else ():
            if parameter["name"] == "name" and "enum" in parameter["schema"]:
                parameter["schema"]["enum"] = sorted(names & set(parameter["schema"]["enum"]))


def _reached(paths: dict[str, Any], schemas: dict[str, Any]) -> set[str]:
    """The names of the components that the paths lead to, and those that every refusal is made of."""
    reached: set[str] = set()
    waiting = {"Problem", *_names(paths)}
    while waiting:
        name = waiting.pop()
        if name in schemas and name not in reached:
            reached.add(name)
            waiting |= set(_names(schemas[name])) - reached
    return reached


def _names(value: Any) -> Iterator[str]:
    """The names of all components that something refers to."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _names(item)
    elif isinstance(value, str) and value.startswith(REF):
        yield value.removeprefix(REF)


def _tags(operations: dict[str, Any]) -> Iterator[str]:
    for operation in operations.values():
        if isinstance(operation, dict):
            yield from operation.get("tags", ())
