"""Questions in the one room: votes, dice of a real table, deadlines. Seen through the toy game."""

from datetime import timedelta

import pytest

from games import services
from games.engine.errors import Refused
from games.engine.prompts.manual_dice import EnterDie
from games.models import Die, LoggedEvent, Prompt, Timer
from tests.games.cairns import NOON, table
from tests.toy.models import Pile
from tests.toy.rules.commands import CastVote, Propose, RollStones

pytestmark = pytest.mark.django_db


def test_a_vote_closes_as_soon_as_its_result_is_certain():
    cairns = table()
    cairns.run(Propose(text="A wall?"), cairns.ann)
    motion = Prompt.objects.get().pk
    cairns.run(CastVote(prompt=motion, yes=True), cairns.ann)
    assert Prompt.objects.count() == 1
    cairns.run(CastVote(prompt=motion, yes=True), cairns.bob)
    assert not Prompt.objects.exists()
    assert "MotionSettled" in cairns.types()
    assert cairns.rows_equal_log()


def test_silence_is_no_when_the_vote_ends():
    cairns = table()
    cairns.run(Propose(text="A wall?", seconds=5), cairns.ann)
    cairns.run(CastVote(prompt=Prompt.objects.get().pk, yes=True), cairns.ann)
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=6))
    last = LoggedEvent.objects.filter(game=cairns.game, type="MotionSettled").get()
    assert (last.body, last.by) == ('{"passed":false}', "deadline")
    assert cairns.rows_equal_log()


def test_a_die_of_a_real_table_holds_the_decision_until_it_is_entered():
    cairns = table('{"dice_by_hand": true}')
    cairns.run(RollStones(), cairns.ann)
    assert not Pile.objects.exists()
    prompt = Prompt.objects.get(kind="DICE")
    with pytest.raises(Refused) as caught:
        cairns.run(EnterDie(prompt=prompt.pk, value=7), cairns.gm)
    assert caught.value.code == "die.range"
    cairns.run(EnterDie(prompt=prompt.pk, value=4), cairns.gm)
    assert Pile.objects.get().stones == 4
    assert Die.objects.get().source == "entered"
    assert cairns.rows_equal_log()


def test_silence_leaves_the_die_to_the_server():
    cairns = table('{"dice_by_hand": true}')
    cairns.run(RollStones(), cairns.ann)
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=60))
    assert Die.objects.get().source == "server"
    assert Pile.objects.get().stones == Die.objects.get().value
    assert cairns.rows_equal_log()


def test_a_deadline_whose_default_is_refused_leaves_no_question_behind():
    cairns = table('{"dice_by_hand": true, "tide_seconds": 3600}')
    cairns.run(RollStones(), cairns.ann)
    held = Prompt.objects.get(kind="DICE")
    Prompt.objects.filter(pk=held.pk).update(choices="[]")  # a prompt that its default cannot make sense of
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=60))
    assert cairns.types()[-2:] == ["TimerRefused", "PromptClosed"]
    assert not Timer.objects.filter(key=f"prompt:{held.pk}").exists()
    assert not Prompt.objects.filter(pk=held.pk).exists()


def test_the_end_of_a_game_closes_every_question():
    cairns = table('{"tide_seconds": 10, "tides": 1}')
    cairns.run(Propose(text="A wall?", seconds=60), cairns.ann)
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=10))
    assert not Prompt.objects.exists()
    assert not Timer.objects.exists()
    assert cairns.rows_equal_log()
