"""Cursors: how far a viewer has read, as one opaque text. It is an ETag, an `expected` and a stream's event id.

A cursor is the vector of heads of the streams the viewer may read. It names no stream and reveals nothing of the
others: each is written as a short digest of its key.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from games.engine.errors import Refused


@lru_cache(maxsize=10_000)
def stream_name(audience: str) -> str:
    """The short name of a stream in a cursor."""
    return sha256(audience.encode()).hexdigest()[:10]


def number_of(audience: str, ordinal: int) -> str:
    """The number of an event in its stream: `public/12`; a stream of few readers by its short name."""
    return f"{audience if audience == 'public' else stream_name(audience)}/{ordinal}"


def encode(heads: Mapping[str, int]) -> str:
    """The cursor of these heads (audience -> ordinal)."""
    vector = {stream_name(audience): head for audience, head in heads.items() if head}
    packed = json.dumps(vector, sort_keys=True, separators=(",", ":"))
    return urlsafe_b64encode(packed.encode()).decode().rstrip("=")


def decode(cursor: str) -> dict[str, int]:
    """Ordinals by short stream name. Raises `cursor.invalid`."""
    if not cursor:
        return {}
    try:
        vector = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(vector, dict) or not all(isinstance(k, str) and type(v) is int for k, v in vector.items()):
            raise ValueError(cursor)
    except (ValueError, UnicodeDecodeError) as wrong:
        raise Refused(
            "cursor.invalid", "This is no cursor of ours; take one from `state/` or from an event, or leave it out."
        ) from wrong
    return vector
