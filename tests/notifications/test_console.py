"""The console shows how mails and pushes fare: for support, without an address, a key or what was told."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import NotificationDigest, User
from core.ids import derived_id
from games.models import MailState, Notification, NotificationKind, NotificationMail, NotificationPush
from tests.notifications.told import Told

MODELS = (NotificationMail, NotificationPush, NotificationDigest)


@pytest.fixture
def page(db: None) -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="five-leaves-in-the-well"))
    return client


def list_of(page: Client, model: Any, **query: str) -> str:
    answer = page.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def send(game: Told, user: User, number: int, **fields: Any) -> None:
    """A mail, a push and the mail of a day to somebody, as far as these fields say."""
    about = Notification.objects.create(
        id=derived_id(game.cairns.game.pk, f"about:{number}"), game=game.cairns.game, user=user,
        kind=NotificationKind.CHAPTER, key=f"chapter:{number}",
    )  # fmt: skip
    common = {"next_try_at": game.now, "attempts": 2} | fields
    of_game = derived_id(game.cairns.game.pk, f"sent:{number}")
    NotificationMail.objects.create(id=of_game, notification=about, **common)
    NotificationPush.objects.create(id=of_game, notification=about, subscription=of_game, **common)
    NotificationDigest.objects.create(id=of_game, user=user, moment=game.now, **common)


@pytest.mark.parametrize("model", MODELS)
def test_a_list_says_how_sending_fares_and_no_address(game: Told, page: Client, model: Any) -> None:
    ann = game.cairns.ann
    User.objects.filter(pk=ann.pk).update(email="ann@people.example", confirmed_email="ann@people.example")
    send(game, ann, 1, state=MailState.PENDING, error="SMTPServerDisconnected")
    send(game, game.cairns.bob, 2, state=MailState.FAILED, error="status.413")
    text = list_of(page, model)
    assert "SMTPServerDisconnected" in text and "status.413" in text
    assert str(ann) in text and str(game.cairns.bob) in text and "people.example" not in text
    found = list_of(page, model, q="Disconnected")
    assert "SMTPServerDisconnected" in found and "status.413" not in found
    assert "status.413" in list_of(page, model, q=game.cairns.bob.username)
    failed = list_of(page, model, state__exact="failed")
    assert "status.413" in failed and "SMTPServerDisconnected" not in failed
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row = page.get(reverse(f"{name}_change", args=[model._default_manager.first().pk]))
    assert row.status_code == 200 and "people.example" not in row.content.decode()
    assert page.get(reverse(f"{name}_add")).status_code == 403
    assert page.post(reverse(f"{name}_delete", args=[model._default_manager.first().pk])).status_code == 403


@pytest.mark.parametrize("model", MODELS)
def test_a_longer_list_costs_no_more_queries(game: Told, page: Client, model: Any) -> None:
    asked = []
    for count in (2, 9):
        for number in range(count):
            send(game, (game.cairns.ann, game.cairns.bob)[number % 2], 10 * count + number)
        list_of(page, model)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            list_of(page, model)
        asked.append(len(queries))
    assert asked[0] == asked[1]
