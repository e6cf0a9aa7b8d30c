"""Turns and rounds (chapter 3)."""

from datetime import timedelta

import pytest

from games.forgeborn.rules.turns.events import RoundStarted, TurnEnded, TurnStarted
from tests.playbook import of_kind
from tests.rules.forgeborn.table import S1, S2, playing


@pytest.mark.rule("FB-TRN-6")
def test_a_round_is_one_turn_of_every_seat() -> None:
    book = playing(S1, S2)
    happened = book.wait(timedelta(minutes=10))
    assert [type(event) for event in of_kind(happened, TurnEnded, RoundStarted, TurnStarted)] == [
        TurnEnded,
        TurnStarted,
        TurnEnded,
        RoundStarted,
        TurnStarted,
    ]
    assert (book.state.course.round, book.state.course.active) == (2, S1)
