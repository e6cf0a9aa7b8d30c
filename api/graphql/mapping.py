"""From the hints of a pydantic model to GraphQL: one mapping for what is taken and for what is returned.

A class of the engine or of a game is never decorated: types are made beside it, so two games may use one class name,
and a value is judged by the very model that REST uses. Output enums are text, so that members of other games never
clash; input enums are GraphQL enums whose names are the values.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from functools import reduce
from inspect import getdoc
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin
from uuid import UUID

import strawberry
from django.db import models
from pydantic import BaseModel
from strawberry.scalars import JSON
from strawberry.types.enum import EnumValue, StrawberryEnumDefinition

from games import registry
from games.engine.model import field_descriptions

PLAIN = frozenset({bool, int, float, str, UUID, datetime})
LISTS = frozenset({list, set, frozenset, Sequence, Collection})
GRAPHQL_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")
SQUARE = frozenset({"x", "y"})


def owner_of(model: type) -> str:
    """The slug of the game a class belongs to; empty for the engine's and the service's own."""
    for slug, folder in registry.folders().items():
        if model.__module__.startswith(f"{folder}."):
            return slug
    return ""


def is_square(model: type[BaseModel]) -> bool:
    """Whether a model names a square: `{x, y}` and nothing else."""
    return set(model.model_fields) == SQUARE


@dataclass
class Mapping_(ABC):
    """What both directions share: hints of fields into hints that strawberry understands.

    special: hints that stand for a type of ours (the union of all events).
    """

    special: Mapping[Any, Any] = field(default_factory=dict)
    made: dict[Any, Any] = field(default_factory=dict)
    making: set[Any] = field(default_factory=set)

    def hint(self, hint: Any) -> Any:
        """The strawberry hint of a pydantic hint; JSON where GraphQL has no word for it."""
        for known, ours in self.special.items():
            if hint == known:
                return ours
        origin, arguments = get_origin(hint), get_args(hint)
        if isinstance(hint, NewType):
            return self.hint(hint.__supertype__)
        if origin is Annotated:
            return self.hint(arguments[0])
        if origin in (Union, UnionType):
            return self._union(arguments)
        if origin is Literal:
            kinds = {type(value) for value in arguments}
            return kinds.pop() if len(kinds) == 1 and kinds <= PLAIN else JSON
        if origin in LISTS or (origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis):
            inner = self.hint(arguments[0])
            return list[inner]  # type: ignore[valid-type]
        if hint in PLAIN:
            return hint
        if hint is timedelta:
            return str
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self.enum(hint)
        if isinstance(hint, type) and issubclass(hint, BaseModel):
            return self.model(hint)
        return JSON

    def _union(self, arguments: tuple[Any, ...]) -> Any:
        wanted = {self.hint(argument) for argument in arguments if argument is not NoneType}
        inner = wanted.pop() if len(wanted) == 1 else JSON
        return inner | None if NoneType in arguments and inner is not JSON else _optional(inner, arguments)

    def model(self, model: type[BaseModel]) -> Any:
        """The type of a model, made once; JSON inside itself."""
        if model in self.made:
            return self.made[model]
        if model in self.making:
            return JSON
        self.making.add(model)
        self.made[model] = self.make(model)
        self.making.discard(model)
        return self.made[model]

    @abstractmethod
    def enum(self, kind: type[Enum]) -> Any:
        """The type of an enum."""

    @abstractmethod
    def make(self, model: type[BaseModel]) -> Any:
        """A new type for a model."""


def _optional(inner: Any, arguments: tuple[Any, ...]) -> Any:
    return Union[inner, None] if NoneType in arguments else inner  # noqa: UP007  (JSON is no class that `|` takes)


class Outputs(Mapping_):
    """Types of what is returned. Their values are mappings with the model's own field names."""

    def enum(self, kind: type[Enum]) -> Any:
        """A GraphQL enum whose names are the values, or the plain value where the values are no names."""
        if kind not in self.made:
            self.made[kind] = enum_of(kind) or plain_of(kind)
        return self.made[kind]

    def make(self, model: type[BaseModel]) -> Any:
        """An object type; `SquareName` for every square."""
        if is_square(model):
            return SquareName
        slug = owner_of(model)
        engine = "Core" if model.__module__.startswith("games.engine") else ""
        name = f"{slug.title() or engine}{model.__name__.removesuffix('Shape')}"
        return self.named_type(name, model)

    def named_type(self, name: str, model: type[BaseModel]) -> Any:
        """An object type of this name with the fields of a model; one that is left out has its default."""
        hints = {key: self.hint(found.annotation) for key, found in model.model_fields.items()}
        texts = field_descriptions(model)
        unsaid = {
            key: strawberry.field(
                resolver=_default_resolver(key, found.get_default()),
                graphql_type=hints[key],
                description=texts[key],
            )
            for key, found in model.model_fields.items()
            if found.exclude_if is not None
        }
        return object_type(name, hints, texts, getdoc(model) or "", more=unsaid)


class Inputs(Mapping_):
    """Types of what is taken. `as_json` turns their values back into the JSON that the model judges."""

    def enum(self, kind: type[Enum]) -> Any:
        """A GraphQL enum whose names are the values, or the plain value where the values are no names."""
        return enum_of(kind) or plain_of(kind)

    def make(self, model: type[BaseModel]) -> Any:
        """An input type; `SquareInput` for every square."""
        if is_square(model):
            return SquareInput
        return self.named_type(f"{owner_of(model).title()}{model.__name__}Input", model)

    def named_type(self, name: str, model: type[BaseModel]) -> Any:
        """An input type of this name; fields with a default may be left out."""
        hints: dict[str, Any] = {}
        body: dict[str, Any] = {"__annotations__": hints, "__module__": __name__, "__doc__": getdoc(model)}
        descriptions = field_descriptions(model)
        for key, found in model.model_fields.items():
            hint = self.hint(found.annotation)
            hints[key] = hint if found.is_required() else Union[hint, None]  # noqa: UP007
            default = {} if found.is_required() else {"default": strawberry.UNSET}
            # What is a word of Python bears another name there (`from_`) than in either API (`from`).
            body[key] = strawberry.field(name=found.alias, description=descriptions[key], **default)
        return strawberry.input(type(name, (), body), name=name, description=getdoc(model))


def enum_of(kind: type[Enum]) -> Any:
    """The GraphQL enum beside a Python one; None where its values are no names."""
    values = [member.value for member in kind]
    if not all(isinstance(value, str) and GRAPHQL_NAME.fullmatch(value) for value in values):
        return None
    return named_enum(f"{owner_of(kind).title()}{kind.__name__}", tuple(values), (getdoc(kind) or "").strip())


def plain_of(kind: type[Enum]) -> Any:
    """What a value of an enum is whose values are no names: text, a number, or JSON."""
    return str if issubclass(kind, str) else int if issubclass(kind, int) else JSON


def choices_enum(owner: str, name: str, column: "models.Field[Any, Any]") -> Any:
    """The GraphQL enum of a column with choices, called after its type and itself; None where these are no names."""
    values = tuple(value for value, _ in column.flatchoices)
    if not values or not all(isinstance(value, str) and GRAPHQL_NAME.fullmatch(value) for value in values):
        return None
    return named_enum(f"{owner}{name.title().replace('_', '')}", values, str(column.help_text))


def named_enum(name: str, values: tuple[str, ...], description: str) -> Any:
    """A GraphQL enum whose names are its values, which stay plain text in Python. One that was made before with the
    same name and values is that one.
    """
    key = name, frozenset(values)
    if key not in _enums:
        twin = StrEnum(name, {value: value for value in values})  # type: ignore[misc]
        members = [EnumValue(value, value) for value in values]
        definition = StrawberryEnumDefinition(twin, name, members, description or None)
        twin.__strawberry_definition__ = definition  # type: ignore[attr-defined]
        _enums[key] = twin
    return _enums[key]


_enums: dict[tuple[str, frozenset[str]], Any] = {}


def object_type(
    name: str,
    hints: Mapping[str, Any],
    descriptions: Mapping[str, str | None],
    description: str,
    *,
    bases: tuple[type, ...] = (),
    apart: bool = False,
    more: Mapping[str, Any] | None = None,
) -> Any:
    """An object type whose values are mappings. apart: it is one of several (a union, an interface): `__typename` says.

    hints: field -> strawberry hint; descriptions: field -> description; more: fields with resolvers of their own.
    """
    body: dict[str, Any] = {"__annotations__": dict(hints), "__module__": __name__, "__doc__": description}
    for key in hints:
        body[key] = strawberry.field(description=descriptions.get(key))
    body |= more or {}
    if apart:
        body["is_type_of"] = classmethod(lambda cls, value, info: value["__typename"] == name)
    return strawberry.type(type(name, bases, body), name=name, description=description)


def _default_resolver(key: str, default: Any) -> Callable[[Any], Any]:
    """A resolver of a field that its mapping leaves out where it has the default."""

    def value_or_default(root: Any) -> Any:
        return root.get(key, default)

    return value_or_default


def pick(source: Any, name: str) -> Any:
    """The default resolver: a key of a mapping, an attribute of anything else."""
    if isinstance(source, dict):  # nearly always, and recognised ten times as fast as any other mapping
        return source[name]
    return source[name] if isinstance(source, Mapping) else getattr(source, name)


def as_json(value: Any) -> Any:
    """An input value as JSON values, with the fields that were left out left out."""
    if hasattr(type(value), "__strawberry_definition__") and not isinstance(value, Enum):
        parts = value.__strawberry_definition__.fields
        pairs = ((part.graphql_name or part.python_name, getattr(value, part.python_name)) for part in parts)
        return {name: as_json(part) for name, part in pairs if part is not strawberry.UNSET}
    match value:
        case list():
            return [as_json(item) for item in value]
        case Enum():
            return value.value
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
    return value


def many(hint: Any) -> Any:
    """A list of a hint."""
    return list[hint]


def maybe(hint: Any) -> Any:
    """A hint, or null."""
    return Union[hint, None]  # noqa: UP007


def either(hints: Sequence[Any]) -> Any:
    """A union of hints."""
    return reduce(or_, hints)


@strawberry.type
class SquareName:
    """A square, named by its column and row."""

    x: int = strawberry.field(description="Column, from 0 in the west.")
    y: int = strawberry.field(description="Row, from 0 in the north.")


@strawberry.input
class SquareInput:
    """A square, named by its column and row."""

    x: int = strawberry.field(description="Column, from 0 in the west.")
    y: int = strawberry.field(description="Row, from 0 in the north.")
