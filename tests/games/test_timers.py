"""The clock of one game, timer by timer: what a go ends at, at which time each fires, and what outlives a fault."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import services
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.lifecycle.gm_commands import Pause, Paused, Resume
from games.models import Game, LoggedEvent, Receipt, Timer
from games.reads import due_timers
from games.storage import state_cache
from games.storage.state_cache import STATE_CACHE
from games.workers import tasks
from tests.faults.shared import another
from tests.games.cairns import NOON, Cairns, table
from tests.games.moments import rewind_to
from tests.toy.rules.commands import AddStones, BringTide
from tests.toy.rules.state import State

TIDE = 60
OPTIONS = f'{{"tide_seconds": {TIDE}, "tides": 1000}}'
pytestmark = pytest.mark.django_db


def cairns_of() -> Cairns:
    """A game whose tides come each minute."""
    return table(OPTIONS)


def fire(cairns: Cairns, seconds: int) -> int:
    return services.fire_due(cairns.game.pk, NOON + timedelta(seconds=seconds))


def test_games_are_handed_on_together_while_few_timers_are_due_in_them_and_alone_where_many_are() -> None:
    due, first = {1: 3, 2: 2, 3: 9, 4: 1, 5: 1, 6: 1}, cairns_of()
    games = {number: (another(first, OPTIONS) if number > 1 else first).game for number in due}
    for number, game in games.items():
        at = NOON + timedelta(seconds=number)
        Timer.objects.bulk_create(
            Timer(game=game, key=f"{n}", does="bring-tide", arguments="{}", generation=n, due=at, audience="server")
            for n in range(due[number])
        )
    later = NOON + timedelta(seconds=TIDE - 1)
    lists = [[1, 2], [3], [4, 5], [6]]
    assert due_timers.due_games_in_lists(later, 2, 5) == [[games[n].pk for n in each] for each in lists]
    assert due_timers.games_with_due_timers(later) == [game.pk for game in games.values()]
    assert due_timers.due_games_in_lists(later, 8) == [[game.pk for game in games.values()]]


def timer_at(cairns: Cairns, game: Game, seconds: float) -> None:
    """A tide that comes so many seconds behind noon."""
    Timer.objects.create(
        game=game, key=f"{seconds}", does="bring-tide", arguments="{}", generation=1, audience="server",
        due=NOON + timedelta(seconds=seconds),
    )  # fmt: skip


def test_what_falls_due_before_the_next_sweep_is_fired_at_the_end_of_its_tenth_of_a_second() -> None:
    """The kind: a deadline that is a second late because nobody looks meanwhile."""
    first = cairns_of()
    games = [first.game, *(another(first, OPTIONS).game for _ in range(4))]
    for game, seconds in zip(games, (-3.0, 0.71, 0.11, 0.19, 1.01), strict=True):
        timer_at(first, game, seconds)
    timer_at(first, games[0], 0.5)
    timer_at(first, games[0], 0.59)
    keys = [game.pk for game in games]
    slip = due_timers.CLOCK_SLIP

    found = due_timers.ticks(NOON, timedelta(seconds=1), 8)
    assert found == [
        (keys[:1], None),
        (keys[2:4], NOON + timedelta(seconds=0.2) + slip),
        (keys[:1], NOON + timedelta(seconds=0.6) + slip),
        (keys[1:2], NOON + timedelta(seconds=0.8) + slip),
    ]
    assert [tick.games for tick in due_timers.ticks(NOON, timedelta(seconds=1), 1)] == [[k] for k in (
        keys[0], keys[2], keys[3], keys[0], keys[1])]  # fmt: skip
    assert due_timers.due_games_in_lists(NOON, 8) == [keys[:1]]


def test_a_sweep_hands_on_each_tick_with_its_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    first = cairns_of()
    timer_at(first, first.game, -1.0)
    other = another(first, OPTIONS)
    timer_at(other, other.game, 0.95)
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    sent: list[tuple[tuple[str, ...], datetime | None]] = []
    monkeypatch.setattr(tasks.fire_timers_of, "apply_async", lambda games, *, eta: sent.append((games, eta)))
    tasks.sweep()
    assert sent == [((str(first.game.pk),), None), ((str(other.game.pk),), NOON + timedelta(seconds=1.02))]


def test_a_sweep_waits_for_no_thread_that_is_at_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_cache, "LOCK_TIMEOUT_SECONDS", 3600.0)
    cairns = cairns_of()
    with STATE_CACHE.thread_lock(cairns.game.pk):
        assert fire(cairns, TIDE) == 1
    assert cairns.rows_equal_log()


def test_a_timer_that_pauses_the_game_ends_the_go(monkeypatch: pytest.MonkeyPatch) -> None:
    cairns, decide = cairns_of(), BringTide.decide

    def decide_and_pause(self: BringTide, state: State, ctx: Context) -> Iterator[Event]:
        yield from decide(self, state, ctx)
        yield Paused(reason="Tea.")

    monkeypatch.setattr(BringTide, "decide", decide_and_pause)
    assert fire(cairns, TIDE * 2) == 1
    assert cairns.types().count("TideCame") == 1 and cairns.rows_equal_log()


def test_a_timer_that_was_due_before_the_last_event_fires_at_its_time() -> None:
    cairns = cairns_of()
    cairns.run(AddStones(stones=1), cairns.ann, at=40)
    Timer.objects.filter(game=cairns.game).update(due=NOON + timedelta(seconds=30))
    STATE_CACHE.clear()
    assert fire(cairns, 41) == 1
    assert LoggedEvent.objects.get(game=cairns.game, type="TideCame").at == NOON + timedelta(seconds=40)


def test_a_timer_that_fired_fires_once_more_where_a_rewind_has_brought_it_back() -> None:
    cairns = cairns_of()
    before = cairns.fresh().seq
    for went_back in range(3):
        (timer,) = Timer.objects.filter(game=cairns.game)
        assert fire(cairns, int((timer.due - NOON).total_seconds())) == 1
        seconds = (timer.due - NOON).total_seconds() + 1
        cairns.run(rewind_to(cairns.game.pk, before, "Once more."), cairns.gm, at=seconds)
        assert Timer.objects.get(game=cairns.game).generation == timer.generation, went_back
    fired = Receipt.objects.filter(game=cairns.game, principal="clock").order_by("first_seq")
    assert [row.key for row in fired] == [f"tide#{timer.generation}{rest}" for rest in ("", "/1", "/2")]


def test_a_slip_is_noted_though_the_timer_behind_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    cairns = cairns_of()

    def fail(self: BringTide, state: State, ctx: Context) -> Iterator[Event]:
        raise ValueError("broken")
        yield

    monkeypatch.setattr(BringTide, "decide", fail)
    slipped = 3600
    assert fire(cairns, TIDE + slipped) == 0
    timer = Timer.objects.get(game=cairns.game)
    assert (cairns.types()[-1], timer.failures) == ("ClockSlipped", 1)
    assert timer.due == NOON + timedelta(seconds=TIDE + slipped) and cairns.rows_equal_log()


def test_the_faults_of_timers_are_counted_anew_once_a_game_is_resumed_and_not_before() -> None:
    cairns = table('{"tide_seconds": 3600}')
    timers = Timer.objects.filter(game=cairns.game)
    timers.update(failures=3, last_error="ValueError: a bug")
    cairns.run(AddStones(stones=1), cairns.ann)
    cairns.run(Pause(reason="Tea."), cairns.gm)
    assert timers.values_list("failures", "last_error").get() == (3, "ValueError: a bug")
    assert due_timers.parked_game_count() == 1
    cairns.run(Resume(), cairns.gm)
    assert timers.values_list("failures", "last_error").get() == (0, "")
    assert due_timers.parked_game_count() == 0


def test_a_command_that_finds_a_timer_which_fails_counts_the_fault_and_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    cairns = cairns_of()

    def break_off(self: BringTide, state: State, ctx: Context) -> Iterator[Event]:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(BringTide, "decide", break_off)
    for failures in (1, 2):
        with pytest.raises(Refused) as caught:
            cairns.run(AddStones(stones=1), cairns.ann, at=TIDE)
        assert caught.value.code == "clock.behind"
        assert Timer.objects.get(game=cairns.game, key="tide").failures == failures
    assert "StonesAdded" not in cairns.types()
