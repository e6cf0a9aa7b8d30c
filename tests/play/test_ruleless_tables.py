"""Clients that know schemas alone at whole tables of every ruleset, from the lobby on.

In the short form everybody acts a few times in a game of each ruleset; in the long form the game is played to its end.
`LEGAL_GAMES=20` plays twenty of each.
"""

import os

import pytest

from games.engine.game_state import Role
from tests.play import tables
from tests.play.tables import OPTIONS, table

GAMES = int(os.environ.get("LEGAL_GAMES", "1"))
FEW, PATIENCE = 12, 4_000
"""Rounds of the short form, and of the long one."""


@pytest.mark.parametrize("ruleset", OPTIONS)
def test_nothing_that_a_menu_admits_is_refused_to_anybody_at_the_table(ruleset: str) -> None:
    played = table(ruleset, 0)
    played.play(FEW)
    assert len(played.done) > 3, played.done


def test_the_last_game_master_keeps_their_seat_however_gladly_people_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind: a game stands still where the one step left is of somebody whose seat no menu lets another take."""
    monkeypatch.setattr(tables, "QUITS", 1.0)
    monkeypatch.setattr(tables, "SELDOM", {"hand-over": 1_000.0})
    played = table("gods2", 0)
    played.play(6)
    held = {seat.role for seat in played.book.state.seats.values() if seat.user is not None}
    assert Role.GM in held and Role.HOST not in held, played.done


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("ruleset", "number"),
    [(ruleset, number) for ruleset in OPTIONS for number in range(GAMES)],
)
def test_clients_that_know_schemas_alone_play_every_game_to_its_end(ruleset: str, number: int) -> None:
    played = table(ruleset, number)
    assert played.play(PATIENCE), (played.book.state.step, played.done)
