"""Distributions of dice pools: against the enumeration of every throw, and what is too much to count."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import Refused
from games.engine.insight.pools import (
    MOST_BYTES,
    Comparison,
    Discard,
    Distribution,
    compare,
    convolution,
    sum_of_pool,
    union,
)
from tests.playbook import refused

POOLS = st.lists(st.sampled_from((1, 2, 3, 4, 6, 8)), max_size=4)
PARTS = st.builds(
    Distribution,
    st.integers(-20, 20),
    st.lists(st.integers(0, 10**30), min_size=1, max_size=8).map(tuple),
    st.sampled_from((10**31, 10**32, 6**41)),
)


def throws(sides: list[int]) -> list[tuple[int, ...]]:
    return list(product(*(range(1, each + 1) for each in sides)))


def kept_sum(dice: tuple[int, ...], discard: Discard) -> int:
    going = {Discard.NONE: 0, Discard.LOWEST: min(dice, default=0), Discard.HIGHEST: max(dice, default=0)}
    return sum(dice) - going[discard]


@given(POOLS, st.sampled_from(Discard))
def test_the_sum_of_a_pool_is_that_of_every_throw(sides: list[int], discard: Discard) -> None:
    if not sides and discard is not Discard.NONE:
        with pytest.raises(ValueError, match="no die to discard"):
            sum_of_pool(sides, discard)
        return
    found = sum_of_pool(sides, discard)
    assert {total: ways for total, ways in found if ways} == Counter(kept_sum(dice, discard) for dice in throws(sides))
    assert found.whole == sum(found.ways) == len(throws(sides))
    assert found.ways[0] and found.ways[-1]


@given(POOLS, POOLS)
def test_two_sums_are_compared_as_every_pair_of_throws(one: list[int], other: list[int]) -> None:
    found = compare(sum_of_pool(one), sum_of_pool(other))
    firsts, seconds = Counter(map(sum, throws(one))), Counter(map(sum, throws(other)))
    whole, ways = firsts.total() * seconds.total(), Counter[int]()
    for first, second in product(firsts, seconds):
        ways[(first > second) - (first < second)] += firsts[first] * seconds[second]
    assert found == Comparison(*(Fraction(ways[sign], whole) for sign in (1, 0, -1)))
    assert found.at_least == 1 - found.less


@given(PARTS, PARTS)
def test_a_convolution_has_every_pair_of_ways(one: Distribution, other: Distribution) -> None:
    found, plain = convolution(one, other), Counter[int]()
    for first, ways in one:
        for second, more in other:
            plain[first + second] += ways * more
    assert dict(found) == plain
    assert found.whole == one.whole * other.whole


@given(st.lists(PARTS, max_size=3))
def test_a_union_has_the_chances_of_all_its_parts(parts: list[Distribution]) -> None:
    found = union(parts)
    for total in range(-25, 35):
        assert found.chance(total) == sum(part.chance(total) for part in parts)


@given(PARTS, st.integers(-9, 9), st.integers(-40, 40))
def test_a_number_added_moves_every_sum(part: Distribution, amount: int, total: int) -> None:
    assert part.plus(amount).chance(total + amount) == part.chance(total)
    assert part.chance_at_least(total) == sum(part.chance(each) for each in range(total, 60))


def test_three_d12_against_two() -> None:
    found = compare(sum_of_pool((12, 12, 12)), sum_of_pool((12, 12)))
    assert found.at_least == Fraction(67379, 82944)
    assert (found.greater, found.tie) == (Fraction(64354, 82944), Fraction(3025, 82944))


def test_the_lowest_of_three_d6_goes() -> None:
    assert sum_of_pool((6, 6, 6), Discard.LOWEST).chance(12) == Fraction(16, 216)
    assert sum_of_pool((6, 6), Discard.HIGHEST).chance_at_least(4) == Fraction(9, 36)


def test_the_order_of_a_pool_does_not_matter() -> None:
    assert sum_of_pool((12, 4, 8), Discard.LOWEST) == sum_of_pool((8, 12, 4), Discard.LOWEST)


def test_sixty_mixed_dice_against_thirty_d12_are_counted() -> None:
    """By the symmetry of sums around their mean: 60 dice of 7 faces' mean 4 against 240."""
    found = compare(sum_of_pool((7,) * 60), Distribution(240, (1,), 1))
    assert found.greater == found.less and found.greater + found.tie + found.less == 1
    mixed = compare(sum_of_pool((4, 6, 8, 10, 12) * 12), sum_of_pool((12,) * 30))
    assert mixed.greater + mixed.tie + mixed.less == 1 and mixed.greater > Fraction(9, 10)


@pytest.mark.parametrize(
    ("_case", "sides", "discard"),
    [
        ("many dice", (12,) * 1_000, Discard.NONE),
        ("too many to multiply their sides", (2,) * 1_000_000, Discard.NONE),
        ("a die of a million sides", (1_000_000,), Discard.NONE),
        ("a discard among many", (12,) * 200, Discard.LOWEST),
    ],
)
def test_what_takes_too_long_is_refused(_case: str, sides: tuple[int, ...], discard: Discard) -> None:
    with refused("odds.large"):
        sum_of_pool(sides, discard)


def test_the_sum_of_two_long_sums_is_refused() -> None:
    long = Distribution(0, (10**300,) * 2_000, 10**310)
    with refused("odds.large"):
        convolution(long, long)


def test_a_refusal_cites_what_the_game_says() -> None:
    with pytest.raises(Refused) as caught:
        sum_of_pool((12,) * 1_000, rules=("CF-3",))
    assert caught.value.rules == ("CF-3",) and caught.value.facts["limit"] == MOST_BYTES


def test_a_die_has_a_side() -> None:
    with pytest.raises(ValueError, match="dice of 0 sides"):
        sum_of_pool((6, 0))
