"""The Die Tower played by bots: whole evenings through the one writer, whose towers are computed again outside."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.test import Client

from games import services
from games.dietower.models import Course, Placement, TowerDie
from games.engine.game_state import Role
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat
from tests.api.worlds import user
from tests.games.table import DAWN, Table

# One long transaction makes PostgreSQL visit every old row.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
VERIFIER = Path(__file__).resolve().parents[2] / "tools/verify_dice.py"
MOST_TIMERS = 20_000


def evening(number: int) -> Table:
    """A game of bots, played to its end."""
    lot = Random(number)
    options = {"characters": lot.choice((1, 2)), "half_width": lot.randint(5, 8), "seats": 12}
    game = services.open_game("dietower", "Bots", user=user("host").pk, options=json.dumps(options), now=DAWN)
    here = Table(game.pk)
    here.run(AddSeat(role=Role.GM, name="World master", bot="steady"))
    for seat in range(lot.randint(2, 5)):
        here.run(AddSeat(name=f"Seat {seat}", bot=lot.choice(("sensible", "random"))))
    here.run(Start())
    for _ in range(MOST_TIMERS):
        if here.game.status == "finished":
            return here
        here.fire()
    raise AssertionError("it does not end")


@pytest.mark.parametrize("number", range(5))
@pytest.mark.rule("DT-TBL-2", "DT-TBL-3", "DT-TBL-4")
def test_an_evening_of_bots_is_over_and_its_replay_is_its_rows(number, tmp_path):
    here = evening(number)

    assert Course.objects.get(game=here.id).session == 3
    assert here.events_of("TimerRefused", "BotPassed", "TimerFailed") == []
    assert not Placement.objects.filter(game=here.id, status="due").exists()
    assert TowerDie.objects.filter(game=here.id).count() == here.state.tower.height
    assert here.now - DAWN < timedelta(days=1)
    here.rows_agree()
    dice, events = (list(pages(here.url(f"{part}/"))) for part in ("dice", "events"))
    assert verify(tmp_path, dice, events) == 0
    fell = [e for page in events for e in page["results"] if e["type"] == "dietower.TowerFell"]
    placed = [e for page in events for e in page["results"] if e["type"] == "dietower.DiePlaced"]
    doctored = (fell or placed)[-1]["data"]
    doctored["centres"][-1]["x"] += 1
    assert verify(tmp_path, dice, events) == 1


def pages(address):
    """The pages of a list of the log, in order."""
    after = ""
    while True:
        page = Client().get(f"{address}?limit=500{after}").json()
        yield page
        if not page["more"]:
            return
        after = f"&after={page['cursor']}"


def verify(folder, dice, events):
    """The exit status of the stand-alone program."""
    files = {}
    for name, found in (("dice", dice), ("events", events)):
        files[name] = [folder / f"{name}-{number}.json" for number, _ in enumerate(found)]
        for path, page in zip(files[name], found, strict=True):
            path.write_text(json.dumps(page))
    command = [sys.executable, "-I", "-S", str(VERIFIER), *files["dice"], "--events", *files["events"]]
    return subprocess.run(command, capture_output=True, check=False, timeout=600).returncode
