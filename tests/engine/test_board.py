"""The board: arrays that remember what was touched and mean the same whatever order the peoples came in."""

from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.board.board import Board, Square
from games.engine.game_state import dump

WIDTH, HEIGHT = 4, 3
PEOPLES = [UUID(int=n) for n in (7, 3, 9)]
SQUARES = st.builds(Square, st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1))
PUT = st.one_of(
    st.tuples(SQUARES, st.sampled_from(PEOPLES), st.integers(0, 5)),
    st.tuples(SQUARES, st.none(), st.just(0)),
)
PUTS = st.lists(PUT, max_size=20)


def board_of(puts, known=()):
    """A board after these writes, and what a plain dictionary says of it; `known` peoples were met before."""
    board, plain = Board(WIDTH, HEIGHT), {}
    for people in known:
        board.position(people)
    for square, people, units in puts:
        board.put(square, people, units)
        plain[square] = (people if units else None, units)
    return board, plain


@given(PUTS)
def test_a_square_holds_what_was_put_there_last(puts):
    board, plain = board_of(puts)
    for square, (people, units) in plain.items():
        assert (board.people_at(square), int(board.units[square])) == (people, units)
    for people in PEOPLES:
        assert board.units_of(people) == sum(n for who, n in plain.values() if who == people)
    assert {Square(*s) for s in np.argwhere(board.dirty_units).tolist()} == set(plain)
    board.mark_saved()
    assert not board.dirty_units.any()


@given(PUTS, st.permutations(PEOPLES))
def test_what_a_board_says_does_not_depend_on_the_order_of_its_peoples(puts, known):
    puts = [(square, people or PEOPLES[0], units) for square, people, units in puts]
    assert dump(board_of(puts)[0]) == dump(board_of(puts, known)[0])


@given(PUTS, PUTS, st.permutations(PEOPLES))
def test_a_board_becomes_another_and_touches_only_what_differs(puts, others, known):
    board, other = board_of(puts)[0], board_of(others, known)[0]
    other.set_terrain(Square(1, 1), 3)
    before = board.content()
    board.mark_saved()
    board.become(other)
    assert board.content() == other.content()
    was, now = before["units"], other.content()["units"]
    changed = {key for key in {*was, *now} if was.get(key) != now.get(key)}
    touched = {f"{r},{c}" for r, c in np.argwhere(board.dirty_units).tolist()}
    assert changed <= touched
    assert np.argwhere(board.dirty_terrain).tolist() == [[1, 1]]
    for people in PEOPLES:
        assert board.units_of(people) == other.units_of(people)


@given(PUTS, st.integers(0, 5))
def test_many_squares_at_once_are_as_many_single_ones(puts, units):
    one, many = board_of(puts)[0], board_of(puts)[0]
    mask = np.zeros((HEIGHT, WIDTH), dtype=bool)
    mask[1:, ::2] = True
    rows, columns = np.nonzero(mask)
    for board in (one, many):
        board.window(PEOPLES[1])  # is updated from now on
    many.put_many(rows, columns, PEOPLES[1], np.full(len(rows), units))
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        one.put(Square(row, column), PEOPLES[1], units)
    assert one.content() == many.content()
    assert (one.dirty_units == many.dirty_units).all()
    for people in PEOPLES:
        assert one.units_of(people) == many.units_of(people)


def test_a_copy_is_a_board_of_its_own():
    board = board_of([(Square(0, 0), PEOPLES[0], 4)])[0]
    twin = board.copy()
    assert twin.content() == board.content()
    assert not twin.dirty_units.any()
    twin.put(Square(0, 0), PEOPLES[1], 1)
    twin.set_terrain(Square(0, 0), 2)
    assert (board.units_of(PEOPLES[0]), int(board.terrain[0, 0])) == (4, 0)


def test_units_are_never_below_nothing_and_boards_keep_their_size():
    board = Board(WIDTH, HEIGHT)
    with pytest.raises(ValueError):
        board.put(Square(0, 0), PEOPLES[0], -1)
    with pytest.raises(ValueError):
        board.put(Square(0, 0), None, 1)
    with pytest.raises(ValueError):
        board.put_many(*np.nonzero(~board.dirty_units), None, np.ones(HEIGHT * WIDTH, np.int64))
    with pytest.raises(ValueError):
        board.put_many(*np.nonzero(~board.dirty_units), PEOPLES[0], np.full(HEIGHT * WIDTH, -1))
    with pytest.raises(ValueError):
        board.become(Board(HEIGHT, WIDTH))
    assert not board.dirty_units.any()
    assert not board.units.any()


def test_the_map_has_edges():
    board = Board(WIDTH, HEIGHT)
    inside = {(r, c) for r in range(-1, 5) for c in range(-1, 6) if board.holds(Square(r, c))}
    assert inside == set(np.ndindex(HEIGHT, WIDTH))


def test_a_terrain_is_laid_whole():
    board = Board(WIDTH, HEIGHT)
    board.lay(np.arange(12).reshape(HEIGHT, WIDTH))
    assert board.dirty_terrain.all()
    assert int(board.terrain[2, 3]) == 11
