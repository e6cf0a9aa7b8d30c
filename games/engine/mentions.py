"""Whether a record of the state holds an id, in a field or in the text of one (pure)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Any, get_args, get_type_hints
from uuid import UUID

from pydantic import BaseModel

PLAIN = (bool, int, float, datetime, timedelta, Enum, NoneType)
"""What no id can stand in."""


def mentions(value: Any, identity: UUID, text: str) -> bool:
    """Whether an id is this value, or stands in it: in a text, a field, a key or a member. text: the id as text."""
    kind: Any = type(value)
    if kind is UUID:
        return bool(value.int == identity.int)  # in a state of hundreds of rows `==` takes twice as long
    if isinstance(value, str):
        return text in value
    if value is None or isinstance(value, PLAIN):
        return False
    if (read := _reader_of(kind)) is not None:
        return any_mentions(read(value), identity, text)
    if isinstance(value, Mapping):
        return any_mentions((part for pair in value.items() for part in pair), identity, text)
    if isinstance(value, tuple | list | set | frozenset):
        return any_mentions(value, identity, text)
    return text in repr(value)


def any_mentions(values: Iterable[Any], identity: UUID, text: str) -> bool:
    """Whether an id is one of these values, or stands in one."""
    for value in values:  # noqa: SIM110  (a generator takes half as long again, for each row of a state in each menu)
        if value is not None and mentions(value, identity, text):
            return True
    return False


@cache
def _reader_of(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """What reads those fields of a record in which an id may stand; None for what is no record."""
    if is_dataclass(kind):
        names = [field.name for field in fields(kind)]
    elif issubclass(kind, BaseModel):
        names = list(kind.model_fields)
    else:
        return None
    hints = get_type_hints(kind)
    held = [name for name in names if not _is_plain(hints[name])]
    return attrgetter(*held, *held[:1]) if held else lambda _: ()  # of one name it would not read a tuple


def _is_plain(hint: Any) -> bool:
    """Whether no id stands in a value of this type."""
    kinds = get_args(hint) or (hint,)
    return all(isinstance(kind, type) and issubclass(kind, PLAIN) for kind in kinds)
