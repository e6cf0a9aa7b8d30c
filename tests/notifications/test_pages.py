"""The bell and the page of notifications."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Notification
from tests.notifications.told import Told

PAGE = "/notifications/"


@pytest.fixture
def ann(game: Told) -> Client:
    """Ann, who is asked and was told."""
    game.propose()
    game.follow()
    client = Client()
    client.force_login(game.cairns.ann)
    return client


def test_the_bell_counts_what_is_unread_on_the_home_page_and_at_the_seat(game: Told, ann: Client) -> None:
    seat = reverse("seat", args=[game.cairns.game.pk, game.cairns.seat(game.cairns.ann)])
    for address in (reverse("home"), seat):
        assert "(1 unread)" in ann.get(address).content.decode()
    Notification.objects.update(read_at=game.now)
    assert "unread)" not in ann.get(reverse("home")).content.decode()
    assert "Notifications" not in Client().get(reverse("home")).content.decode()


def test_the_page_lists_them_in_the_readers_zone_and_leads_to_the_seat(game: Told, ann: Client) -> None:
    game.wish(game.cairns.ann, time_zone="Asia/Kathmandu")
    text = ann.get(PAGE).content.decode()
    assert "You are asked: More salt?" in text and "until 2 Mar 2026, 17:45" in text
    assert reverse("seat", args=[game.cairns.game.pk, game.cairns.seat(game.cairns.ann)]) in text
    assert ann.get(f"{PAGE}?before=x").status_code == 404


def test_one_and_all_are_marked_as_read_and_others_are_missing(game: Told, ann: Client) -> None:
    (mine,), (bobs,) = game.rows(game.cairns.ann), game.rows(game.cairns.bob)
    for field in ("read", "up_to"):
        assert ann.post(PAGE, {field: str(bobs.pk)}).status_code == 404
        assert ann.post(PAGE, {field: str(mine.pk)})["Location"] == PAGE
        assert game.rows(game.cairns.ann)[0].read_at is not None
        Notification.objects.filter(pk=mine.pk).update(read_at=None)
    assert game.rows(game.cairns.bob)[0].read_at is None


def test_the_form_stores_settings_and_says_what_is_wrong_with_them(game: Told, ann: Client) -> None:
    pk = str(game.cairns.game.pk)
    sent = {"time_zone": "Europe/Berlin", "deadline_hours": "12", "kind": ["asked", "over"], "game": pk, "off": pk}
    assert ann.post(PAGE, sent)["Location"] == PAGE
    text = ann.get(PAGE).content.decode()
    assert 'value="Europe/Berlin"' in text and 'value="12"' in text and text.count(" checked") == 3
    refused = ann.post(PAGE, sent | {"time_zone": "Europe/Atlantis"})
    assert refused.status_code == 422 and "no such time zone" in refused.content.decode()
    assert ann.post(PAGE, sent | {"off": []})["Location"] == PAGE
    assert ann.get(PAGE).content.decode().count(" checked") == 2


def test_who_is_not_signed_in_is_asked_to(game: Told) -> None:
    assert Client().get(PAGE)["Location"].startswith(reverse("log-in"))
    assert Client().post(PAGE, {"time_zone": "UTC"}).status_code == 401
