"""The exact odds (FB-CON-3, FB-ART-5, FB-HER-1, FB-FOR-1): those that the rulebook prints, and every throw counted."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from games.engine.insight.pools import MOST_BYTES
from games.forgeborn.rules.conflict.odds import (
    PurchaseOdds,
    commune_chance,
    conflict_odds,
    creation_odds,
    recruiting_odds,
)
from games.forgeborn.rules.conflict.spending import default_artifact, default_heroine, default_purchase, price
from games.forgeborn.rules.state.schema_types import Bought
from tests.playbook import refused

SIZES = (4, 6, 8, 10, 12)
POOLS = [pool for number in (1, 2, 3, 4) for pool in combinations_with_replacement(SIZES, number)]
"""Every pool of one to four dice: 125."""
THROWS_OF_D12 = {n: Counter(map(sum, product(range(1, 13), repeat=n))) for n in (1, 2, 3)}


@cache
def throws(pool: tuple[int, ...]) -> Counter[int]:
    """Every throw of a pool, by its sum."""
    return Counter(map(sum, product(*(range(1, sides + 1) for sides in pool))))


def chance(text: str) -> Fraction:
    return Fraction(text)


@pytest.mark.rule("FB-EX-50", "FB-CON-3")
@pytest.mark.parametrize(
    ("own", "power", "expected"),
    [
        ((12,) * 3, 1, "2249/2304"),
        ((12,) * 3, 2, "67379/82944"),
        ((12,) * 3, 3, "260273/497664"),
        ((12,) * 3, 4, "516659/1990656"),
        ((12,) * 3, 8, "85150793/41278242816"),
        ((12,) * 6, 8, "36028739026225/213986410758144"),
    ],
)
def test_the_printed_odds_of_d12(own: tuple[int, ...], power: int, expected: str) -> None:
    assert conflict_odds(own, power).chance == chance(expected)


@pytest.mark.rule("FB-EX-51")
@pytest.mark.parametrize(
    ("own", "power", "expected"), [((4,), 1, "5/24"), ((4, 4, 4), 1, "5/8"), ((6, 6, 6), 2, "637/1728")]
)
def test_the_printed_odds_of_small_dice(own: tuple[int, ...], power: int, expected: str) -> None:
    assert conflict_odds(own, power).chance == chance(expected)


@pytest.mark.rule("FB-EX-104")
def test_the_printed_odds_of_the_problems_of_villages() -> None:
    found = [conflict_odds((8, 8, 8), power).chance for power in (1, 2, 3, 4)]
    assert found == [chance(each) for each in ("471/512", "1723/3072", "8377/36864", "3709/55296")]


@pytest.mark.rule("FB-EX-88")
def test_the_printed_odds_of_sacrifices_and_an_artifact() -> None:
    found = conflict_odds((12,) * 3 + (8,) * 3, 8, artifacts=(4,) * 4).chance
    assert found == chance("4011111978134531/16231265527136256")
    assert int(found * 10**9) == 247122565


@pytest.mark.rule("FB-EX-89")
def test_the_printed_odds_of_a_test() -> None:
    assert conflict_odds((12, 12, 6), 4, artifacts=(4,) * 4).chance == chance("623472701/1146617856")


@pytest.mark.rule("FB-CON-3")
@pytest.mark.parametrize("power", [1, 2, 3])
def test_the_odds_of_every_pool_of_four_dice_are_those_of_every_throw(power: int) -> None:
    against = THROWS_OF_D12[power]
    for pool in POOLS:
        ours = throws(pool)
        won = sum(n * m for (own, n), (other, m) in product(ours.items(), against.items()) if own >= other)
        assert conflict_odds(pool[:1], power, artifacts=pool[1:]).chance == Fraction(
            won, ours.total() * against.total()
        )


def test_the_sums_of_both_sides_are_there() -> None:
    odds = conflict_odds((4, 6), 2)
    assert dict(odds.own) == throws((4, 6)) and dict(odds.against) == THROWS_OF_D12[2]
    assert conflict_odds((4,), 0).chance == 1


@pytest.mark.rule("FB-CON-6", "FB-AMB-27")
def test_a_roll_has_a_die_of_ones_own() -> None:
    for ask in (
        lambda: conflict_odds((), 5, artifacts=(12, 12, 12)),
        lambda: creation_odds((), helpers=(12,)),
        lambda: recruiting_odds((), artifacts=(12,)),
    ):
        with refused("dice.none"):
            ask()


@pytest.mark.rule("FB-CON-3")
def test_what_takes_too_long_is_refused() -> None:
    assert conflict_odds((12,) * 60, 30).chance > Fraction(999, 1000)
    for own, power in (((12,) * 300, 8), ((12,) * 3, 300), ((12,) * 3, MOST_BYTES)):
        with refused("odds.large"):
            conflict_odds(own, power)


@pytest.mark.rule("FB-EX-55", "FB-ART-6")
@pytest.mark.parametrize(
    ("dice", "expected"), [((4, 4, 4), "1/16"), ((6,), "2/3"), ((6, 6), "1/6"), ((12, 12, 12), "1/432")]
)
def test_the_printed_odds_of_a_sum_below_5(dice: tuple[int, ...], expected: str) -> None:
    assert creation_odds(dice).failure == recruiting_odds(dice).failure == chance(expected)
    assert creation_odds(dice).dice_chances()[0] == chance(expected)


def mean_dice(odds: PurchaseOdds) -> Fraction:
    """The mean of the largest number of dice that the sum buys."""
    return sum((number * chance for number, chance in enumerate(odds.dice_chances())), Fraction(0))


@pytest.mark.rule("FB-EX-87")
@pytest.mark.parametrize(("dice", "expected"), [((12, 12, 12), "7/2"), ((8, 8, 8), "1179/512"), ((4, 4, 4), "35/32")])
def test_the_printed_mean_power(dice: tuple[int, ...], expected: str) -> None:
    assert mean_dice(creation_odds(dice)) == chance(expected)


@pytest.mark.rule("FB-EX-114")
@pytest.mark.parametrize(("helpers", "expected"), [(1, "1227571/165888"), (2, "19435172651/1719926784")])
def test_the_printed_mean_power_with_helpers(helpers: int, expected: str) -> None:
    assert mean_dice(creation_odds((12, 12, 12), helpers=(12,) * 3 * helpers)) == chance(expected)


@pytest.mark.rule("FB-ART-5", "FB-HER-1")
def test_what_sums_buy_is_what_every_throw_buys() -> None:
    for pool in POOLS:
        ours = throws(pool)
        odds = recruiting_odds(pool[:1], artifacts=pool[1:])
        for bought, buy in ((Bought.ARTIFACT, default_artifact), (Bought.HEROINE, default_heroine)):
            assert all(default_purchase(total, bought) == buy(total) for total in ours)
        for wanted in ((4,), (12,), (6, 6), (12, 12, 8)):
            cost = sum(wanted) + len(wanted)
            paid = sum(number for total, number in ours.items() if total >= cost)
            assert odds.sums.chance_at_least(price(wanted)) == Fraction(paid, ours.total())
        assert sum(odds.dice_chances()) == 1
        assert mean_dice(odds) == Fraction(sum(total // 5 * n for total, n in ours.items()), ours.total())


@pytest.mark.rule("FB-EX-24", "FB-EX-65", "FB-AMB-16")
@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ((6, 6), "30/36"),
        ((8, 6), "33/48"),
        ((4,) * 5, "121/1024"),
        ((10,), "9/10"),
        ((12,), "3/4"),
        ((8, 4), "13/16"),
        ((6, 4), "23/24"),
        ((4, 4, 4), "27/32"),
        ((6, 6, 4), "1/2"),
        ((8, 4, 4), "1/2"),
        ((10, 10), "36/100"),
        ((12, 12), "36/144"),
        ((8,), "1"),
        ((4, 4), "1"),
        ((4,) * 9, "1/262144"),
        ((4,) * 10, "0"),
    ],
)
def test_the_printed_odds_of_communes(dice: tuple[int, ...], expected: str) -> None:
    assert commune_chance(dice) == chance(expected)


@pytest.mark.rule("FB-EX-65", "FB-AMB-36")
def test_the_spirits_are_asked_for_one_to_twenty_dice() -> None:
    assert commune_chance((12,) * 20) == 0
    for dice in ((), (4,) * 21):
        with refused("dice.range"):
            commune_chance(dice)


@pytest.mark.rule("FB-FOR-1")
def test_the_odds_of_every_commune_of_four_dice_are_those_of_every_throw() -> None:
    for pool in POOLS:
        granted = sum(number for total, number in throws(pool).items() if total <= 9)
        assert commune_chance(pool) == Fraction(granted, throws(pool).total())
