"""A client that knows no rules and no command: it reads `legal-commands/?legal=1` and JSON Schema, and nothing else.

The Python client fills its bodies: `theogony.sampling`.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from clients.python.theogony.sampling import Filling, sample


def body_for(
    entry: Mapping[str, Any], answer: Mapping[str, Any], chance: Random, *, given: float = 0.4
) -> dict[str, Any]:
    """A random body that the entry's schema admits. given: the share of optional arguments."""
    body = sample({**entry["schema"], "$defs": answer["$defs"]}, chance, given=given)
    assert isinstance(body, dict)
    return body


def choices(entry: Mapping[str, Any], answer: Mapping[str, Any], name: str) -> list[Any]:
    """The values that an entry lists for an argument, or for the items of a list."""
    filling = Filling(answer["$defs"], Random(0))
    schema = filling.resolve(entry["schema"]["properties"][name])
    schema = filling.resolve(schema["items"]) if "items" in schema else schema
    if "const" in schema:
        return [schema["const"]]
    return schema["enum"] if "enum" in schema else [filling.resolve(row)["const"] for row in schema["oneOf"]]
