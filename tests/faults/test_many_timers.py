"""Very many timers are due in one second, over many games or in one: each fires once, in order, and nobody waits long.

`FAULTS=full` takes 10,000 of them.
"""

import gc
import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, ClassVar
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import services
from games.engine.kernel import CLOCK, Command, Context, Event, Issuer, apply_events
from games.engine.timer import TimerSet
from games.models import LoggedEvent, Receipt, Timer
from games.runtime.clock import MAX_TIMERS_PER_RUN
from games.runtime.session import cache_on_commit, commit_events, context_of, lock
from games.workers import tasks
from tests.faults.shared import FULL, another, clock_at, moment
from tests.games.cairns import Cairns, table
from tests.games.moments import rewind_to
from tests.toy.rules import RULESET
from tests.toy.rules.commands import StonesAdded
from tests.toy.rules.state import State

MANY = 10_000 if FULL else 500
GAMES = 500 if FULL else 30
DUE = 10  # seconds after noon; all of them come within the second that follows
QUIET = '{"tide_seconds": 3600}'
pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.timeout(7_200 if FULL else 1200)]


class Chime(Command):
    """A bell of the clock's: a stone is added to a seat's pile."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    seat: UUID
    stones: int = 1

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield StonesAdded(seat=self.seat, stones=self.stones)


@pytest.fixture(autouse=True)
def chimes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cairns knows of chimes."""
    monkeypatch.setitem(RULESET.commands, "chime", Chime)


@pytest.fixture
def no_lines() -> Iterator[None]:
    """Nothing is logged, since the test runner stores every line."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def plant(cairns: Cairns, count: int, *, offset: int = 0) -> list[str]:
    """Set so many timers, due within one second, two at each moment, the last one first; their keys as they are due."""
    seat = cairns.seat(cairns.ann)
    order = [(DUE + (offset + n // 2) / MANY, f"chime:{n:05}") for n in reversed(range(count))]
    with transaction.atomic():
        session = lock([cairns.game.pk])[cairns.game.pk]
        ctx = context_of(session, moment(0), CLOCK)
        timers = [TimerSet.of(key, moment(due), Chime(seat=seat)) for due, key in order]
        commit_events(session, apply_events(session.state, timers, ctx), cause="chimes")
        cache_on_commit(session)
    return [key for _, key in sorted(order, key=lambda each: each[0])]


def fired_keys(cairns: Cairns) -> list[str]:
    """The keys of the timers that have fired, in the log's order."""
    rows = Receipt.objects.filter(game=cairns.game, principal="clock").order_by("first_seq")
    return [key.partition("#")[0] for key in rows.values_list("key", flat=True)]


def turns() -> list[tuple[UUID, int]]:
    """Which games were served, in order, with how many timers at a turn: by the receipts as they were written."""
    games = Receipt.objects.filter(principal="clock").order_by("pk").values_list("game", flat=True)
    return [(game, len(list(run))) for game, run in groupby(games)]


def sweep_once(second: float = DUE + 1) -> int:
    """One tick of the clock; how many timers fired."""
    before = Receipt.objects.filter(principal="clock").count()
    with clock_at(second):
        tasks.sweep.delay()
    return Receipt.objects.filter(principal="clock").count() - before


def times_of(cairns: Cairns) -> list[datetime]:
    """When what the chimes did happened, by the log."""
    rows = LoggedEvent.objects.filter(game=cairns.game, type="StonesAdded").order_by("seq")
    return list(rows.values_list("at", flat=True))


def queries_of(work: Callable[[], object]) -> int:
    """How many queries something takes."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def test_timers_of_one_second_over_many_games_fire_once_each_in_order_in_one_sweep() -> None:
    first = table(QUIET)
    games = [first, *(another(first, QUIET) for _ in range(GAMES - 1))]
    each = MANY // GAMES
    planted = {cairns.game.pk: plant(cairns, each, offset=n) for n, cairns in enumerate(games)}

    assert sweep_once() == MANY // GAMES * GAMES
    assert sweep_once() == 0

    assert [game for game, _ in turns()] == [cairns.game.pk for cairns in games]  # the longest waiting first
    for cairns in games:
        assert fired_keys(cairns) == planted[cairns.game.pk]
        assert times_of(cairns) == sorted(times_of(cairns))
    assert list(Timer.objects.values_list("key", flat=True).distinct()) == ["tide"]
    assert games[0].rows_equal_log() and games[-1].rows_equal_log()


@pytest.mark.django_db(transaction=True)
def test_a_game_with_very_many_due_timers_fires_each_once_in_order_and_lets_the_others_have_their_turn() -> None:
    busy = table(QUIET)
    others = [another(busy, QUIET) for _ in range(3)]
    planted = plant(busy, MANY)
    for n, other in enumerate(others):
        plant(other, 4, offset=1 + n)

    sizes: list[int] = []
    while count := sweep_once():  # a tick
        sizes.append(count)
        if len(sizes) == 2:  # some more come late, into the middle of it
            plant(others[0], 4, offset=1)

    assert fired_keys(busy) == planted
    assert times_of(busy) == sorted(times_of(busy))
    begin = [
        (busy.game.pk, MAX_TIMERS_PER_RUN),
        *((other.game.pk, 4) for other in others),
        (busy.game.pk, MAX_TIMERS_PER_RUN),
    ]
    assert turns() == [*begin, (others[0].game.pk, 4), (busy.game.pk, MANY - 2 * MAX_TIMERS_PER_RUN)]
    assert max(sizes) == MAX_TIMERS_PER_RUN + 12
    assert Timer.objects.exclude(key="tide").count() == 0
    assert busy.fresh().paused_at is None
    assert all(cairns.rows_equal_log() for cairns in (busy, *others))


def test_a_turn_costs_as_many_queries_however_many_are_due_and_whatever_waits_behind_it() -> None:
    costs = {}
    for waiting in (1, 2 * MAX_TIMERS_PER_RUN, MANY):
        with transaction.atomic():
            cairns = table(QUIET)
            plant(cairns, waiting)
            costs[waiting] = queries_of(lambda cairns=cairns: services.fire_due(cairns.game.pk, moment(DUE + 1)))
            assert len(fired_keys(cairns)) == min(waiting, MAX_TIMERS_PER_RUN)
            transaction.set_rollback(True)
    assert len(set(costs.values())) == 1, costs
    assert costs[1] < 25  # the game is loaded, too


@pytest.mark.parametrize(
    ("cracked", "error"),
    [({"stones": -9}, "IntegrityError"), ({"seat": UUID(int=1)}, "KeyError")],
    ids=["rows", "rule"],
)
def test_one_that_fails_among_many_is_counted_and_what_went_before_it_stands(
    cracked: dict[str, Any], error: str
) -> None:
    cairns = table(QUIET)
    seat = cairns.seat(cairns.ann)
    bells = {"a": {}, "b": {}, "c": cracked, "d": {}}
    with transaction.atomic():
        session = lock([cairns.game.pk])[cairns.game.pk]
        ctx = context_of(session, moment(0), CLOCK)
        made = [TimerSet.of(key, moment(DUE), Chime(**{"seat": seat} | more)) for key, more in bells.items()]
        commit_events(session, apply_events(session.state, made, ctx), cause="chimes")
        cache_on_commit(session)
    for tried in (1, 2, 3):
        assert services.fire_due(cairns.game.pk, moment(DUE + tried)) == (2 if tried == 1 else 0)
        assert fired_keys(cairns) == ["a", "b"]
        failed = Timer.objects.get(game=cairns.game, key="c")
        assert (failed.failures, failed.last_error.partition(":")[0]) == (tried, error)
        assert set(Timer.objects.filter(game=cairns.game).values_list("key", flat=True)) == {"c", "d", "tide"}
        assert (cairns.fresh().paused_at is not None) is (tried == 3)
        assert cairns.rows_equal_log()


@pytest.mark.django_db(transaction=True)
def test_no_trace_of_a_fired_timer_is_stored(no_lines: None) -> None:
    cairns = table(QUIET)
    plant(cairns, MANY)
    alive = []
    while services.fire_due(cairns.game.pk, moment(DUE + 1)):
        gc.collect()
        alive.append(len(gc.get_objects()))
    between = MAX_TIMERS_PER_RUN * (len(alive) - 2)
    assert len(fired_keys(cairns)) == MANY
    assert alive[-1] - alive[1] < between / 2, alive


def test_a_timer_that_a_rewind_brings_back_fires_again() -> None:
    cairns = table('{"tide_seconds": 10}')
    start = cairns.fresh().seq
    services.fire_due(cairns.game.pk, moment(10))
    for rewinds in (1, 2):
        cairns.run(rewind_to(cairns.game.pk, start, "again"), cairns.gm, at=15 * rewinds)
        assert services.fire_due(cairns.game.pk, moment(15 * rewinds + 10)) == 1
    assert fired_keys(cairns) == ["tide", "tide", "tide"]
    assert cairns.fresh().paused_at is None
    assert cairns.rows_equal_log()
