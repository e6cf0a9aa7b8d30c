"""The grid against plain loops over squares."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from games.engine import grid
from games.engine.board import Square

SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 7))


@st.composite
def masks(draw, count=1):
    shape = draw(SHAPES)
    found = [draw(hnp.arrays(np.bool_, shape)) for _ in range(count)]
    return found if count > 1 else found[0]


def near(shape, square, diagonal):
    for dr, dc in product((-1, 0, 1), repeat=2):
        if (dr or dc) and (diagonal or not (dr and dc)):
            r, c = square[0] + dr, square[1] + dc
            if 0 <= r < shape[0] and 0 <= c < shape[1]:
                yield Square(r, c)


@given(masks(), st.booleans())
def test_adjacent_squares_touch_and_the_map_does_not_wrap(mask, diagonal):
    count, touch = grid.adjacent_count(mask, diagonal), grid.touching(mask, diagonal)
    for square in np.ndindex(mask.shape):
        expected = sum(mask[n] for n in near(mask.shape, square, diagonal))
        assert count[square] == expected
        assert touch[square] == (expected > 0)


@given(masks())
def test_rings_are_the_larger_of_row_and_column_distance(mask):
    found = grid.rings(mask)
    for r, c in np.ndindex(mask.shape):
        distances = [max(abs(r - a), abs(c - b)) for a, b in np.argwhere(mask)]
        assert found[r, c] == (min(distances) if distances else grid.FAR)


@given(masks(), st.booleans())
def test_connected_sets_are_numbered_by_their_first_square(mask, diagonal):
    seen, number, expected = set(), 0, np.zeros(mask.shape, dtype=int)
    for square in map(tuple, np.argwhere(mask).tolist()):
        if square in seen:
            continue
        number += 1
        todo = [square]
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                expected[here] = number
                todo += [n for n in near(mask.shape, here, diagonal) if mask[n]]
    assert (grid.connected(mask, diagonal) == expected).all()


def cheapest(start, water, enterable, crossable, land, sea, diagonal):
    """Plain search over (square, land spent, sea spent)."""
    todo = [(Square(*s), 0, 0) for s in np.argwhere(start).tolist()]
    seen, found = set(todo), {s for s, _, _ in todo}
    while todo:
        here, by_land, by_sea = todo.pop()
        if not (crossable[here] or start[here]):
            continue
        for step in near(start.shape, here, diagonal):
            if not enterable[step]:
                continue
            spent = (by_land, by_sea + 1) if water[step] else (by_land + 1, by_sea)
            node = (step, *spent)
            if spent[0] <= land and spent[1] <= sea and node not in seen:
                seen.add(node)
                found.add(step)
                todo.append(node)
    return found


@settings(max_examples=60)
@given(masks(count=4), st.integers(0, 3), st.integers(0, 3), st.booleans())
def test_reach_spends_two_ranges_in_any_mixture(four, land, sea, diagonal):
    start, water, enterable, crossable = four
    found = grid.reach(
        start, water=water, enterable=enterable, crossable=crossable, land_range=land, sea_range=sea, diagonal=diagonal
    )
    assert set(grid.squares_in(found)) == cheapest(start, water, enterable, crossable, land, sea, diagonal)


def lay(rows):
    return np.array([[letter == "W" for letter in row] for row in rows])


@pytest.mark.parametrize(
    ("_case", "land", "sea", "expected"),
    [
        ("land alone meets the water", 1, 0, set()),
        ("one of each crosses one water", 1, 1, {1, 2}),
        ("two by land go one further", 2, 1, {1, 2, 3}),
    ],
)
def test_a_water_square_is_crossed_with_the_sea_range(_case, land, sea, expected):
    water = lay(["PWPP"])
    start, every = grid.mask_of((1, 4), [Square(0, 0)]), np.ones((1, 4), dtype=bool)
    found = grid.reach(start, water=water, enterable=every, crossable=every, land_range=land, sea_range=sea)
    assert {s.column for s in grid.squares_in(found & ~start)} == expected


@given(masks())
def test_the_centre_is_the_exact_mean_of_the_squares(mask):
    squares = np.argwhere(mask).tolist()
    if not squares:
        return
    n = len(squares)
    found = grid.centre_distance(mask)
    for r, c in np.ndindex(mask.shape):
        exact = (n * r - sum(s[0] for s in squares)) ** 2 + (n * c - sum(s[1] for s in squares)) ** 2
        assert found[r, c] == exact


@given(masks(count=2), st.booleans())
def test_connected_to_finds_what_is_joined_to_the_start(two, diagonal):
    start, through = two
    todo = [Square(*s) for s in np.argwhere(start).tolist()]
    todo = [s for s in todo if through[s]] + [n for s in todo for n in near(start.shape, s, diagonal) if through[n]]
    seen = set()
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            todo += [n for n in near(start.shape, here, diagonal) if through[n]]
    assert set(grid.squares_in(grid.connected_to(start, through, diagonal))) == seen


@given(masks(), st.data())
def test_squares_are_ordered_by_keys_then_row_then_column(mask, data):
    first = data.draw(hnp.arrays(np.int64, mask.shape, elements=st.integers(-3, 3)))
    second = data.draw(hnp.arrays(np.int64, mask.shape, elements=st.integers(-3, 3)))
    expected = sorted(grid.squares_in(mask), key=lambda s: (first[s], second[s], s.row, s.column))
    assert grid.ordered(mask, first, second) == expected


def test_a_map_of_a_million_squares_is_one_set_and_has_rings_from_corner_to_corner():
    mask = np.zeros((1000, 1000), dtype=bool)
    mask[0, 0] = True
    assert grid.rings(mask)[999, 500] == 999
    assert grid.connected(~mask).max() == 1
