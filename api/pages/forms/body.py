"""The body of a command as a form sends it: a field is named by its place and, behind a colon, by how it is read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework.exceptions import ParseError

from api.common.strict_json import MAX_DEPTH, strict_json

HINTS = {
    "order": "Number them: 1 is the first; two have no number alike.",
    "counts": "How many of each.",
    "sequence": "In their order; a line that is left empty is left out, and those behind it move up.",
    "numbers": "Numbers with spaces between them.",
    "lines": "One in each line.",
    "json": "As JSON.",
}
"""What is said of a field that is written by hand, by how it is read; of a list of objects in an order."""


MOST_ALIKE = 1000
"""How often a form sends one value of a list."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that a line of a form says by itself, or proposes: alone it makes no line."""

    value: Any


def body_of(sent: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The body that a form sends; what was left empty is left out.

    sent: the texts of each field, by its name. Raises ValueError with the field's path where a text is not what it
    should be; ParseError as the reader of the APIs does.
    """
    body: dict[str, Any] = {}
    for name, texts in sent.items():
        path, colon, reading = name.rpartition(":")
        if colon and (value := _read(path, reading, texts)) is not None:
            _put(body, path.split("."), value)
    read: dict[str, Any] = strict_json(json.dumps({name: _lists(value) for name, value in body.items()}).encode())
    return read


def strict_value(text: str) -> Any:
    """The value of a JSON text that a form or an address holds. Raises ParseError."""
    return strict_json(text.encode("utf-8", "surrogatepass"))


def _read(path: str, reading: str, texts: Sequence[str]) -> Any:
    """The value of a field; None where nothing was given."""
    text = texts[-1].strip() if texts else ""
    try:
        match reading:
            case "flag":
                return text == "1"
            case "choices":
                return [strict_value(each) for each in texts if each]
            case "order":
                return _in_order(texts)
            case "counts":
                return _as_often(texts)
            case _ if not text:
                return None
            case "json":
                return strict_value(text)
            case "fixed":
                return Fixed(strict_value(text))
            case "number":
                return int(text)
            case "proposed":
                return Fixed(int(text))
            case "numbers":
                return [int(each) for each in text.replace(",", " ").split()]
            case "lines":
                return [line.strip() for line in text.splitlines() if line.strip()]
            case "text":
                return text
    except (ValueError, ParseError) as wrong:
        raise ValueError(f"{path}: {text[:40]!r} cannot be read; {HINTS.get(reading, 'a whole number')}") from wrong
    return None


def _in_order(texts: Sequence[str]) -> list[Any]:
    """The values that have a place, by their places. texts: value, place, value, place. Raises ValueError."""
    placed = [(int(place), strict_value(value)) for value, place in zip(texts[::2], texts[1::2], strict=True) if place]
    if len({place for place, _ in placed}) < len(placed):
        raise ValueError("two have the same place")
    return [value for _, value in sorted(placed, key=lambda pair: pair[0])]


def _as_often(texts: Sequence[str]) -> list[Any]:
    """The values as often as is said. texts: value, number, value, number. Raises ValueError."""
    counted = [(strict_value(value), int(number or 0)) for value, number in zip(texts[::2], texts[1::2], strict=True)]
    if any(not 0 <= number <= MOST_ALIKE for _, number in counted):
        raise ValueError("a number is too small or too large")
    return [value for value, number in counted for _ in range(number)]


def _put(body: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Put a value in its place; items of lists are kept by their number for now. Raises ValueError where none is."""
    place = ".".join(path)[:40]
    if len(path) > MAX_DEPTH:
        raise ValueError(f"{place}: no field stands so deep; open the form anew.")
    for name in path[:-1]:
        body = body.setdefault(name, {})
        if not isinstance(body, dict):
            raise ValueError(f"{place}: its place holds another value; open the form anew.")
    if path[-1] in body:
        raise ValueError(f"{place}: it is there twice; open the form anew.")
    body[path[-1]] = value


def _lists(value: Any) -> Any:
    """A value in which objects with numbers for names are lists; what a form says by itself alone makes no item."""
    if isinstance(value, Fixed):
        return value.value
    if not isinstance(value, dict):
        return value
    if not all(name.isdigit() for name in value):
        return {name: _lists(each) for name, each in value.items()}
    return [_lists(value[name]) for name in sorted(value, key=int) if not _is_blank(value[name])]


def _is_blank(item: Any) -> bool:
    """Whether an item of a list was left as it stood: flags off, empty lists, what its line says or proposes."""
    if not isinstance(item, dict):
        return False
    return all(each is False or each == [] or isinstance(each, Fixed) or _is_blank(each) for each in item.values())
