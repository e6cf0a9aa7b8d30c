"""From a `Resource`: the DRF serializer (for single rows and for the OpenAPI document) and the filter set."""

import json
from functools import cache
from typing import Any, ClassVar

import django_filters  # type: ignore[import-untyped]
from django import forms
from django.db import models
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.representations.resources.resource import OneOf, Resource

MAX_WHOLE = 10**18
FLAG = ("1", "0", "true", "false")
"""What a switch in an address may be."""


class SquareNameSerializer(serializers.Serializer[Any]):
    """A square, named by its column and row."""

    x = serializers.IntegerField(help_text="Column, from 0 in the west.")
    y = serializers.IntegerField(help_text="Row, from 0 in the north.")


class ParsedField(serializers.JSONField):
    """Text that holds JSON, as JSON."""

    def to_representation(self, value: Any) -> Any:
        """The value that the text writes."""
        return json.loads(value)


class OneOfSerializer(serializers.Serializer[Any]):
    """What one of several keys leads to."""

    part: ClassVar[OneOf]

    def get_attribute(self, instance: Any) -> Any:
        """The kind and id, from the keys that the row holds."""
        return self.part.value(*(getattr(instance, name) for name in self.part.attnames))


@cache
def one_of_serializer(part: OneOf) -> type[OneOfSerializer]:
    """The serializer of a field that follows from several keys."""
    body = {
        "kind": serializers.ChoiceField([(key, key) for key in part.keys], help_text=part.PARTS["kind"]),
        "id": serializers.UUIDField(help_text=part.PARTS["id"]),
        "part": part,
        "__doc__": part.summary,
        "__module__": __name__,
    }
    return type(f"{part.type_name}Serializer", (OneOfSerializer,), body)


@cache
def serializer_of(resource: Resource) -> type[serializers.ModelSerializer[Any]]:
    """The serializer of a resource: its fields in order, read-only; foreign keys as ids, squares as `{x, y}`."""
    declared: dict[str, Any] = {}
    for name in resource.fields:
        column: Any = resource.model._meta.get_field(name)
        if resource.to_square(name):
            declared[name] = SquareNameSerializer(read_only=True, allow_null=column.null)
        elif column.choices and column.null:
            declared[name] = serializers.ChoiceField(
                column.flatchoices, read_only=True, allow_null=True, help_text=column.help_text
            )
        elif column.choices and column.blank:
            choices = [("", "none"), *column.flatchoices]
            declared[name] = serializers.ChoiceField(choices, read_only=True, help_text=column.help_text)
        elif name in resource.parsed:
            declared[name] = ParsedField(read_only=True)
    for part in resource.one_of:
        declared[part.name] = one_of_serializer(part)(read_only=True, allow_null=True, help_text=part.description)
    for name, path in resource.noun_columns.items():
        source = path.replace(LOOKUP_SEP, ".")
        declared[name] = serializers.CharField(source=source, read_only=True, help_text="What it is called.")
    shown = (*resource.shown, *resource.noun_columns)
    meta = type("Meta", (), {"model": resource.model, "fields": shown, "read_only_fields": shown})
    body = {**declared, "Meta": meta, "__doc__": resource.summary}
    return type(f"{resource.type_name}Serializer", (serializers.ModelSerializer,), body)


class WholeFilter(django_filters.Filter):
    """A whole number, bounded so that every database can compare it."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, least: int = -MAX_WHOLE, **kwargs: Any) -> None:
        super().__init__(*args, min_value=least, max_value=MAX_WHOLE, **kwargs)


@extend_schema_field({"type": "string", "enum": [*FLAG]})
class FlagFilter(django_filters.TypedChoiceFilter):
    """`true` or `false` (or 1, 0); anything else is refused, not taken for no."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        choices = [(word, word) for word in FLAG]
        super().__init__(*args, choices=choices, coerce=lambda word: word in ("true", "1"), **kwargs)


@extend_schema_field({"type": "string", "minLength": 1})
class TextFilter(django_filters.CharFilter):
    """A text."""


class OneOfFilter(django_filters.ChoiceFilter):
    """The rows that fill the key of this name."""

    def __init__(self, part: OneOf) -> None:
        help_text = f"Only rows whose `{part.name}` is of this kind."
        super().__init__(choices=[(key, key) for key in part.keys], help_text=help_text)
        self.part = part

    def filter(self, rows: QuerySet[Any], kind: str) -> QuerySet[Any]:
        """The rows that fit; all of them where no kind is given."""
        return rows.filter(self.part.fits([kind])) if kind else rows


def _filter_of(resource: Resource, parameter: str) -> django_filters.Filter:
    found, lookup = resource.filter_field(parameter)
    path = resource.filters[parameter].removesuffix(f"__{lookup}")
    target: Any = found
    while isinstance(target, models.ForeignKey):  # a key may be a foreign key itself
        target = target.target_field
    match target:
        case models.UUIDField():
            return django_filters.UUIDFilter(field_name=path, lookup_expr=lookup)
        case models.BooleanField():
            return FlagFilter(field_name=path, lookup_expr=lookup)
        case models.IntegerField():
            least = 0 if target.get_internal_type().startswith("Positive") else -MAX_WHOLE
            return WholeFilter(field_name=path, lookup_expr=lookup, least=least)
        case models.DateTimeField():
            return django_filters.IsoDateTimeFilter(field_name=path, lookup_expr=lookup)
        case _ if target.choices and lookup == "exact":
            return django_filters.ChoiceFilter(field_name=path, choices=target.choices)
        case _:
            return TextFilter(field_name=path, lookup_expr=lookup)


@cache
def filterset_of(resource: Resource) -> type[django_filters.FilterSet]:
    """The filter set of a resource: one filter a parameter, of the kind of the column it compares with."""
    filters: dict[str, Any] = {parameter: _filter_of(resource, parameter) for parameter in resource.filters}
    filters |= {part.parameter: OneOfFilter(part) for part in resource.one_of}
    meta = type("Meta", (), {"model": resource.model, "fields": []})
    return type(f"{resource.type_name}Filters", (django_filters.FilterSet,), {**filters, "Meta": meta})
