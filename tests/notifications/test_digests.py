"""One mail a day across all games, at a time of day on the reader's wall: each thing once, and only while it stands."""

import re
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.models import NotificationDigest, User
from api.notifications import digests, mailing
from api.notifications.quiet import last_time_of_day, next_time_of_day
from api.notifications.reading import read_up_to
from api.notifications.sending import LEASE
from api.notifications.wishes import wishes_for
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Extend, Start
from games.engine.lifecycle.seating import Join
from games.models import MailState, NotificationMail
from games.runtime import failpoints
from tests.api.worlds import bearer
from tests.games.cairns import NOON, Cairns
from tests.notifications.test_mailing import confirm
from tests.notifications.told import DAY_SECONDS, Told
from tests.toy.rules.commands import Propose

SETTINGS = "/api/v1/me/notification-settings/"
WEEK_SECONDS = 7 * DAY_SECONDS
"""By so much a deadline is put off at once, at most."""


@pytest.fixture(autouse=True)
def sends(settings) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example/"


@pytest.fixture
def daily(game: Told) -> Told:
    """Ann is mailed at 20:00 UTC what has come up; it is noon."""
    confirm(game.cairns.ann)
    game.wish(game.cairns.ann, mail_kinds=["asked", "deadline", "alone"], mail_digest="20:00")
    return game


def ask(game: Told, text: str = "More salt?", days: float = 3) -> None:
    """Ask both players of a game to vote within so many days."""
    before = set(game.cairns.state().prompts)
    game.run(Propose(text=text), game.cairns.ann)
    (motion,) = set(game.cairns.state().prompts) - before
    for timer, seconds in (
        (f"prompt:{motion}", int(days * DAY_SECONDS) - 600),
        ("tide", int((days + 2) * DAY_SECONDS)),
    ):
        for first in range(0, seconds, WEEK_SECONDS):
            game.run(Extend(timer=timer, seconds=min(WEEK_SECONDS, seconds - first)), game.cairns.gm)


def another(game: Told, name: str) -> Told:
    """A second game of the same people."""
    people = game.cairns
    row = services.open_game(
        "toy", name, user=people.host.pk, options='{"tide_seconds": 3600, "vote_seconds": 600}', now=NOON
    )
    second = Cairns(row, people.host, people.ann, people.bob)
    for person in (people.ann, people.bob):
        services.run(row.pk, Join(name=person.username.title()), actor=Actor(Issuer.SEAT, person.pk), now=NOON)
    second.run(Start(), second.gm)
    return Told(second, game.now)


def post(game: Told) -> list[EmailMessage]:
    """What the worker sends now."""
    before = len(mail.outbox)
    game.follow()
    mailing.write_mails(game.now)
    for each in mailing.take(game.now, 10):
        mailing.deliver(each, game.clock)
    digests.write_digests(game.now)
    for each in digests.take(game.now, 10):
        digests.deliver(each, game.clock)
    return mail.outbox[before:]


def test_what_came_up_in_all_games_is_in_one_mail_a_day_the_nearest_deadline_first(daily: Told) -> None:
    ask(daily, days=3)
    second = another(daily, "Dolmens")
    ask(second, "A lintel?", days=2)
    assert post(daily) == []
    daily.pass_time(hours=7, minutes=59)
    assert post(daily) == []
    daily.pass_time(minutes=1)
    (letter,) = post(daily)
    assert letter.subject == "2 notifications of 2 games" and letter.to == ["ann@people.example"]
    body = str(letter.body)
    assert body.index("Dolmens\n=======\n") < body.index("A lintel?") < body.index("Cairns\n======\n")
    assert body.index("Cairns\n") < body.index("More salt?\nUntil 04 Mar 2026, 12:00 (UTC).")
    links = re.findall(r"https://games\.example(/answer/\w+/)", body)
    assert len(links) == 2 and "/mail-off/theostop_" in body
    for _ in range(3):
        daily.pass_time(hours=6)
        assert post(daily) == []


def test_the_links_of_the_mail_answer_and_what_is_answered_or_read_is_left_out(daily: Told, monkeypatch) -> None:
    monkeypatch.setattr(timezone, "now", daily.clock)
    second = another(daily, "Dolmens")
    third = another(daily, "Menhirs")
    for each in (daily, second, third):
        ask(each)
    daily.follow()
    ann = daily.cairns.ann
    daily.vote(ann)
    newest = daily.rows(ann)
    read_up_to(ann.pk, next(row.pk for row in newest if row.game_id == third.cairns.game.pk), daily.now)
    second_row = next(row for row in newest if row.game_id == second.cairns.game.pk)
    second_row.read_at = None
    second_row.save()
    daily.pass_time(hours=8)
    (letter,) = post(daily)
    assert letter.subject == "1 notification of 1 game"
    assert "Dolmens" in letter.body and "Cairns" not in letter.body and "Menhirs" not in letter.body
    found = re.search(r"https://games\.example(/answer/\w+/)", str(letter.body))
    assert found is not None and Client().get(found[1]).status_code == 200


def test_each_thing_is_in_one_mail_and_a_day_without_news_has_none(daily: Told) -> None:
    """The kind: yesterday's question again in today's mail."""
    ask(daily, days=4)
    daily.pass_time(hours=8)
    assert len(post(daily)) == 1
    daily.pass_time(days=1)
    assert post(daily) == []
    second = another(daily, "Dolmens")
    second.cairns.run(Propose(text="A lintel?"), second.cairns.ann, at=0)
    daily.pass_time(hours=1)
    assert post(daily) == []
    daily.pass_time(hours=23)
    letters = post(daily)
    assert len(letters) <= 1 and not any("salt" in str(each.body) for each in letters)
    ids = list(NotificationMail.objects.values_list("notification", "rewinds"))
    assert len(ids) == len(set(ids))


def test_what_would_be_over_by_then_comes_at_once(daily: Told) -> None:
    ask(daily, days=0.25)  # until 18:00
    (letter,) = post(daily)
    assert letter.subject == "Cairns: You are asked: More salt?"
    daily.pass_time(hours=8)
    assert post(daily) == []


def test_a_deadline_that_comes_near_and_is_over_before_the_next_mail_comes_at_once(daily: Told) -> None:
    daily.wish(daily.cairns.ann, deadline_hours=6)
    ask(daily, days=1.25)  # until 18:00 of the next day
    assert post(daily) == []
    daily.pass_time(hours=8)
    assert [each.subject for each in post(daily)] == ["1 notification of 1 game"]
    daily.pass_time(hours=16)  # noon of the next day
    assert [each.subject for each in post(daily)] == ["Cairns: Your deadline is near: More salt?"]


def test_a_worker_that_is_killed_loses_nothing_and_sends_again_under_the_same_id(daily: Told, monkeypatch) -> None:
    ask(daily)
    second = another(daily, "Dolmens")
    ask(second, "A lintel?")
    daily.pass_time(hours=8)
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0 if point == failpoints.MAIL_SENT else None)
        post(daily)
    third = another(daily, "Menhirs")  # comes up meanwhile, and is in no mail that may have gone out
    ask(third, "A circle?")
    assert post(daily) == []
    daily.now += LEASE
    assert len(post(daily)) == 1 and post(daily) == []
    first, again = mail.outbox
    assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"] and first.body == again.body
    daily.pass_time(days=1)
    (next_day,) = post(daily)
    assert "A circle?" in next_day.body and "salt" not in next_day.body
    assert next_day.extra_headers["Message-ID"] != first.extra_headers["Message-ID"]


def test_a_worker_that_is_killed_before_it_sends_loses_nothing(daily: Told, monkeypatch) -> None:
    ask(daily)
    daily.pass_time(hours=8)
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(digests, "_rows", lambda *_: 1 / 0)
        post(daily)
    daily.now += LEASE
    assert len(post(daily)) == 1 and post(daily) == []


def test_a_server_that_is_away_delays_it_and_one_that_refuses_leaves_it_for_the_next_day(
    daily: Told, monkeypatch
) -> None:
    ask(daily)
    daily.pass_time(hours=8)
    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", _raise(ConnectionRefusedError()))
        assert post(daily) == []
        row = NotificationDigest.objects.get()
        assert (row.state, row.error) == (MailState.PENDING, "ConnectionRefusedError")
        assert row.next_try_at > daily.now and digests.take(daily.now, 10) == []
        daily.now = row.next_try_at
        away.setattr(EmailMessage, "send", _raise(SMTPRecipientsRefused({"a@b.example": (550, b"unknown")})))
        assert post(daily) == []
    assert NotificationDigest.objects.get().state == MailState.FAILED
    assert post(daily) == []
    daily.pass_time(days=1)
    assert len(post(daily)) == 1


def test_a_change_of_mind_between_holds_for_what_waits(daily: Told, monkeypatch) -> None:
    """The kind: something that is lost, or told twice, where one mail becomes many or none."""
    ann = daily.cairns.ann
    ask(daily)
    daily.pass_time(hours=8)
    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", _raise(ConnectionRefusedError()))
        assert post(daily) == []
    daily.wish(ann, mail_digest="")
    daily.pass_time(minutes=1)
    assert post(daily) == [] and not NotificationDigest.objects.exists()
    assert [each.subject for each in post(daily)] == ["Cairns: You are asked: More salt?"]
    daily.wish(ann, mail_digest="21:00")
    daily.pass_time(hours=2)
    assert post(daily) == []
    second = another(daily, "Dolmens")
    ask(second, "A lintel?", days=4)
    daily.follow()
    daily.wish(ann, mail_kinds=[])
    daily.pass_time(days=1)
    assert post(daily) == []


def test_quiet_hours_hold_it_back_too(daily: Told) -> None:
    daily.wish(daily.cairns.ann, quiet_from="19:00", quiet_to="22:00")
    ask(daily)
    daily.pass_time(hours=8)
    assert post(daily) == []
    daily.pass_time(hours=2)
    assert len(post(daily)) == 1


def test_what_its_reader_may_not_see_or_whose_seat_is_gone_is_not_in_it(daily: Told) -> None:
    second = another(daily, "Dolmens")
    ask(daily)
    ask(second, "A lintel?")
    daily.follow()
    User.objects.filter(pk=daily.cairns.ann.pk).update(confirmed_email="else@people.example")
    daily.pass_time(hours=8)
    assert post(daily) == []
    User.objects.filter(pk=daily.cairns.ann.pk).update(confirmed_email="ann@people.example")
    second.cairns.game.seats.filter(user=daily.cairns.ann).update(user=None)
    (letter,) = post(daily)
    assert "More salt?" in letter.body and "lintel" not in letter.body and "Dolmens" not in letter.body


@pytest.mark.parametrize(
    ("day", "utc"),
    [
        (date(2026, 3, 28), "2026-03-28T01:30"),  # 02:30 at +1
        (date(2026, 3, 29), "2026-03-29T01:30"),  # skipped: 03:30 at +2
        (date(2026, 3, 30), "2026-03-30T00:30"),
        (date(2026, 10, 25), "2026-10-25T00:30"),  # twice: the first counts
        (date(2026, 10, 26), "2026-10-26T01:30"),
    ],
)
def test_a_time_of_day_is_once_on_each_day_over_both_changes_of_summer_time(day: date, utc: str) -> None:
    moment = datetime.fromisoformat(utc).replace(tzinfo=UTC)
    second = timedelta(seconds=1)
    assert last_time_of_day(moment, "Europe/Berlin", "02:30") == moment
    assert last_time_of_day(moment - second, "Europe/Berlin", "02:30") < moment - timedelta(hours=20)
    assert next_time_of_day(moment - second, "Europe/Berlin", "02:30") == moment
    assert next_time_of_day(moment, "Europe/Berlin", "02:30") > moment + timedelta(hours=20)
    assert day == moment.date()


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "Australia/Lord_Howe"])
@pytest.mark.parametrize("at", ["00:00", "01:30", "02:15", "02:45", "23:59"])
def test_a_year_has_as_many_mails_as_days(zone: str, at: str) -> None:
    now, found = datetime(2026, 1, 1, 12, tzinfo=UTC), []
    while len(found) < 365:
        now = next_time_of_day(now, zone, at)
        assert last_time_of_day(now, zone, at) == now
        found.append(now)
    gaps = {later - earlier for earlier, later in pairwise(found)}
    assert found[-1] - found[0] < timedelta(days=364, hours=2) and min(gaps) > timedelta(hours=22)


def test_over_the_beginning_of_summer_time_it_comes_at_the_hour_of_the_wall(daily: Told) -> None:
    daily.wish(daily.cairns.ann, time_zone="America/New_York", mail_digest="13:30")
    ask(daily, days=12)
    sent = []
    for moment in ("2026-03-01T18:29", "2026-03-01T18:30", "2026-03-08T01:00", "2026-03-08T17:29", "2026-03-08T17:30"):
        daily.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        if moment.endswith("01:00"):
            daily.vote(daily.cairns.bob)  # Ann is waited for alone
        sent.append(len(post(daily)))
    assert sent == [0, 1, 0, 0, 1]


def test_rest_graphql_and_the_page_set_it_alike_and_refuse_what_is_no_time_of_day(daily: Told) -> None:
    ann = daily.cairns.ann

    def change(body: dict[str, Any]) -> Any:
        return Client().patch(SETTINGS, body, content_type="application/json", headers=bearer(ann))

    assert change({"mail_digest": "07:00"}).json()["mail_digest"] == "07:00"
    query = """mutation { changeNotificationSettings(mailDigest: "08:15") {
        ... on NotificationSettingsChanged { settings { mailDigest } } } }"""
    answer = Client().post("/graphql/", {"query": query}, content_type="application/json", headers=bearer(ann)).json()
    assert answer["data"]["changeNotificationSettings"]["settings"] == {"mailDigest": "08:15"}
    for wrong in ("24:00", "7:00", "daily"):
        assert change({"mail_digest": wrong}).status_code == 422
    browser = Client()
    browser.force_login(ann)
    assert 'name="mail_digest" type="time" value="08:15"' in browser.get("/notifications/").content.decode()
    form = {"time_zone": "UTC", "deadline_hours": "6", "kind": ["asked"], "mail": ["asked"], "mail_digest": ""}
    assert browser.post("/notifications/", form).status_code == 302
    assert wishes_for(ann.pk).mail_digest == ""


def _raise(error: Exception) -> Any:
    def send(self: EmailMessage, fail_silently: bool = False) -> int:
        raise error

    return send
