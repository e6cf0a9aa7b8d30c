"""A turn of Albraxas is resolved once: whatever step its worker dies at, and whatever comes at the very deadline."""

import signal
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from games import services
from games.albraxas.rules.orders.commands import WriteOrders
from games.engine.errors import Refused
from games.models import Receipt, Timer
from games.runtime import failpoints
from tests.faults.servers import choice
from tests.faults.shared import healthy
from tests.faults.test_killed import fire_when_free, work
from tests.games.albraxas import ALBERT, Battle, battle, begin

MILLISECOND = timedelta(milliseconds=1)
EVENTS = (
    "TimerFired", "DeadlinePassed", "OrdersRevealed", "PromptClosed", "StepStarted", "JunctureStarted",
    "ActionResolved", "ValuesChanged", "DynamismChanged", "TurnChecked", "TurnStarted", "PromptOpened", "TimerSet",
)  # fmt: skip
WRITING = [point for point in failpoints.POINTS if point != failpoints.EVENT_DECIDED]
STEPS = [*WRITING, *(f"{failpoints.EVENT_DECIDED}:{event}" for event in EVENTS), "event.decided:JunctureStarted#2"]
SHORT = [f"{failpoints.EVENT_DECIDED}:TurnChecked"]


def late() -> tuple[Battle, datetime]:
    """A game in which one rebel is late with the orders, and when that ends."""
    here = begin({"phases": 9, "sides": 10, "check_from": 8})
    here.go(ria=1, rex=4)
    here.write(ria=(battle(), battle()), albert=(battle(), battle()))  # which costs nobody Backbone
    return here, Timer.objects.get(game=here.id, due__isnull=False).due


@pytest.mark.django_db
def test_the_steps_of_a_turn_are_all_there_are() -> None:
    here, due = late()
    _, happened = healthy(here.id, due)
    assert set(EVENTS) - {"ValuesChanged"} <= happened <= set(EVENTS)  # no value changes where all dice are tied


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("AX-TRN-1", "AX-TRN-5", "AX-TRN-7")
@pytest.mark.parametrize("point", choice(STEPS, SHORT))
def test_a_turn_whose_worker_dies_is_resolved_once_and_as_if_nobody_had_died(tmp_path: Path, point: str) -> None:
    here, due = late()
    before, (aim, _) = here.game.digest, healthy(here.id, due)

    killed = work(here.id, due, tmp_path, point)

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    committed = point == failpoints.COMMIT
    assert here.game.digest == (aim if committed else before)
    here.rows_agree()
    assert (services.fire_due(here.id, due) if committed else fire_when_free(here.id, due)) == (0 if committed else 1)
    assert here.game.digest == aim
    assert [len(here.events_of(kind)) for kind in ("OrdersRevealed", "JunctureStarted", "TurnChecked")] == [1, 2, 1]
    assert Receipt.objects.filter(game=here.id, principal="clock").count() == 1
    here.rows_agree()


@pytest.mark.django_db
@pytest.mark.rule("AX-TRN-5")
@pytest.mark.parametrize(("after", "counts"), [(-MILLISECOND, True), (0 * MILLISECOND, False), (MILLISECOND, False)])
def test_orders_near_the_deadline_count_or_come_too_late_and_the_turn_is_resolved_once(
    after: timedelta, counts: bool
) -> None:
    here, due = late()
    here.now = due + after
    if counts:
        here.run(WriteOrders(orders=(battle(),)), "rex")
    else:
        with pytest.raises(Refused) as refused:
            here.run(WriteOrders(orders=(battle(),)), "rex")
        assert refused.value.code == "phase.closed"
    services.fire_due(here.id, due)
    (shown,) = here.events_of("OrdersRevealed")
    assert {p["seat"]: len(p["orders"]) for p in shown["papers"]} == {
        str(here.seats["ria"]): 2, str(here.seats["rex"]): int(counts), str(here.seats[ALBERT]): 2,
    }  # fmt: skip
    assert len(here.events_of("TurnChecked")) == 1
    assert len(here.events_of("DeadlinePassed")) == int(not counts)
    here.rows_agree()
