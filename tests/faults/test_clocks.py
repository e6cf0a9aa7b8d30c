"""Clocks that differ and leap: a game has one time, that of the fastest clock that was ever read for it, and no other.

A clock that is behind another waits until it has caught up; what is due comes once, in order, at the time it was due.
What happens where no clock shows that time any more: `test_clock_goes_back.py`.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from games import services
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.engine.lifecycle.seating import Invite
from games.models import LoggedEvent
from tests.faults.era import Era, open_era
from tests.faults.shared import clock_at, moment, seqs, sweep, undone
from tests.games.cairns import NOON, Cairns, table
from tests.toy.models import Tide
from tests.toy.rules.commands import AddStones

TIDE = 60
FAST, SLOW, HOUR = 300, -300, 3600
pytestmark = pytest.mark.django_db


def web(cairns: Cairns, seconds: float) -> None:
    """A player's command, by a web process whose clock shows this."""
    with clock_at(seconds):
        services.run(cairns.game.pk, AddStones(stones=1), actor=cairns.actor(cairns.ann))


def worker(seconds: float) -> None:
    """A sweep, by a worker whose clock shows this."""
    with clock_at(seconds):
        sweep()


def tides(cairns: Cairns) -> list[float]:
    """When the tides came: seconds after noon."""
    rows = LoggedEvent.objects.filter(game=cairns.game, type="TideCame").order_by("seq")
    return [(row.at - NOON).total_seconds() for row in rows]


def in_order(cairns: Cairns) -> bool:
    """The log's times never go back, no tide came twice or too early, and the rows are what the log says."""
    log = list(LoggedEvent.objects.filter(game=cairns.game).order_by("seq"))
    fired = [row.body for row in log if row.type == "TimerFired"]
    came = tides(cairns)
    assert [row.at for row in log] == sorted(row.at for row in log)
    assert len(set(fired)) == len(fired) == len(came)
    assert all(later - earlier >= TIDE for earlier, later in zip([0.0, *came], came, strict=False))
    assert (Tide.objects.filter(game=cairns.game).values_list("count", flat=True).first() or 0) == len(came)
    assert seqs(cairns) == list(range(1, cairns.fresh().seq + 1))
    return cairns.rows_equal_log()


def cairns_of(tides: int = 1000) -> Cairns:
    """A game whose tides come each minute."""
    return table(f'{{"tide_seconds": {TIDE}, "tides": {tides}}}')


def test_a_worker_whose_clock_is_five_minutes_slow_brings_each_tide_once_at_its_own_time() -> None:
    cairns = cairns_of()
    for true in range(0, 601, 25):
        worker(true + SLOW)
    assert tides(cairns) == [60, 120, 180, 240, 300]
    assert in_order(cairns)


def test_a_web_whose_clock_is_five_minutes_fast_leads_and_a_slow_worker_never_repeats_what_it_did() -> None:
    cairns = cairns_of()
    web(cairns, 0 + FAST)  # nobody was there for four minutes, as far as the game knows: its clock slips
    assert (cairns.types()[-5:], tides(cairns)) == (
        ["ClockSlipped", "TimerFired", "TideCame", "TimerSet", "StonesAdded"],
        [300],
    )
    for true in range(10, 601, 10):
        worker(true + SLOW)
        if true == 30:
            web(cairns, true + FAST)
        if true == 300:
            web(cairns, true + FAST - 240)  # another web, whose clock is one minute fast
    assert tides(cairns) == [300, 360]
    for true in range(610, 731, 10):
        worker(true + SLOW)  # only now the worker's clock has caught up
    assert tides(cairns) == [300, 360, 420]
    assert in_order(cairns)


@pytest.mark.parametrize(("late", "slipped"), [(0, []), (1, ["ClockSlipped"])])
def test_a_deadline_that_is_late_by_no_more_than_the_slip_is_fired_as_it_was_due(late: int, slipped: list[str]) -> None:
    cairns = cairns_of()
    worker(TIDE + django_settings.CLOCK_SLIP_SECONDS + late)
    assert [kind for kind in cairns.types() if kind == "ClockSlipped"] == slipped
    assert tides(cairns)[0] == TIDE + (django_settings.CLOCK_SLIP_SECONDS + late) * bool(slipped)


def test_a_worker_whose_clock_alone_goes_back_waits_until_it_has_caught_up() -> None:
    cairns = cairns_of()
    worker(60)
    web(cairns, 100)
    for seconds in range(100 - HOUR, 120, 200):
        worker(seconds)
    assert tides(cairns) == [60]
    worker(120)
    assert tides(cairns) == [60, 120]
    assert in_order(cairns)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.sampled_from((web, worker)), st.integers(0, 50), st.sampled_from((0, 0, 0, 0, -HOUR, HOUR))),
        max_size=25,
    )
)
def test_whatever_the_clocks_do_no_tide_is_doubled_or_missed(steps: list[tuple[object, int, int]]) -> None:
    with undone():
        cairns, true, last = cairns_of(), 0, 0
        for who, wait, leap in steps:
            true += wait + leap
            if who is web:
                web(cairns, true + FAST)
                last = max(last, true + FAST)
            else:
                worker(true + SLOW)
                last = max(last, true + SLOW)
        assert in_order(cairns)
        before = len(tides(cairns))
        for n in range(1, 4):
            worker(last + n * TIDE)
        assert len(tides(cairns)) == before + 3
        assert in_order(cairns)


def test_no_century_is_doubled_or_missed_between_a_fast_web_and_a_slow_worker() -> None:
    length, step, end = 600, 50, 3000
    era: Era = open_era(30, NOON, seconds=length)
    for true in range(0, end + 1, step):
        era.run(Invite(), era.gm, moment(true + FAST))
        with clock_at(true + SLOW):
            sweep()
    rows = LoggedEvent.objects.filter(game=era.game)
    begun = list(rows.filter(type="CenturyOpened").order_by("seq").values_list("at", flat=True))
    slipped = 200  # the first war was due at 100, the first clock showed 300
    assert begun == [NOON, *(moment(slipped + length * n) for n in range(1, 1 + (end + FAST - slipped) // length))]
    assert rows.filter(type="ClockSlipped").count() == 1
    assert rows.filter(type="CenturyClosed").count() == len(begun) - 1 == 5
    assert era.faults() == []


@pytest.mark.parametrize("night", [datetime(2026, 3, 29, 0, 58, tzinfo=UTC), datetime(2026, 10, 25, 0, 58, tzinfo=UTC)])
def test_a_night_in_which_the_clocks_are_changed_is_a_night_like_any_other(night: datetime) -> None:
    cairns, begun = cairns_of(), (night - NOON).total_seconds()
    cairns.run(Pause(reason="until the night"), cairns.gm)
    berlin = ZoneInfo("Europe/Berlin")
    with timezone.override(berlin):
        services.run(cairns.game.pk, Resume(), actor=cairns.gm, now=night.astimezone(berlin))
        for seconds in range(0, 301, 10):
            local = (night + timedelta(seconds=seconds)).astimezone(berlin)
            services.fire_due(cairns.game.pk, local)
    assert tides(cairns) == [begun + TIDE * n for n in range(1, 6)]
    assert in_order(cairns)
