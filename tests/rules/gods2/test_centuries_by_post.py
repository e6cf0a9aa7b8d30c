"""Centuries by post: each ends at a slot of the calendar, its Activity Phase as long before that as in live play."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.engine.game_state import dump
from games.engine.lifecycle.gm_commands import Extend, Pause, Resume
from games.gods2.rules.calendar.rules import activity_key, end_key
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.setup.commands import ConfigureGame
from games.gods2.rules.state.options import Gods2Options
from tests.playbook import DAWN, Playbook, of_kind, refused, state_from_log
from tests.rules.gods2.era import ANA, GM, HOST, fresh, lobby, two_peoples

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
MARGIN = 5 * MINUTE
BY_POST: dict[str, Any] = {"time_zone": "Europe/Berlin", "deadline_at": "20:00", "rest_days": ("sunday",)}


def by_post(**more: Any) -> Playbook:
    """Two peoples, a century a day but on Sundays; Thursday 2026-01-01, 13:00 in Berlin."""
    options = Gods2Options(century_seconds=64_800, plan=(16,), **(BY_POST | more))
    book, *_ = two_peoples(options)
    return book


def evening(day: int) -> datetime:
    return datetime(2026, 1, day, 19, tzinfo=UTC)


@pytest.mark.rule("G2-TIME-1", "G2-TIME-3", "CF-6")
def test_a_century_ends_each_day_at_the_slot_and_never_on_a_day_of_rest() -> None:
    book = by_post()
    opened = of_kind([h.event for h in book.log], CenturyOpened) + of_kind(book.wait(4 * DAY), CenturyOpened)
    assert [(each.century, each.ends_at) for each in opened] == [
        (1, evening(2)), (2, evening(3)), (3, evening(5)),
    ]  # fmt: skip
    assert {each.ends_at - each.activity_ends_at for each in opened} == {MARGIN}
    timers = book.state.timers
    assert (timers[activity_key(3)].due, timers[end_key(3)].due) == (evening(5) - MARGIN, evening(5))


@pytest.mark.rule("G2-TIME-5", "CF-6")
def test_a_century_that_was_paused_or_put_off_ends_at_a_slot_with_its_whole_calculation_phase() -> None:
    book = by_post()
    book.when(Pause(), GM)
    book.now += 5 * HOUR
    book.when(Resume(), GM)
    for _ in range(2):
        timers, era = book.state.timers, book.state.era
        assert (timers[activity_key(1)].due, timers[end_key(1)].due) == (evening(3) - MARGIN, evening(3))
        assert (era.activity_ends_at, era.ends_at) == (evening(3) - MARGIN, evening(3))
        assert dump(state_from_log(book.log, fresh())) == dump(book.state)
        book.when(Pause(), GM)
        book.when(Resume(), GM)
    book.when(Extend(seconds=3600), GM)
    assert (book.state.era.activity_ends_at, book.state.era.ends_at) == (evening(5) - MARGIN, evening(5))


@pytest.mark.rule("G2-WAR-1", "G2-TIME-5")
def test_after_a_short_pause_no_war_is_due_later_than_the_activity_phase_which_keeps_its_slot() -> None:
    book, dwarves, elves = two_peoples(Gods2Options(century_seconds=64_800, plan=(16,), **BY_POST))
    book.wait(evening(2) - 10 * MINUTE - DAWN)
    declared = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0]
    assert declared.due == evening(2) - MARGIN
    book.when(Pause(), GM)
    book.now += 2 * MINUTE
    book.when(Resume(), GM)
    assert book.state.era.activity_ends_at == evening(2) - MARGIN
    war = book.state.wars[declared.war]
    assert war.due == book.state.timers[f"war:{war.id}"].due == evening(2) - MARGIN
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


@pytest.mark.rule("G2-TIME-2")
def test_a_time_zone_that_is_none_is_refused_where_the_game_is_configured() -> None:
    book = lobby()
    with refused("zone.unknown", book.state):
        book.when(ConfigureGame(options=Gods2Options(time_zone="Europe/Atlantis")), by=HOST)
