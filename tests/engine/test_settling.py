"""Consequences are repeated until nothing more follows; what never comes to rest fails loudly."""

from collections.abc import Iterator

import pytest

from games.engine import settling
from games.engine.kernel import Event
from games.engine.settling import settle_rounds
from tests.toy.rules.commands import MotionSettled, TideCame


def test_rounds_end_with_the_first_that_yields_nothing() -> None:
    left = [2, 1, 0, 5]

    def consequences() -> Iterator[Event]:
        yield from (TideCame(count=n) for n in range(left.pop(0)))

    assert list(settle_rounds(consequences)) == [TideCame(count=0), TideCame(count=1), TideCame(count=0)]
    assert left == [5]


def test_a_game_declares_after_which_events_another_round_is_needed() -> None:
    rounds = iter([[TideCame(count=1), MotionSettled(passed=True)], [MotionSettled(passed=True)], [TideCame(count=2)]])
    events = settle_rounds(lambda: iter(next(rounds)), again=lambda event: isinstance(event, TideCame))
    assert list(events) == [TideCame(count=1), MotionSettled(passed=True), MotionSettled(passed=True)]


def test_rounds_that_never_end_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "MAX_ROUNDS", 3)
    events = settle_rounds(lambda: iter([MotionSettled(passed=True)]))
    assert [next(events) for _ in range(3)] == [MotionSettled(passed=True)] * 3
    with pytest.raises(RuntimeError, match="do not come to rest in 3 rounds"):
        next(events)
