"""The nightly comparison of cached states with their rows: a wrong one is found and dropped, a right one stays."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from games.runtime import audit, metrics, session
from games.storage import state_cache
from games.workers import nightly
from tests.games.cairns import Cairns, table
from tests.toy.rules.commands import AddStones

OPTIONS = '{"tide_seconds": 3600}'


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> state_cache.StateCache:
    """A state cache of the test's own."""
    own = state_cache.StateCache(32)
    monkeypatch.setattr(session, "STATE_CACHE", own)
    monkeypatch.setattr(audit, "STATE_CACHE", own)
    monkeypatch.setattr(audit, "PAUSE_SECONDS", 0.0)
    return own


def played() -> Cairns:
    """A game whose state is cached."""
    cairns = table(OPTIONS)
    cairns.run(AddStones(stones=1), cairns.actor(cairns.ann))
    return cairns


def cached(states: state_cache.StateCache, cairns: Cairns) -> state_cache.CachedState:
    """The cached state of a game, still cached."""
    found = states._states.get(cairns.fresh().pk)
    assert found is not None
    return found


@pytest.mark.django_db(transaction=True)
def test_a_state_that_equals_its_rows_stays(states: state_cache.StateCache) -> None:
    cairns = played()
    before = cached(states, cairns).state
    assert audit.compare_states() == 0
    assert cached(states, cairns).state is before


@pytest.mark.django_db(transaction=True)
def test_a_state_that_differs_is_reported_and_dropped(states: state_cache.StateCache) -> None:
    wrong = played()
    state = cached(states, wrong).state
    state.info = replace(state.info, rewinds=state.info.rewinds + 1)
    count = metrics.DIFFERING._value.get()
    with capture_logs() as lines:
        assert audit.compare_states() == 1
    game = wrong.fresh().pk
    assert [(line["game"], line["parts"]) for line in lines if line["event"] == "state_differs"] == [
        (str(game), ["info"])
    ]
    assert metrics.DIFFERING._value.get() == count + 1
    assert states.games() == []
    wrong.run(AddStones(stones=1), wrong.actor(wrong.ann))
    assert wrong.rows_equal_log()


@pytest.mark.django_db(transaction=True)
def test_a_state_behind_its_log_is_caught_up_and_then_compared(states: state_cache.StateCache) -> None:
    cairns = played()
    game = cairns.fresh().pk
    behind = states._states.pop(game)
    assert behind is not None
    cairns.run(AddStones(stones=1), cairns.actor(cairns.ann))
    assert behind.seq < cairns.fresh().seq
    states.clear()
    states.put(game, behind)
    assert audit.compare_state(game) == []
    assert cached(states, cairns).seq == cairns.fresh().seq


@pytest.mark.django_db(transaction=True)
def test_heads_of_streams_are_compared_too(states: state_cache.StateCache) -> None:
    cairns = played()
    held = cached(states, cairns)
    audience, head = next(iter(held.heads.items()))
    held.heads[audience] = head._replace(mark="00000000")
    assert audit.compare_state(cairns.fresh().pk) == ["heads"]


@pytest.mark.django_db(transaction=True)
def test_what_is_not_cached_is_not_compared(states: state_cache.StateCache) -> None:
    cairns = played()
    states.clear()
    assert audit.compare_state(cairns.fresh().pk) is None


@pytest.mark.django_db(transaction=True)
def test_a_game_that_is_gone_is_not_compared(states: state_cache.StateCache) -> None:
    gone = uuid4()
    states.put(gone, cached(states, played()))
    assert audit.compare_state(gone) is None


@pytest.mark.parametrize(
    ("now", "spread", "hours"),
    [
        (datetime(2026, 1, 1, 2, 30, tzinfo=UTC), 0, 0.5),
        (datetime(2026, 1, 1, 3, 0, tzinfo=UTC), 0, 24),
        (datetime(2026, 1, 1, 3, 0, tzinfo=UTC), 1800, 0.5),
        (datetime(2026, 1, 1, 22, 0, tzinfo=UTC), 0, 5),
    ],
)
def test_the_next_night_is_always_ahead(now: datetime, spread: float, hours: float) -> None:
    assert nightly.seconds_until_night(now, spread) == hours * 3600
