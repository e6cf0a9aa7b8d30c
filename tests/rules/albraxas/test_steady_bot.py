"""The bot that plays Albraxas soundly: what it writes for ties."""

from dataclasses import replace

import pytest

from games.albraxas.rules.bots import steady_orders
from games.albraxas.rules.state.schema_types import PROPOSED_TIE, Action, TiePolicy
from tests.rules.albraxas.stage import R1, begin, go


@pytest.mark.rule("AX-DIE-5")
@pytest.mark.parametrize(
    ("tide", "battle", "dynamism", "action"),
    [(1, 6, 20, Action.BLITZ), (5, 6, 20, Action.BATTLE), (2, 1, 3, Action.RECOVER)],
)
def test_the_steady_bot_breaks_ties_for_a_win_with_three_dynamism_at_most(tide, battle, dynamism, action):
    book = begin()
    go(book, 4)
    book.state.phases[4] = replace(book.state.phases[4], tide=tide)
    book.state.set_character(R1, dynamism=dynamism, battle=battle, most_dynamism=10)
    first = steady_orders(book.state, book.state.characters[R1]).orders[0]
    assert (first.action, first.tie) == (action.value, PROPOSED_TIE)
    assert TiePolicy(max=3, mode="if_wins") == PROPOSED_TIE
