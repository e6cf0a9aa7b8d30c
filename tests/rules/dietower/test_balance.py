"""The simulated tower (DT-SIM-*): what stands, what falls, and the exact odds of what comes next."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dietower.rules.state.schema_types import Axis
from games.dietower.rules.tower.balance import (
    Centre,
    Failure,
    LevelRisk,
    failing_level,
    margins,
    place,
    risk,
    risk_by_level,
    shift,
    standing_chances,
)
from tests.rules.dietower.examples import example
from tests.rules.dietower.towers import (
    D6,
    FOUR_DICE,
    HALF_WIDTHS,
    failure_by_the_book,
    heap,
    mean_offset,
    standing_tower,
    tower,
    ways_along,
)

THROWS = st.lists(FOUR_DICE, max_size=11)
LEANING = tower((0, 0), (5, 0))


@pytest.mark.rule("DT-SIM-1", "DT-EX-22")
@pytest.mark.parametrize("half_width", [5, 6, 7, 8])
def test_the_first_die_lies_at_the_origin_without_dice_and_cannot_fall(half_width: int) -> None:
    assert place((), ()) == Centre(0, 0)
    assert failing_level((Centre(0, 0),), half_width) is None
    assert risk((), half_width) == 0 and risk_by_level((), half_width) == ()
    assert standing_chances((), half_width, 1) == (1, 1)


@pytest.mark.rule("DT-SIM-1", "DT-SIM-2")
@pytest.mark.parametrize(
    ("_case", "centres", "dice"),
    [
        ("dice for the first die", (), (1, 2, 3, 4)),
        ("no dice for the second", LEANING, ()),
        ("two dice for the third", LEANING, (1, 2)),
    ],
)
def test_a_placement_takes_four_dice_and_the_first_none(
    _case: str, centres: tuple[Centre, ...], dice: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="dice for a placement"):
        place(centres, dice)


@pytest.mark.rule("DT-SIM-2")
def test_a_die_is_shifted_by_differences_of_dice_against_the_one_below() -> None:
    assert shift((6, 1, 2, 4)) == Centre(5, -2)
    assert place(tower((0, 0), (3, -1)), (6, 1, 2, 4)) == Centre(8, -3)
    assert Counter(shift((a, b, 1, 1)).x for a, b in product(D6, D6)) == {n: 6 - abs(n) for n in range(-5, 6)}


@pytest.mark.parametrize(
    ("half_width", "below", "dice", "centre", "failure"),
    [
        example("DT-EX-24", 7, tower((0, 0)), (6, 1, 2, 2), (5, 0), None, rules=("DT-SIM-2", "DT-SIM-3")),
        example("DT-EX-25", 7, LEANING, (5, 1, 3, 3), (9, 0), None, rules=("DT-SIM-3",)),
        example("DT-EX-26", 7, LEANING, (6, 1, 3, 3), (10, 0), (1, Axis.X), rules=("DT-SIM-3",)),
        example("DT-EX-27", 7, tower((0, 0), (5, 0), (9, 0)), (1, 3, 2, 2), (7, 0), None, rules=("DT-SIM-3",)),
        example("DT-EX-28", 7, tower((0, 0), (5, 0), (9, 0)), (3, 4, 2, 2), (8, 0), (1, Axis.X), rules=("DT-SIM-3",)),
        example("DT-EX-32", 6, LEANING, (4, 2, 3, 3), (7, 0), None, rules=("DT-SIM-1", "DT-SIM-3")),
        example("DT-EX-33", 6, LEANING, (5, 2, 3, 3), (8, 0), (1, Axis.X), rules=("DT-SIM-3",)),
        example("DT-EX-36", 6, tower((0, 0), (0, -5)), (3, 3, 1, 6), (0, -10), (1, Axis.Y), rules=("DT-SIM-5",)),
        example("DT-EX-36", 7, tower((0, 0), (0, -5)), (3, 3, 1, 6), (0, -10), (1, Axis.Y), rules=("DT-SIM-5",)),
        example(
            "DT-EX-37", 6, tower((0, 0), (-3, -1), (-8, -6)), (1, 6, 2, 4), (-13, -8), (1, Axis.X), rules=("DT-SIM-5",)
        ),
        example(
            "DT-EX-37", 7, tower((0, 0), (-3, -1), (-8, -6)), (1, 6, 2, 4), (-13, -8), (1, Axis.X), rules=("DT-AMB-35",)
        ),
        example(
            "DT-EX-38", 6, tower((0, 0), (5, 5)), (6, 1, 6, 1), (10, 10), (1, Axis.X), rules=("DT-SIM-5", "DT-AMB-35")
        ),
        example("DT-EX-39", 6, tower((0, 0), (-5, 0), (-1, 0)), (6, 1, 2, 2), (4, 0), (2, Axis.X), rules=("DT-SIM-5",)),
    ],
)
def test_a_die_is_placed_and_stands_or_falls_at_the_lowest_level(
    half_width: int,
    below: tuple[Centre, ...],
    dice: tuple[int, ...],
    centre: tuple[int, int],
    failure: tuple[int, Axis] | None,
) -> None:
    placed = place(below, dice)
    assert (placed.x, placed.y) == centre
    assert failing_level((*below, placed), half_width) == (failure and Failure(*failure))


@pytest.mark.rule("DT-SIM-5", "DT-AMB-35")
def test_a_lower_level_in_y_goes_before_a_higher_one_in_x() -> None:
    centres = tower((0, 0), (0, 5), (0, 9), (13, 13))
    assert {(m.level, m.x < 0, m.y < 0) for m in margins(centres, 6)} == {
        (1, False, True),
        (2, True, False),
        (3, True, False),
    }
    assert failing_level(centres, 6) == Failure(1, Axis.Y)


@pytest.mark.parametrize(
    ("half_width", "centres", "falls"),
    [
        *(example("DT-EX-23", half_width, tower((0, 0)), 0, rules=("DT-SIM-4",)) for half_width in (5, 6, 7, 8)),
        example("DT-EX-29", 7, LEANING, 36, rules=("DT-SIM-4",)),
        example("DT-EX-30", 7, tower((0, 0), (5, 0), (9, 0)), 936, rules=("DT-SIM-4",)),
        example("DT-EX-34", 6, LEANING, 216, rules=("DT-SIM-1", "DT-SIM-4")),
        example("DT-EX-34", 5, LEANING, 540, rules=("DT-SIM-1", "DT-SIM-4")),
        example("DT-EX-34", 7, LEANING, 36, rules=("DT-SIM-1", "DT-SIM-4")),
        example("DT-EX-35", 6, tower((0, 0), (5, 0), (7, 0)), 756, rules=("DT-SIM-4",)),
    ],
)
def test_the_risk_of_the_next_die(half_width: int, centres: tuple[Centre, ...], falls: int) -> None:
    assert risk(centres, half_width) == falls


@pytest.mark.rule("DT-SIM-4", "DT-SIM-6")
def test_a_tower_may_stand_on_which_no_die_can() -> None:
    centres = tower((0, 0), (-5, 0), (-2, 0), (-4, 0), (-7, 0), (-12, 0))
    assert failing_level(centres, 6) is None
    assert risk(centres, 6) == 1296 == sum(each.falls for each in risk_by_level(centres, 6))
    assert standing_chances(centres, 6, 2) == (1, 0, 0)
    assert risk_by_level(centres, 6, before=1) == ()


@pytest.mark.parametrize(
    ("half_width", "centres", "first", "second", "both"),
    [
        example("DT-EX-80", 6, LEANING, "1/6", "1735/13122", "4600/6561", rules=("DT-SIM-6",)),
        example("DT-EX-81", 6, tower((0, 0)), "0", "161/6561", "6400/6561", rules=("DT-SIM-6",)),
        example("DT-EX-81", 7, LEANING, "1/36", "83429/839808", "733051/839808", rules=("DT-SIM-6",)),
    ],
)
def test_the_odds_of_two_placements_in_a_row(
    half_width: int, centres: tuple[Centre, ...], first: str, second: str, both: str
) -> None:
    _, one, two = standing_chances(centres, half_width, 2)
    assert (1 - one, one - two, two) == (Fraction(first), Fraction(second), Fraction(both))


@pytest.mark.rule("DT-SIM-3", "DT-EX-82")
def test_the_margins_of_each_level_and_direction() -> None:
    found = margins(tower((0, 0), (5, 0), (7, 0)), 6)
    assert [(m.level, m.x, m.y) for m in found] == [(1, 0, 12), (2, 4, 6)]
    assert [(m.lean_x, m.lean_y) for m in found] == [(12, 0), (2, 0)]


@pytest.mark.rule("DT-SIM-3")
def test_exactly_the_half_width_stands_and_one_more_does_not() -> None:
    for sign in (1, -1):
        assert failing_level(tower((0, 0), (0, 6 * sign)), 6) is None
        assert failing_level(tower((0, 0), (0, 7 * sign)), 6) == Failure(1, Axis.Y)
        assert failing_level(tower((0, 0), (7 * sign, 0)), 6) == Failure(1, Axis.X)


@pytest.mark.rule("DT-SIM-3", "DT-SIM-5", "DT-AMB-35")
@given(THROWS, HALF_WIDTHS)
def test_a_tower_falls_where_the_means_say(throws: list[tuple[int, ...]], half_width: int) -> None:
    assert failing_level(heap(throws), half_width) == failure_by_the_book(heap(throws), half_width)


@pytest.mark.rule("DT-SIM-3")
@given(THROWS, HALF_WIDTHS)
def test_margins_are_what_the_means_leave(throws: list[tuple[int, ...]], half_width: int) -> None:
    centres = heap(throws)
    xs, ys = [each.x for each in centres], [each.y for each in centres]
    found = margins(centres, half_width)
    assert [margin.level for margin in found] == list(range(1, len(centres)))
    for margin in found:
        above = len(centres) - margin.level
        assert margin.lean_x == mean_offset(xs, margin.level) * above
        assert margin.lean_y == mean_offset(ys, margin.level) * above
        assert margin.x == half_width * above - abs(margin.lean_x)
        assert margin.y == half_width * above - abs(margin.lean_y)


@pytest.mark.rule("DT-SIM-4", "DT-SIM-6")
@settings(max_examples=60)
@given(THROWS, HALF_WIDTHS)
def test_the_risk_is_that_of_all_1296_outcomes(throws: list[tuple[int, ...]], half_width: int) -> None:
    centres = standing_tower(throws, half_width)
    fallen = Counter(failing_level((*centres, place(centres, dice)), half_width) for dice in product(D6, D6, D6, D6))
    stands = fallen.pop(None, 0)
    assert risk(centres, half_width) == 1296 - stands
    assert {Failure(each.level, each.axis): each.falls for each in risk_by_level(centres, half_width)} == fallen


@pytest.mark.rule("DT-SIM-6")
@settings(max_examples=40)
@given(st.lists(FOUR_DICE, max_size=10), HALF_WIDTHS)
def test_two_placements_are_every_pair_of_shifts_along_both_axes(
    throws: list[tuple[int, ...]], half_width: int
) -> None:
    centres = standing_tower(throws, half_width)
    xs, ys = [each.x for each in centres], [each.y for each in centres]
    one, both = (Fraction(ways_along(xs, half_width, n) * ways_along(ys, half_width, n), 1296**n) for n in (1, 2))
    assert standing_chances(centres, half_width, 2) == (1, one, both)
    assert one == 1 - Fraction(risk(centres, half_width), 1296)
    second = risk_by_level(centres, half_width, before=1)
    assert Fraction(sum(each.falls for each in second), 1296**2) == one - both


@pytest.mark.rule("DT-SIM-5", "DT-SIM-6")
def test_the_second_die_falls_at_each_level_as_often_as_every_pair_of_shifts_says() -> None:
    centres, found = tower((0, 0), (4, -3), (6, -5)), Counter[Failure]()
    shifts = [(x, y, (6 - abs(x)) * (6 - abs(y))) for x, y in product(range(-5, 6), repeat=2)]
    for x, y, ways in shifts:
        one = Centre(centres[-1].x + x, centres[-1].y + y)
        if failing_level((*centres, one), 6):
            continue
        for by_x, by_y, more in shifts:
            if failure := failing_level((*centres, one, Centre(one.x + by_x, one.y + by_y)), 6):
                found[failure] += ways * more
    levels = risk_by_level(centres, 6, before=1)
    assert {Failure(each.level, each.axis): each.falls for each in levels} == found
    assert levels[0] == LevelRisk(1, Axis.X, found[Failure(1, Axis.X)]) and {each.level for each in levels} == {1, 3}


@pytest.mark.rule("DT-SIM-6")
def test_three_placements_are_every_three_shifts_along_both_axes() -> None:
    centres = tower((0, 0), (4, -3))
    xs, ys = (0, 4), (0, -3)
    chances = [Fraction(ways_along(xs, 5, n) * ways_along(ys, 5, n), 1296**n) for n in range(4)]
    assert standing_chances(centres, 5, 3) == tuple(chances)


def test_what_comes_after_the_thirteenth_die_begins_a_new_tower() -> None:
    """The 13th die may fall, the two after it cannot."""
    leaning = standing_tower([(3, 2, 2, 2), (2, 3, 2, 2)] * 5 + [(6, 2, 1, 2)], 6)
    assert len(leaning) == 12 and 0 < risk(leaning, 6) < 1296
    first = 1 - Fraction(risk(leaning, 6), 1296)
    assert standing_chances(leaning, 6, 3) == (1, first, first, first)
    assert risk_by_level(leaning, 6, before=1) == ()
    lower = leaning[:11]
    assert standing_chances(lower, 6, 3)[3] == standing_chances(lower, 6, 2)[2] < standing_chances(lower, 6, 1)[1]


def test_the_first_three_dice_of_a_tower_as_the_table_of_the_rulebook_has_them() -> None:
    """Chances in tenths of a percent that the third die brings the tower down, by half width."""
    third = {h: standing_chances((), h, 3) for h in (5, 6, 7, 8)}
    assert all(chances[2] == 1 for chances in third.values())
    assert {h: round(1000 * (1 - chances[3])) for h, chances in third.items()} == {5: 90, 6: 25, 7: 3, 8: 0}
