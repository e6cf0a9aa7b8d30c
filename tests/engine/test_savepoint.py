"""What a savepoint brings back: rows, dirty marks, boards, and every attribute of a state."""

from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest

from games.engine.board.board import Board, Square
from games.engine.game_state import GameInfo
from games.engine.savepoint import Savepoint, Undoable
from games.engine.state import Rows
from tests.toy.rules.state import Pile, State

GAME, ANN, BOB = UUID(int=1), UUID(int=2), UUID(int=3)


@pytest.fixture
def state() -> State:
    made = State(GameInfo(GAME, "toy"))
    made.piles[ANN] = Pile(ANN, 3)
    made.piles[BOB] = Pile(BOB, 5)
    made.mark_stored()
    made.piles[BOB] = Pile(BOB, 6)
    return made


def test_every_part_that_is_written_in_place_says_how_it_is_brought_back():
    assert set(Undoable.__subclasses__()) == {Board, Rows}
    assert all({"restore", "copy"} <= vars(kind).keys() for kind in Undoable.__subclasses__())


def test_what_raises_is_undone_with_its_marks_and_the_order_of_rows(state):
    with pytest.raises(ValueError, match="no"), Savepoint(state):
        del state.piles[ANN]
        state.piles[UUID(int=4)] = Pile(UUID(int=4), 1)
        state.tide = replace(state.tide, count=9)
        raise ValueError("no")
    assert list(state.piles.items()) == [(ANN, Pile(ANN, 3)), (BOB, Pile(BOB, 6))]
    assert state.piles.dirty == {BOB}
    assert state.tides == {}
    assert state.tides.dirty == set()


def test_what_is_done_stays(state):
    with Savepoint(state):
        state.tide = replace(state.tide, count=2)
    assert state.tide.count == 2
    state.tide = replace(state.tide, count=3)
    assert state.tides.restores is None


def test_behind_a_savepoint_another_may_be_opened_though_nothing_was_written_and_within_it_none(state):
    with Savepoint(state), pytest.raises(RuntimeError, match="open already"), Savepoint(state):
        pass
    with Savepoint(state) as savepoint:
        state.tide = replace(state.tide, count=2)
        savepoint.undo()
    assert state.tide.count == 0


def test_after_an_undo_the_block_may_go_on_and_is_undone_again_when_it_raises(state):
    with pytest.raises(ValueError, match="late"), Savepoint(state) as savepoint:
        state.tide = replace(state.tide, count=2)
        savepoint.undo()
        assert state.tide.count == 0
        state.tide = replace(state.tide, count=4)
        state.piles[GAME] = Pile(GAME, 9)  # a table that was not written before
        raise ValueError("late")
    assert state.tide.count == 0
    assert GAME not in state.piles


def test_the_number_of_writes_never_goes_back_since_what_was_worked_out_hangs_on_it(state):
    before = state.piles.writes
    with Savepoint(state) as savepoint:
        state.piles[ANN] = Pile(ANN, 4)
        during = state.piles.writes
        savepoint.undo()
    assert before < during < state.piles.writes


def test_attributes_come_back_even_those_that_are_new(state):
    state.board = Board(3, 2)
    board, info = state.board, state.info
    with Savepoint(state) as savepoint:
        state.board = Board(9, 9)
        state.note_time(None)
        state.guess = 1
        savepoint.undo()
    assert state.board is board
    assert state.info is info
    assert not hasattr(state, "guess")


def test_a_board_comes_back_with_its_marks_and_its_boxes(state):
    board = state.board = Board(4, 3)
    board.put(Square(0, 1), ANN, 2)
    board.mark_saved()
    board.put(Square(0, 2), ANN, 1)
    before, window = board.copy(), board.window(ANN)
    with Savepoint(state) as savepoint:
        board.put(Square(2, 3), BOB, 7)
        board.put_many(np.array([0]), np.array([1]), None, np.array([0]))
        board.set_terrain(Square(1, 1), 3)
        board.lay(np.ones((3, 4), np.int8))
        savepoint.undo()
    assert board.content() == before.content()
    assert board.window(ANN) == window
    assert np.argwhere(board.dirty_units).tolist() == [[0, 2]]
    assert not board.dirty_terrain.any()


def test_one_savepoint_at_a_time(state):
    with Savepoint(state), pytest.raises(RuntimeError, match="open already"), Savepoint(state):
        raise AssertionError("never reached")
