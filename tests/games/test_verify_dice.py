"""manage.py verify_dice: every stored die comes out, and a finished game gives a transcript that passes outside."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.lifecycle.gm_commands import EndNow, SecretShown
from games.engine.prompts.manual_dice import EnterDie
from games.models import Die, LoggedEvent
from tests.games.cairns import table
from tests.toy.rules.commands import RollStones

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
    call_command("verify_dice", "--all")
    assert f"{cairns.game.pk} Cairns: 3 dice computed again, 0 entered by hand, 0 wrong" in capsys.readouterr().out


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
