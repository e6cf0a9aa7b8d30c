"""The Die Tower goes on once: its worker dies in the middle of a placement, of an attack and of a terrible thing.

Nobody answers anything afterwards: the encounter closes by its silence (DT-CMB-17), and no timer is left.
"""

import signal
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from games import services
from games.dietower.rules.state.invariants import violations
from games.models import Prompt, Receipt, Timer
from games.runtime import failpoints
from tests.faults.servers import choice
from tests.faults.shared import healthy
from tests.faults.test_killed import fire_when_free, work
from tests.games.dietower import Evening, fighting

CASES = ("placement", "attack", "terrible thing")
EVENTS = {
    "placement": ("DeadlinePassed", "PromptClosed", "DiePlaced", "WishLost"),
    "attack": ("DeadlinePassed", "WindowClosed", "PromptClosed", "RollClosed"),
    "terrible thing": ("DeadlinePassed", "ConsequenceWritten", "PromptClosed", "TimerThawed"),
}
ASKED = {"placement": "PLACE", "attack": "ATTACK.WISH", "terrible thing": "TERRIBLE"}
WRITING = [point for point in failpoints.POINTS if point != failpoints.EVENT_DECIDED]
EVERY = [
    (case, point)
    for case in CASES
    for point in (*WRITING, *(f"{failpoints.EVENT_DECIDED}:{event}" for event in EVENTS[case]))
]
SHORT = [
    ("placement", f"{failpoints.EVENT_DECIDED}:DiePlaced"),
    ("attack", f"{failpoints.EVENT_DECIDED}:RollClosed#2"),
    ("terrible thing", failpoints.ROWS_WRITTEN),
]


def placement() -> Evening:
    """Ann has failed in her turn, and owes the tower a die: the first, which stands."""
    here = fighting({"half_width": 5}, ("ann",))
    here.fails("ann")
    return here


def attack() -> Evening:
    """Gnaw attacks Ann, which Bob has waited for: the held attack is triggered inside it. A window is open."""
    here = fighting({"half_width": 8}, ("ann", "bob"))
    here.does("ann", "end-turn")
    here.does("bob", "hold-action", action="attack", trigger="when it strikes")
    here.does("bob", "end-turn")
    (hold,) = here.state.holds
    here.does("gm", "declare-attack", actor=here.of("Gnaw"), target=here.of("ann"), uses="weapon")
    here.does("gm", "trigger-hold", hold=hold)
    here.does("ann", "choose-defence", attack=here.attack, uses="none")
    here.does("gm", "set-attack", attack=here.attack)
    return here


def terrible_thing() -> Evening:
    """The tower has fallen by Ann's die in her turn; nothing is written yet."""
    here = fighting({"half_width": 5}, ("ann",))
    here.falls("ann")
    return here


MADE = {"placement": placement, "attack": attack, "terrible thing": terrible_thing}


def late(case: str) -> tuple[Evening, datetime]:
    """A game in which somebody is late with an answer inside a turn, and when that ends."""
    here = MADE[case]()
    prompt = Prompt.objects.get(game=here.id, kind=ASKED[case])
    assert prompt.parent is not None
    timer = Timer.objects.get(game=here.id, due__isnull=False)
    assert timer.key == f"prompt:{prompt.pk}"
    return here, timer.due


def close_by_silence(here: Evening, due: datetime) -> None:
    """Nobody answers anything more: the encounter is over, and nothing is due for ever."""
    here.now = due
    here.fire(until=due + timedelta(days=1))
    assert here.events_of("EncounterClosed")[-1]["reason"] == "silence"
    state = here.state
    assert (state.step, state.encounter, dict(state.prompts), state.due_placements()) == ("free", None, {}, [])
    assert Timer.objects.filter(game=here.id).count() == 0
    assert violations(state) == []
    here.rows_agree()


@pytest.mark.django_db
@pytest.mark.rule("DT-CMB-17", "DT-AMB-31")
@pytest.mark.parametrize("case", CASES)
def test_a_worker_that_lives_comes_by_these_steps_and_silence_ends_the_encounter(case: str) -> None:
    here, due = late(case)
    _, happened = healthy(here.id, due)
    assert set(EVENTS[case]) <= happened
    close_by_silence(here, due)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("DT-CMB-4", "DT-CMB-17", "DT-TWR-3", "DT-TWR-4", "DT-TWR-8", "DT-AMB-31", "DT-AMB-38")
@pytest.mark.parametrize(("case", "point"), choice(EVERY, SHORT))
def test_what_a_dead_worker_began_happens_once_and_silence_ends_the_encounter(
    tmp_path: Path, case: str, point: str
) -> None:
    here, due = late(case)
    before, (aim, _) = here.game.digest, healthy(here.id, due)
    fired = Receipt.objects.filter(game=here.id, principal="clock")
    had = fired.count()  # of miracles, on the way to a fall

    killed = work(here.id, due, tmp_path, point)

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    committed = point == failpoints.COMMIT
    assert here.game.digest == (aim if committed else before)
    here.rows_agree()
    assert (services.fire_due(here.id, due) if committed else fire_when_free(here.id, due)) == (0 if committed else 1)
    assert here.game.digest == aim
    assert fired.count() == had + 1
    here.rows_agree()
    close_by_silence(here, due)
    if case == "attack":
        kinds = [len(here.events_of(kind)) for kind in ("HoldTriggered", "HoldKept", "HoldReleased", "HoldLapsed")]
        assert kinds == [1, 1, 0, 1]
        assert len(here.events_of("AttackHit", "AttackMissed")) == 1
