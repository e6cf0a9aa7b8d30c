"""Ticks come twice, shuffled, late, and one game is poisoned: each timer has one effect, and the others are on time."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.models import LoggedEvent, Receipt, Timer
from games.workers import tasks
from tests.faults.shared import another, clock_at, healthy_digest, moment, seqs, undone
from tests.games.cairns import table
from tests.toy.models import Tide
from tests.toy.rules.commands import AddStones

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
                    tasks.sweep.delay()
                else:
                    tasks.fire_timers_of.delay(str(cairns.game.pk))
        assert cairns.fresh().digest == aim
        assert cairns.types().count("TideCame") == 3
        assert Receipt.objects.filter(game=cairns.game, principal="clock").count() == 3
        assert seqs(cairns) == list(range(1, cairns.fresh().seq + 1))
        assert cairns.rows_equal_log()


def test_a_poisoned_game_parks_after_three_tries_and_the_others_are_on_time_in_the_same_sweep() -> None:
    sick = table('{"tide_seconds": 9}')  # due first, so that it is in the way of the others
    others = [another(sick) for _ in range(3)]
    fields = {"id": str(sick.game.pk), "poisoned": True}
    poison = Change(
        deed=Deed.CREATE, table="tides", row=str(sick.game.pk),
        fields=tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in fields.items()),
    )  # fmt: skip
    sick.run(Amend(changes=(poison,), reason="to see"), sick.gm)

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
