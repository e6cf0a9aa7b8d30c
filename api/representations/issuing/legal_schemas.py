"""Legal commands as JSON Schema (2020-12): each entry's body narrowed to what is accepted now (ADR 82).

A domain of the engine becomes the schema of its argument; what it says nothing about (patterns, lengths, what an
object requires) comes from the schema of the command's class. `shared_schemas` lets what stands twice stand once.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Any

from pydantic import BaseModel

from api.common.plain_json import plain
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
    Holding,
    Lacking,
    ListOf,
    Narrowed,
    OneOf,
    Range,
)
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Command

Schema = dict[str, Any]
TEXT = ("pattern", "format")
NEVER: Schema = {"not": {}}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the schemas of one answer are made with.

    names: what people call ids. most: how many values of a domain are listed. titled: whether values have titles.
    combinations: how many are listed of those that arguments have. taken: how many words that are refused.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    most: int = SHOWN
    titled: bool = True
    combinations: int = SHOWN
    taken: int | None = None

    def body(self, kind: type[Command], legal: LegalCommand) -> Schema:
        """The schema of a command's body: what is accepted now, and nothing else."""
        own, legal = schema_of(kind), self.cut(legal)
        schema = self.narrow(Fields(legal.arguments, legal.required), own, own)
        if legal.cases and self.most < SHOWN:  # a value that a case names is among those without the case
            whole = replace(self, most=SHOWN)
            named = {name for case in legal.cases for part in (case.when, case.then, *case.either) for name in part}
            for name in named & schema["properties"].keys():
                part = own.get("properties", {}).get(name, {})
                schema["properties"][name] = whole.narrow(legal.arguments[name], part, own)
        bare = replace(self, names={}, titled=False)  # the titles stand beside the choices that a case narrows
        cases = [bare.case(case, own, own, schema.get("required", ())) for case in legal.cases]
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

    def case(self, case: Case, own: Schema, body: Schema, needed: Collection[str]) -> Schema:
        """A dependency as `if` and `then`; what always holds as it is.

        own: the schema of the object whose fields depend on each other. needed: fields that are required anyway.
        """
        then = self.properties(case.then, own, body) if case.then else {}
        if case.either:
            then["anyOf"] = [self.alternative(each, own, body, needed) for each in case.either]
            then |= {"x-more": case.more} if case.more else {}
        if case.required:
            then["required"] = list(case.required)
        if not case.when:
            return then
        given = [name for name in case.when if name not in needed]
        condition = replace(self, most=SHOWN).properties(case.when, own, body)
        return {"if": condition | ({"required": given} if given else {}), "then": then}

    def alternative(self, narrowed: Narrowed, own: Schema, body: Schema, needed: Collection[str]) -> Schema:
        """One of several possibilities: what it narrows is given."""
        given = [name for name, domain in narrowed.items() if domain is not None and name not in needed]
        return self.properties(narrowed, own, body) | ({"required": given} if given else {})

    def properties(self, narrowed: Narrowed, own: Schema, body: Schema) -> Schema:
        """What a dependency says of some arguments."""
        fields = own.get("properties", {})
        return {
            "properties": {
                name: False if domain is None else self.narrow(domain, fields.get(name, {}), body)
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
            case Range(low, high, proposed):
                return _bounds(own, low, high) | ({"examples": [proposed]} if proposed is not None else {})
            case FreeText():
                return _text(domain, own, self.taken)
            case Flag():
                return {"type": "boolean"}
            case AnyValue():
                return dict(inline(own, body))
            case ListOf():
                return self.items(domain, own, body)
            case Holding(of, low):
                least = {"minContains": low} if low > 1 else {}
                return {"type": "array", "contains": self.narrow(of, own.get("items", {}), body), **least}
            case Lacking(of):
                return {"type": "array", "not": {"contains": self.narrow(of, own.get("items", {}), body)}}
            case Fields():
                return self.object(domain, own, body)
            case Dependent():
                return {"type": [own["type"], "null"] if nullable else own["type"]} if "type" in own else {}
            case OneOf(()):
                return dict(NEVER)
            case OneOf(domains):
                shown, left = domains[: self.combinations], len(domains) - self.combinations
                forms: Schema = {"anyOf": [self.narrow(each, own, body) for each in shown]}
                return forms | ({"x-more": left} if left > 0 else {})
        raise TypeError(f"no schema for {domain}")

    def is_partial(self, legal: LegalCommand) -> bool:
        """Whether the schema of a legal command admits what is refused: its domains do, or words were left out."""
        narrowed = (part for case in legal.cases for part in (case.then, *case.either))
        domains = chain(legal.arguments.values(), *(part.values() for part in narrowed))
        texts = (part for domain in domains if domain for part in domain.parts() if isinstance(part, FreeText))
        return legal.partial or (self.taken is not None and any(len(text.taken) > self.taken for text in texts))

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
        if domain.low > self.most:  # so many are needed, whatever the answer's length
            return replace(self, most=SHOWN).items(domain, own, body)
        item = own.get("items", {})
        schema: Schema = {"type": "array"}
        if domain.first:
            schema["prefixItems"] = [self.narrow(each, item, body) for each in domain.first]
        if not isinstance(domain.of, Dependent):
            schema["items"] = self.narrow(domain.of, item, body)
        given = None if isinstance(domain.of, Dependent) else own.get("maxItems")
        high = min((n for n in (domain.high, given) if n is not None), default=None)
        schema |= _between("Items", domain.low or None, high) | ({"x-ordered": True} if "x-ordered" in own else {})
        schema |= {"uniqueItems": True} if domain.unique and high != 1 else {}
        counts = [
            {"contains": self.narrow(of, item, body), "minContains": 0, "maxContains": count}
            for of, count in domain.most
        ]
        return schema | ({"allOf": counts} if counts else {})

    def object(self, domain: Fields, own: Schema, body: Schema) -> Schema:
        """The schema of an object with these fields, and no others unless it says so."""
        known = own.get("properties", {})
        needed = {*domain.required, *(own.get("required", ()) if domain.closed else ())}
        properties = {name: self.narrow(each, known.get(name, {}), body) for name, each in domain.fields.items()}
        for name in sorted(needed - properties.keys()):
            properties[name] = inline(known[name], body)
        schema: Schema = {"type": "object"}
        if properties:
            schema["properties"] = properties
        if needed:
            schema["required"] = [name for name in properties if name in needed]
        cases = [self.case(case, own, body, needed) for case in domain.cases]
        return schema | ({"additionalProperties": False} if domain.closed else {}) | ({"allOf": cases} if cases else {})


@cache
def schema_of(kind: type[BaseModel]) -> Schema:
    """The JSON Schema of a command or of options: made once, so not to be changed."""
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


def _text(domain: FreeText, own: Schema, most: int | None) -> Schema:
    """The schema of words. most: how many are listed of those that are refused; `x-more` counts the rest."""
    schema: Schema = {"type": "string"} | {key: own[key] for key in TEXT if key in own}
    lows = [n for n in (domain.low, own.get("minLength")) if n is not None]
    highs = [n for n in (domain.high, own.get("maxLength")) if n is not None]
    schema |= _between("Length", max(lows, default=None), min(highs, default=None))
    both = f"(?={schema['pattern']})" if domain.pattern and "pattern" in schema else ""
    schema |= {"pattern": both + domain.pattern} if domain.pattern else {}
    if not domain.taken:
        return schema
    listed = list(domain.taken[:most])
    left = len(domain.taken) - len(listed)
    return schema | {"not": {"enum": listed} | ({"x-more": left} if left else {})}


def _between(what: str, low: int | None, high: int | None) -> Schema:
    bounds = {f"min{what}": low, f"max{what}": high}
    return {key: value for key, value in bounds.items() if value is not None}
