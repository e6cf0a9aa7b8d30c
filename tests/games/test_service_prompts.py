"""Questions in the one room: votes, dice of a real table, deadlines. Seen through the toy game."""

from datetime import timedelta

import pytest

from games import services
from games.engine.bots import bot_key
from games.engine.errors import Refused
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import HandOver
from games.engine.prompts.manual_dice import EnterDice, EnterDie
from games.models import Die, LoggedEvent, Prompt, Timer
from games.storage.state_cache import STATE_CACHE
from tests.games.cairns import NOON, table
from tests.games.moments import rewind_to
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
    cairns = table('{"vote_seconds": 5}')
    cairns.run(Propose(text="A wall?"), cairns.ann)
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


def test_a_bot_on_the_seat_of_a_game_master_enters_the_die_and_leaves_that_to_the_person_who_takes_over():
    cairns = table('{"dice_by_hand": true, "tide_seconds": 3600}')
    seat, host = cairns.gm.seat, Actor(Issuer.HOST, cairns.host.pk, cairns.seat(cairns.host, "host"))
    with pytest.raises(Refused) as caught:
        cairns.run(HandOver(seat=cairns.seat(cairns.bob), bot="keeper", reason="late"), host)
    assert caught.value.code == "bot.role"
    cairns.run(HandOver(seat=seat, bot="keeper", reason="late"), cairns.gm)
    cairns.run(RollStones(), cairns.ann, at=10)
    assert Timer.objects.get(key=bot_key(seat)).due == NOON + timedelta(seconds=11)
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=11))
    assert Pile.objects.get().stones == Die.objects.get().value
    assert Die.objects.get().source == "entered"
    assert not Prompt.objects.exists()
    cairns.run(HandOver(seat=seat, user=cairns.host.pk, reason="back"), host, at=12)
    cairns.run(RollStones(), cairns.ann, at=20)
    assert Timer.objects.filter(key=bot_key(seat)).count() == 0
    assert "BotPassed" not in cairns.types()
    assert cairns.rows_equal_log()


def test_a_roller_enters_a_pool_at_once_and_a_rewind_to_the_question_keeps_it_open():
    cairns = table('{"dice_by_hand": true, "rollers_enter": true, "tide_seconds": 3600}')
    cairns.run(RollStones(dice=3), cairns.ann)
    prompt = Prompt.objects.get(kind="DICE")
    asked = LoggedEvent.objects.filter(game=cairns.game).order_by("seq").last()
    assert asked.type == "TimerSet"
    with pytest.raises(Refused) as caught:
        cairns.run(EnterDice(prompt=prompt.pk, values=(1, 2)), cairns.ann)
    assert (caught.value.code, caught.value.facts) == ("dice.count", {"need": 3, "given": 2})
    before = cairns.types()
    dry = cairns.run(EnterDice(prompt=prompt.pk, values=(1, 2, 3)), cairns.ann, dry_run=True).dry_run_events
    assert [type(h.event).__name__ for h in dry][-1] == "StonesAdded"
    assert cairns.types() == before
    for label in (0, 1):
        cairns.run(EnterDice(prompt=prompt.pk, values=(1, 2, 3)), cairns.ann, at=10 + label)
        assert Pile.objects.get().stones == 6
        assert not Prompt.objects.exists()
        rolled = Die.objects.filter(label__startswith=f"{label}/").order_by("index")
        assert [(die.value, die.source) for die in rolled] == [(1, "entered"), (2, "entered"), (3, "entered")]
        assert cairns.rows_equal_log()
        cairns.run(rewind_to(cairns.game.pk, asked.seq, "again"), cairns.gm, at=20)
        assert not Pile.objects.exists()
        assert cairns.rows_equal_log()
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=200))
    assert {die.source for die in Die.objects.filter(label__startswith="2/")} == {"server"}
    assert Pile.objects.get().stones == sum(die.value for die in Die.objects.filter(label__startswith="2/"))
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
    STATE_CACHE.clear()
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=60))
    assert cairns.types()[-2:] == ["TimerRefused", "PromptClosed"]
    assert not Timer.objects.filter(key=f"prompt:{held.pk}").exists()
    assert not Prompt.objects.filter(pk=held.pk).exists()


def test_the_end_of_a_game_closes_every_question():
    cairns = table('{"tide_seconds": 10, "tides": 1, "vote_seconds": 60}')
    cairns.run(Propose(text="A wall?"), cairns.ann)
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=10))
    assert not Prompt.objects.exists()
    assert not Timer.objects.exists()
    assert cairns.rows_equal_log()
