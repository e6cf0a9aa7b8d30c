"""The packs as plain data, for tests that build one with another entry: the files are read once in a process."""

from functools import cache
from typing import Any

import orjson

from games.gods2.pack import entries


def raw_pack(version: int = 1) -> dict[str, list[dict[str, Any]]]:
    """The entries of a version by part, as its files have them; a copy that the caller may change."""
    found: dict[str, list[dict[str, Any]]] = orjson.loads(_written(version))
    return found


@cache
def _written(version: int) -> bytes:
    return orjson.dumps(entries(version)[0])
