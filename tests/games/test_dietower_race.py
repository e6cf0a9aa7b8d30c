"""The Die Tower raced: of two who come at the same time one is heard, and the other is refused with the reason."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.db import connections

from games import services
from games.engine.errors import Refused
from games.models import Prompt, Receipt, Timer
from tests.games.dietower import Evening, begin, made

ROUNDS = 4
MILLISECOND = timedelta(milliseconds=1)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_slip(settings) -> None:
    """The clock of these games is that of the test."""
    settings.CLOCK_SLIP_SECONDS = 0


def race(*acts: Callable[[], object]) -> list[object]:
    """Do these at the same time; of each what came of it, or the code of its refusal."""
    barrier = Barrier(len(acts), timeout=240)

    def one(act: Callable[[], object]) -> object:
        try:
            barrier.wait()
            return act()
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [running.result(60) for running in [pool.submit(one, act) for act in acts]]


def act(here: Evening, name: str, command: str, /, at: datetime | None = None, key: str = "", **arguments: object):
    """What somebody does, prepared: who acts and when is looked up before."""
    actor, now = here.actor(name), at or here.now
    return lambda: services.run(here.id, made(command, **arguments), actor=actor, now=now, key=key)


def refusals(found: list[object]) -> list[object]:
    """The codes of those that were refused."""
    return [each for each in found if isinstance(each, str)]


@pytest.mark.rule("DT-CHK-6", "DT-WSH-3", "CF-9")
def test_the_last_wish_is_spent_once():
    here = begin({"half_width": 8})
    for number in range(1, ROUNDS + 1):
        here.tries("ann")
        roll = here.roll_of("ann")
        found = race(*(act(here, "ann", "buy-die", roll=roll) for _ in range(2)))
        assert refusals(found) == ["wishes.short"]
        assert len(here.events_of("BonusDieRolled")) == number
        assert here.state.sheets[here.of("ann")].wishes == 0
        here.does("ann", "close-roll", roll=roll)
        here.places_all("ann")
        if not here.state.sheets[here.of("ann")].wishes:
            here.does("gm", "award-wish", actor=here.of("ann"), reason="story")
    here.rows_agree()


@pytest.mark.rule("DT-CHK-6", "DT-WSH-3", "CF-3")
def test_dice_are_bought_for_one_roll_by_one_command_after_the_other():
    here = begin({"half_width": 8})
    here.does("gm", "raise-level", actor=here.of("ann"), reason="The first evening is over.")
    here.does("gm", "award-wish", actor=here.of("ann"), reason="story")
    here.tries("ann")
    roll = here.roll_of("ann")
    for number in range(1, 3):
        here.does("ann", "buy-die", roll=roll)
        assert len(here.events_of("BonusDieRolled")) == number
    here.rows_agree()


@pytest.mark.rule("DT-TWR-2", "DT-TWR-3", "CF-9")
def test_a_die_of_a_real_tower_is_reported_once_by_the_world_master_or_the_host():
    here = begin({"mode": "physical"})
    for height in range(1, ROUNDS + 1):
        if not here.state.due_placements():
            here.fails("ann")
        here.fire()  # the first deadline: the host may report, too
        placement = here.due
        found = race(*(act(here, name, "report-die", placement=placement, stands=True) for name in ("gm", "host")))
        assert refusals(found) == ["prompt.closed"]
        assert here.state.tower.height == height
        assert len(here.events_of("DiePlaced")) == height
    here.rows_agree()


@pytest.mark.rule("DT-CHK-6", "DT-AMB-31", "CF-9")
def test_a_roll_is_closed_by_its_owner_or_by_the_deadline_and_once():
    here = begin({"half_width": 8})
    for number in range(1, ROUNDS + 1):
        here.tries("bob", cd="average", good=True)
        roll = here.roll_of("bob")
        asked = Prompt.objects.get(game=here.id, kind="CHECK.WISH")
        due = Timer.objects.get(game=here.id, key=f"prompt:{asked.pk}").due
        key, at = f"close {number}", due + (number % 3 - 1) * MILLISECOND
        closing = act(here, "bob", "close-roll", at=at, key=key, roll=roll)
        first, swept = race(closing, lambda due=due: services.fire_due(here.id, now=due))
        in_time = not isinstance(first, str)
        assert in_time or first == "roll.closed"
        assert not (in_time and at >= due), "at the deadline it is too late"
        assert swept == int(not in_time)
        closed = [event for event in here.events_of("RollClosed") if event["roll"] == str(roll)]
        assert len(closed) == 1 and len(here.events_of("RollClosed")) == number
        assert Receipt.objects.filter(game=here.id, key=key).count() == in_time
        here.now = due + MILLISECOND
        if in_time:
            assert act(here, "bob", "close-roll", key=key, roll=roll)().replayed
        here.places_all("bob")
    here.rows_agree()
