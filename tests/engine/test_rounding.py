"""Whole numbers: exact where floats are not."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.board.rounding import ceil_div, percent_up


@given(st.integers(-(10**20), 10**20), st.integers(1, 10**9))
def test_ceil_div_rounds_up(amount, by):
    found = ceil_div(amount, by)
    assert found - 1 < Fraction(amount, by) <= found


def test_seven_percent_of_a_hundred_is_seven():
    assert percent_up(100, 7) == 7


def test_division_by_nothing_is_refused():
    with pytest.raises(ValueError):
        ceil_div(1, 0)
