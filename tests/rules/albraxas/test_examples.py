"""The worked examples of the rulebook (section 12), AX-EX-01 to 21: characters, Tide and Ebb, rolls."""

import pytest

from games.albraxas.rules.resolve.pools import Outcome, outcome_of_roll
from games.albraxas.rules.state.schema_types import Mode, Result
from games.albraxas.rules.state.strength import Marks, starting_tide, travel_price
from tests.playbook import refused
from tests.rules.albraxas.stage import (
    AX,
    R1,
    begin,
    define,
    force,
    writing,
)


def starting_marks(phases: int = 100, **ebb: int) -> Marks:
    """The starting Tide, and Ebb on some phases (`p60=4`)."""
    tide = starting_tide(phases)
    return Marks(
        tuple(int(n in tide) for n in range(1, phases + 1)),
        tuple(ebb.get(f"p{n}", 0) for n in range(1, phases + 1)),
    )


@pytest.mark.rule("AX-EX-01", "AX-EX-02", "AX-SET-2", "AX-SET-3")
def test_battle_times_backbone_is_the_dynamism_of_a_character() -> None:
    book = begin((4, 5, 4), albraxas=(6, 8, 6))
    assert force(book) == (4, 20)
    assert force(book, AX) == (6, 48)


@pytest.mark.rule("AX-EX-03", "AX-SET-2")
def test_a_rebel_of_fourteen_points_is_refused() -> None:
    book = writing()
    with refused("attributes.sum", book.state):
        define(book, R1, (5, 5, 4))


@pytest.mark.rule("AX-EX-04", "AX-SET-6")
def test_ten_tide_lies_over_a_hundred_phases() -> None:
    book = begin()
    assert sum(p.tide for p in book.state.phases.values()) == 10
    assert sum(p.ebb for p in book.state.phases.values()) == 0


@pytest.mark.rule("AX-EX-05", "AX-SET-6")
def test_the_squares_and_the_last_phase_have_tide() -> None:
    book = begin(phases=30)
    assert [p.number for p in book.state.phases.values() if p.tide == 1] == [1, 4, 9, 16, 25, 30]


@pytest.mark.rule("AX-EX-06", "AX-EX-07", "AX-EFF-1", "AX-EFF-2")
def test_the_effective_values_at_the_start() -> None:
    start = starting_marks()
    assert [start.effective_tide(p) for p in (1, 8, 50, 99, 100)] == [1, 2, 7, 9, 10]
    assert [start.effective_ebb(p) for p in (1, 50, 100)] == [1, 1, 1]


@pytest.mark.rule("AX-EX-08", "AX-EX-09", "AX-EFF-1", "AX-AMB-6")
def test_late_ebb_lowers_the_effective_tide_of_all_earlier_phases_and_the_literal_formula_is_not_used() -> None:
    marks = starting_marks(p60=4)
    assert [marks.effective_tide(p) for p in (50, 60, 61)] == [3, 3, 7]
    assert [max(1, sum(marks.ebb[p - 1 :]) - sum(marks.tide[:p])) for p in (50, 60, 61)] == [1, 1, 1]


@pytest.mark.rule("AX-EX-10", "AX-EFF-2")
def test_ebb_stands_against_albraxas_in_later_phases() -> None:
    assert [starting_marks(p50=9).effective_ebb(p) for p in (49, 50, 100)] == [1, 6, 8]


@pytest.mark.rule("AX-EX-11", "AX-TRN-3", "AX-AMB-21")
def test_a_travel_costs_the_root_of_the_distance_rounded_up() -> None:
    ways = ((50, 51), (50, 52), (50, 50), (50, 41), (50, 40), (3, 100))
    assert [travel_price(last, to) for last, to in ways] == [0, 2, 1, 3, 4, 10]


ROLLS = {
    "AX-EX-12": ((9, 7, 7), (6, 5), 0, "if_wins", 0, "win", 3, 0),
    "AX-EX-13": ((8, 3), (9, 8, 9, 2), 0, "if_wins", 0, "lose", 2, 0),
    "AX-EX-14": ((8, 5), (8, 4), 0, "if_wins", 9, "tie", 0, 0),
    "AX-EX-15": ((8, 5), (8, 4), 1, "if_wins", 1, "win", 1, 1),
    "AX-EX-16": ((8, 5, 4), (8, 5, 3), 3, "if_wins", 9, "win", 1, 3),
    "AX-EX-17": ((8, 5, 4), (8, 5, 3), 2, "if_wins", 9, "tie", 0, 0),
    "AX-EX-18": ((8,), (8, 4), 5, "if_wins", 9, "tie", 0, 0),
    "AX-EX-19": ((8, 3), (8, 6), 5, "if_wins", 9, "tie", 0, 0),
    "AX-EX-20": ((8, 3), (8, 6), 5, "always", 9, "lose", 1, 1),
    "AX-EX-21": ((8, 8, 2), (8, 5), 1, "if_wins", 9, "win", 1, 1),
}


@pytest.mark.rule(*ROLLS, "AX-DIE-2", "AX-DIE-3", "AX-DIE-4", "AX-DIE-5", "AX-DIE-7")
@pytest.mark.parametrize("_case", ROLLS)
def test_a_roll_ends_as_the_rulebook_says(_case: str) -> None:
    own, opposing, most, mode, dynamism, result, successes, spent = ROLLS[_case]
    outcome = outcome_of_roll(own, opposing, most=most, mode=Mode(mode), dynamism=dynamism)
    assert outcome == Outcome(Result(result), successes, spent)
