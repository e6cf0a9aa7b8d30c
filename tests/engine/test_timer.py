"""Timers: what happens if nobody acts, once, in the order of what is due."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.audience import PUBLIC, SERVER, reader
from games.engine.kernel import Command, Context, Event
from games.engine.lifecycle.gm_commands import ClockSlipped, EndNow, Extend, FireNow, Pause, Resume, Start
from games.engine.prompts.prompt import Rule, ask
from games.engine.timer import (
    TimerCleared,
    TimerFired,
    TimerFrozen,
    TimerSet,
    TimerThawed,
    WindowSet,
    clear_timer,
)
from tests.engine.cairns import ANN, GM_ACTOR, HOST_ACTOR, ruleset_with, table
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.toy.rules.commands import BringTide, TideCame
from tests.toy.rules.state import State

SECOND = timedelta(seconds=1)


class Chime(Command):
    """The clock strikes; an event has the number of the tide."""

    count: int

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield TideCame(count=self.count)


def clock():
    """A game with a command for the clock, not started: no other timer runs."""
    return table(ruleset=ruleset_with(Chime))


def set_timer(cairns, key, seconds, count=0, shown=PUBLIC):
    due = cairns.now + seconds * SECOND
    cairns.happens(lambda s, c: iter([TimerSet.of(key, due, Chime(count=count), shown=shown)]))
    return cairns.state.timers[key]


def running_game():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    return cairns


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 60)), min_size=1, max_size=10))
def test_setting_a_key_again_replaces_the_timer_and_raises_its_generation(sets):
    cairns, expected = clock(), {}
    for n, (key, seconds) in enumerate(sets, start=1):
        timer = set_timer(cairns, key, seconds, n)
        expected[key] = (n, cairns.now + seconds * SECOND)
        assert (timer.generation, timer.due) == expected[key]
    assert {k: (t.generation, t.due) for k, t in cairns.state.timers.items()} == expected
    assert cairns.state.info.timers_set == len(sets)


@pytest.mark.rule("CF-6")
@settings(max_examples=60)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=12), st.integers(0, 60))
def test_what_is_overdue_happens_once_each_in_the_order_of_its_time(dues, wait):
    cairns = clock()
    for n, seconds in enumerate(dues):
        set_timer(cairns, f"t{n}", seconds, n)
    events = cairns.wait(wait * SECOND)
    expected = sorted((seconds, n) for n, seconds in enumerate(dues) if seconds <= wait)
    assert [e.count for e in of_kind(events, TideCame)] == [n for _, n in expected]
    assert [h.at for h in cairns.log if isinstance(h.event, TideCame)] == [DAWN + s * SECOND for s, _ in expected]
    assert len(cairns.state.timers) == len(dues) - len(expected)
    assert of_kind(cairns.wait(timedelta(0)), TideCame) == []
    assert cairns.log_folds_to_state()


@given(st.integers(1, 60), st.lists(st.tuples(st.integers(0, 10), st.integers(0, 1000)), max_size=6))
def test_a_frozen_timer_preserves_its_remaining_time_however_long_it_stands(seconds, spells):
    cairns = clock()
    set_timer(cairns, "t", seconds)
    left = seconds
    for running, frozen in spells:
        cairns.now += running * SECOND
        left = max(0, left - running)
        cairns.happens(lambda s, c: iter([TimerFrozen(key="t"), TimerFrozen(key="t")]))
        timer = cairns.state.timers["t"]
        assert (timer.due, timer.left) == (None, left * SECOND)
        cairns.now += frozen * SECOND
        cairns.happens(lambda s, c: iter([TimerThawed(key="t"), TimerThawed(key="t")]))
        assert cairns.state.timers["t"].due == cairns.now + left * SECOND
    assert cairns.state.timers["t"].generation == 1
    assert cairns.log_folds_to_state()


@given(st.integers(0, 50), st.integers(0, 10_000))
def test_a_pause_moves_what_runs_by_its_length_and_leaves_what_is_frozen(before, pause):
    cairns = running_game()
    set_timer(cairns, "still", 500)
    cairns.happens(lambda s, c: iter([TimerFrozen(key="still")]))
    cairns.now += before * SECOND
    due = cairns.state.timers["tide"].due
    cairns.when(Pause(reason="tea"), HOST_ACTOR)
    cairns.now += pause * SECOND
    assert cairns.when(Resume(), GM_ACTOR) == [event_like(type(cairns.log[-1].event), by=pause * SECOND)]
    assert cairns.state.timers["tide"].due == due + pause * SECOND
    assert cairns.state.timers["still"].left == 500 * SECOND
    assert cairns.state.info.paused_at is None
    assert cairns.log_folds_to_state()


def test_an_outage_moves_every_deadline_and_a_pause_that_lasts():
    cairns = running_game()
    due = cairns.state.timers["tide"].due
    cairns.when(Pause(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([ClockSlipped(by=90 * SECOND)]))
    assert cairns.state.timers["tide"].due == due + 90 * SECOND
    assert cairns.state.info.paused_at == DAWN + 90 * SECOND


@given(st.integers(1, 3600))
def test_a_deadline_is_put_off_by_the_given_time(seconds):
    cairns = running_game()
    cairns.when(Extend(seconds=seconds, reason="the dog"), HOST_ACTOR)
    assert cairns.state.timers["tide"].due == DAWN + (60 + seconds) * SECOND
    assert cairns.state.timers["tide"].generation == 1
    assert cairns.log[-1].audience == PUBLIC
    assert "the dog" in cairns.log[-1].text


def test_a_deadline_is_put_off_among_its_readers():
    cairns = running_game()
    set_timer(cairns, "hidden", 10, shown=SERVER)
    cairns.when(Extend(timer="hidden", seconds=5), GM_ACTOR)
    assert cairns.log[-1].audience == SERVER


def test_a_deadline_that_stands_still_is_not_put_off():
    cairns = running_game()
    cairns.happens(lambda s, c: iter([TimerFrozen(key="tide")]))
    with refused("timer.frozen", cairns.state):
        cairns.when(Extend(seconds=5), GM_ACTOR)


@pytest.mark.rule("CF-6")
def test_a_timer_that_was_fired_by_hand_does_not_fire_at_its_time():
    cairns = clock()
    cairns.when(Start(), GM_ACTOR)
    set_timer(cairns, "t", 10, 7)
    events = cairns.when(FireNow(timer="t"), GM_ACTOR)
    assert events == [TimerFired(key="t", generation=2), TideCame(count=7)]
    assert of_kind(cairns.wait(30 * SECOND), TideCame) == []
    with refused("timer.missing", cairns.state):
        cairns.when(FireNow(timer="t"), GM_ACTOR)


@pytest.mark.rule("CF-6")
@pytest.mark.parametrize("command", [FireNow(timer="tide"), EndNow()])
def test_a_window_that_is_open_to_its_end_is_fired_at_its_time_alone(command):
    cairns = running_game()
    due = cairns.state.timers["tide"].due
    cairns.happens(lambda s, c: iter([WindowSet.of("tide", due, BringTide(), shown=PUBLIC)]))
    with refused("timer.early", cairns.state):
        cairns.when(command, GM_ACTOR)
    for change in (TimerFrozen(key="tide"), TimerThawed(key="tide")):
        cairns.happens(lambda s, c, change=change: iter([change]))
    cairns.when(Extend(timer="tide", seconds=5), GM_ACTOR)
    with refused("timer.early", cairns.state):
        cairns.when(command, GM_ACTOR)
    assert cairns.log_folds_to_state()
    assert len(of_kind(cairns.wait(due + 5 * SECOND - cairns.now), TideCame)) == 1
    cairns.when(command, GM_ACTOR)  # the next is an ordinary one


@pytest.mark.parametrize("early", [True, False])
def test_a_prompt_says_whether_its_deadline_may_be_fired_early(early):
    cairns = running_game()
    due, options = cairns.now + 9 * SECOND, {"owners": [reader(ANN)], "lane": "a", "rule": Rule.FIRST}
    cairns.happens(
        lambda s, c: ask(s, c, "SO", "So?", answered_by=(), due=due, default=BringTide(), early=early, **options)
    )
    (key,) = [key for key in cairns.state.timers if key.startswith("prompt:")]
    if early:
        assert of_kind(cairns.when(FireNow(timer=key), GM_ACTOR), TideCame)
    else:
        with refused("timer.early", cairns.state):
            cairns.when(FireNow(timer=key), GM_ACTOR)


def test_ending_now_fires_the_current_timer_and_the_next_is_set():
    cairns = running_game()
    cairns.now += 5 * SECOND
    events = cairns.when(EndNow(), HOST_ACTOR)
    assert events[:2] == [TimerFired(key="tide", generation=1), TideCame(count=1)]
    assert cairns.state.timers["tide"].due == cairns.now + 60 * SECOND
    cairns.happens(lambda s, c: clear_timer(s, "tide"))
    with refused("timer.missing", cairns.state):
        cairns.when(EndNow(), HOST_ACTOR)


def test_a_timer_is_called_off_once_and_then_there_is_nothing_to_call_off():
    cairns = clock()
    set_timer(cairns, "t", 5)
    assert cairns.happens(lambda s, c: clear_timer(s, "t")) == [TimerCleared(key="t")]
    assert cairns.happens(lambda s, c: clear_timer(s, "t")) == []
    assert of_kind(cairns.wait(60 * SECOND), TideCame) == []


def test_a_command_travels_in_its_timer_as_name_and_json():
    found = TimerSet.of("tide", DAWN, BringTide(), subject=ANN)
    assert (found.does, found.with_, found.shown) == ("bring-tide", "{}", SERVER)
    assert clock().context(GM_ACTOR).command("chime", '{"count":4}') == Chime(count=4)
