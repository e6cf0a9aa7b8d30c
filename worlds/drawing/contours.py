"""Outlines: sets of squares become closed paths with rounded corners (pure geometry, no database).

Units are squares; y grows to the south. Loops run clockwise round land and counter-clockwise round holes.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Point = tuple[int, int]


def loops(mask: NDArray[np.bool_]) -> Iterator[list[Point]]:
    """The borders of a mask of shape (height, width): closed loops of corner points, in a fixed order.

    Squares that touch only at a corner belong to different loops.
    """
    ways = _edges(mask)
    for start in sorted(ways):
        while ways.get(start):
            yield _corners(_walk(ways, start))


def _edges(mask: NDArray[np.bool_]) -> dict[Point, list[Point]]:
    """Border edges by their start point, each with the squares of the mask on its right."""
    wide = np.pad(mask, 1)
    inner = wide[1:-1, 1:-1]
    ways: dict[Point, list[Point]] = {}
    sides = (
        (wide[:-2, 1:-1], (0, 0), (1, 0)),  # north side, eastwards
        (wide[1:-1, 2:], (1, 0), (1, 1)),  # east side, southwards
        (wide[2:, 1:-1], (1, 1), (0, 1)),  # south side, westwards
        (wide[1:-1, :-2], (0, 1), (0, 0)),  # west side, northwards
    )
    for beyond, tail, head in sides:
        rows, columns = np.nonzero(inner & ~beyond)
        for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
            ways.setdefault((x + tail[0], y + tail[1]), []).append((x + head[0], y + head[1]))
    return ways


def _walk(ways: dict[Point, list[Point]], start: Point) -> list[Point]:
    here, came = start, (0, 0)
    path = [start]
    while True:
        choices = ways[here]
        # Where two loops meet at a corner the right turn stays with the same square.
        right = (here[0] - came[1], here[1] + came[0])
        there = choices.pop(choices.index(right)) if len(choices) > 1 and right in choices else choices.pop(0)
        if not choices:
            del ways[here]
        came = (there[0] - here[0], there[1] - here[1])
        here = there
        if here == start:
            return path
        path.append(here)


def _corners(path: list[Point]) -> list[Point]:
    """Only the points where the path turns."""
    return [
        point
        for before, point, after in zip(path[-1:] + path[:-1], path, path[1:] + path[:1], strict=True)
        if (point[0] - before[0], point[1] - before[1]) != (after[0] - point[0], after[1] - point[1])
    ]


def path_of(mask: NDArray[np.bool_], scale: int, radius: float = 0.0) -> str:
    """SVG path data round a mask, in pixels of `scale` a square; "" for an empty mask.

    radius: rounding of outer corners in squares, 0 to 0.5. Inner corners stay sharp, so that the path never leaves
    the squares of the mask.
    """
    return "".join(_rounded_path(loop, scale, radius) for loop in loops(mask))


def _rounded_path(corners: list[Point], scale: int, radius: float) -> str:
    reach = radius * scale
    parts: list[str] = []
    for before, point, after in zip(corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True):
        into = _towards(before, point)
        out = _towards(point, after)
        x, y = point[0] * scale, point[1] * scale
        letter = "L" if parts else "M"
        turns_right = into[0] * out[1] - into[1] * out[0] > 0
        if reach and turns_right:
            parts.append(f"{letter}{num(x - into[0] * reach)} {num(y - into[1] * reach)}")
            parts.append(f"Q{x} {y} {num(x + out[0] * reach)} {num(y + out[1] * reach)}")
        else:
            parts.append(f"{letter}{x} {y}")
    return "".join(parts) + "Z"


def _towards(start: Point, end: Point) -> Point:
    return ((end[0] > start[0]) - (end[0] < start[0]), (end[1] > start[1]) - (end[1] < start[1]))


def num(value: float) -> str:
    """A coordinate with at most two decimals and no needless zeros: 3, 3.5, 3.25."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
