"""News of games by e-mail: once each, while it stands, to those who want it, and by a mail server that may be away."""

import re
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any
from uuid import UUID

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.errors import AccountError
from accounts.models import User
from api.common.exceptions import Fault
from api.notifications import mailing, sending
from api.notifications.addresses import PATHS, stop_key
from api.notifications.reading import read_up_to
from api.notifications.wishes import wishes_for
from config.logs import redact
from games.engine.audience import seat_and_gm
from games.models import MailState, Notification, NotificationKind, NotificationMail, Prompt
from games.runtime import failpoints
from tests.api.worlds import bearer
from tests.notifications.told import Told

IDS = ("0f0e0d0c-0b0a-4909-8807-060504030201", "1f0e0d0c-0b0a-4909-8807-060504030201")
SETTINGS = "/api/v1/me/notification-settings/"


@pytest.fixture(autouse=True)
def sends(settings) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example/"


def confirm(user: User) -> None:
    services.change_profile(user, email=f"{user.username}@people.example")
    User.objects.filter(pk=user.pk).update(confirmed_email=user.email)


@pytest.fixture
def mailed(game: Told) -> Told:
    """Ann wants to be mailed that she is asked; Bob wants nothing mailed."""
    confirm(game.cairns.ann)
    confirm(game.cairns.bob)
    game.wish(game.cairns.ann, mail_kinds=["asked", "deadline"])
    return game


def post(game: Told) -> list[EmailMessage]:
    """What the worker sends now."""
    before = len(mail.outbox)
    game.follow()
    mailing.write_mails(game.now)
    for each in mailing.take(game.now, 10):
        mailing.deliver(each, lambda: game.now)
    return mail.outbox[before:]


def test_a_question_is_mailed_once_to_who_wants_it_and_says_what_the_list_says(mailed: Told) -> None:
    mailed.propose()
    (letter,) = post(mailed)
    ann = mailed.cairns.ann
    assert letter.to == [f"{ann.username}@people.example"] and letter.subject == "Cairns: You are asked: More salt?"
    seat = f"https://games.example/games/{mailed.cairns.game.pk}/seats/{mailed.cairns.seat(ann)}/"
    assert (
        letter.body.startswith("You are asked: More salt?\nUntil 02 Mar 2026, 12:00 (UTC).\n") and seat in letter.body
    )
    for _ in range(5):
        mailed.pass_time(minutes=10)
        assert post(mailed) == []


def test_the_process_that_sends_it_serves_no_pages(mailed: Told, settings) -> None:
    """The kind: an address that is looked up in a table which the worker has not."""
    for name, path in PATHS.items():
        assert reverse(name, args=list(map(UUID, IDS[: path.count("{}")]))) == path.format(*IDS)
    settings.ROOT_URLCONF = ""
    mailed.propose()
    (letter,) = post(mailed)
    assert "https://games.example/answer/theoask_" in letter.body


def test_what_is_answered_or_read_before_it_goes_out_is_not_mailed(mailed: Told) -> None:
    mailed.wish(mailed.cairns.bob, mail_kinds=["asked"])
    mailed.propose()
    mailed.follow()
    assert mailing.write_mails(mailed.now) == 2
    mailed.vote(mailed.cairns.ann)
    read_up_to(mailed.cairns.bob.pk, mailed.rows(mailed.cairns.bob)[0].pk, mailed.now)
    assert post(mailed) == [] and not NotificationMail.objects.exists()


def test_what_stood_before_mail_was_wanted_is_not_mailed(game: Told) -> None:
    confirm(game.cairns.ann)
    game.propose()
    game.follow()
    game.pass_time(minutes=1)
    game.wish(game.cairns.ann, mail_kinds=["asked"])
    assert post(game) == []


def test_a_server_that_is_away_delays_and_loses_nothing(mailed: Told, monkeypatch) -> None:
    mailed.propose()
    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", _raise(ConnectionRefusedError()))
        pauses = []
        for _ in range(4):
            assert post(mailed) == []
            row = NotificationMail.objects.get()
            pauses.append(row.next_try_at - mailed.now)
            mailed.now = row.next_try_at - timedelta(seconds=1)
            assert mailing.take(mailed.now, 10) == []
            mailed.now = row.next_try_at
    assert pauses == sorted(pauses) and pauses[-1] > timedelta(minutes=20)
    assert (row.state, row.attempts, row.error) == (MailState.PENDING, 4, "ConnectionRefusedError")
    assert len(post(mailed)) == 1 and post(mailed) == []


def test_an_address_that_the_server_refuses_is_not_tried_again(mailed: Told, monkeypatch) -> None:
    mailed.propose()
    monkeypatch.setattr(EmailMessage, "send", _raise(SMTPRecipientsRefused({"a@b.example": (550, b"unknown")})))
    post(mailed)
    assert NotificationMail.objects.get().state == MailState.FAILED
    mailed.pass_time(hours=12)
    assert mailing.take(mailed.now, 10) == []


def test_a_worker_that_ends_between_sending_and_noting_sends_again_under_the_same_id(mailed: Told, monkeypatch) -> None:
    mailed.propose()
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0 if point == failpoints.MAIL_SENT else None)
        post(mailed)
    assert post(mailed) == []  # its lease stands
    mailed.now += sending.LEASE
    assert len(post(mailed)) == 1
    first, second = (each.extra_headers["Message-ID"] for each in mail.outbox)
    assert first == second == f"<{NotificationMail.objects.get().pk}@localhost>"
    assert post(mailed) == []


def test_quiet_hours_hold_a_mail_back_until_their_end_and_a_deadline_only_where_it_is_later(mailed: Told) -> None:
    ann = mailed.cairns.ann
    mailed.wish(ann, quiet_from="11:00", quiet_to="14:00")
    mailed.propose()  # at noon, until noon of the next day
    assert post(mailed) == []
    mailed.pass_time(hours=2)
    assert len(post(mailed)) == 1
    mailed.wish(ann, quiet_from="05:00", quiet_to="11:00")
    mailed.pass_time(hours=17)  # 07:00; the deadline is five hours off, and behind the quiet hours
    assert post(mailed) == []
    mailed.wish(ann, quiet_to="13:00")
    mailed.pass_time(hours=4)
    assert [each.subject for each in post(mailed)] == ["Cairns: Your deadline is near: More salt?"]


def test_a_mail_says_nothing_of_what_its_reader_may_not_see(mailed: Told) -> None:
    mailed.propose()
    mailed.follow()
    bob = mailed.cairns.seat(mailed.cairns.bob)
    Prompt.objects.update(audience=seat_and_gm(bob), question="The canary sings?")
    mailing.write_mails(mailed.now)
    for each in mailing.take(mailed.now, 10):
        mailing.deliver(each, lambda: mailed.now)
    assert mail.outbox and not any("canary" in str(each.message()) for each in mail.outbox)


def test_an_address_that_was_changed_gets_nothing(mailed: Told) -> None:
    mailed.propose()
    mailed.follow()
    mailing.write_mails(mailed.now)
    services.change_profile(User.objects.get(pk=mailed.cairns.ann.pk), email="else@people.example")
    assert post(mailed) == []


def test_one_click_ends_mail_and_opening_the_link_does_not(mailed: Told) -> None:
    mailed.propose()
    (letter,) = post(mailed)
    headers, ann = letter.extra_headers, mailed.cairns.ann
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    found = re.fullmatch(r"<https://games\.example(/mail-off/\w+/)>", headers["List-Unsubscribe"])
    assert found is not None and redact(found[1]) == "/mail-off/theostop_[hidden]/"
    browser = Client(enforce_csrf_checks=True)
    assert browser.get(found[1]).status_code == 200 and wishes_for(ann.pk).mail_kinds
    assert browser.post(found[1], {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert wishes_for(ann.pk).mail_kinds == () and wishes_for(ann.pk).mail_since is None


def test_a_key_of_another_ends_nothing(mailed: Told) -> None:
    ann, bob = mailed.cairns.ann, mailed.cairns.bob
    forged = stop_key(bob.pk).replace(bob.pk.hex, ann.pk.hex)
    for key in (forged, "theostop_", "x", stop_key(ann.pk)[:-1]):
        assert Client().post(f"/mail-off/{key}/").status_code == 404
    assert wishes_for(ann.pk).mail_kinds


def test_mail_is_refused_without_an_address_that_is_confirmed_and_where_none_is_sent(game: Told, settings) -> None:
    ann = game.cairns.ann
    with pytest.raises(AccountError, match="no e-mail address"):
        game.wish(ann, mail_kinds=["asked"])
    services.change_profile(ann, email="ann@people.example")
    with pytest.raises(AccountError, match="not confirmed"):
        game.wish(ann, mail_kinds=["asked"])
    settings.PUBLIC_URL = ""
    with pytest.raises(Fault, match="mails no news"):
        game.wish(ann, mail_kinds=["asked"])
    assert wishes_for(ann.pk).mail_kinds == ()


def test_rest_and_graphql_set_it_alike_and_refuse_what_is_no_time_of_day(mailed: Told) -> None:
    ann = mailed.cairns.ann

    def change(body: dict[str, Any]) -> Any:
        return Client().patch(SETTINGS, body, content_type="application/json", headers=bearer(ann))

    assert change({"quiet_from": "22:00", "quiet_to": "07:00"}).status_code == 200
    query = """mutation { changeNotificationSettings(mailKinds: ["turn"]) {
        ... on NotificationSettingsChanged { settings { mailKinds quietFrom quietTo } } } }"""
    answer = Client().post("/graphql/", {"query": query}, content_type="application/json", headers=bearer(ann)).json()
    settings = answer["data"]["changeNotificationSettings"]["settings"]
    assert settings == {"mailKinds": ["turn"], "quietFrom": "22:00", "quietTo": "07:00"}
    for wrong in ("24:00", "7:00", "22:00\n", "noon"):
        assert change({"quiet_from": wrong}).status_code == 422
    assert change({"quiet_from": ""}).json()["quiet_from"] == ""
    assert not Notification.objects.exists()


def test_the_page_sets_it_and_says_why_it_is_refused(game: Told) -> None:
    ann, browser = game.cairns.ann, Client()
    browser.force_login(ann)
    form = {"time_zone": "UTC", "deadline_hours": "6", "kind": list(NotificationKind), "mail": ["asked"]}
    form |= {"quiet_from": "22:00", "quiet_to": "07:00"}
    refused = browser.post("/notifications/", form)
    assert refused.status_code == 422 and "no e-mail address" in refused.content.decode()
    confirm(ann)
    assert browser.post("/notifications/", form).status_code == 302
    wishes = wishes_for(ann.pk)
    assert (wishes.mail_kinds, wishes.quiet_from, wishes.quiet_to) == (("asked",), "22:00", "07:00")


def _raise(error: Exception) -> Any:
    def send(self: EmailMessage, fail_silently: bool = False) -> int:
        raise error

    return send
