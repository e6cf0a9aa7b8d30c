"""Whole games of bots at Dawn through the one writer: they end, and their replay is their rows.

`DAWN_GAMES=500` plays five of them; in the ordinary run `test_dawn.py` plays one.
"""

import os
from datetime import timedelta

import pytest
from django.core.management import call_command

from games.dawn import models as own
from games.dawn.rules.state.invariants import violations
from games.engine.lifecycle.gm_commands import EndSetup
from games.models import Prompt, Timer
from tests.games.dawn import of_bots

pytestmark = pytest.mark.django_db
GAMES = 5


@pytest.mark.skipif(int(os.environ.get("DAWN_GAMES", "0")) < 50, reason="whole games: with DAWN_GAMES=500")
@pytest.mark.parametrize("number", range(GAMES))
def test_a_game_of_bots_ends_and_its_replay_is_its_rows(number: int) -> None:
    here = of_bots(3 + number % 3, {"open_challenge": number == 4, "free_alignment": True})
    here.fire(until=here.now + timedelta(seconds=10))
    here.run(EndSetup())
    for _ in range(5000):
        if here.game.status == "finished":
            break
        here.fire()
    assert here.game.status == "finished"
    assert here.events_of("TimerRefused", "BotPassed", "TimerFailed") == []
    assert violations(here.state) == []
    here.rows_agree()
    call_command("replay", str(here.id), verbosity=0)
    assert not Prompt.objects.filter(game=here.id).exists() and not Timer.objects.filter(game=here.id).exists()
    assert not own.Power.objects.filter(game=here.id).exists() and not own.Hold.objects.filter(game=here.id).exists()
