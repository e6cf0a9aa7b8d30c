"""Numbers and colours that follow from an id: the same id gives the same number everywhere, for ever.

Pure functions; no database.
"""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar
from uuid import UUID

SQUARE_BITS = 24
WORLD_BITS = 38
SIDE_LIMIT = 4096

# Twenty-four inks that stay apart from each other and from the muted terrain of the map.
INKS = (
    "#c0201c", "#1d5fb4", "#2d8a1d", "#7b2fb0", "#e07a00", "#0c8a86",
    "#d1339a", "#7a4a12", "#2b2f9e", "#8c8a00", "#e8505b", "#0aa0d8",
    "#5a1f6e", "#14532d", "#b98700", "#701a2e", "#5d6d7e", "#a85ad6",
    "#18b57c", "#222222", "#b0532b", "#5f7df0", "#9c6b8f", "#4e6b12",
)  # fmt: skip
NEAR = 200
"""Colours nearer than this are alike on the map: two reds, two blues."""
FARTHEST = 765
"""Of two colours, the sum of the differences of red, green and blue."""
Key = TypeVar("Key", UUID, str)


def world_number(world: UUID) -> int:
    """The 38-bit number of a world: the first 38 bits of the SHA-256 of its id's 16 bytes.

    A digest, since parts of an id (slot, version) are the same in many worlds. 0 <= number < 2**38; the database keeps
    it unique: of two worlds that meet (one chance in 10^7 with 200 worlds) the later takes another id.
    """
    return int.from_bytes(sha256(world.bytes).digest()[:5], "big") >> (40 - WORLD_BITS)


def square_id(number: int, width: int, x: int, y: int) -> int:
    """The id of square (x, y): world number in the high 38 bits, the running number y * width + x in the low 24.

    x = column, y = row, from 0. Ids of one world are one unbroken range, row by row, so that a map is read by a range
    of the primary key. ValueError for a column outside 0 <= x < width or a running number of 2**24 or more.
    """
    running = y * width + x
    if not 0 <= x < width or y < 0 or running >= 1 << SQUARE_BITS:
        raise ValueError(f"No square ({x}, {y}) in a world {width} squares wide.")
    return (number << SQUARE_BITS) | running


def square_xy(square: int, width: int) -> tuple[int, int]:
    """The column and row (x, y) of a square id in a world that is `width` squares wide."""
    y, x = divmod(square & ((1 << SQUARE_BITS) - 1), width)
    return x, y


def colour_of(race: UUID | str) -> str:
    """The colour of something that nobody chose one for: "#rrggbb", one of INKS, from the SHA-256 of its id or key."""
    return INKS[sha256(race.bytes if isinstance(race, UUID) else race.encode()).digest()[0] % len(INKS)]


def colours_apart(races: Mapping[Key, str]) -> dict[Key, str]:
    """A colour for each race: the chosen one, else its own ink, else the ink that is furthest from all others.

    races: chosen colours "#rrggbb" by id or key, "" for none. A race keeps the ink of `colour_of` unless a colour
    nearer than NEAR is taken. Ids are served in order, so the answer does not depend on the order of the mapping. With
    more races than inks colours repeat.
    """
    given = {race: colour for race, colour in races.items() if colour}
    nearest = {ink: min((_distance(ink, colour) for colour in given.values()), default=FARTHEST) for ink in INKS}
    for race in sorted(races.keys() - given.keys()):
        own = colour_of(race)
        if nearest[own] < NEAR:
            own = max(INKS, key=nearest.__getitem__)
        given[race] = own
        nearest = {ink: min(near, _distance(ink, own)) for ink, near in nearest.items()}
    return given


@lru_cache(maxsize=4_096)
def _distance(one: str, other: str) -> int:
    """How far two colours are apart: the sum of the differences of red, green and blue."""
    return sum(abs(a - b) for a, b in zip(_channels(one), _channels(other), strict=True))


def _channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb", grey for anything else."""
    try:
        return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
    except ValueError:
        return 128, 128, 128
