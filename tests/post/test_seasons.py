"""A season by post of each ruleset: deadlines fall when the docs say, and each is told what the log calls for, once.

Four people in four time zones, whose host leads where the game asks somebody for that. One goes on vacation, one gives
their seat away, one is silent until a bot stands in and comes back; by votes a deadline is put off, the game is paused
and goes on, and what goes on is ended. Summer time begins, or ends, in that pause; the service is off for a day. The
short form ends after the first days.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, timedelta

import pytest
from django.utils import timezone

from games.engine.game_state import dump
from games.models import LoggedEvent
from tests import forms
from tests.post.by_log import HOUR_OF_SLOT, REST, ZONE, Ping
from tests.post.season import BY_MAIL, HOURS, MAIL_KINDS, OFF_FOR, SUBSTITUTE, VOTES, Season
from tests.post.season_log import VOTES as VOTE_WINDOWS
from tests.post.season_log import SeasonLog, pings_of
from tests.post.seasons import ABANDONED_AFTER, EXCUSES, SEASONS

pytestmark = pytest.mark.django_db
FIRST_DAYS = timedelta(days=2)
LONGEST = 180
"""Days in which every game is over."""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", sorted(SEASONS))
def test_in_a_season_by_post_deadlines_fall_when_they_should_and_each_is_told_what_the_log_calls_for_once(
    ruleset: str, monkeypatch, settings
) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example"
    season = Season.opened(SEASONS[ruleset], ruleset)
    monkeypatch.setattr(timezone, "now", lambda: season.now)
    season.play(season.facts.begin + (FIRST_DAYS if forms.SHORT else timedelta(days=LONGEST)))

    log = SeasonLog(season.facts, season.names)
    told, returned = pings_of(log, LoggedEvent.objects.filter(game=season.table.id), season.looks, HOURS)
    _assert_told(season, told, returned)
    _assert_deadlines(season, log)
    assert season.table.events_of("TimerRefused", "TimerFailed", "BotPassed") == []
    assert dump(season.state) == dump(season.table.state)
    season.table.rows_agree()
    if not forms.SHORT:
        assert season.is_over and len(season.table.events_of("GameFinished")) == 1
        if not forms.AT_RANDOM:
            _assert_whole(season, log, told)


def _assert_told(season: Season, told: Sequence[Ping], returned: Sequence[Ping]) -> None:
    """Nobody is told too much, too late or too little; what comes back is not new, and not mailed again."""
    wanted = Counter(told)
    assert (sorted(wanted - Counter(season.told)), sorted(Counter(season.told) - wanted)) == ([], [])
    assert {ping for ping, count in wanted.items() if count > 1 and ping[2] != "attacked"} == set()
    assert Counter(season.returned) == Counter(returned)
    assert season.mailed == sorted(at for at, name, kind, _ in told if name == BY_MAIL and kind in MAIL_KINDS)


def _assert_deadlines(season: Season, log: SeasonLog) -> None:
    """All of an hour or more fall at the slot, on no day of rest; when each should, `pings_of` has compared."""
    there = {due.astimezone(ZONE) for due in log.dues}
    assert {(due.hour, due.minute, due.second) for due in there} == {(HOUR_OF_SLOT, 0, 0)}
    assert REST not in {due.weekday() for due in there}
    kinds = {each["kind"] for each in season.table.events_of("PromptOpened")}
    assert kinds <= {*season.facts.windows, *season.facts.open_ended, *VOTE_WINDOWS}


def _assert_whole(season: Season, log: SeasonLog, told: Sequence[Ping]) -> None:
    """All was in it that a season is about. One at random may be over too soon, or have nothing due that nobody did."""
    table, ron, ria = season.table, str(season.holders["ron"]), str(season.holders[SUBSTITUTE])
    assert {due.astimezone(UTC).hour for due in log.dues} == {19, 18}
    assert [each["seat"] for each in table.events_of("AbsenceExcused")] == [ron] * EXCUSES
    assert [seat for seat, _, _ in log.missed] == [ron] * ABANDONED_AFTER
    assert [each["seat"] for each in table.events_of("SeatAbandoned")] == [ron]
    assert [each["seat"] for each in table.events_of("HandedOver")] == [ria, ron], "a substitute, then who is back"
    votes = [(each["subject"], each["passed"]) for each in table.events_of("VoteSettled") if not each["refused"]]
    assert votes == [(subject, True) for subject, _ in VOTES]
    inside = {(each["subject"], each["refused"]) for each in table.events_of("VoteSettled") if each["refused"]}
    assert inside <= {("end", "prompt.open"), ("extend", "timer.frozen")}, "an inner question comes first"
    assert len(table.events_of("Paused")) == len(table.events_of("Resumed")) == 1
    assert len(table.events_of("VacationTaken")) == 1
    given_away = LoggedEvent.objects.filter(game=table.id, type="HandedOver").earliest("seq").at
    assert not any(name == "ria" and at > given_away for at, name, _, _ in told)
    assert any(name == SUBSTITUTE and kind == "asked" for _, name, kind, _ in told)
    assert season.off is not None
    assert not LoggedEvent.objects.filter(game=table.id, at__gt=season.off[0], at__lt=season.off[1]).exists()
    (slip,) = log.slips
    assert slip[0] == season.off[1] and timedelta() < slip[1] < OFF_FOR
