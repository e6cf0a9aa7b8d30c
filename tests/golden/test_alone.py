"""Golden game: four bots, no referee, the clock alone; the Dragon falls."""

from collections.abc import Callable

import pytest

from tests.golden.forge import Forge


@pytest.mark.once
@pytest.mark.rule("FB-TRN-6", "FB-DRG-2", "FB-GM-5", "FB-TXT-2", "FB-MAP-2")
def test_bots_play_a_whole_game(forge: Callable[..., Forge]) -> None:
    game = forge("alone", referee="none", round_limit=60)
    for name, bot in (("Ada", "steady"), ("Brok", "wild"), ("Cleo", "wild"), ("Dorn", "steady")):
        game.seats_bot(name, bot)
    game.host_does("start")
    for _ in range(400):
        game.wait(1)
        if game.fresh().status == "finished":
            break

    assert game.fresh().status == "finished"
    assert game.state.course.winners
    game.assert_transcript("alone")
