"""One's own notifications in both APIs: pages, count, reading, settings; other people's are missing."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import NotificationSettings, Scope, User
from games.models import Notification
from tests.api.worlds import bearer
from tests.notifications.told import Told

LIST, COUNT, READ = "/api/v1/me/notifications/", "/api/v1/me/notifications/count/", "/api/v1/me/notifications/read/"
SETTINGS = "/api/v1/me/notification-settings/"


def get(user: User, address: str) -> Any:
    answer = Client().get(address, headers=bearer(user, Scope.READ))
    assert answer.status_code == 200, answer.content
    return answer.json()


def send(user: User, address: str, body: dict[str, Any], method: str = "post") -> Any:
    return getattr(Client(), method)(address, body, content_type="application/json", headers=bearer(user))


def graph(user: User, query: str, *scopes: Scope) -> Any:
    body = {"query": query}
    answer = Client().post("/graphql/", body, content_type="application/json", headers=bearer(user, *scopes)).json()
    assert "errors" not in answer, answer
    return answer["data"]


@pytest.fixture
def asked(game: Told) -> Told:
    """Ann and Bob are asked, and have been told."""
    game.propose()
    game.follow()
    return game


def test_the_list_says_what_is_so_in_words(asked: Told) -> None:
    ann = asked.cairns.ann
    (row,) = get(ann, LIST)["results"]
    assert row | {"id": None} == {
        "id": None,
        "kind": "asked",
        "game": str(asked.cairns.game.pk),
        "game_name": "Cairns",
        "ruleset": "toy",
        "seat": str(asked.cairns.seat(ann)),
        "role": "player",
        "message": "You are asked: More salt?",
        "due": "2026-03-02T12:00:00Z",
        "created_at": "2026-03-01T12:00:00Z",
        "read_at": None,
    }
    fields = "id kind game gameName ruleset seat role message due createdAt readAt"
    (same,) = graph(ann, f"{{ notifications {{ {fields} }} }}", Scope.READ)["notifications"]
    assert (same["id"], same["message"], same["gameName"]) == (row["id"], row["message"], "Cairns")
    assert get(asked.cairns.host, LIST)["results"] == []


def test_pages_have_every_row_once_in_both_directions_and_in_graphql(asked: Told) -> None:
    ann, (first,) = asked.cairns.ann, asked.rows(asked.cairns.ann)
    for number in range(6):  # three and three at one moment
        copy = Notification.objects.get(pk=first.pk)
        copy.pk, copy.key, copy.created_at = uuid4(), f"x{number}", asked.now.replace(hour=13 + number % 2)
        copy.save(force_insert=True)
    whole = [row["id"] for row in get(ann, LIST)["results"]]
    assert len(whole) == 7
    seen, page = [], get(ann, f"{LIST}?limit=2")
    while True:
        seen += [row["id"] for row in page["results"]]
        if page["next"] is None:
            break
        page = get(ann, page["next"])
    assert seen == whole
    back = get(ann, page["previous"])
    assert [row["id"] for row in back["results"]] == whole[4:6]
    behind = graph(ann, f'{{ notifications(before: "{whole[4]}") {{ id }} }}')["notifications"]
    assert [row["id"] for row in behind] == whole[5:]


def test_what_is_read_is_counted_no_more(asked: Told) -> None:
    ann, bob = asked.cairns.ann, asked.cairns.bob
    (row,) = get(ann, LIST)["results"]
    assert get(ann, COUNT) == {"unread": 1} == graph(ann, "{ unread: unreadNotifications }")
    assert send(ann, READ, {"ids": [row["id"]]}).json() == {"unread": 0}
    assert get(ann, f"{LIST}?unread=1")["results"] == [] and get(ann, LIST)["results"][0]["read_at"]
    assert graph(ann, "{ notifications(unread: true) { id } }") == {"notifications": []}
    (row,) = get(bob, LIST)["results"]
    mutation = f'mutation {{ it: readNotifications(upTo: "{row["id"]}") {{ ... on NotificationsRead {{ unread }} }} }}'
    assert graph(bob, mutation) == {"it": {"unread": 0}}


def test_all_up_to_one_leaves_newer_ones_unread(asked: Told) -> None:
    ann = asked.cairns.ann
    asked.pass_time(hours=1)
    asked.vote(ann)
    asked.follow()
    (newer,) = asked.rows(ann)
    older = Notification.objects.get(user=ann, kind="asked")
    Notification.objects.filter(pk=older.pk).update(gone_at=None)
    assert send(ann, READ, {"up_to": str(older.pk)}).json() == {"unread": 1}
    assert send(ann, READ, {"up_to": str(newer.pk)}).json() == {"unread": 0}


def test_other_peoples_are_missing_and_stay_unread(asked: Told) -> None:
    ann, bob = asked.cairns.ann, asked.cairns.bob
    (row,), (own,) = asked.rows(bob), asked.rows(ann)
    for body in ({"ids": [str(own.pk), str(row.pk)]}, {"up_to": str(row.pk)}, {"ids": [str(uuid4())]}):
        assert send(ann, READ, body).status_code == 404
    query = f'mutation {{ it: readNotifications(ids: ["{row.pk}"]) {{ ... on Refusal {{ code }} }} }}'
    assert graph(ann, query)["it"]["code"] == "thing.missing"
    assert not Notification.objects.exclude(read_at=None).exists()


@pytest.mark.parametrize("body", [{}, {"ids": [], "up_to": str(uuid4())}, {"ids": ["x"]}, {"all": True}])
def test_what_is_neither_ids_nor_up_to_one_is_refused(asked: Told, body: dict[str, Any]) -> None:
    assert send(asked.cairns.ann, READ, body).status_code == 422


def test_nobody_and_tokens_that_only_look_are_refused(asked: Told) -> None:
    for address in (LIST, COUNT, SETTINGS):
        assert Client().get(address).json()["code"] == "token.needed"
    reads = bearer(asked.cairns.ann, Scope.READ)
    answer = Client().post(READ, {"ids": []}, content_type="application/json", headers=reads)
    assert answer.json()["code"] == "token.scope"


def test_settings_have_defaults_and_keep_what_is_left_out(asked: Told) -> None:
    ann, game = asked.cairns.ann, str(asked.cairns.game.pk)
    defaults = {"time_zone": "UTC", "deadline_hours": 6, "kinds_off": [], "games_off": []}
    defaults |= {"mail_kinds": [], "push_kinds_off": [], "quiet_from": "", "quiet_to": "", "mail_digest": ""}
    assert get(ann, SETTINGS) == defaults and not NotificationSettings.objects.exists()
    changed = send(ann, SETTINGS, {"time_zone": "Asia/Kathmandu", "games_off": [game, game]}, "patch")
    assert changed.json() == defaults | {"time_zone": "Asia/Kathmandu", "games_off": [game]}
    changed = graph(
        ann,
        'mutation { it: changeNotificationSettings(deadlineHours: 0, kindsOff: ["turn"]) '
        "{ ... on NotificationSettingsChanged { settings { timeZone deadlineHours kindsOff gamesOff } } } }",
    )
    settings = {"timeZone": "Asia/Kathmandu", "deadlineHours": 0, "kindsOff": ["turn"], "gamesOff": [game]}
    assert changed["it"]["settings"] == settings
    assert graph(ann, "{ it: notificationSettings { timeZone deadlineHours kindsOff gamesOff } }")["it"] == settings
    assert get(asked.cairns.bob, SETTINGS) == defaults


@pytest.mark.parametrize(
    "body",
    [
        {"time_zone": "Mars/Olympus"},
        {"time_zone": "../etc/passwd"},
        {"deadline_hours": 73},
        {"deadline_hours": -1},
        {"kinds_off": ["war"]},
        {"games_off": ["x"]},
        {"quiet": True},
    ],
)
def test_settings_that_are_none_are_refused_in_both(asked: Told, body: dict[str, Any]) -> None:
    answer = send(asked.cairns.ann, SETTINGS, body, "patch")
    assert answer.status_code == 422 and not NotificationSettings.objects.exists()
    assert answer.json()["errors"][0]["pointer"].startswith(f"/{next(iter(body))}")
