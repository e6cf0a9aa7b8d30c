"""Whole numbers: exact where floats are not."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.board.rounding import ceil_div, percent_up, share_out, split_evenly


@given(st.integers(-(10**20), 10**20), st.integers(1, 10**9))
def test_ceil_div_rounds_up(amount, by):
    found = ceil_div(amount, by)
    assert found - 1 < Fraction(amount, by) <= found


def test_seven_percent_of_a_hundred_is_seven():
    assert percent_up(100, 7) == 7


@given(st.integers(0, 10**6), st.integers(1, 50))
def test_an_even_split_adds_up_and_favours_the_first(total, parts):
    found = split_evenly(total, parts)
    assert sum(found) == total
    assert found == sorted(found, reverse=True)
    assert max(found) - min(found) <= 1


@given(st.integers(0, 10_000), st.lists(st.integers(0, 1000), min_size=1, max_size=12).filter(any))
def test_shares_add_up_and_lie_within_one_of_the_exact_part(total, weights):
    found = share_out(total, weights)
    assert sum(found) == total
    for part, weight in zip(found, weights, strict=True):
        assert abs(part - Fraction(total * weight, sum(weights))) < 1


def test_equal_remainders_go_to_the_earlier_weight():
    assert share_out(10, [1, 1, 1]) == [4, 3, 3]


@pytest.mark.parametrize(("total", "weights"), [(1, [0, 0]), (-1, [1]), (1, [1, -1])])
def test_senseless_shares_are_refused(total, weights):
    with pytest.raises(ValueError):
        share_out(total, weights)


def test_division_by_nothing_is_refused():
    with pytest.raises(ValueError):
        ceil_div(1, 0)
