"""The GM's order of growth (G2-GROW-1, AMB-4)."""

from datetime import timedelta

import pytest

from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.century.events import GrowthOrdered
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.growth.events import GrowthOrderSet
from games.gods2.rules.growth.order_commands import SetGrowthOrder
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import GM, two_peoples


@pytest.mark.rule("G2-GROW-1", "G2-AMB-4")
def test_a_gm_settles_the_order_of_growth_in_secret_and_no_die_is_rolled_for_it() -> None:
    for turned in (False, True):
        book, dwarves, elves = two_peoples()
        with refused("phase.closed", book.state):
            book.when(SetGrowthOrder(races=(dwarves, elves)), by=GM)
        book.when(EndNow(), by=GM)
        order = (elves, dwarves) if turned else (dwarves, elves)
        for bad in ((dwarves,), (dwarves, dwarves)):
            with refused("order.incomplete", book.state):
                book.when(SetGrowthOrder(races=bad), by=GM)
        assert [type(e) for e in book.when(SetGrowthOrder(races=order), by=GM)] == [GrowthOrderSet]
        assert book.log[-1].audience == "gm"
        book.when(ApproveWorksheet(), by=GM)
        position = len(book.log)
        events = of_kind(book.wait(timedelta(minutes=31)), GrowthOrdered)
        assert events[0].races == order
        (growth,) = [h for h in book.log[position:] if isinstance(h.event, GrowthOrdered) and h.event.century == 2]
        assert growth.rolls == ()
        assert not book.state.growth_plans


@pytest.mark.rule("G2-GROW-1")
def test_without_a_decision_of_the_gm_the_order_is_drawn() -> None:
    book, *_ = two_peoples()
    (growth,) = [h for h in book.log if isinstance(h.event, GrowthOrdered)]
    assert [roll.sides for roll in growth.rolls] == [2]
