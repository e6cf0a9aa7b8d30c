"""Effective values with their sources: every breakdown ends in the number that the rules roll."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.albraxas.rules.resolve.breakdowns import breakdowns, effective
from games.albraxas.rules.state.strength import Marks
from games.engine.board.board import Square
from games.engine.insight.breakdown import Breakdown, after
from tests.playbook import refused
from tests.rules.albraxas.stage import AX, R1, begin, go


def value_of_steps(found: Breakdown) -> Fraction:
    """The value that the steps lead to."""
    value = Fraction(0)
    for step in found.steps:
        value = after(value, step.does, step.amount)
        assert step.value == value and step.rule in ("AX-EFF-1", "AX-EFF-2")
    return value


@pytest.mark.rule("AX-EFF-1", "AX-EFF-2", "AX-EFF-3")
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=30), st.data())
def test_a_breakdown_ends_in_the_dice_that_are_rolled(laid: list[tuple[int, int]], data: st.DataObject) -> None:
    marks = Marks(tuple(t for t, _ in laid), tuple(e for _, e in laid))
    phase = data.draw(st.integers(1, len(laid)))
    book = CAST
    for seat, stat in ((R1, "effective_tide"), (AX, "effective_ebb")):
        character = book.state.characters[seat]
        found = effective(marks, character, phase)
        assert (found.stat, found.unit, found.subject) == (stat, "dice", seat)
        assert value_of_steps(found) == found.value == marks.against(character.side, phase)


CAST = begin()


@pytest.mark.rule("AX-EFF-1", "AX-EFF-2")
def test_each_phase_is_a_source_with_its_sign() -> None:
    book = begin()
    go(book, 50)
    book.state.phases[60] = replace(book.state.phases[60], ebb=4)
    rebel, albraxas = breakdowns(book.state)
    assert [(s.kind, s.key, s.amount) for s in rebel.steps] == [
        *(("tide", str(n), 1) for n in (1, 4, 9, 16, 25, 36, 49)), ("ebb", "60", -4),
    ]  # fmt: skip
    assert (rebel.value, rebel.square) == (3, Square(0, 50))
    assert [(s.kind, s.key, s.amount) for s in albraxas.steps] == [("ebb", "60", 4), ("tide", "100", -1)]
    (elsewhere,) = breakdowns(book.state, R1, Square(0, 1))
    assert elsewhere.value == 1 and [s.key for s in elsewhere.steps if s.does == "bound"] == ["at_least_1"]


def test_a_character_without_a_place_has_no_breakdown_and_an_unknown_phase_is_refused() -> None:
    book = begin()
    assert [b.subject for b in breakdowns(book.state)] == [AX]
    for square in (Square(0, 0), Square(0, 101), Square(1, 5)):
        with refused("phase.range"):
            list(breakdowns(book.state, R1, square))
    with refused("character.out"):
        list(breakdowns(book.state, book.state.info.id))
