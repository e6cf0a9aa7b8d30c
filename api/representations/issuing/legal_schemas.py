"""Legal commands as JSON Schema (2020-12): each entry's body narrowed to what is accepted now (ADR 82).

A domain of the engine becomes the schema of its argument; what it says nothing about (patterns, lengths, what an
object requires) comes from the schema of the command's class. What several entries share stands once in `$defs`, to
which they refer by `#/$defs/...`: a client reads an entry's schema together with the answer's `$defs`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, count
from typing import Any

import orjson

from api.common.problems import plain
from games.engine.insight.domains import (
    SHOWN,
    AnyValue,
    Case,
    Choices,
    Dependent,
    Domain,
    Fields,
    Flag,
    FreeText,
    ListOf,
    Narrowed,
    OneOf,
    Range,
)
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Command

Schema = dict[str, Any]
MAPS = frozenset({"properties"})
"""Keywords whose value is a map of schemas and no schema itself."""
VALUES = frozenset({"const", "enum", "required", "if"})
"""Keywords whose value is data, or a condition that stands where it is."""
WORTH = 50  # bytes of a schema that is moved to `$defs` when it stands twice
TEXT = ("pattern", "format")
NEVER: Schema = {"not": {}}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the schemas of one answer are made with.

    names: what people call ids. most: how many values of a domain are listed. titled: whether values have titles.
    combinations: how many are listed of those that arguments have.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    most: int = SHOWN
    titled: bool = True
    combinations: int = SHOWN

    def body(self, kind: type[Command], legal: LegalCommand) -> Schema:
        """The schema of a command's body: what is accepted now, and nothing else."""
        own, legal = own_schema(kind), self.cut(legal)
        schema = self.narrow(Fields(legal.arguments, legal.required), own, own)
        if legal.cases and self.most < SHOWN:  # a value that a case names is among those without the case
            whole = replace(self, most=SHOWN)
            named = {name for case in legal.cases for part in (case.when, case.then, *case.either) for name in part}
            for name in named & schema["properties"].keys():
                part = own.get("properties", {}).get(name, {})
                schema["properties"][name] = whole.narrow(legal.arguments[name], part, own)
        bare = replace(self, names={}, titled=False)  # the titles stand beside the choices that a case narrows
        cases = [bare.case(case, own, schema.get("required", ())) for case in legal.cases]
        return schema | ({"allOf": cases} if cases else {})

    def cut(self, legal: LegalCommand) -> LegalCommand:
        """A legal command with fewer combinations of its arguments, and of the values that only others have."""
        if self.most >= SHOWN:
            return legal
        arguments, cases = dict(legal.arguments), list[Case]()
        for case in legal.cases:
            if case.when:
                cases.append(case)
                continue
            either = tuple(self.combination(each, legal) for each in case.either[: self.combinations])
            for name in either[0] if either else ():
                kept = _values_in(domain for each in either if (domain := each.get(name)) is not None)
                arguments[name] = _only(arguments[name], kept)
            left = case.more + len(case.either) - len(either)
            cases.append(replace(case, either=either, more=left))
        return replace(legal, arguments=arguments, cases=tuple(cases))

    def combination(self, narrowed: Narrowed, legal: LegalCommand) -> Narrowed:
        """A combination with fewer of the values that are listed without it, too."""
        return {
            name: Choices(domain.values[: self.combinations], max(0, len(domain.values) - self.combinations))
            if isinstance(domain, Choices) and not isinstance(legal.arguments[name], Dependent)
            else domain
            for name, domain in narrowed.items()
        }

    def case(self, case: Case, own: Schema, needed: Collection[str]) -> Schema:
        """A dependency as `if` and `then`; what always holds as it is. needed: arguments that are required anyway."""
        then = self.properties(case.then, own) if case.then else {}
        if case.either:
            then["anyOf"] = [self.alternative(each, own, needed) for each in case.either]
            then |= {"x-more": case.more} if case.more else {}
        if case.required:
            then["required"] = list(case.required)
        if not case.when:
            return then
        given = [name for name in case.when if name not in needed]
        condition = replace(self, most=SHOWN).properties(case.when, own)
        return {"if": condition | ({"required": given} if given else {}), "then": then}

    def alternative(self, narrowed: Narrowed, own: Schema, needed: Collection[str]) -> Schema:
        """One of several possibilities: what it narrows is given."""
        given = [name for name, domain in narrowed.items() if domain is not None and name not in needed]
        return self.properties(narrowed, own) | ({"required": given} if given else {})

    def properties(self, narrowed: Narrowed, own: Schema) -> Schema:
        """What a dependency says of some arguments."""
        fields = own.get("properties", {})
        return {
            "properties": {
                name: False if domain is None else self.narrow(domain, fields.get(name, {}), own)
                for name, domain in narrowed.items()
            }
        }

    def narrow(self, domain: Domain, own: Schema, body: Schema) -> Schema:
        """The schema of a domain. own: that of the field's type, in the schema of its command's body."""
        nullable = any(each.get("type") == "null" for each in own.get("anyOf", ()))
        own = resolve(own, body)
        match domain:
            case Choices():
                return self.choices(domain)
            case Range(low, high):
                return _bounds(own, low, high)
            case FreeText():
                return _text(domain, own)
            case Flag():
                return {"type": "boolean"}
            case AnyValue():
                return dict(inline(own, body))
            case ListOf():
                return self.items(domain, own, body)
            case Fields(fields, required):
                return self.object(fields, required, own, body)
            case Dependent():
                return {"type": [own["type"], "null"] if nullable else own["type"]} if "type" in own else {}
            case OneOf(domains):
                shown, left = domains[: self.combinations], len(domains) - self.combinations
                forms: Schema = {"anyOf": [self.narrow(each, own, body) for each in shown]}
                return forms | ({"x-more": left} if left > 0 else {})
        raise TypeError(f"no schema for {domain}")

    def choices(self, domain: Choices) -> Schema:
        """`const` for one value, `oneOf` with titles where people need them, else `enum`; `x-more` counts the rest."""
        values = [plain(value) for value in domain.values[: self.most]]
        left = domain.more + len(domain.values) - len(values)
        more = {"x-more": left} if left else {}
        if not values:
            return dict(NEVER)
        titles = self.titles(values, domain)
        if not any(titles):
            return ({"const": values[0]} if len(values) == 1 else {"enum": values}) | more
        rows = [
            {"const": value, "title": title} if title else {"const": value}
            for value, title in zip(values, titles, strict=True)
        ]
        return (rows[0] if len(rows) == 1 else {"oneOf": rows}) | more

    def titles(self, values: list[Any], domain: Choices) -> list[str]:
        """What people call some values; empty where they need no other name."""
        names = [self.names.get(value, "") if isinstance(value, str) else "" for value in values]
        if not (domain.titles and self.titled):
            return names
        return [title or name for title, name in zip(domain.titles, names, strict=False)]

    def items(self, domain: ListOf, own: Schema, body: Schema) -> Schema:
        """The schema of a list."""
        item = own.get("items", {})
        schema: Schema = {"type": "array"}
        if domain.first:
            schema["prefixItems"] = [self.narrow(each, item, body) for each in domain.first]
        if not isinstance(domain.of, Dependent):
            schema["items"] = self.narrow(domain.of, item, body)
        given = None if isinstance(domain.of, Dependent) else own.get("maxItems")
        high = min((n for n in (domain.high, given) if n is not None), default=None)
        schema |= _between("Items", domain.low or None, high) | ({"x-ordered": True} if "x-ordered" in own else {})
        return schema | ({"uniqueItems": True} if domain.unique and high != 1 else {})

    def object(self, fields: Mapping[str, Domain], required: Iterable[str], own: Schema, body: Schema) -> Schema:
        """The schema of an object with these fields and no others."""
        known = own.get("properties", {})
        needed = {*required, *own.get("required", ())}
        properties = {name: self.narrow(domain, known.get(name, {}), body) for name, domain in fields.items()}
        for name in sorted(needed - properties.keys()):
            properties[name] = inline(known[name], body)
        schema: Schema = {"type": "object"}
        if properties:
            schema["properties"] = properties
        if needed:
            schema["required"] = [name for name in properties if name in needed]
        return schema | {"additionalProperties": False}


@cache
def own_schema(kind: type[Command]) -> Schema:
    """The JSON Schema of a command's class."""
    return kind.model_json_schema()


def resolve(own: Schema, body: Schema) -> Schema:
    """A schema without a reference, and of `this or null` the first."""
    while True:
        if "$ref" in own:
            own = body["$defs"][own["$ref"].rpartition("/")[2]]
        elif "anyOf" in own:
            own = next(each for each in own["anyOf"] if each.get("type") != "null")
        elif len(own.get("allOf", ())) == 1:
            own = own["allOf"][0]
        else:
            return own


def inline(own: Any, body: Schema) -> Any:
    """A schema of the command's class as it stands, its references replaced, its descriptions left out."""
    if isinstance(own, dict):
        if "$ref" in own:
            return inline(body["$defs"][own["$ref"].rpartition("/")[2]], body)
        return {key: inline(value, body) for key, value in own.items() if key not in ("description", "title")}
    return [inline(each, body) for each in own] if isinstance(own, list) else own


def _values_in(domains: Iterable[Domain]) -> list[Any]:
    """The values to choose from in some domains."""
    parts = [part for domain in domains for part in domain.parts()]
    return [value for part in parts if isinstance(part, Choices) for value in part.values]


def _only(domain: Domain, kept: Collection[Any]) -> Domain:
    """A domain of which fewer values are shown; the others are counted."""
    match domain:
        case Choices():
            places = [place for place, value in enumerate(domain.values) if value in kept]
            titles = tuple(domain.titles[place] for place in places) if domain.titles else ()
            left = len(domain.values) - len(places)
            return Choices(tuple(domain.values[place] for place in places), domain.more + left, titles)
        case ListOf():
            return replace(domain, of=_only(domain.of, kept))
    return domain


def _bounds(own: Schema, low: int | None, high: int | None) -> Schema:
    lows = [n for n in (low, own.get("minimum")) if n is not None]
    highs = [n for n in (high, own.get("maximum")) if n is not None]
    schema: Schema = {"type": "integer"}
    return schema | ({"minimum": max(lows)} if lows else {}) | ({"maximum": min(highs)} if highs else {})


def _text(domain: FreeText, own: Schema) -> Schema:
    schema: Schema = {"type": "string"} | {key: own[key] for key in TEXT if key in own}
    lows = [n for n in (domain.low, own.get("minLength")) if n is not None]
    highs = [n for n in (domain.high, own.get("maxLength")) if n is not None]
    schema |= _between("Length", max(lows, default=None), min(highs, default=None))
    schema |= {"pattern": domain.pattern} if domain.pattern else {}
    return schema | ({"not": {"enum": list(domain.taken)}} if domain.taken else {})


def _between(what: str, low: int | None, high: int | None) -> Schema:
    bounds = {f"min{what}": low, f"max{what}": high}
    return {key: value for key, value in bounds.items() if value is not None}


# -- what several schemas share -------------------------------------------------------------------------------------


def share(schemas: list[Schema]) -> tuple[list[Schema], Schema]:
    """The schemas with what stands in several places moved to `$defs`, and those."""
    counts: Counter[bytes] = Counter()
    words: dict[bytes, str] = {}
    for schema in schemas:
        for name, part in _parts(schema, "body"):
            _count(name, part, counts, words)
    names: dict[bytes, str] = {}
    for text, found in counts.items():
        if found > 1:
            stem, taken = words[text], set(names.values())
            numbered = chain((stem,), (f"{stem}_{number}" for number in count(2)))
            names[text] = next(name for name in numbered if name not in taken)
    defs: Schema = {}
    return [_with_references(schema, names, defs) for schema in schemas], defs


def _count(name: str, schema: Schema, counts: Counter[bytes], words: dict[bytes, str]) -> None:
    """Count a schema and, when it is met for the first time, what is inside it."""
    text = orjson.dumps(schema)
    if len(text) <= WORTH:
        return  # and so is all that is inside it
    counts[text] += 1
    words.setdefault(text, name)
    if counts[text] > 1:
        return
    for inner, part in _parts(schema, name):
        _count(inner, part, counts, words)


def _parts(schema: Schema, name: str) -> Iterator[tuple[str, Schema]]:
    """The schemas right inside one, each with the name of the argument it is for."""
    for key, value in schema.items():
        if key in MAPS:
            yield from ((inner, part) for inner, part in value.items() if _may_be_shared(part))
        elif key in VALUES:
            continue
        elif isinstance(value, dict):
            yield name, value
        elif isinstance(value, list):
            yield from ((name, part) for part in value if _may_be_shared(part))


def _may_be_shared(part: Any) -> bool:
    """Whether this is a schema that may stand in `$defs`: not one of a single value, which is read where it stands."""
    return isinstance(part, dict) and "const" not in part


def _with_references(schema: Schema, names: Mapping[bytes, str], defs: Schema) -> Schema:
    """A schema whose parts are replaced by references where they are shared; `defs` gets what they refer to."""

    def part(inner: Any) -> Any:
        if not _may_be_shared(inner):
            return inner
        text = orjson.dumps(inner)
        if len(text) <= WORTH:
            return inner
        name = names.get(text)
        if name is None:
            return _with_references(inner, names, defs)
        if name not in defs:
            defs[name] = {}  # its place, before those of its parts
            defs[name] = _with_references(inner, names, defs)
        return {"$ref": f"#/$defs/{name}"}

    found: Schema = {}
    for key, value in schema.items():
        if key in MAPS:
            found[key] = {name: part(inner) for name, inner in value.items()}
        elif key in VALUES or not isinstance(value, dict | list):
            found[key] = value
        else:
            found[key] = part(value) if isinstance(value, dict) else [part(inner) for inner in value]
    return found
