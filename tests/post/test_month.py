"""A month by post of four people in four time zones: each is told what the log calls for, when it does, and once.

One of them answers from the links in their mail alone, and is mailed what they are told, when they are, and once.
"""

from collections import Counter
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from api.webhooks.chat import delivery
from tests.post import by_log
from tests.post.people import BEGIN, BY_MAIL, HOURS, MAIL_KINDS, MENTIONS, PEOPLE, Post

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.mark.timeout(400)
def test_in_a_month_by_post_each_person_is_told_what_the_log_calls_for_when_it_does_and_once(
    monkeypatch, settings
) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example"
    post = Post.opened()
    monkeypatch.setattr(timezone, "now", lambda: post.now)
    monkeypatch.setattr(delivery, "send", post.send)
    post.play()
    month = by_log.read_log(post.game.id)
    names = {str(seat): name for name, seat in post.game.seats.items()}

    assert post.now - BEGIN > timedelta(days=28)
    _assert_deadlines(post, month)
    assert post.returned == []
    wanted = Counter(by_log.pings(month, names, HOURS))
    assert Counter(post.told) == wanted
    assert max(wanted.values()) == 1
    assert {kind for _, _, kind, _ in wanted} == {"asked", "alone", "deadline", "attacked", "chapter", "over"}
    assert {by_albraxas for _, by_albraxas in month.attacks} == {True, False}
    for seq, asked, _ in post.standing:
        assert asked == by_log.owed(month, seq)
    _assert_lines(post, month, names)
    assert post.mailed == sorted(at for at, name, kind, _ in wanted if name == BY_MAIL and kind in MAIL_KINDS)
    mailed = {each.id for each in month.asked if str(post.game.seats[BY_MAIL]) in each.answers}
    assert len(mailed) > 15 and post.late_links == len(post.mailed) - len(mailed)
    post.game.rows_agree()


def _assert_deadlines(post: Post, month: by_log.Month) -> None:
    """Questions end when the calendar, grace and vacations say so, and the month has all of these in it."""
    excused = [(each.id, seat) for each in month.asked for seat in each.excused]
    assert sorted((each["prompt"], each["seat"]) for each in post.game.events_of("AbsenceExcused")) == sorted(excused)
    late = [(each.id, *sorted(each.late)) for each in month.asked if each.late]
    found = [(each["prompt"], *sorted(each["seats"])) for each in post.game.events_of("DeadlinePassed")]
    assert found == late
    assert all(each.closed for each in month.asked)
    assert len(month.asked) == 22
    assert len(excused) == by_log.EXCUSES  # Ron's alone: nobody else is late for a deadline
    assert {seat for each in month.asked for seat in each.late} == {str(post.game.seats["ron"])}
    assert {each.due.astimezone(ZoneInfo("Europe/Berlin")).hour for each in month.asked} == {20}
    assert {each.due.astimezone(UTC).hour for each in month.asked} == {19, 18}


def _assert_lines(post: Post, month: by_log.Month, names: dict[str, str]) -> None:
    """The channel is told of each turn, calls everybody once for each order, and its line is never behind."""
    everybody = sorted(text[2:-1] for text in MENTIONS.values())
    calling = [(at, sorted(called)) for at, _, called in post.posted if called]
    assert calling == [(each.opened, everybody) for each in month.asked if each.kind == "order"]
    told = [(at, line) for at, line, called in post.posted if not called]
    turns = [(at, f"Storm, Turn {number}: ") for number, at in enumerate(month.chapters, 1) if number > 1]
    assert [(at, line[: len(turn)]) for (at, line), (_, turn) in zip(told, turns, strict=False)] == turns
    assert [at for at, _ in told[len(turns) :]] == month.over
    orders = {each.id: each for each in month.asked if each.kind == "order"}
    for seq, _, line in post.standing:
        waiting = {(seat, question) for seat, question in by_log.owed(month, seq) if question in orders}
        for name in PEOPLE:
            is_named = any(names[seat] == name for seat, _ in waiting)
            assert (MENTIONS[name] in line) is is_named, line
        assert ("until" in line) is bool(waiting)
