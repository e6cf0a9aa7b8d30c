"""Who may read an event or a row: one key of text for each set of readers.

`public` is everybody who may see the game, `server` is nobody (for replay). Every other key is a sorted list of
readers joined by `+`: `gm`, `seat:<id>`, `gm+seat:<id>`, `seat:<id>+seat:<id>`. Two events with the same readers have
the same key, so they stand in the same stream and share its gapless ordinals.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import NewType
from uuid import UUID

Audience = NewType("Audience", str)
Reader = NewType("Reader", str)

PUBLIC = Audience("public")
SERVER = Audience("server")
GM = Audience("gm")
GM_READER = Reader("gm")


def reader(seat: UUID) -> Reader:
    """The reader that a seat is."""
    return Reader(f"seat:{seat}")


def seats(*ids: UUID, gm: bool = False) -> Audience:
    """The audience of these seats, and of every GM when `gm` says so. Nobody at all is `server`."""
    readers = {reader(i) for i in ids} | ({GM_READER} if gm else set())
    return Audience("+".join(sorted(readers))) if readers else SERVER


@lru_cache(maxsize=4096)
def seat_and_gm(seat: UUID) -> Audience:
    """The audience of one seat and the GMs: the usual home of a secret."""
    return seats(seat, gm=True)


@lru_cache(maxsize=4096)
def readers_of(audience: Audience) -> frozenset[str]:
    """The readers that a key lists; empty for `public` and `server`."""
    return frozenset() if audience in (PUBLIC, SERVER) else frozenset(audience.split("+"))


def readable(audience: Audience, seats: Collection[UUID], gm: bool) -> bool:
    """Whether someone with these seats, or with a GM's view, may read what has this audience."""
    if audience == PUBLIC:
        return True
    readers = readers_of(audience)
    return (gm and GM_READER in readers) or any(reader(s) in readers for s in seats)
