"""`manage.py replay` and `manage.py verify_dice` on the demo event: a line a game, a failure for one that differs."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from games import services
from games.models import Die, Game, LoggedEvent, Secret, Stream, Timer
from games.workers import demo
from tests.games.cairns import table
from worlds.models import Race

pytestmark = pytest.mark.django_db


def command_output(*arguments: str) -> list[str]:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def event(settings: Any, tmp_path: Path) -> Game:
    """The demo event after a century of its bots' play."""
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    game = Game.objects.get(pk=demo.prepare()["game"])
    now = timezone.now()
    for seconds in range(0, 120, 20):
        fired = True
        while fired:
            fired = bool(services.fire_due(game.pk, now + timedelta(seconds=seconds)))
    return game


def test_the_demo_is_what_its_log_and_its_secret_say(event: Game) -> None:
    others = [Game.objects.get(ruleset=slug) for slug in ("albraxas", "dawn", "dietower", "forgeborn")]
    toy = table().game
    event.refresh_from_db()
    assert Die.objects.filter(game=event).count() > 0  # there is something to prove
    replayed, computed = command_output("replay", "--all"), command_output("verify_dice", "--all")
    for lines in (replayed, computed):
        assert [line.split()[0] for line in lines] == [str(g.pk) for g in (event, *others, toy)]
    assert replayed[0].endswith(f": {event.seq} events, rows equal the log, chain whole")
    assert computed[0].endswith(
        f": {Die.objects.filter(game=event).count()} dice computed again, 0 entered by hand, 0 wrong"
    )

    # Each of these, done behind the service's back, is found; the other game is still reported.
    for change, command, message in DOCTORED:
        take_back, out = change(event), StringIO()
        with pytest.raises(CommandError, match="1 game"):
            call_command(command, "--all", stdout=out)
        assert message in out.getvalue()
        assert str(toy.pk) in out.getvalue().splitlines()[-1]
        take_back()
    assert command_output("replay", "--all") == replayed


def tampering(model: Any, **values: Any) -> Callable[[Game], Callable[[], object]]:
    """A change of one row of a model in a game; gives what takes it back."""

    def change(game: Game) -> Callable[[], object]:
        of = {"world": game.world_id} if model is Race else {"pk": game.pk} if model is Game else {"game": game}
        row = model.objects.filter(**of).order_by("pk").first()
        former = {name: getattr(row, name) for name in values}
        model.objects.filter(pk=row.pk).update(**values)
        return lambda: model.objects.filter(pk=row.pk).update(**former)

    return change


DOCTORED = (
    (tampering(Race, name="Nobody"), "replay", "rows differ in races"),
    (tampering(Timer, key="nothing"), "replay", "rows differ in timers"),
    (tampering(LoggedEvent, text="Nothing happened."), "replay", "chain broken at [1]"),
    (tampering(LoggedEvent, digest=64 * "0"), "replay", "chain broken at [1, 2]"),
    (tampering(Stream, head=99_999), "replay", "1 stream(s) with a wrong head"),
    (tampering(Game, digest=64 * "0"), "replay", "log ends at event"),
    (tampering(Die, label="another", sides=10**6), "verify_dice", "WRONG another"),
    (tampering(Secret, dice=bytes(32)), "verify_dice", "WRONG the secret is not the one that was committed to"),
)


@pytest.mark.parametrize("command", ["replay", "verify_dice"])
@pytest.mark.parametrize("arguments", [[], ["00000000-0000-0000-0000-000000000001"]])
def test_a_game_must_be_named_and_be_there(command: str, arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        command_output(command, *arguments)
