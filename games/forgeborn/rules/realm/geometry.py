"""Points and segments of the sheet: squared distances and cross products, whole numbers alone (FB-MAP-9, 10, 14)."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isqrt

from games.forgeborn.rules.state.sheet import Point


@dataclass(frozen=True, slots=True)
class Segment:
    """The straight line between two points; a single point where they are the same."""

    a: Point
    b: Point


def squared_distance(one: Point, other: Point) -> int:
    """The square of how far two points are from each other."""
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


def is_crossed(link: Segment, mountains: Iterable[Segment]) -> bool:
    """Whether a link shares a point that is not one of its ends with any part of the range (FB-MAP-10)."""
    return any(_shares_inner_point(link.a, link.b, part.a, part.b) for part in mountains)


def is_passed(point: Point, line: Segment, units: int) -> bool:
    """Whether a segment passes a point nearer than so many units, between its ends; not where an end is nearest."""
    whole, along = squared_distance(line.a, line.b), _along(line.a, line.b, point)
    return 0 < along < whole and _side(line.a, line.b, point) ** 2 < units**2 * whole


def way_along(line: Segment, point: Point) -> int:
    """How far a point lies along a segment from its first end, in its length times units."""
    return _along(line.a, line.b, point)


def points_beside(line: Segment, point: Point, units: int) -> tuple[Point, Point]:
    """The two points so many units from a point, at right angles to a segment, rounded half up away from the point.

    That on the segment's side of the point comes first; left of it where the point lies on the segment.
    """
    whole = squared_distance(line.a, line.b)
    x, y = (_part_of(n, units, whole) for n in (line.a.y - line.b.y, line.b.x - line.a.x))
    left, right = Point(point.x + x, point.y + y), Point(point.x - x, point.y - y)
    return (right, left) if _side(line.a, line.b, point) > 0 else (left, right)


def _part_of(number: int, units: int, whole: int) -> int:
    """number times units by the root of `whole`, rounded half up away from 0."""
    rounded = (isqrt((2 * units * number) ** 2 // whole) + 1) // 2
    return rounded if number > 0 else -rounded


def _shares_inner_point(p: Point, q: Point, a: Point, b: Point) -> bool:
    """Whether the segment a-b holds a point of p-q other than p and q."""
    side_p, side_q = _side(a, b, p), _side(a, b, q)
    if side_p or side_q:
        # The line through a and b meets the link in one point at most: inside it where the ends lie on both sides.
        apart = side_p < 0 < side_q or side_q < 0 < side_p
        return apart and not _on_one_side(_side(p, q, a), _side(p, q, b))
    if _side(p, q, a):
        return False
    # All on one line: places along it, 0 at p and `whole` at q; both are 0 for a link without length.
    whole, one, other = squared_distance(p, q), _along(p, q, a), _along(p, q, b)
    return min(one, other) < whole and max(one, other) > 0


def _side(a: Point, b: Point, point: Point) -> int:
    """The cross product: above 0 on the one side of the line from a to b, below 0 on the other, 0 on it."""
    return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)


def _on_one_side(one: int, other: int) -> bool:
    return (one > 0 and other > 0) or (one < 0 and other < 0)


def _along(a: Point, b: Point, point: Point) -> int:
    """The dot product: how far a point lies along the way from a to b, 0 at a."""
    return (b.x - a.x) * (point.x - a.x) + (b.y - a.y) * (point.y - a.y)
