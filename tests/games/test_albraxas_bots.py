"""Albraxas played by bots: whole games through the one writer, and seats that pass to a bot in the middle of a step."""

from datetime import timedelta
from random import Random

import pytest

from games.albraxas.models import Choice, Phase, Sheet, Storm
from games.engine.dice import die
from games.engine.lifecycle.gm_commands import EndSetup
from games.engine.lifecycle.seating import HandOver
from games.models import Answer, Die
from tests.games.albraxas import begin, of_bots, writing

pytestmark = pytest.mark.django_db
STEADY, RANDOM = "steady", "random"


@pytest.mark.parametrize("number", range(5))
@pytest.mark.rule("AX-TRN-9", "AX-ACT-12", "AX-END-5")
def test_a_game_of_bots_ends_with_a_winner_and_its_replay_is_its_rows(number):
    lot = Random(number)
    phases = lot.choice((4, 5, 6, 9))
    options = {"phases": phases, "sides": lot.choice((4, 6, 10)), "check_from": lot.randrange(1, phases)}
    here = of_bots(tuple(lot.choice((RANDOM, RANDOM, STEADY)) for _ in range(lot.randint(2, 9))), options)
    here.fire(until=here.now + timedelta(seconds=10))
    here.run(EndSetup())
    for _ in range(400):
        if here.game.status == "finished":
            break
        here.fire()
    storm = Storm.objects.get(game=here.id)
    assert (here.game.status, storm.winner in ("rebel", "albraxas")) == ("finished", True)
    assert here.events_of("TimerRefused", "BotPassed", "TimerFailed") == []
    assert not Phase.objects.filter(game=here.id, tide__lt=0).exists()
    assert all(e["tide"] >= 0 and e["ebb"] >= 0 for e in here.events_of("ValuesChanged"))
    assert all(e["after"] >= 0 for e in here.events_of("BackboneChanged", "DynamismChanged"))
    here.rows_agree()
    dice, secret = list(Die.objects.filter(game=here.id)), bytes(here.game.secret.dice)
    assert [die(secret, str(here.id), d.label, d.index, d.sides) for d in dice] == [d.value for d in dice]
    assert len(dice) == len({(d.label, d.index) for d in dice})


@pytest.mark.parametrize("at", ["characters", "locate", "order"])
def test_a_seat_that_passes_to_a_bot_in_the_middle_of_a_step_is_played_at_once(at):
    here = writing() if at == "characters" else begin()
    if at == "order":
        here.go(ria=1, rex=2)
    here.run(HandOver(seat=here.seats["ria"], bot=STEADY, reason="She is ill."))
    here.fire(until=here.now + timedelta(seconds=5))
    done = {
        "characters": Sheet.objects.filter(seat=here.seats["ria"]),
        "locate": Choice.objects.filter(seat=here.seats["ria"], locked=True),
        "order": Answer.objects.filter(game=here.id, owner=f"seat:{here.seats['ria']}"),
    }
    assert done[at].exists()
    here.rows_agree()
