"""Ticks come twice, shuffled, late, and the rules of one game fail: each timer has one effect, others are on time."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.kernel import Context, Event
from games.models import LoggedEvent, Receipt, Timer
from games.workers import tasks
from tests.faults.shared import another, clock_at, healthy_digest, moment, seqs, sweep, undone
from tests.games.cairns import table
from tests.toy.models import Tide
from tests.toy.rules.commands import AddStones, BringTide
from tests.toy.rules.state import State

END = 35
pytestmark = pytest.mark.django_db


@st.composite
def deliveries(draw: st.DrawFn) -> list[tuple[str, int]]:
    """Ticks (task, second of arrival), each delivered two to five times, some late, in any order."""
    ticks = draw(st.lists(st.tuples(st.sampled_from(("sweep", "fire")), st.integers(5, END)), min_size=1, max_size=4))
    copies = [
        (task, min(END, second + late))
        for task, second in ticks
        for late in draw(st.lists(st.integers(0, 12), min_size=2, max_size=5))
    ]
    return draw(st.permutations(copies))


@settings(max_examples=20)
@given(deliveries())
def test_ticks_delivered_many_times_shuffled_and_late_have_one_effect(delivered: list[tuple[str, int]]) -> None:
    with undone():
        cairns = table('{"tide_seconds": 10}')
        cairns.run(AddStones(stones=5), cairns.ann)
        aim = healthy_digest(cairns, END)
        for task, second in [*delivered, ("sweep", END), ("sweep", END)]:
            with clock_at(second):
                if task == "sweep":
                    sweep()
                else:
                    tasks.fire_timers_of.delay(str(cairns.game.pk))
        assert cairns.fresh().digest == aim
        assert cairns.types().count("TideCame") == 3
        assert Receipt.objects.filter(game=cairns.game, principal="clock").count() == 3
        assert seqs(cairns) == list(range(1, cairns.fresh().seq + 1))
        assert cairns.rows_equal_log()


def test_a_game_whose_rules_fail_parks_after_three_tries_and_the_others_are_on_time_in_the_same_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sick = table('{"tide_seconds": 9}')  # due first, so that it is in the way of the others
    others = [another(sick) for _ in range(3)]
    decide = BringTide.decide

    def fail_in_one(command: BringTide, state: State, ctx: Context) -> Iterator[Event]:
        if state.info.id == sick.game.pk:
            raise ZeroDivisionError("a fault in the rules")
        yield from decide(command, state, ctx)

    monkeypatch.setattr(BringTide, "decide", fail_in_one)

    for tried, second in enumerate((10, 11, 12), start=1):
        with clock_at(second):
            tasks.sweep.delay()
        assert Timer.objects.get(game=sick.game, key="tide").failures == tried
        assert (sick.fresh().paused_at is not None) is (tried == 3)
        assert [Tide.objects.get(game=other.game).count for other in others] == [1, 1, 1]
    with clock_at(20):
        tasks.sweep.delay()

    assert [Tide.objects.get(game=other.game).count for other in others] == [2, 2, 2]
    for other in others:
        tides = LoggedEvent.objects.filter(game=other.game, type="TideCame").order_by("seq")
        assert [tide.at for tide in tides] == [moment(10), moment(20)]
        assert other.rows_equal_log()
    answer = LoggedEvent.objects.get(game=sick.game, type="TimerFailed")
    assert (answer.audience, json.loads(answer.body)["times"]) == ("gm", 3)
    assert sick.types()[-2:] == ["TimerFailed", "Paused"]
    assert "TideCame" not in sick.types()
    assert Timer.objects.get(game=sick.game, key="tide").failures == 3
    assert sick.rows_equal_log()
