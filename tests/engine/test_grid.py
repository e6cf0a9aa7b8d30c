"""The grid against plain loops over squares."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from games.engine.board import grid
from games.engine.board.board import Square

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


@given(masks(), st.booleans())
def test_the_border_lies_outside_and_touches(mask, diagonal):
    assert set(grid.squares_in(grid.border(mask, diagonal))) == {
        Square(*s)
        for s in np.ndindex(mask.shape)
        if not mask[s] and any(mask[n] for n in near(mask.shape, s, diagonal))
    }


@given(masks())
def test_rings_are_the_larger_of_row_and_column_distance(mask):
    found = grid.rings(mask)
    for r, c in np.ndindex(mask.shape):
        distances = [max(abs(r - a), abs(c - b)) for a, b in np.argwhere(mask)]
        assert found[r, c] == (min(distances) if distances else grid.UNREACHABLE)


@given(masks(), st.booleans())
def test_connected_sets_are_numbered_by_their_first_square(mask, diagonal):
    visited, number, expected = set(), 0, np.zeros(mask.shape, dtype=int)
    for square in map(tuple, np.argwhere(mask).tolist()):
        if square in visited:
            continue
        number += 1
        todo = [square]
        while todo:
            here = todo.pop()
            if here not in visited:
                visited.add(here)
                expected[here] = number
                todo += [n for n in near(mask.shape, here, diagonal) if mask[n]]
    assert (grid.connected_sets(mask, diagonal) == expected).all()


def cheapest(start, water, enterable, crossable, land, sea, diagonal):
    """Plain search over (square, land spent, sea spent)."""
    todo = [(Square(*s), 0, 0) for s in np.argwhere(start).tolist()]
    visited, found = set(todo), {s for s, _, _ in todo}
    while todo:
        here, by_land, by_sea = todo.pop()
        if not (crossable[here] or start[here]):
            continue
        for step in near(start.shape, here, diagonal):
            if not enterable[step]:
                continue
            spent = (by_land, by_sea + 1) if water[step] else (by_land + 1, by_sea)
            node = (step, *spent)
            if spent[0] <= land and spent[1] <= sea and node not in visited:
                visited.add(node)
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


def reachable_squares(rows, start, land, sea, others=(), barred=()):
    """Where one may go from `start` on a map of P(lains), I(ce) and W(ater): others are reached, barred squares not."""
    water = np.array([[letter == "W" for letter in row] for row in rows])
    own, held, closed = (grid.mask_of(water.shape, squares) for squares in ([start], others, barred))
    found = grid.reach(own, water=water, enterable=~closed, crossable=~held, land_range=land, sea_range=sea)
    return [tuple(square) for square in grid.squares_in(found & ~own)]


@pytest.mark.rule("G2-MOVE-2", "G2-MOVE-3", "G2-MAP-4")
def test_a_unit_in_a_corner_reaches_three_squares_and_with_range_two_five():
    assert reachable_squares(["PPPP", "PPPP"], (0, 0), 1, 0) == [(0, 1), (1, 0), (1, 1)]
    assert reachable_squares(["PPPP", "PPPP"], (0, 0), 2, 0) == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.rule("G2-MOVE-2")
@pytest.mark.parametrize(
    ("land", "sea", "columns"),
    [(1, 0, []), (1, 1, [1, 2]), (2, 1, [1, 2, 3]), (-1, 1, [1]), (0, 0, [])],
)
def test_a_water_square_is_crossed_with_the_sea_range(land, sea, columns):
    assert reachable_squares(["PWPP"], (0, 0), land, sea) == [(0, column) for column in columns]


@pytest.mark.rule("G2-MOVE-2")
def test_ice_costs_a_step_by_land():
    assert reachable_squares(["PIP"], (0, 0), 1, 3) == [(0, 1)]


@pytest.mark.rule("G2-MOVE-5")
def test_a_square_of_others_is_reached_but_not_crossed():
    assert reachable_squares(["PPPPP"], (0, 0), 3, 0, others=[(0, 2)]) == [(0, 1), (0, 2)]
    assert reachable_squares(["PPPPP"], (0, 2), 1, 0, others=[(0, 0)]) == [(0, 1), (0, 3)]


@pytest.mark.rule("G2-MOVE-4")
def test_a_barred_square_is_neither_entered_nor_crossed_but_left():
    assert reachable_squares(["PPP"], (0, 0), 2, 0, barred=[(0, 1)]) == []
    assert reachable_squares(["PPP"], (0, 0), 2, 0, barred=[(0, 0)]) == [(0, 1), (0, 2)]


@given(masks(count=2), st.booleans())
def test_connected_to_finds_what_is_joined_to_the_start(two, diagonal):
    start, through = two
    todo = [Square(*s) for s in np.argwhere(start).tolist()]
    todo = [s for s in todo if through[s]] + [n for s in todo for n in near(start.shape, s, diagonal) if through[n]]
    visited = set()
    while todo:
        here = todo.pop()
        if here not in visited:
            visited.add(here)
            todo += [n for n in near(start.shape, here, diagonal) if through[n]]
    assert set(grid.squares_in(grid.connected_part(start, through, diagonal))) == visited


def test_a_map_of_a_million_squares_is_one_set_and_has_rings_from_corner_to_corner():
    mask = np.zeros((1000, 1000), dtype=bool)
    mask[0, 0] = True
    assert grid.rings(mask)[999, 500] == 999
    assert grid.connected_sets(~mask).max() == 1
