"""manage.py verify_dice: every stored die comes out, and a finished game gives a transcript that passes outside."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games import services
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import EndNow, SecretShown
from games.engine.prompts.manual_dice import EnterDie
from games.models import Die, LoggedEvent
from games.runtime import session
from games.storage import state_cache
from tests.faults.shared import another
from tests.games.cairns import table
from tests.games.moments import rewind_to
from tests.toy.rules.commands import AddStones, RollStones, StonesAdded

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-3")]
VERIFIER = Path(__file__).resolve().parents[2] / "tools/verify_dice.py"


def game_with_dice():
    """A game with three dice."""
    cairns = table('{"tides": 1}')
    for user in (cairns.ann, cairns.bob, cairns.ann):
        cairns.run(RollStones(), user)
    return cairns


def test_the_dice_of_every_game_come_out(capsys):
    cairns = game_with_dice()
    other = another(cairns, "{}")
    other.run(RollStones(), other.ann)
    call_command("verify_dice", "--all")
    told = capsys.readouterr().out
    for game, dice in ((cairns, "3 dice"), (other, "1 dice")):
        assert f"{game.game.pk} {game.fresh().name}: {dice} computed again, 0 entered by hand, 0 wrong" in told


def test_a_die_that_was_changed_behind_the_services_back_is_found():
    cairns = game_with_dice()
    die = Die.objects.filter(game=cairns.game).first()
    Die.objects.filter(pk=die.pk).update(value=die.value % 6 + 1)
    with pytest.raises(CommandError, match=r"1 game\(s\) do not come out"):
        call_command("verify_dice", str(cairns.game.pk))


def test_the_secret_of_a_game_that_goes_on_is_not_written(tmp_path):
    cairns = game_with_dice()
    path = tmp_path / "transcript.json"
    with pytest.raises(CommandError, match="when it is over"):
        call_command("verify_dice", str(cairns.game.pk), transcript=path)
    assert not path.exists()


def test_the_transcript_of_a_finished_game_passes_outside_and_its_secret_is_the_one_that_was_shown(tmp_path):
    cairns = game_with_dice()
    cairns.run(EndNow(), cairns.gm)
    path = tmp_path / "transcript.json"
    call_command("verify_dice", str(cairns.game.pk), transcript=path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFIER), str(path)], capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stdout) == (0, "3 dice computed again, 0 entered by hand, 0 wrong\n")
    shown = LoggedEvent.objects.get(game=cairns.game, type=SecretShown.__name__)
    assert json.loads(shown.body)["secret"] == json.loads(path.read_text())["secret"]


@pytest.mark.parametrize("arguments", [[], ["00000000-0000-0000-0000-000000000001"]])
def test_a_game_must_be_named_and_be_there(arguments):
    with pytest.raises(CommandError):
        call_command("verify_dice", *arguments)


def test_two_dice_of_a_real_table_are_entered_one_after_the_other_through_the_service():
    cairns = table('{"dice_by_hand": true}')
    for value, user in ((5, cairns.ann), (2, cairns.bob)):
        cairns.run(RollStones(), user)
        prompt = next(p for p in cairns.state().prompts.values() if p.kind == "DICE")
        cairns.run(EnterDie(prompt=prompt.id, value=value), cairns.gm)
    assert sorted(p.stones for p in cairns.state().piles.values()) == [2, 5]
    assert set(Die.objects.filter(game=cairns.game).values_list("source", flat=True)) == {"entered"}
    assert cairns.rows_equal_log()


def test_dice_of_one_use_count_on_across_commands_processes_batches_and_what_takes_no_label(monkeypatch, capsys):
    """A label and a place are used once whatever a rule calls its dice (UNIQUE refused the second, for ever)."""

    def decide(self, state, ctx):
        stones = ctx.roll("always the same", 6, "TOY-PILE-2")
        if self.dice == 3:
            raise Refused("stones.many", "Too many.")
        yield StonesAdded(seat=ctx.actor.acting_seat, stones=stones, rolled=True)

    monkeypatch.setattr(RollStones, "decide", decide)
    cairns, processes = table(), [state_cache.StateCache(8) for _ in range(3)]
    processes[2] = state_cache.StateCache(0)  # one that keeps nothing
    for number in range(6):
        monkeypatch.setattr(session, "STATE_CACHE", processes[number % 3])
        cairns.run(RollStones(), cairns.ann, dry_run=True)
        with pytest.raises(Refused, match="Too many"):
            cairns.run(RollStones(dice=3), cairns.ann)
        cairns.run(AddStones(stones=1), cairns.bob)
        cairns.run(RollStones(), cairns.bob)
        services.run_all(cairns.game.pk, [(cairns.actor(cairns.ann), RollStones())] * 2)
    cairns.run(rewind_to(cairns.game.pk, cairns.fresh().seq - 1, "Again."), cairns.gm)
    cairns.run(RollStones(), cairns.ann)
    dice = list(Die.objects.filter(game=cairns.game).order_by("seq").values_list("label", "index"))
    assert dice == [("0/always the same", place) for place in range(18)] + [("1/always the same", 0)]
    call_command("verify_dice", str(cairns.game.pk))
    assert "19 dice computed again, 0 entered by hand, 0 wrong" in capsys.readouterr().out
