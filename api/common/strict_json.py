"""JSON as strict as GraphQL: what two readers could understand in two ways is refused.

Refused: duplicate keys, NaN and infinities, whole numbers beyond 10^18, depth beyond 64, lone surrogates, NUL
characters (which PostgreSQL does not store), anything but UTF-8.
"""

import codecs
import json
from math import isinf
from typing import IO, Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

MAX_DEPTH = 64
MAX_WHOLE = 10**18
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""The longer ones first: that of UTF-32 begins like that of UTF-16."""
MAX_DIGITS = len(str(MAX_WHOLE)) + 1


def _refuse(sentence: str) -> NoReturn:
    raise ParseError(sentence)


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS or abs(number := int(digits)) > MAX_WHOLE:
        _refuse("A whole number in the body is beyond 10^18.")
    return number


def _fraction(digits: str) -> float:
    if isinf(number := float(digits)):
        _refuse("A number in the body is too large.")
    return number


def _constant(name: str) -> NoReturn:
    _refuse(f"{name} is not JSON.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse("The same key stands twice in one object of the body.")
    return found


def _check_text(text: str) -> None:
    if "\0" in text:
        _refuse("A text in the body holds a NUL character.")
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        _refuse("A text in the body holds half a character (a lone surrogate).")


def _check(value: Any) -> None:
    layer, depth = [value], 0
    while layer:
        inner: list[Any] = []
        for item in layer:
            match item:
                case str():
                    _check_text(item)
                case dict():
                    for key in item:
                        _check_text(key)
                    inner.extend(item.values())
                case list():
                    inner.extend(item)
        if any(isinstance(item, dict | list) for item in layer):
            depth += 1
        if depth > MAX_DEPTH:
            _refuse(f"The body is nested deeper than {MAX_DEPTH}.")
        layer = inner


def strict_json(raw: bytes) -> Any:
    """The value that these bytes write. Raises ParseError (400 `body.unreadable`) with a sentence that says why."""
    if mark := next((name for start, name in BYTE_ORDER_MARKS.items() if raw.startswith(start)), ""):
        _refuse(f"The body begins with the byte-order mark of {mark}; send UTF-8 without a mark.")
    try:
        value = json.loads(
            raw.decode("utf-8"),
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError as error:
        raise ParseError(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise ParseError(f"The body is not JSON (line {error.lineno}, column {error.colno}).") from error
    except RecursionError as error:
        raise ParseError(f"The body is nested deeper than {MAX_DEPTH}.") from error
    _check(value)
    return value


class StrictJSONParser(BaseParser):
    """DRF's parser for `application/json`, as strict as `strict_json`."""

    media_type = "application/json"
    renderer_class = JSONRenderer

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """The body's value. Raises ParseError."""
        return strict_json(stream.read())


class UnreadJSONParser(StrictJSONParser):
    """The same for a body that is read later, by `api.representations.issuing.issue`."""

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """The body as it came."""
        return stream.read()
