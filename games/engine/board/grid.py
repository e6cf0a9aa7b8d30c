"""The grid: neighbours, borders, reach, rings and connected sets on NumPy arrays, without a loop over squares.

Arrays are [row, column], row 0 north. No wrap-around. A mask is an array of bools of the map's shape. Good for maps of
1,000 x 1,000 squares; `diagonal` says whether squares that touch at a corner are adjacent (8 neighbours, else 4).
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from games.engine.board.board import Square

Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
UNREACHABLE = np.iinfo(np.int32).max
"""The ring of a square when there is nothing to be near to."""


def steps(diagonal: bool) -> tuple[tuple[int, int], ...]:
    """The offsets of a square's neighbours."""
    return (*SIDES, *CORNERS) if diagonal else SIDES


def mask_of(shape: tuple[int, ...], squares: Iterable[Square]) -> Mask:
    """A mask of these squares."""
    mask: Mask = np.zeros(shape, dtype=np.bool_)
    for square in squares:
        mask[square] = True
    return mask


def squares_in(mask: Mask) -> list[Square]:
    """The squares of a mask by row, then column."""
    rows, columns = np.nonzero(mask)
    return [Square(r, c) for r, c in zip(rows.tolist(), columns.tolist(), strict=True)]


def adjacent_count(mask: Mask, diagonal: bool = True) -> Numbers:
    """How many squares of the mask touch each square."""
    height, width = mask.shape
    framed = np.zeros((height + 2, width + 2), dtype=np.int64)
    framed[1:-1, 1:-1] = mask
    total: Numbers = np.zeros((height, width), dtype=np.int64)
    for row, column in steps(diagonal):
        total += framed[1 + row : 1 + row + height, 1 + column : 1 + column + width]
    return total


def touching(mask: Mask, diagonal: bool = True) -> Mask:
    """The squares that touch one of the mask, whether or not they are in it."""
    height, width = mask.shape
    framed = np.zeros((height + 2, width + 2), dtype=np.bool_)
    framed[1:-1, 1:-1] = mask
    found: Mask = np.zeros((height, width), dtype=np.bool_)
    for row, column in steps(diagonal):
        found |= framed[1 + row : 1 + row + height, 1 + column : 1 + column + width]
    return found


def border(mask: Mask, diagonal: bool = True) -> Mask:
    """The squares outside the mask that touch it."""
    found: Mask = touching(mask, diagonal) & ~mask
    return found


def reach(
    start: Mask,
    *,
    water: Mask,
    enterable: Mask,
    crossable: Mask,
    land_range: int,
    sea_range: int,
    diagonal: bool = True,
) -> Mask:
    """Every square that can be reached from `start`, `start` included.

    A step into water costs 1 of `sea_range`, any other step 1 of `land_range`, in any mixture. enterable: squares that
    may be entered at all. crossable: squares from which a further step may go; one that is reached but not crossable
    is an end. Squares of `start` are left at no cost, even where they are not crossable. A range below 0 is 0.
    """
    land_range, sea_range = max(0, land_range), max(0, sea_range)
    reached: dict[tuple[int, int], Mask] = {(0, 0): start}
    found: Mask = start.copy()
    for spent in range(1, land_range + sea_range + 1):
        for by_land in range(max(0, spent - sea_range), min(land_range, spent) + 1):
            by_sea = spent - by_land
            there: Mask = np.zeros_like(start)
            if by_land:
                there |= touching(reached[by_land - 1, by_sea] & (crossable | start), diagonal) & ~water
            if by_sea:
                there |= touching(reached[by_land, by_sea - 1] & (crossable | start), diagonal) & water
            reached[by_land, by_sea] = there & enterable
            found |= reached[by_land, by_sea]
    return found


def rings(mask: Mask) -> Numbers:
    """For each square the larger of row and column distance to the nearest square of the mask: 0 inside it.

    Exact, in time that does not grow with the distance; `UNREACHABLE` everywhere when the mask is empty.
    """
    height, width = mask.shape
    if not mask.any():
        return np.full((height, width), UNREACHABLE, dtype=np.int64)
    ring = np.where(mask, 0, height + width).astype(np.int64)
    # Two sweeps of the chessboard distance: each row from the one before, then along the row.
    for rows in (range(height), range(height - 1, -1, -1)):
        before = None
        for row in rows:
            if before is not None:
                near = ring[before] + 1
                ring[row] = np.minimum(ring[row], near)
                ring[row, 1:] = np.minimum(ring[row, 1:], near[:-1])
                ring[row, :-1] = np.minimum(ring[row, :-1], near[1:])
            along = np.arange(width)
            ring[row] = np.minimum(np.minimum.accumulate(ring[row] - along) + along, ring[row])
            back = ring[row][::-1]
            ring[row] = np.minimum(np.minimum.accumulate(back - along) + along, back)[::-1]
            before = row
    return ring


def nearest_rings(rows: NDArray[np.int64], columns: NDArray[np.int64], mask: Mask) -> Numbers:
    """For each of these squares the ring of the nearest square of the mask, 0 inside it; `UNREACHABLE` when the mask is
    empty.

    The same as `rings` at these squares, by a search for the least box about each that holds a square of the mask.
    """
    height, width = mask.shape
    held = np.zeros((height + 1, width + 1), dtype=np.int64)
    held[1:, 1:] = mask.cumsum(axis=0, dtype=np.int64).cumsum(axis=1)
    low, high = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), max(height, width), dtype=np.int64)
    if not held[-1, -1]:
        return np.full(len(rows), UNREACHABLE, dtype=np.int64)
    while (high - low > 1).any():
        ring = np.maximum((low + high) // 2, 0)
        top, bottom = np.maximum(rows - ring, 0), np.minimum(rows + ring + 1, height)
        left, right = np.maximum(columns - ring, 0), np.minimum(columns + ring + 1, width)
        met = held[bottom, right] - held[top, right] - held[bottom, left] + held[top, left] > 0
        high, low = np.where(met, ring, high), np.where(met, low, ring)
    return high


def connected_sets(mask: Mask, diagonal: bool = True) -> Numbers:
    """The connected sets of a mask: 0 outside, else 1, 2, ... in the order of their first square by row, column."""
    height, width = mask.shape
    outside = height * width
    label = np.where(mask, np.arange(outside).reshape(height, width), outside).astype(np.int64)
    framed = np.full((height + 2, width + 2), outside, dtype=np.int64)
    parent = np.arange(outside + 1)
    while True:
        framed[1:-1, 1:-1] = label
        least = label.copy()
        for row, column in steps(diagonal):
            least = np.minimum(least, framed[1 + row : 1 + row + height, 1 + column : 1 + column + width])
        least = np.where(mask, least, outside)
        if (least == label).all():
            break
        # Hook each set to the least label it touches, then jump pointers until they are flat.
        np.minimum.at(parent, label[mask], least[mask])
        while True:
            jumped = parent[parent]
            if (jumped == parent).all():
                break
            parent = jumped
        label = np.where(mask, parent[label], outside)
    roots = np.unique(label[mask])
    numbered: Numbers = np.zeros(outside + 1, dtype=np.int64)
    numbered[roots] = np.arange(1, len(roots) + 1)
    return numbered[label] * mask


def connected_part(start: Mask, through: Mask, diagonal: bool = True) -> Mask:
    """The squares of `through` that are joined to `start` (its squares in `through` included)."""
    labels = connected_sets(through, diagonal)
    met = np.unique(labels[(start | touching(start, diagonal)) & through])
    found: Mask = np.isin(labels, met[met > 0])
    return found
