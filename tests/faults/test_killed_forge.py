"""Forgeborn goes on once: its worker dies inside a turn, as something is forged, as a vote closes, as the Dragon falls.

Nobody answers anything afterwards: turn after turn ends by its silence (FB-AMB-39), until the last round is over.
"""

import signal
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from games import services
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.invariants import violations
from games.models import Prompt, Receipt, Timer
from games.runtime import failpoints
from tests.faults.servers import choice
from tests.faults.shared import healthy
from tests.faults.test_killed import fire_when_free, work
from tests.games.forgeborn import Smithy, amend, begin, forge, reach

CASES = ("forging", "vote", "dragon")
EVENTS = {
    "forging": ("DeadlinePassed", "PromptClosed", "ArtifactMade", "GloryGained", "TurnEnded", "TurnStarted"),
    "vote": ("DeadlinePassed", "PromptClosed", "VaultDecided", "PromptOpened"),
    "dragon": ("DeadlinePassed", "PoolRolled", "DiceLost", "DragonSlain", "LastTurnsStarted", "TurnStarted"),
}
ASKED = {"forging": "SPEND", "vote": "VAULT", "dragon": "DESCRIBE"}
ONCE = {"forging": "ArtifactMade", "vote": "VaultDecided", "dragon": "DragonSlain"}
"""What must not happen twice."""
WRITING = [point for point in failpoints.POINTS if point != failpoints.EVENT_DECIDED]
EVERY = [
    (case, point)
    for case in CASES
    for point in (*WRITING, *(f"{failpoints.EVENT_DECIDED}:{event}" for event in EVENTS[case]))
]
SHORT = [
    ("forging", f"{failpoints.EVENT_DECIDED}:ArtifactMade"),
    ("vote", failpoints.ROWS_WRITTEN),
    ("dragon", f"{failpoints.EVENT_DECIDED}:DragonSlain"),
]


def forging() -> Smithy:
    """Ann has rolled for Ember, with two dice sacrificed, and does not say what the roll buys."""
    here = begin({"referee": "none", "round_limit": 2})
    form, function = {"kind": "clothing", "die": 4}, {"kind": "fortune", "die": 8}
    here.does("ann", "begin-artifact", name="Ember", form=form, function=function)
    here.does("bob", "decline-help")
    here.does("ann", "forge-artifact", free=[12, 12, 12], sacrifice=[8, 8])
    return here


def vote() -> Smithy:
    """Ann wants Ember; Bob has said yes, sealed, and Cat says nothing."""
    here = begin({"referee": "none", "round_limit": 3}, people=("ann", "bob", "cat"))
    forge(here, "ann", others=("bob", "cat"))
    here.does("bob", "end-turn")
    here.does("cat", "end-turn")
    here.does("ann", "request-artifact", artifact=here.thing("Ember"))
    here.does("bob", "cast-ballot", yes=True)
    return here


def dragon() -> Smithy:
    """Ann faces the Dragon of 12d12 with thirty; the game-master does not say what that is like."""
    here = begin({"referee": "person", "round_limit": 9, "dragon_fixed": 12})
    amend(here, "characters", str(here.of("ann")), d12="30")
    reach(here, "ann", "lair")
    here.does("ann", "face-dragon", pool={"free": [12, 12, 12], "sacrifice": [12] * 27})
    return here


MADE = {"forging": forging, "vote": vote, "dragon": dragon}


def late(case: str) -> tuple[Smithy, datetime]:
    """A game in which somebody is late with an answer inside a turn, and when that ends."""
    here = MADE[case]()
    prompt = Prompt.objects.get(game=here.id, kind=ASKED[case])
    assert prompt.parent is not None
    timer = Timer.objects.get(game=here.id, due__isnull=False)
    assert timer.key == f"prompt:{prompt.pk}"
    return here, timer.due


def what_stands(here: Smithy) -> dict[str, Any]:
    """What a second try would change: dice, glory, the things that there are."""
    state = here.state
    return {
        "dice": {each.id: Counter(dice_of(each)) for each in state.characters.values()},
        "glory": {purse.seat: purse.vp for purse in state.purses.values()},
        "artifacts": {each.id: (each.holder, Counter(dice_of(each))) for each in state.artifacts.values()},
    }


def end_by_silence(here: Smithy, due: datetime) -> None:
    """Nobody answers anything more: the last round ends, what stood stands, and nothing is due for ever."""
    stood = what_stands(here)
    here.now = due
    here.fire(until=due + timedelta(days=1))
    state = here.state
    assert (here.game.status, state.course.step) == ("finished", "finished")
    assert state.course.winners
    assert not state.prompts
    assert Timer.objects.filter(game=here.id).count() == 0
    assert what_stands(here) == stood
    assert violations(state) == []
    here.rows_agree()


@pytest.mark.django_db
@pytest.mark.rule("FB-AMB-39")
@pytest.mark.parametrize("case", CASES)
def test_a_worker_that_lives_comes_by_these_steps_and_silence_ends_the_game(case: str) -> None:
    here, due = late(case)
    _, happened = healthy(here.id, due)
    assert set(EVENTS[case]) <= happened
    assert services.fire_due(here.id, due) == 1
    end_by_silence(here, due)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("FB-AMB-39", "FB-ART-5", "FB-VLT-2", "FB-DRG-2")
@pytest.mark.parametrize(("case", "point"), choice(EVERY, SHORT))
def test_what_a_dead_worker_began_happens_once_and_silence_ends_the_game(tmp_path: Path, case: str, point: str) -> None:
    here, due = late(case)
    before, (aim, _) = here.game.digest, healthy(here.id, due)

    killed = work(here.id, due, tmp_path, point)

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    committed = point == failpoints.COMMIT
    assert here.game.digest == (aim if committed else before)
    here.rows_agree()
    assert (services.fire_due(here.id, due) if committed else fire_when_free(here.id, due)) == (0 if committed else 1)
    assert here.game.digest == aim
    assert Receipt.objects.filter(game=here.id, principal="clock").count() == 1
    assert len(here.events_of(ONCE[case])) == 1
    here.rows_agree()
    end_by_silence(here, due)
