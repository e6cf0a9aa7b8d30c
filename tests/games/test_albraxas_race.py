"""The last orders race the deadline: wholly in time or wholly too late, and the same answer when asked again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connections

from games import services
from games.albraxas.rules.orders.commands import WriteOrders
from games.engine.errors import Refused
from games.models import Receipt, Timer
from tests.games.albraxas import ALBERT, Battle, battle, begin

ROUNDS = 6
MILLISECOND = timedelta(milliseconds=1)


def race_deadline(here: Battle, key: str, offset: timedelta) -> services.Outcome | str:
    """Ria's orders so far from the deadline, while a worker sweeps it; the outcome, or the code of the refusal."""
    due = Timer.objects.get(game=here.id, due__isnull=False).due
    actor, barrier = here.actor("ria"), Barrier(2, timeout=240)

    def order() -> services.Outcome | str:
        try:
            barrier.wait()
            return services.run(here.id, WriteOrders(orders=(battle(),)), actor=actor, key=key, now=due + offset)
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()

    def sweep() -> int:
        try:
            barrier.wait()
            return services.fire_due(here.id, now=due)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        ordered, swept = pool.submit(order), pool.submit(sweep)
        swept.result(30)
        here.now = due + MILLISECOND
        return ordered.result(30)


@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("AX-TRN-5", "CF-9")
def test_orders_at_the_deadline_are_in_or_too_late_and_the_same_key_gives_the_same_answer(settings):
    settings.CLOCK_SLIP_SECONDS = 0
    here = begin({"phases": 16, "check_from": 15})
    missed = 0
    for turn in range(1, ROUNDS + 1):
        here.go(ria=turn, rex=turn)
        here.write(rex=(), **{ALBERT: ()})
        offset = (turn % 3 - 1) * MILLISECOND
        first = race_deadline(here, f"last {turn}", offset)
        shown = here.events_of("OrdersRevealed")
        assert len(shown) == turn
        (paper,) = [p for p in shown[-1]["papers"] if p["seat"] == str(here.seats["ria"])]
        in_time = not isinstance(first, str)
        assert in_time or first == "phase.closed"
        assert not (in_time and offset >= timedelta(0)), "at the deadline it is too late"
        assert len(paper["orders"]) == in_time
        missed += not in_time
        assert [event["seats"] for event in here.events_of("DeadlinePassed")] == missed * [[str(here.seats["ria"])]]
        if in_time:
            again = here.run(WriteOrders(orders=(battle(),)), "ria", key=f"last {turn}")
            assert (again.first_seq, again.last_seq, again.replayed) == (first.first_seq, first.last_seq, True)
        else:
            with pytest.raises(Refused) as refused:
                here.run(WriteOrders(orders=(battle(),)), "ria", key=f"last {turn}")
            assert refused.value.code == first
        assert Receipt.objects.filter(game=here.id, key=f"last {turn}").count() == in_time
    here.rows_agree()
