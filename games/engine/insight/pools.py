"""Dice pools of mixed sizes: the exact distributions of their sums, compared with each other.

A pool is the sides of its dice, in any order: `(12, 12, 6)`. A distribution has whole numbers of ways; a sum of many
dice is a power of polynomials, and those are multiplied as single long integers. What takes too long is refused
(`odds.large`). Nothing here names a game.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm, prod

from games.engine.errors import Refused

MOST_BYTES = 250_000
"""Bytes of the long integers that one question may take: about 0.1 s. That is 220d12 or 360d6."""


class Discard(StrEnum):
    """The die of a pool that does not count."""

    NONE = "none"
    LOWEST = "lowest"
    HIGHEST = "highest"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The ways of each sum, of a pool or of a part of its throws."""

    least: int
    """The sum that the first number of ways is for; the next is for the sum after it."""
    ways: tuple[int, ...]
    whole: int
    """All throws, also those that this is no part of."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(sum, ways), the least sum first."""
        return iter(enumerate(self.ways, start=self.least))

    def plus(self, amount: int) -> "Distribution":
        """The same with a number added to each sum."""
        return Distribution(self.least + amount, self.ways, self.whole)

    def chance(self, total: int) -> Fraction:
        """How likely a sum is."""
        index = total - self.least
        return Fraction(self.ways[index] if 0 <= index < len(self.ways) else 0, self.whole)

    def chance_at_least(self, least: int) -> Fraction:
        """How likely a sum of so much or more is."""
        return Fraction(sum(self.ways[max(0, least - self.least) :]), self.whole)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How likely the first of two sums is greater, equal or less; together 1 where both are of all throws."""

    greater: Fraction
    tie: Fraction
    less: Fraction

    @property
    def at_least(self) -> Fraction:
        """How likely the first is at least as great."""
        return self.greater + self.tie


def sum_of_pool(sides: Iterable[int], discard: Discard = Discard.NONE, *, rules: tuple[str, ...] = ()) -> Distribution:
    """The sum of a pool, without its lowest or highest die where one is discarded.

    A pool without dice has the sum 0. rules: what a refusal cites. Raises `odds.large`; ValueError for a die without
    sides, or nothing to discard.
    """
    pool = tuple(sorted(sides))
    if any(each < 1 for each in pool):
        raise ValueError(f"dice of {pool[0]} sides")
    if not pool and discard is not Discard.NONE:
        raise ValueError("no die to discard")
    _require_countable(_size(pool, discard), rules)
    return _sum_of_pool(pool, discard)


def convolution(one: Distribution, other: Distribution, *, rules: tuple[str, ...] = ()) -> Distribution:
    """The sum of two independent sums. rules: what a refusal cites. Raises `odds.large`."""
    width = _width(max(1, sum(one.ways)) * max(1, sum(other.ways)))
    slots = len(one.ways) + len(other.ways) - 1
    _require_countable(slots * width, rules)
    ways = _unpack(_pack(one.ways, width) * _pack(other.ways, width), slots, width)
    return Distribution(one.least + other.least, ways, one.whole * other.whole)


def union(parts: Iterable[Distribution]) -> Distribution:
    """The ways of several parts of the same throws together, over their common whole; none: no way at all."""
    given = tuple(parts)
    if not given:
        return Distribution(0, (0,), 1)
    whole, least = lcm(*(part.whole for part in given)), min(part.least for part in given)
    ways = [0] * (max(part.least + len(part.ways) for part in given) - least)
    for part in given:
        scale = whole // part.whole
        for index, more in enumerate(part.ways, start=part.least - least):
            ways[index] += scale * more
    return Distribution(least, tuple(ways), whole)


def compare(one: Distribution, other: Distribution) -> Comparison:
    """How likely one independent sum is greater than another, equal or less."""
    below = (0, *accumulate(other.ways))
    last, greater, tie = len(other.ways), 0, 0
    for index, ways in enumerate(one.ways, start=one.least - other.least):
        greater += ways * below[min(max(index, 0), last)]
        tie += ways * other.ways[index] if 0 <= index < last else 0
    both, whole = sum(one.ways) * below[-1], one.whole * other.whole
    return Comparison(Fraction(greater, whole), Fraction(tie, whole), Fraction(both - greater - tie, whole))


def _size(pool: tuple[int, ...], discard: Discard) -> int:
    """The bytes of the long integers for a sorted pool; of what is beyond the limit in any case, fewer."""
    if sum(pool) > MOST_BYTES:
        return sum(pool)
    slots = sum(pool) - len(pool) + 1
    return slots * _width(prod(pool)) * (1 if discard is Discard.NONE else pool[-1])


@lru_cache(maxsize=64)
def _sum_of_pool(pool: tuple[int, ...], discard: Discard) -> Distribution:
    """The sum of a sorted pool."""
    whole, dice = prod(pool), Counter(pool)
    width = _width(whole)
    if discard is Discard.NONE:
        return Distribution(len(pool), _ways_between(dice, 1, pool[-1] if pool else 0, width), whole)
    found: dict[int, int] = {}
    for face in range(1, pool[-1] + 1):
        low, high = (face, pool[-1]) if discard is Discard.LOWEST else (1, face)
        inner = (face + 1, high) if discard is Discard.LOWEST else (1, face - 1)
        for sign, (least, most) in ((1, (low, high)), (-1, inner)):
            for index, ways in enumerate(_ways_between(dice, least, most, width), start=least * len(pool) - face):
                found[index] = found.get(index, 0) + sign * ways
    sums = [total for total, ways in found.items() if ways]
    return Distribution(min(sums), tuple(found.get(n, 0) for n in range(min(sums), max(sums) + 1)), whole)


def _ways_between(dice: Mapping[int, int], low: int, high: int, width: int) -> tuple[int, ...]:
    """The ways of each sum while no die shows less than `low` or more than `high`; the first is for all at `low`.

    dice: sides -> number. Nothing where a die cannot.
    """
    faces = Counter[int]()
    for sides, number in dice.items():
        faces[min(sides, high) - low + 1] += number
    if any(each < 1 for each in faces):
        return ()
    product = prod(_pack((1,) * each, width) ** number for each, number in faces.items())
    return _unpack(product, sum((each - 1) * number for each, number in faces.items()) + 1, width)


def _width(largest: int) -> int:
    """The bytes that hold a number of ways."""
    return largest.bit_length() // 8 + 1


def _pack(ways: Sequence[int], width: int) -> int:
    """Numbers of ways as one long integer, each in so many bytes: its product with another is their convolution."""
    return int.from_bytes(b"".join(each.to_bytes(width, "little") for each in ways), "little")


def _unpack(packed: int, slots: int, width: int) -> tuple[int, ...]:
    """The numbers of ways of a long integer."""
    held = packed.to_bytes(slots * width, "little")
    return tuple(int.from_bytes(held[at : at + width], "little") for at in range(0, len(held), width))


def _require_countable(size: int, rules: tuple[str, ...]) -> None:
    """Refuse what needs integers of more bytes than the limit."""
    if size > MOST_BYTES:
        raise Refused(
            "odds.large",
            f"The odds of these dice are not counted: they take {size} bytes, and {MOST_BYTES} is the limit; "
            "ask with fewer or smaller dice.",
            rules=rules,
            size=size,
            limit=MOST_BYTES,
        )
