"""Positions in ordered lists (keyset), as opaque cursors: what pages of every transport share, without DRF.

A cursor holds the direction and the last row's values of the ordering. Orderings end in a unique column and hold no
NULL.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, Q

from api.common.exceptions import Fault
from api.common.plain_json import plain

DEFAULT_SIZE = 50
LARGEST_SIZE = 100
MAX_CURSOR_CHARACTERS = 1_000


def page_size(
    text: str | None, default: int = DEFAULT_SIZE, largest: int = LARGEST_SIZE, parameter: str = "limit"
) -> int:
    """The size asked for. Raises Fault (page.size, 422) outside 1..largest: clamping would hide rows from a client."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= largest):
        raise Fault("page.size", f"A page has 1 to {largest} rows.", parameter=parameter, least=1, most=largest)
    return int(text)


def fingerprint(ordering: Sequence[str]) -> str:
    """A few characters that distinguish orderings."""
    return hashlib.sha256(",".join(ordering).encode()).hexdigest()[:6]


def encode_cursor(ordering: Sequence[str], backward: bool, values: Sequence[Any]) -> str:
    """The cursor of a position."""
    content = [fingerprint(ordering), int(backward), plain(list(values))]
    return base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, ordering: Sequence[str], model: type[Model]) -> tuple[bool, list[Any]]:
    """Direction and values of a cursor. Raises Fault (page.cursor, 422) for one that was not made for this list."""
    unfit = Fault("page.cursor", "This cursor was not made for this list; begin without one.", parameter="cursor")
    if len(cursor) > MAX_CURSOR_CHARACTERS:
        raise unfit
    try:
        content = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)))
        made_for, backward, texts = content
        if made_for != fingerprint(ordering) or backward not in (0, 1) or len(texts) != len(ordering):
            raise unfit
        fields = [model._meta.pk if name.lstrip("-") == "pk" else _field(model, name) for name in ordering]
        values = [field.to_python(text) for field, text in zip(fields, texts, strict=True)]
    except (ValueError, TypeError, RecursionError, binascii.Error, ValidationError) as error:
        raise unfit from error
    if any(value is None and not field.null for field, value in zip(fields, values, strict=True)):
        raise unfit
    if any(isinstance(value, str) and "\0" in value for value in values):
        raise unfit
    return bool(backward), values


def _field(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name.lstrip("-"))


def beyond(ordering: Sequence[str], values: Sequence[Any], backward: bool) -> Q:
    """The rows after a position in an ordering, or before it. No row is like one whose value is NULL up to there."""
    found, same = Q(), Q()
    for name, value in zip(ordering, values, strict=True):
        column, descending = name.lstrip("-"), name.startswith("-")
        if value is None:
            break
        found |= same & Q(**{f"{column}__{'lt' if descending != backward else 'gt'}": value})
        same &= Q(**{column: value})
    return found


def reverse_of(ordering: Sequence[str]) -> list[str]:
    """The ordering, from its end."""
    return [name[1:] if name.startswith("-") else f"-{name}" for name in ordering]
