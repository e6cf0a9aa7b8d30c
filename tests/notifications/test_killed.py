"""Workers that are killed: nothing is lost, and nothing is told twice but what could not be noted."""

import os
import signal
import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from django.db import connection

from accounts.models import NotificationDigest
from api.notifications import browsers, digests, pushing, sending
from games.models import MailState, Notification, NotificationMail, NotificationPush
from games.runtime import failpoints
from tests.notifications.pushed import VAPID_PRIVATE_KEY, VAPID_SUBJECT, Browser
from tests.notifications.test_digests import ask
from tests.notifications.test_smtp import taken, wish_mail
from tests.notifications.told import Told, told
from tests.webhooks.receivers import receiving

__all__ = ["taken"]
ROOT = Path(__file__).resolve().parents[2]


def test_what_was_written_before_a_fault_is_written_again_with_the_position(game: Told, monkeypatch) -> None:
    game.propose()
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0)
        game.follow()
    assert not Notification.objects.exists()
    assert game.follow() == 1 and Notification.objects.count() == 2


def work(now: datetime, folder: Path, point: str, *what: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One worker in a process of its own, on this test's database, killed at a point."""
    environment = (
        os.environ
        | more
        | {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"]),
            "THEOGONY_FAILPOINT": point,
            "TMPDIR": str(folder),
        }
    )
    command = [sys.executable, "-m", "tests.notifications.worker", now.isoformat(), *what]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_when_a_push_is_out_sends_it_again_in_its_place(tmp_path: Path, settings) -> None:
    game: Told = told()
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = VAPID_PRIVATE_KEY, VAPID_SUBJECT
    settings.WEBHOOK_PRIVATE_NETS = True
    with receiving() as service:
        browser = Browser(service.url("201"))
        browsers.subscribe(game.cairns.ann.pk, browsers.Wish(**browser.given), game.now)
        game.propose()
        game.follow()
        keys = {"VAPID_PRIVATE_KEY": VAPID_PRIVATE_KEY, "VAPID_SUBJECT": VAPID_SUBJECT, "WEBHOOK_PRIVATE_NETS": "1"}
        killed = work(game.now, tmp_path, failpoints.PUSH_SENT, "push", **keys)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert pushing.write_pushes(game.now) == 0 and pushing.take(game.now, 10) == [], "its lease lasts"
        game.now += sending.LEASE
        for _ in range(2):
            for each in pushing.take(game.now, 10):
                pushing.deliver(each, game.clock)
        (_, first, one), (_, second, other) = service.got
    assert first["topic"] == second["topic"] and browser.read(one) == browser.read(other)
    assert NotificationPush.objects.get().state == MailState.SENT


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("point", "sent"), [("mail.sent#2", [1, 2]), ("mail.noted", [1, 1])])
def test_a_worker_that_is_killed_among_the_mails_of_a_day_loses_none_and_repeats_only_what_it_had_not_noted(
    taken: list[bytes], tmp_path: Path, settings, point: str, sent: list[int]
) -> None:
    """The kind: a day's mail that is lost, in two versions, or sent again although it was noted.

    Twice, under one Message-ID, goes out what was sent and not noted: a mail server's answer and our row cannot be one.
    """
    game: Told = told()
    people = (game.cairns.ann, game.cairns.bob)
    for user in people:
        wish_mail(game, user)
        game.wish(user, mail_digest="20:00")
    ask(game, days=3)
    game.follow()
    game.pass_time(hours=8)
    server = {"EMAIL_HOST": settings.EMAIL_HOST, "EMAIL_PORT": str(settings.EMAIL_PORT), "EMAIL_TLS": "none"}
    killed = work(game.now, tmp_path, point, "digest", PUBLIC_URL=settings.PUBLIC_URL, **server)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert digests.write_digests(game.now) == 0 and len(taken) == sum(sent) - 1
    for pause in (sending.LEASE, timedelta(days=1)):
        game.now += pause
        digests.write_digests(game.now)
        for each in digests.take(game.now, 10):
            digests.deliver(each, game.clock)
    letters = [message_from_bytes(each) for each in taken]
    assert sorted(Counter(each["To"] for each in letters).values()) == sent
    assert {each["To"] for each in letters} == {f"{user.username}@people.example" for user in people}
    assert len({each["Message-ID"] for each in letters}) == 2
    assert len({(each["To"], each.get_payload()) for each in letters}) == 2, "sent again as it was"
    assert set(NotificationMail.objects.values_list("state", flat=True)) == {MailState.SENT}
    assert set(NotificationDigest.objects.values_list("state", flat=True)) == {MailState.SENT}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_follower_that_is_killed_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    game: Told = told()
    game.propose()
    killed = work(game.now, tmp_path, failpoints.NOTIFICATIONS_WRITTEN)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not Notification.objects.exists()
    assert game.follow() == 1
    assert Notification.objects.count() == 2
    assert game.follow() == 0
