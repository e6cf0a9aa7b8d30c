"""Towers for tests, and what the rulebook says of them, word by word: means of centres, dice thrown one by one."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from games.dietower.rules.state.schema_types import Axis
from games.dietower.rules.tower.balance import Centre, Failure, failing_level, place

D6 = range(1, 7)
HALF_WIDTHS = st.integers(5, 8)
FOUR_DICE = st.tuples(*(st.integers(1, 6) for _ in range(4)))


def tower(*points: tuple[int, int]) -> tuple[Centre, ...]:
    return tuple(Centre(x, y) for x, y in points)


def heap(throws: Sequence[Sequence[int]]) -> tuple[Centre, ...]:
    """The dice of all throws on a first one, whether it stands or not."""
    centres: tuple[Centre, ...] = (Centre(0, 0),)
    for dice in throws:
        centres += (place(centres, dice),)
    return centres


def standing_tower(throws: Sequence[Sequence[int]], half_width: int) -> tuple[Centre, ...]:
    """The dice of those throws that stand."""
    centres: tuple[Centre, ...] = (Centre(0, 0),)
    for dice in throws:
        higher = (*centres, place(centres, dice))
        if failing_level(higher, half_width) is None:
            centres = higher
    return centres


def mean_offset(along: Sequence[int], level: int) -> Fraction:
    """How far the mean of all dice above a level is from its centre, along one axis."""
    above = along[level:]
    return Fraction(sum(above), len(above)) - along[level - 1]


def failure_by_the_book(centres: Sequence[Centre], half_width: int) -> Failure | None:
    """DT-SIM-3 and 5 by means."""
    for level in range(1, len(centres)):
        for axis in Axis:
            if abs(mean_offset([getattr(each, axis) for each in centres], level)) > half_width:
                return Failure(level, axis)
    return None


def is_standing_along(along: Sequence[int], half_width: int) -> bool:
    return all(abs(mean_offset(along, level)) <= half_width for level in range(1, len(along)))


def ways_along(along: Sequence[int], half_width: int, count: int) -> int:
    """Of all throws of 2d6 for each of `count` dice, those after each of which the tower stands along one axis."""
    if count == 0:
        return 1
    ways = 0
    for a, b in product(D6, D6):
        higher = (*along, along[-1] + a - b)
        if is_standing_along(higher, half_width):
            ways += ways_along(higher, half_width, count - 1)
    return ways
