"""Bounds in the OpenAPI document: what this service accepts at most, whatever a field's own shape says.

Bounds that are the database's own are taken out, so that the document is the same on each. What is sent has
bounds: whole numbers are within 10^18, ids and times are short, a text holds no NUL. What is answered has those of its
rules.
"""

from collections.abc import Iterator
from typing import Any

from api.common.strict_json import MAX_WHOLE
from api.rest.base import MAX_CHARACTERS

OF_THE_DATABASE = {2**15 - 1, 2**31 - 1, 2**63 - 1, -(2**15), -(2**31), -(2**63)}
LENGTHS = {"uuid": 36, "date-time": 64, "uri": 4096}
DISTINGUISHING = frozenset({"enum", "const", "format", "pattern"})
NO_NUL = r"^[^\u0000]*$"
REF = "#/components/schemas/"


def apply_bounds(document: dict[str, Any]) -> None:
    """Put the bounds into the document."""
    for part in parts_of(document):
        part.pop("x-spec-enum-id", None)  # a note of drf-spectacular's to itself
        kinds = kinds_of(part)
        if isinstance(part.get("default"), dict) and not part.keys().isdisjoint(("$ref", "anyOf")):
            del part["default"]  # what is left out of it has defaults of its own, and generators take no object here
        if "integer" in kinds:
            apply_whole_number_bounds(part, None)
    for part in sent_parts(document):
        kinds = kinds_of(part)
        if "integer" in kinds:
            apply_whole_number_bounds(part, MAX_WHOLE)
        if "string" in kinds and part.get("format") in LENGTHS and "enum" not in part:
            part.setdefault("maxLength", LENGTHS[part["format"]])
        if "string" in kinds and not DISTINGUISHING & set(part):
            part["pattern"] = NO_NUL


def kinds_of(part: dict[str, Any]) -> list[Any]:
    """The JSON types of a schema; none where it does not say."""
    kind = part.get("type")
    return kind if isinstance(kind, list) else [kind]


def apply_whole_number_bounds(part: dict[str, Any], most: int | None) -> None:
    """A whole number: the rules' own bounds, else `most` in each direction, where it is one; always in one order."""
    for own, exclusive, sign in (("minimum", "exclusiveMinimum", -1), ("maximum", "exclusiveMaximum", 1)):
        found = part.pop(own, None)
        if found is not None and found not in OF_THE_DATABASE:
            part[own] = found
        elif exclusive not in part and most is not None:
            part[own] = sign * most
    part.pop("format", None)
    part["format"] = "int64"


def parts_of(part: Any) -> Iterator[dict[str, Any]]:
    """Every object in the document."""
    if isinstance(part, list):
        for inner in part:
            yield from parts_of(inner)
    elif isinstance(part, dict):
        yield part
        for inner in part.values():
            yield from parts_of(inner)


def sent_parts(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas of what clients send: in parameters, and in bodies whatever lies behind their references."""
    operations = [o for at in document["paths"].values() for o in at.values() if isinstance(o, dict)]
    for operation in operations:
        for parameter in operation.get("parameters", ()):
            for part in parts_of(parameter["schema"]):
                is_text = "string" in kinds_of(part) and part.get("format") not in LENGTHS
                if is_text and not {"enum", "const"} & set(part):
                    part.setdefault("maxLength", MAX_CHARACTERS)
                yield part
    waiting = [operation["requestBody"] for operation in operations if "requestBody" in operation]
    known: set[str] = set()
    while waiting:
        for part in parts_of(waiting.pop()):
            yield part
            name = str(part.get("$ref", "")).removeprefix(REF)
            if name in document["components"]["schemas"] and name not in known:
                known.add(name)
                waiting.append(document["components"]["schemas"][name])
