"""What is touched on a map as values of fields: with which a form begins that was opened from there (no database)."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from api.pages.forms.fields import FormField
from api.pages.forms.marks import SQUARE, XY, Mark


def values_at(fields: Iterable[FormField], marks: Sequence[Mark]) -> dict[str, Any]:
    """What the fields of a form are filled with at marks, by their names; empty where none of them takes one.

    What is fixed already is among it where it is about one of them. marks: the uppermost first.
    """
    found = ((_name(field), value_at(field, marks)) for field in fields)
    return {name: value for name, value in found if value is not None}


def value_at(field: FormField, marks: Sequence[Mark]) -> Any:
    """The JSON value of a field at marks; None where it takes none of them."""
    match field.widget:
        case "choices" | "order" | "counts":
            found = (_choice(inner, marks) for inner in field.fields or (field,))
            value = next((each for each in found if each is not None), None)
            return None if value is None else [value]
        case "number":
            return _number(field, marks)
        case "table" | "group" if field.fields:
            return _first_item(field, marks) if _name(field.fields[0]).isdigit() else _object(field, marks)
    return _choice(field, marks)


def _name(field: FormField) -> str:
    return field.path.rpartition(".")[2]


def _choice(field: FormField, marks: Sequence[Mark]) -> Any:
    """The choice that is about the uppermost mark that any is about, of several that which says least."""
    values = [json.loads(value) for value, _, _ in field.choices]
    for mark in marks:
        about = [value for value in values if mark.is_named_in(value, _name(field))]
        if about:
            return min(about, key=lambda value: len(json.dumps(value)))
    return None


def _number(field: FormField, marks: Sequence[Mark]) -> int | None:
    """The number of what the field counts by its name."""
    found = next((mark.id for mark in marks if mark.kind == _name(field)), "")
    if not found.isdigit():
        return None
    is_free = (field.low is None or field.low <= int(found)) and (field.high is None or int(found) <= field.high)
    return int(found) if is_free else None


def _object(field: FormField, marks: Sequence[Mark]) -> dict[str, Any] | None:
    """An object: its own x and y of a square, else what its fields take."""
    square = next((mark for mark in marks if mark.kind == SQUARE), None)
    if {_name(inner) for inner in field.fields} >= XY:
        return dict(zip("xy", map(int, square.id.split(",")), strict=True)) if square is not None else None
    return values_at(field.fields, marks) or None


def _first_item(field: FormField, marks: Sequence[Mark]) -> list[Any] | None:
    """A list with one item at the marks: of lines that say what they are about, none."""
    value = value_at(field.fields[0], marks)
    return None if value is None else [value]
