"""What the sum of a creation or a recruiting buys (FB-ART-5, FB-HER-1), and what silence buys."""

import pytest

from games.forgeborn.rules.conflict.spending import (
    default_artifact,
    default_heroine,
    default_purchase,
    most_dice,
    price,
    require_affordable,
)
from games.forgeborn.rules.state.schema_types import Bought
from tests.playbook import refused


@pytest.mark.rule("FB-EX-08", "FB-ART-5")
@pytest.mark.parametrize(
    ("dice", "expected", "power"), [((12,), 13, 1), ((8, 4), 14, 2), ((6, 6), 14, 2), ((4, 4, 4), 15, 3)]
)
def test_a_die_costs_its_faces_and_one(dice: tuple[int, ...], expected: int, power: int) -> None:
    total = 1 + 8 + 6
    assert (price(dice), len(dice)) == (expected, power)
    assert require_affordable(total, dice) == total - expected


@pytest.mark.rule("FB-ART-5")
def test_every_size_has_its_price() -> None:
    assert [price((size,)) for size in (4, 6, 8, 10, 12)] == [5, 7, 9, 11, 13]


@pytest.mark.rule("FB-EX-09", "FB-ART-5")
def test_what_costs_more_than_the_sum_is_refused() -> None:
    with refused("points.short"):
        require_affordable(15, (8, 6))


@pytest.mark.rule("FB-EX-14", "FB-EX-15", "FB-HER-1")
def test_a_heroine_of_31_points_is_too_dear_for_30_and_one_of_29_loses_a_point() -> None:
    total = 12 + 9 + 3 + 6
    with refused("points.short"):
        require_affordable(total, (12, 8, 8))
    assert require_affordable(total, (12, 8, 6)) == 1


@pytest.mark.rule("FB-ART-5")
def test_something_is_bought() -> None:
    with refused("purchase.empty"):
        require_affordable(15, ())


@pytest.mark.rule("FB-EX-10")
def test_5_buys_a_d4_and_4_nothing() -> None:
    assert (most_dice(5), default_artifact(5), most_dice(4), default_artifact(4)) == (1, (4,), 0, ())


@pytest.mark.rule("FB-EX-11", "FB-EX-57")
@pytest.mark.parametrize(
    ("total", "expected"),
    [
        (9, [8]),
        (12, [6, 4]),
        (15, [4, 4, 4]),
        (23, [6, 4, 4, 4]),
        (5, [4]),
        (20, [4, 4, 4, 4]),
        (30, [4, 4, 4, 4, 4, 4]),
        (14, [6, 6]),
    ],
)
def test_silence_makes_an_artifact_of_as_much_power_as_can_be(total: int, expected: list[int]) -> None:
    assert list(default_purchase(total, Bought.ARTIFACT)) == expected


@pytest.mark.rule("FB-EX-56", "FB-AMB-40")
@pytest.mark.parametrize(
    ("total", "expected"), [(5, [4]), (12, [10]), (20, [12, 6]), (30, [12, 12]), (45, [12, 12, 12, 4])]
)
def test_silence_recruits_a_heroine_of_large_dice(total: int, expected: list[int]) -> None:
    assert list(default_purchase(total, Bought.HEROINE)) == expected


@pytest.mark.rule("FB-ART-5", "FB-AMB-40")
def test_what_silence_buys_can_be_paid_and_leaves_no_die_unbought() -> None:
    for total in range(200):
        for dice in (default_artifact(total), default_heroine(total)):
            assert bool(dice) is (total >= 5)
            if dice:
                assert require_affordable(total, dice) < 5
        assert len(default_artifact(total)) == most_dice(total)
