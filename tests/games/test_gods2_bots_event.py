"""A part of a whole event played by bots, by the tool that measures balance (`bench/balance.py`)."""

import pytest

from bench.whole_games.gods2 import Figures, figures
from games.gods2 import demo

CENTURIES = 4


@pytest.fixture(scope="module")
def event_figures() -> Figures:
    """One seeded game of the demo with every seat played by a bot."""
    return figures(1, 4, centuries=CENTURIES)


def test_peoples_live_and_learn_in_an_event_of_bots(event_figures: Figures) -> None:
    (game,) = event_figures.games
    assert game.races == event_figures.races and game.alive[-1] >= game.races * 2 // 3, game.extinct
    assert game.learned >= 12, game.learned
    assert game.cards >= 40, game.powers


def test_bots_are_refused_nothing_but_what_time_has_overtaken(event_figures: Figures) -> None:
    (game,) = event_figures.games
    assert set(game.passed) <= {"number.not_called", "phase.closed"}, game.passed


def test_gods_spend_what_they_earn(event_figures: Figures) -> None:
    (game,) = event_figures.games
    assert sum(game.idle.values()) < 20 * len(demo.GODS), game.idle
    assert sum(centuries >= CENTURIES - 2 for centuries in game.cast.values()) >= len(demo.GODS) // 2, game.cast


def test_the_figures_are_the_same_again_and_print_as_tables(event_figures: Figures) -> None:
    again = figures(1, 4, centuries=1)
    assert again.games[0].alive == event_figures.games[0].alive[:1]
    text = str(event_figures)
    assert "| games | alive c9 |" in text and "Never cast:" in text
    assert [power for power in event_figures.powers if not event_figures.powers[power]] == list(event_figures.never)
