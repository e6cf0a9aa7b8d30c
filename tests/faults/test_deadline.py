"""A millisecond before the deadline, at it, a millisecond after: orders and the GM act wholly before or after it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier, Event

import pytest
from django.db import connections

from games import services
from games.engine.errors import Refused
from games.engine.kernel import Context
from games.engine.lifecycle.gm_commands import Extend, Pause, Resume
from games.models import Timer
from games.reads import selectors
from tests.faults.shared import from_here, moment
from tests.games.cairns import Cairns, table
from tests.toy.models import Pile, Tide
from tests.toy.rules.commands import AddStones, BringTide
from tests.toy.rules.state import State
from worlds.visibility import Visibility

INSTANTS = [
    pytest.param(9.999, True, id="before"),
    pytest.param(10, False, id="at"),
    pytest.param(10.001, False, id="after"),
]
TIDE = ["TimerFired", "TideCame", "TimerSet"]


def game() -> tuple[Cairns, int]:
    """A game whose first tide is due at 10 s, and the length of its log."""
    cairns = table('{"tide_seconds": 10, "tides": 1000}')
    return cairns, len(cairns.types())


def tides(cairns: Cairns) -> int:
    """How often the tide has come, by the rows."""
    return Tide.objects.filter(game=cairns.game).values_list("count", flat=True).first() or 0


def due(cairns: Cairns) -> datetime:
    return Timer.objects.get(game=cairns.game, key="tide").due


@pytest.mark.django_db
@pytest.mark.parametrize(("at", "first"), INSTANTS)
def test_an_order_near_the_deadline_counts_wholly_before_or_wholly_after_the_tide(at: float, first: bool) -> None:
    cairns, start = game()
    cairns.run(AddStones(stones=3), cairns.ann, at=at)
    services.fire_due(cairns.game.pk, moment(11))
    assert cairns.types()[start:] == (["StonesAdded", *TIDE] if first else [*TIDE, "StonesAdded"])
    assert Pile.objects.get().stones == (2 if first else 3)
    assert (tides(cairns), due(cairns)) == (1, moment(20))
    assert cairns.rows_equal_log()


@pytest.mark.django_db
@pytest.mark.parametrize(("at", "first"), INSTANTS)
def test_a_pause_near_the_deadline_stops_the_tide_or_comes_after_it(at: float, first: bool) -> None:
    cairns, start = game()
    cairns.run(Pause(reason="tea"), cairns.gm, at=at)
    assert services.fire_due(cairns.game.pk, moment(50)) == 0
    assert cairns.types()[start:] == (["Paused"] if first else [*TIDE, "Paused"])
    assert tides(cairns) == (0 if first else 1)
    cairns.run(Resume(), cairns.gm, at=at + 90)
    assert due(cairns) == moment(100 if first else 110)
    assert services.fire_due(cairns.game.pk, moment(100)) == (1 if first else 0)
    assert cairns.rows_equal_log()


@pytest.mark.django_db
@pytest.mark.parametrize(("at", "first"), INSTANTS)
def test_an_extension_near_the_deadline_moves_this_tide_or_the_next(at: float, first: bool) -> None:
    cairns, start = game()
    cairns.run(Extend(seconds=30), cairns.gm, at=at)
    assert cairns.types()[start:] == (["Extended"] if first else [*TIDE, "Extended"])
    assert (tides(cairns), due(cairns)) == ((0, moment(40)) if first else (1, moment(50)))
    assert services.fire_due(cairns.game.pk, moment(39.999)) == 0
    assert services.fire_due(cairns.game.pk, moment(40)) == (1 if first else 0)
    assert cairns.rows_equal_log()


@pytest.mark.django_db
@pytest.mark.parametrize("at", [9.999, 10, 10.001])
def test_a_resumption_near_the_old_deadline_moves_the_tide_and_never_fires_it(at: float) -> None:
    cairns, start = game()
    cairns.run(Pause(reason="tea"), cairns.gm, at=4)
    assert services.fire_due(cairns.game.pk, moment(at)) == 0
    cairns.run(Resume(), cairns.gm, at=at)
    assert services.fire_due(cairns.game.pk, moment(at)) == 0
    assert cairns.types()[start:] == ["Paused", "Resumed"]
    assert (tides(cairns), due(cairns)) == (0, moment(at + 6))
    assert services.fire_due(cairns.game.pk, moment(at + 6)) == 1
    assert cairns.rows_equal_log()


@pytest.mark.django_db(transaction=True)
def test_orders_and_extensions_racing_a_worker_are_never_half_in_a_tide() -> None:
    cairns, start = game()
    for n in range(20):
        stage = due(cairns)
        barrier = Barrier(3, timeout=240)
        offset = (n % 3 - 1) / 1000

        def race(step: str, at=stage, barrier=barrier, offset=offset, n=n) -> object:
            now = at + (moment(offset) - moment(0))
            try:
                barrier.wait()
                if step == "fire":
                    return services.fire_due(cairns.game.pk, at)
                command, actor = (
                    (AddStones(stones=1), cairns.actor(cairns.ann)) if step == "add" else (Extend(seconds=1), cairns.gm)
                )
                return services.run(cairns.game.pk, command, actor=actor, key=f"{step}{n}", now=now)
            except Refused as refused:
                return refused.code
            finally:
                connections.close_all()

        with ThreadPoolExecutor(3) as pool:
            answers = list(pool.map(from_here(race), ("fire", "add", "extend")))
        assert not any(isinstance(answer, str) for answer in answers), answers
    types = cairns.types()[start:]
    for i, name in enumerate(types):
        if name == "TideCame":
            assert types[i - 1] == "TimerFired"
            assert types[i + 1] == "TimerSet"
    assert types.count("TideCame") == types.count("TimerFired") == tides(cairns) > 0
    assert types.count("StonesAdded") == types.count("Extended") == 20
    assert cairns.rows_equal_log()


def public_events(cairns: Cairns) -> list[tuple[str, datetime]]:
    """The public events since the game began: type and time."""
    events = selectors.events_for(cairns.fresh(), Visibility.nobody(), limit=500).results
    begun = [event.type for event in events].index("core.Started")
    return [(event.type, event.at) for event in events[begun + 1 :]]


def announced_dues(cairns: Cairns) -> list[datetime]:
    """When a stranger is shown that the tide will come."""
    return [row["due"] for row in selectors.state_for(cairns.fresh(), Visibility.nobody())["timers"]]


@pytest.mark.django_db
@pytest.mark.parametrize(("at", "first"), INSTANTS)
def test_what_watchers_are_sent_of_a_deadline_is_what_became_of_it(at: float, first: bool) -> None:
    cairns, _ = game()
    cairns.run(Extend(seconds=30, reason="Late."), cairns.gm, at=at)
    tide = [] if first else [("toy.TideCame", moment(10))]
    assert public_events(cairns) == [*tide, ("core.Extended", moment(at))]
    events = selectors.events_for(cairns.fresh(), Visibility.nobody(), limit=500).results[-1]
    assert [datetime.fromisoformat(events.data["due"])] == announced_dues(cairns) == [due(cairns)]

    cairns.run(Pause(reason="Tea."), cairns.gm, at=at)
    assert services.fire_due(cairns.game.pk, moment(1000)) == 0
    cairns.run(Resume(), cairns.gm, at=at + 90)
    services.fire_due(cairns.game.pk, announced_dues(cairns)[0])
    came = moment((40 if first else 50) + 90)
    reports_after = [("core.Extended", at), ("core.Paused", at), ("core.Resumed", at + 90)]
    assert public_events(cairns) == [
        *tide,
        *((name, moment(when)) for name, when in reports_after),
        ("toy.TideCame", came),
    ]


@pytest.mark.django_db(transaction=True)
def test_an_order_that_comes_while_the_tide_is_being_decided_stands_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cairns, start = game()
    actor, inside, ordered = cairns.actor(cairns.ann), Event(), Event()
    decide, overtaken = BringTide.decide, []

    def slowly(self: BringTide, state: State, ctx: Context) -> Iterator[object]:
        for n, event in enumerate(decide(self, state, ctx)):
            yield event
            if n == 0:
                inside.set()
                overtaken.append(ordered.wait(0.5))  # the order waits for the lock, so it never comes in time

    def order() -> None:
        try:
            assert inside.wait(240)
            services.run(cairns.game.pk, AddStones(stones=2), actor=actor, now=moment(10))
            ordered.set()
        finally:
            connections.close_all()

    monkeypatch.setattr(BringTide, "decide", slowly)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(from_here(order))
        assert services.fire_due(cairns.game.pk, moment(10)) == 1
        waiting.result(240)
    assert overtaken == [False]
    assert cairns.types()[start:] == [*TIDE, "StonesAdded"]
    assert Pile.objects.get().stones == 2
    assert cairns.rows_equal_log()
