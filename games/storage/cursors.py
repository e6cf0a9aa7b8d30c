"""Cursors: how far a viewer has read, as one opaque text. It is an ETag, an `expected` and a stream's event id.

A cursor is the vector of heads of the streams the viewer may read. It names no stream and reveals nothing of the
others: each is written as a short digest of its key. The mark of a head is a digest of what its stream says up to
there, so that a cursor of a log that was restored and played on differently is none of this log's (ADR 98).
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from games.engine.errors import Refused

MARKED = re.compile(r"([0-9]{1,18})\.([0-9a-f]{8})")


class Head(NamedTuple):
    """Where a stream stands, or how far it was read."""

    ordinal: int = 0
    """The number of the last event; 0 before the first."""
    mark: str = ""
    """The mark of that event (`games.storage.log.mark_of`); "" where it is not known."""

    def contradicts(self, other: "Head") -> bool:
        """Whether both are the same number of two different streams; what has no mark contradicts nothing."""
        return self.ordinal == other.ordinal and "" not in (self.mark, other.mark) and self.mark != other.mark


START = Head()


@lru_cache(maxsize=10_000)
def stream_name(audience: str) -> str:
    """The short name of a stream in a cursor."""
    return sha256(audience.encode()).hexdigest()[:10]


def number_of(audience: str, ordinal: int) -> str:
    """The number of an event in its stream: `public/12`; a stream of few readers by its short name."""
    return f"{audience if audience == 'public' else stream_name(audience)}/{ordinal}"


def encode(heads: Mapping[str, Head]) -> str:
    """The cursor of these heads, by audience."""
    vector = {
        stream_name(audience): f"{head.ordinal}.{head.mark}" if head.mark else head.ordinal
        for audience, head in heads.items()
        if head.ordinal
    }
    packed = orjson.dumps(vector, option=orjson.OPT_SORT_KEYS)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def decode(cursor: str) -> dict[str, Head]:
    """Heads by short stream name. Raises `cursor.invalid`."""
    if not cursor:
        return {}
    try:
        vector = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(vector, dict):
            raise ValueError(cursor)
        return {name: _head_of(value) for name, value in vector.items()}
    except (ValueError, UnicodeDecodeError) as wrong:
        raise Refused(
            "cursor.invalid", "This is no cursor of ours; take one from `state/` or from an event, or leave it out."
        ) from wrong


def is_at(cursor: str, heads: Mapping[str, Head]) -> bool:
    """Whether a cursor has read exactly up to these heads; one that cannot be read has not."""
    try:
        read = decode(cursor)
    except Refused:
        return False
    stand = {stream_name(audience): head for audience, head in heads.items() if head.ordinal}
    return read.keys() == stand.keys() and all(
        read[name].ordinal == head.ordinal and not read[name].contradicts(head) for name, head in stand.items()
    )


def _head_of(value: Any) -> Head:
    """A head as a cursor has it: `12.9f8e7d6c`, or a number alone."""
    if type(value) is int:
        return Head(value)
    found = MARKED.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(value)
    return Head(int(found[1]), found[2])
