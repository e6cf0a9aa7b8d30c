"""Resistances (G2-RES-*): codes, deaths, cuts of limits, and where saved or extra deaths fall."""

import numpy as np
import pytest

from games.engine.errors import Refused
from games.gods2.rules.pack.resistance import (
    Code,
    applicable,
    deaths,
    give_back,
    limit_cut,
    parse,
    spread_deaths,
    take_from_most,
)

FIRE, ICE = {"fire"}, {"ice"}


def dead(base: int, elements: set[str], *codes: str, everywhere: bool = True, population: int = 1000) -> int:
    working = applicable([parse(c) for c in codes], elements, everywhere=everywhere)
    return deaths(base, working, population)


@pytest.mark.rule("G2-RES-1", "G2-RES-2")
def test_a_code_is_a_category_and_an_operation() -> None:
    assert parse("F-2") == Code("F", "-", 2)
    assert parse("W/2") == Code("W", "/", 2)
    assert parse("I*12") == Code("I", "*", 12)
    assert parse("A+1") == Code("A", "+", 1)
    assert parse("I-inf").immune and parse("I-∞").immune


@pytest.mark.rule("G2-W22", "G2-RES-2")
@pytest.mark.parametrize(
    "text", ["F2", "Q-1", "F/1", "W*0", "F-", "F--2", "F-0", "f-1", "F-1 ", "F/0", "F-infinite", ""]
)
def test_what_the_grammar_does_not_know_is_rejected(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(text)
    assert caught.value.code == "pack.invalid"


@pytest.mark.rule(
    "G2-W07", "G2-W08", "G2-W09", "G2-W10", "G2-W11", "G2-W12", "G2-W13", "G2-W14", "G2-W15", "G2-W16", "G2-W17",
    "G2-W18", "G2-W19", "G2-RES-3", "G2-RES-4", "G2-RES-5", "G2-RES-6", "G2-AMB-8", "G2-AMB-27", "G2-AMB-28",
)  # fmt: skip
@pytest.mark.parametrize(
    ("example", "base", "elements", "codes", "everywhere", "expected"),
    [
        ("G2-W07", 5, {"fire"}, ["F-2"], True, 3),
        ("G2-W08", 5, {"water"}, ["W/2"], True, 3),
        ("G2-W09", 4, {"air"}, ["A+1"], True, 5),
        ("G2-W10", 5, {"ice"}, ["I/2", "X-1"], True, 2),
        ("G2-W11", 9, {"ice"}, ["I-inf", "I*2", "X+1"], True, 0),
        ("G2-W12", 9, {"fire", "earth"}, ["F-1", "E/2", "X-1", "W-5"], True, 3),
        ("G2-W13", 1, {"fire"}, ["X-1"], True, 0),
        ("G2-W14", 6, set(), ["F-2", "X-2"], True, 4),
        ("G2-W15", 6, set(), ["X-2"], False, 6),
        ("G2-W16", 6, {"fire"}, ["X-2"], False, 4),
        ("G2-W17", 10, {"nature"}, ["N/2", "N/3"], True, 2),
        ("G2-W18", 0, {"air"}, ["X+1"], True, 0),
        ("G2-W19", 3, {"water"}, ["W*2", "W-1"], True, 5),
    ],
)
def test_deaths_after_resistances(
    example: str, base: int, elements: set[str], codes: list[str], everywhere: bool, expected: int
) -> None:
    assert dead(base, elements, *codes, everywhere=everywhere) == expected, example


@pytest.mark.rule("G2-RES-6", "G2-AMB-26")
def test_no_more_die_than_the_race_has_units() -> None:
    assert dead(4, FIRE, "F*3", population=7) == 7


@pytest.mark.rule("G2-W20", "G2-RES-9", "G2-RES-10", "G2-AMB-25")
@pytest.mark.parametrize(
    ("codes", "expected"),
    [([], 2), (["I/2"], 1), (["I-inf"], 0), (["I/2", "X-1"], 1), (["I+1"], 3), (["I-1", "I+1"], 2), (["F-3"], 2)],
)
def test_a_cut_of_limits_is_changed_by_one_at_most(codes: list[str], expected: int) -> None:
    assert limit_cut(2, applicable([parse(c) for c in codes], ICE, everywhere=True)) == expected


@pytest.mark.rule("G2-W21", "G2-RES-8")
def test_named_city_losses_are_counted_like_deaths() -> None:
    assert dead(1, {"earth"}, "E/2", population=1) == 1
    assert dead(1, {"earth"}, "E-1", population=1) == 0


@pytest.mark.rule("G2-W57", "G2-RES-7")
def test_saved_units_go_back_to_the_square_with_most_deaths() -> None:
    assert give_back(np.array([3, 2, 1]), 3).tolist() == [1, 1, 1]
    assert give_back(np.array([2, 3, 3, 0]), 6).tolist() == [2, 2, 2, 0]
    assert give_back(np.array([2, 2, 2]), 5).tolist() == [1, 2, 2]


@pytest.mark.rule("G2-RES-7", "G2-AMB-26")
def test_extra_deaths_fall_on_the_nearest_units() -> None:
    units, rings = np.array([2, 5, 1, 5]), np.array([0, 2, 1, 2])
    assert spread_deaths(np.array([2, 0, 0, 0]), units, rings, 5).tolist() == [2, 2, 1, 0]


@pytest.mark.rule("G2-DIS-5")
@pytest.mark.parametrize("amounts", [[], [0], [4, 4, 4], [3, 2, 1], [1, 9, 0, 9, 2], [7, 1, 7, 7, 6]])
def test_squares_are_levelled_down_as_if_one_unit_went_at_a_time(amounts: list[int]) -> None:
    for count in range(sum(amounts) + 1):
        left = list(amounts)
        for _ in range(count):
            left[left.index(max(left))] -= 1
        taken = take_from_most(np.array(amounts, dtype=np.int64), count)
        assert [a - t for a, t in zip(amounts, taken.tolist(), strict=True)] == left
