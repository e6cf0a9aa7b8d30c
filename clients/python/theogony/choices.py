"""What an argument of a legal command may be now, read from the entry's JSON Schema."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

DEFINITIONS = "#/$defs/"


class Choice(NamedTuple):
    """A value, and how people call it."""

    value: Any
    title: str


def choices(listing: Mapping[str, Any], entry: Mapping[str, Any], argument: str) -> list[Choice]:
    """The listed values of an argument; empty where it is barred, or a number, a text or a list of things.

    listing: the answer of `legal_commands`, which holds what entries share. entry: one of its `results`.
    """
    fields = (entry["schema"] or {}).get("properties", {})
    return list(choices_in(fields.get(argument, {}), listing["$defs"]))


def choices_in(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> Iterator[Choice]:
    """The values that a schema names: one, several, or several with titles."""
    if "$ref" in schema:
        schema = shared[schema["$ref"].removeprefix(DEFINITIONS)]
    if "const" in schema:
        yield Choice(schema["const"], schema.get("title", str(schema["const"])))
    for value in schema.get("enum", ()):
        yield Choice(value, str(value))
    for branch in schema.get("oneOf", ()):
        yield from choices_in(branch, shared)
