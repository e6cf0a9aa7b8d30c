"""JSON Schemas as forms read them: without references, and of several possibilities what they have together.

A form draws one field for each argument. Where an argument may be one of several things, what is chosen from is all
that any of them may be; a body that mixes them is refused by its own parser, in the same words as in the APIs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from api.pages.wording import value_words

Schema = Mapping[str, Any]
MOST_NUMBERS = 100
"""A range of whole numbers beside words is listed as far as it has so many."""


def resolve(part: Schema, defs: Schema) -> Schema:
    """A schema without a reference; of `this or null` the first, of several what they have together."""
    while True:
        if "$ref" in part:
            part = defs[part["$ref"].rpartition("/")[2]]
        elif "anyOf" in part and choices_of(part) is None:
            inner = [resolve(each, defs) for each in part["anyOf"]]
            whole = [each for each in inner if each.get("type") != "null"]
            if len(whole) != 1:
                return union(whole, defs)
            part = {**whole[0], **{key: part[key] for key in ("default",) if key in part}}
        elif len(part.get("allOf", ())) == 1 and not {"properties", "items"} & part.keys():
            part = part["allOf"][0]
        else:
            return part


def union(parts: Sequence[Schema], defs: Schema) -> Schema:
    """One schema for an argument that may be any of several things; an empty one where they have nothing in common."""
    listed = [_all_choices_of(part) for part in parts]
    if parts and all(values is not None for values in listed):
        return _one_of(choice for values in listed for choice in values or ())
    if parts and all(part.get("type") == "array" for part in parts):
        return _freely(parts, defs)
    if parts and all(part.get("properties") for part in parts):
        return join(parts, defs)
    return {}


def join(parts: Sequence[Schema], defs: Schema) -> dict[str, Any]:
    """What several schemas of one argument have together: every choice, also of the fields of lists and objects."""
    parts = [resolve(part, defs) for part in parts]
    listed = [choices_of(part) for part in parts]
    if all(values is not None for values in listed):
        more = max(part.get("x-more", 0) for part in parts)
        every = _one_of(choice for values in listed for choice in values or ())
        return every | ({"x-more": more} if more else {})
    if all(part.get("type") == "array" and "items" in part for part in parts):
        least = min(part.get("minItems", 0) for part in parts)
        return {**parts[0], "items": join([part["items"] for part in parts], defs), "minItems": least}
    if all("properties" in part for part in parts):
        names = dict.fromkeys(name for part in parts for name in part["properties"])
        properties = {
            n: join([part["properties"][n] for part in parts if n in part["properties"]], defs) for n in names
        }
        needed = [name for name in names if all(name in part.get("required", ()) for part in parts)]
        return {"type": "object", "properties": properties, "required": needed}
    return dict(parts[0])


def choices_of(part: Schema) -> list[tuple[Any, str]] | None:
    """The values that a schema lists, with what they are called; None where it lists none."""
    if "const" in part:
        return [(part["const"], str(part.get("title", value_words(part["const"]))))]
    if "enum" in part:
        return [(value, value_words(value)) for value in part["enum"]]
    if "oneOf" in part and all("const" in each for each in part["oneOf"]):
        return [(each["const"], str(each.get("title", value_words(each["const"])))) for each in part["oneOf"]]
    return None


def _all_choices_of(part: Schema) -> list[tuple[Any, str]] | None:
    """The values of one of several possibilities, as far as they can be listed: an object of which nothing is open,
    whole numbers of a short range."""
    fields = part.get("properties", {})
    if fields and fields.keys() <= set(part.get("required", ())) and all("const" in each for each in fields.values()):
        value = {name: each["const"] for name, each in fields.items()}
        return [(value, value_words(value))]
    low, high = part.get("minimum"), part.get("maximum")
    if part.get("type") == "integer" and low is not None and high is not None and high - low < MOST_NUMBERS:
        return [(number, str(number)) for number in range(low, high + 1)]
    return choices_of(part)


def _one_of(choices: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    """A choice of these values, each of them once; they may be lists, so that no set holds them."""
    found: list[tuple[Any, str]] = []
    for choice in choices:
        if choice not in found:
            found.append(choice)
    return {"oneOf": [{"const": value, "title": title} for value, title in found]}


def _freely(lists: Sequence[Schema], defs: Schema) -> Schema:
    """A list of which the schema says some forms that are good: every choice of its items, and any whole number."""
    items = [resolve(item, defs) for each in lists for item in (*each.get("prefixItems", ()), each.get("items", {}))]
    fields: dict[str, list[tuple[Any, str]]] = {}
    for item in items:
        for name, part in item.get("properties", {}).items():
            known = fields.setdefault(name, [])
            known += [choice for choice in choices_of(resolve(part, defs)) or () if choice not in known]
    if not fields or not all(fields.values()):
        return {}
    properties: dict[str, Schema] = {
        name: {"type": "integer"} if all(type(value) is int for value, _ in known) else _one_of(known)
        for name, known in fields.items()
    }
    return {"type": "array", "items": {"type": "object", "properties": properties}}
