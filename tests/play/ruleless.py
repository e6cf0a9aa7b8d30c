"""A client that knows no rules and no command: it reads `legal-commands/?legal=1` and JSON Schema, and nothing else.

`theogony.sampling` fills a body at random by the schema of an entry, argument by argument in the order of `properties`:
those that others depend on stand first. `jsonschema` then judges the whole body.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from jsonschema import Draft202012Validator

from clients.python.theogony.sampling import TRIES, Filling


def body_for(
    entry: Mapping[str, Any], answer: Mapping[str, Any], chance: Random, *, given: float = 0.4
) -> dict[str, Any]:
    """A random body that the entry's schema admits, judged by `jsonschema`. given: the share of optional arguments.

    What depends on what stands behind it comes out wrong now and then, and is tried again.
    """
    whole = {**entry["schema"], "$defs": answer["$defs"]}
    validator = Draft202012Validator(whole)
    for _ in range(TRIES):
        body = Filling(answer["$defs"], chance, given).value(whole)
        if validator.is_valid(body):
            assert isinstance(body, dict)
            return body
    errors = [error.message for error in validator.iter_errors(body)]
    raise AssertionError((entry["command"], body, errors))


def choices(entry: Mapping[str, Any], answer: Mapping[str, Any], name: str) -> list[Any]:
    """The values that an entry lists for an argument, or for the items of a list."""
    filling = Filling(answer["$defs"], Random(0))
    schema = filling.resolve(entry["schema"]["properties"][name])
    schema = filling.resolve(schema["items"]) if "items" in schema else schema
    if "const" in schema:
        return [schema["const"]]
    return schema["enum"] if "enum" in schema else [filling.resolve(row)["const"] for row in schema["oneOf"]]
