"""The balance of the simulated tower (DT-SIM-1 to 6): centres, what falls, and exact odds. Whole numbers.

A tower is the centres of its dice, the lowest first. Its axes never mix, so the ways to stand are counted along each of
them and multiplied; nothing is enumerated. Levels are counted from 1, from the bottom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from games.dietower.rules.state.constants import DICE_OF_PLACEMENT, MIRACLE_HEIGHT, OUTCOMES
from games.dietower.rules.state.schema_types import Axis

LARGEST_SHIFT = 5
SHIFTS = range(-LARGEST_SHIFT, LARGEST_SHIFT + 1)
WAYS_UP_TO = (0, *accumulate(6 - abs(shift) for shift in SHIFTS))
"""Of the 36 throws of two d6, those whose difference is below -5, -4, ... 6."""


@dataclass(frozen=True, slots=True)
class Centre:
    """Where a die lies, in whole units; the first at (0, 0). Also by how much one is shifted against the one below."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Failure:
    """The level at which a tower falls, and in which direction (DT-SIM-5)."""

    level: int
    axis: Axis


@dataclass(frozen=True, slots=True)
class Margin:
    """How far a level is from failing (DT-SIM-3): at 0 it still stands, below 0 it fails."""

    level: int
    x: int
    y: int
    lean_x: int
    """By how much all dice above it together lie to the right of it, below 0 to the left."""
    lean_y: int


@dataclass(frozen=True, slots=True)
class LevelRisk:
    """In how many ways the tower falls at a level, in a direction."""

    level: int
    axis: Axis
    falls: int


@dataclass(frozen=True, slots=True)
class _AxisWays:
    """The ways of one axis: those that fail, by the lowest level that does, and those that stand."""

    fails: tuple[int, ...]
    stands: int


def shift(dice: Sequence[int]) -> Centre:
    """By how much four d6 a, b, c, d shift a die against the one below: (a - b, c - d) (DT-SIM-2)."""
    a, b, c, d = dice
    return Centre(a - b, c - d)


def place(centres: Sequence[Centre], dice: Sequence[int]) -> Centre:
    """The centre of the next die (DT-SIM-1, 2). dice: four d6, none for the first; ValueError for another number."""
    if len(dice) != (DICE_OF_PLACEMENT if centres else 0):
        raise ValueError(f"{len(dice)} dice for a placement on a tower of {len(centres)}")
    if not centres:
        return Centre(0, 0)
    by, below = shift(dice), centres[-1]
    return Centre(below.x + by.x, below.y + by.y)


def margins(centres: Sequence[Centre], half_width: int) -> tuple[Margin, ...]:
    """The margin of every level but the top one, the lowest first (DT-SIM-3)."""
    found: list[Margin] = []
    sum_x = sum_y = 0
    for above, level in enumerate(range(len(centres) - 1, 0, -1), start=1):
        upper, centre = centres[level], centres[level - 1]
        sum_x, sum_y = sum_x + upper.x, sum_y + upper.y
        lean_x, lean_y = sum_x - above * centre.x, sum_y - above * centre.y
        room = half_width * above
        found.append(Margin(level, room - abs(lean_x), room - abs(lean_y), lean_x, lean_y))
    return tuple(reversed(found))


def failing_level(centres: Sequence[Centre], half_width: int) -> Failure | None:
    """Where a tower falls: the lowest level that fails, x before y; None where it stands (DT-SIM-3, 5)."""
    for margin in margins(centres, half_width):
        if margin.x < 0:
            return Failure(margin.level, Axis.X)
        if margin.y < 0:
            return Failure(margin.level, Axis.Y)
    return None


def risk(centres: Sequence[Centre], half_width: int) -> int:
    """Of the 1,296 outcomes of the next placement, those that fall; 0 for the first die (DT-SIM-4, 6)."""
    if not centres:
        return 0
    x, y = _axes(centres, half_width, 0)
    return OUTCOMES - x.stands * y.stands


def risk_by_level(centres: Sequence[Centre], half_width: int, before: int = 0) -> tuple[LevelRisk, ...]:
    """The ways in which a placement falls, by level and direction; those with none are left out (DT-SIM-5, 6).

    before: placements that stand first, counted with it: the ways are of `1296 ** (before + 1)`. They add up to `risk`
    for the next one. Nothing where a miracle, or the first die, comes before or instead.
    """
    if not centres or len(centres) + before >= MIRACLE_HEIGHT:
        return ()
    x, y = _axes(centres, half_width, before)
    left_x, left_y = sum(x.fails) + x.stands, sum(y.fails) + y.stands
    found: list[LevelRisk] = []
    for level, (fails_x, fails_y) in enumerate(zip(x.fails, y.fails, strict=True), start=1):
        found.append(LevelRisk(level, Axis.X, fails_x * left_y))
        left_x -= fails_x
        found.append(LevelRisk(level, Axis.Y, fails_y * left_x))
        left_y -= fails_y
    return tuple(each for each in found if each.falls)


def standing_chances(centres: Sequence[Centre], half_width: int, count: int) -> tuple[Fraction, ...]:
    """The chances that the next 0, 1, ... `count` placements all stand (DT-SIM-6).

    The die that makes the height 13 is a miracle, and the next one the first of a new tower (DT-TWR-5, 6). The ways
    along an axis are followed for each placement but the last: three take 2 ms, each more ten times as long.
    """
    if not centres and count:
        return (Fraction(1), *standing_chances((Centre(0, 0),), half_width, count - 1))
    here = min(count, MIRACLE_HEIGHT - len(centres))
    chances = [Fraction(1)]
    for before in range(here):
        x, y = _axes(centres, half_width, before)
        chances.append(Fraction(x.stands * y.stands, OUTCOMES ** (before + 1)))
    if count > here:
        chances += [chances[-1] * chance for chance in standing_chances((), half_width, count - here)[1:]]
    return tuple(chances)


def _axes(centres: Sequence[Centre], half_width: int, before: int) -> tuple[_AxisWays, _AxisWays]:
    """The ways of a placement along both axes, after so many that stand."""
    x, y = tuple(each.x for each in centres), tuple(each.y for each in centres)
    return _axis_ways(x, half_width, before), _axis_ways(y, half_width, before)


def _axis_ways(along: tuple[int, ...], half_width: int, before: int) -> _AxisWays:
    """The ways along one axis, of `36 ** (before + 1)` less those in which a placement before the last fails.

    along: where the centres lie, one at least.
    """
    fails, low, high = _shifts(along, half_width)
    if before == 0:
        return _AxisWays(fails, _ways(low, high))
    levels, stands = [0] * (len(along) + before), 0
    for by in SHIFTS:
        if low <= by <= high:
            later, ways = _axis_ways((*along, along[-1] + by), half_width, before - 1), 6 - abs(by)
            levels = [sum_of + ways * more for sum_of, more in zip(levels, later.fails, strict=True)]
            stands += ways * later.stands
    return _AxisWays(tuple(levels), stands)


def _shifts(along: tuple[int, ...], half_width: int) -> tuple[tuple[int, ...], int, int]:
    """Of the 36 shifts of the next die, those that fail by the lowest level; the least and largest that stand.

    With k dice above a level, the new one among them, their places less k times its own must be within H * k.
    """
    bounds, sum_above = list[tuple[int, int]](), along[-1]
    for above, place_of in enumerate(reversed(along), start=1):
        bounds.append((above * (place_of - half_width) - sum_above, above * (place_of + half_width) - sum_above))
        sum_above += place_of
    fails, low, high = list[int](), -LARGEST_SHIFT, LARGEST_SHIFT
    for least, most in reversed(bounds):
        before = _ways(low, high)
        low, high = max(low, least), min(high, most)
        fails.append(before - _ways(low, high))
    return tuple(fails), low, high


def _ways(low: int, high: int) -> int:
    """Of the 36 throws of two d6, those whose difference is within bounds; the bounds may be apart or cross."""
    if low > high:
        return 0
    return WAYS_UP_TO[high + LARGEST_SHIFT + 1] - WAYS_UP_TO[low + LARGEST_SHIFT]
