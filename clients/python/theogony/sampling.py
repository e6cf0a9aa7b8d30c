"""Bodies at random, by JSON Schema alone: to write a bot, to fill a test. Needs the extra: `theogony[sample]`.

A body is filled argument by argument in the order of `properties`: those that others depend on stand first. Then
`jsonschema` judges the whole, so that a wrong reading of a schema is no body.
"""

import re
from collections.abc import Mapping
from random import Random
from typing import Any
from uuid import UUID

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

Schema = Mapping[str, Any]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HEXADECIMAL = "0123456789abcdef"
FAR = 20  # how far beyond its end a range without an end is tried
A_RULE = "G2-WAR-1"
"""A text for patterns of three parts."""
A_TIME_OF_DAY = "20:00"
USUAL = 12  # characters of a text that may be of any length
TRIES = 50  # bodies that are thought of before a schema is said to admit none
LONG_LISTS = 0.1  # the share of lists that may be as long as is admitted


class Unfillable(Exception):
    """A schema that `legal-commands` does not use, or that admits nothing."""


def sample(schema: Schema, chance: Random, *, given: float = 0.4) -> Any:
    """A random value that a schema admits; of a legal command: `{**entry["schema"], "$defs": listing["$defs"]}`.

    chance: where it comes from; the same seed gives the same value. given: the share of optional arguments that are
    given. What depends on what stands behind it comes out wrong now and then, and is tried again. Raises Unfillable.
    """
    filling, validator = Filling(schema.get("$defs", {}), chance, given), Draft202012Validator(schema)
    for _ in range(TRIES):
        value = filling.value(schema)
        if validator.is_valid(value):
            return value
    raise Unfillable(f"{value!r}: {'; '.join(error.message for error in validator.iter_errors(value))}")


class Filling:
    """Random values by schemas that refer to the same `$defs`."""

    def __init__(self, defs: Schema, chance: Random, given: float = 0.4) -> None:
        self.defs, self.chance, self.given = defs, chance, given

    def resolve(self, schema: Schema) -> Schema:
        """The schema itself, where it only refers to one."""
        while "$ref" in schema:
            schema = self.defs[schema["$ref"].removeprefix("#/$defs/")]
        return schema

    def value(self, schema: Any) -> Any:
        """A random value."""
        if schema is False:
            raise Unfillable("nothing is admitted")
        schema = self.resolve(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        for choice in ("oneOf", "anyOf"):
            if choice in schema:
                rest = {key: value for key, value in schema.items() if key != choice}
                return self.value({**rest, **self.resolve(self.chance.choice(schema[choice]))})
        match schema.get("type"):
            case "null":
                return None
            case "boolean":
                return self.chance.random() < 0.5
            case "integer":
                low = schema.get("minimum", schema.get("maximum", 0) - FAR)
                return self.chance.randint(low, min(schema.get("maximum", low + FAR), low + 1000 * FAR))
            case "string":
                return self.text(schema)
            case "array":
                return self.items(schema)
            case "object":
                return self.object(schema)
        raise Unfillable(str(schema))

    def text(self, schema: Schema) -> str:
        """Random letters, hexadecimal digits, an id, a rule or a time of day, of a length that is admitted."""
        if schema.get("format") == "uuid":
            return str(UUID(int=self.chance.getrandbits(122), version=4))
        low, high = schema.get("minLength", 0), schema.get("maxLength", 10_000)
        for letters in (LETTERS, HEXADECIMAL, re.sub(r"\W", "", schema.get("pattern", ""))):
            for length in (USUAL, low, high):
                if letters and low <= length <= high:
                    text = "".join(self.chance.choice(letters) for _ in range(length))
                    if re.search(schema.get("pattern", ""), text):
                        return text
        for text in (A_RULE, A_TIME_OF_DAY):
            if re.search(schema.get("pattern", ""), text) and low <= len(text) <= high:
                return text
        raise Unfillable(str(schema))

    def items(self, schema: Schema) -> list[Any]:
        """A list of a length that is admitted, no value twice where that is asked."""
        if schema.get("items") == {"not": {}} and not schema.get("prefixItems"):
            return []
        first = [self.value(each) for each in schema.get("prefixItems", ())]
        low, usual = schema.get("minItems", 0), max(schema.get("minItems", 0), 3)
        least = low + FAR if self.chance.random() < LONG_LISTS else usual
        length = self.chance.randint(low, max(low, min(schema.get("maxItems", least), least)))
        found = first[:length]
        counts = [self.resolve(part) for part in schema.get("allOf", ())]
        counted = [(self.validator(part["contains"]), part["maxContains"]) for part in counts if "contains" in part]
        for _ in range(20 * length):
            if len(found) >= length:
                break
            if schema.get("items") in (False, {"not": {}}):
                break
            value = self.value(schema["items"])
            if schema.get("uniqueItems") and value in found:
                continue
            if all(sum(map(of.is_valid, [*found, value])) <= most for of, most in counted):
                found.append(value)
        return found

    def object(self, schema: Schema) -> dict[str, Any]:
        """An object with all that is required and some of the rest, as its dependencies allow."""
        properties, needed = dict(schema.get("properties", {})), set(schema.get("required", ()))
        waiting = [self.resolve(case) for case in schema.get("allOf", ())]
        body: dict[str, Any] = {}
        for name in (None, *list(properties)):
            if (
                name is not None
                and properties[name] is not False
                and (name in needed or self.chance.random() < self.given)
            ):
                body[name] = self.value(properties[name])
            for case in list(waiting):
                if "if" not in case:
                    self.apply(case, properties, needed)
                elif name not in case["if"]["properties"]:
                    continue
                elif self.validator(case["if"]).is_valid(body):
                    self.apply(case["then"], properties, needed)
                else:
                    continue
                waiting.remove(case)
        for name in sorted(needed - body.keys()):  # what an argument after them has asked for
            body[name] = self.value(properties[name])
        return body

    def validator(self, schema: Schema) -> Draft202012Validator:
        """A validator of a schema that may refer to `$defs`."""
        return Draft202012Validator({**schema, "$defs": self.defs})

    def apply(self, then: Schema, properties: dict[str, Any], needed: set[str]) -> None:
        """Narrow properties as a dependency says; of several possibilities one is chosen."""
        then = self.resolve(then)
        parts = [then] + ([self.resolve(self.chance.choice(then["anyOf"]))] if "anyOf" in then else [])
        for part in parts:
            for name, schema in part.get("properties", {}).items():
                known = properties[name]
                narrow = schema is False or known is False
                properties[name] = False if narrow else self.both(self.resolve(known), self.resolve(schema))
            needed.update(part.get("required", ()))

    def both(self, known: Schema, narrower: Schema) -> Schema:
        """What two schemas say together, as far as a dependency says it: the shorter list, the counts of both."""
        counts = [*known.get("allOf", ()), *narrower.get("allOf", ())]
        made = {**known, **narrower} | ({"allOf": counts} if counts else {})
        ends = [each["maxItems"] for each in (known, narrower) if "maxItems" in each]
        return made | ({"maxItems": min(ends)} if ends else {})
