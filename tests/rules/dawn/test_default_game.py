"""What bots make of a game as it is opened: land in the Age of Land, wars with fair odds, stakes that matter.

A few seeded games with bounds far from what they come to; `bench/balance.py --game dawn` prints the figures.
"""

from functools import cache
from statistics import fmean

from bench.whole_games.dawn import Played, game

GAMES = 3


@cache
def games() -> tuple[Played, ...]:
    """Some whole games of four bots on the default map."""
    return tuple(game(number) for number in range(GAMES))


def test_bots_make_a_quarter_of_the_map_in_the_age_of_land_and_more_later() -> None:
    for played in games():
        assert 20 <= played.shaped_first <= played.shaped <= 80
    assert fmean(played.shaped_first for played in games()) >= 25


def test_most_wars_are_not_lost_by_an_avatar_alone() -> None:
    wars = [war for played in games() for war in played.wars]
    lost = [war for war in wars if war.is_lone and not war.is_won]
    assert len(wars) >= 2 * GAMES and 2 * len(lost) <= len(wars)
    assert any(not war.is_lone for war in wars)


def test_a_conflict_is_fought_for_more_than_a_token() -> None:
    stakes = [stake for played in games() for stake in played.stakes]
    assert len(stakes) >= GAMES and fmean(stakes) >= 2
