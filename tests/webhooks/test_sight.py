"""What a webhook is sent is what its owner may read when it is sent: of secrets, seats that go, people who leave."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Token, User
from accounts.oauth.models import Application
from accounts.oauth.services import revoke_application
from accounts.retirement import retire
from api.common.authentication import Principal
from api.webhooks import subscriptions
from api.webhooks.subscriptions import Wish
from games.engine.lifecycle.messages import EVERYBODY, SendMessage
from games.models import DeliveryState, Seat, Webhook
from tests.api.people import asking
from tests.games.cairns import table
from tests.toy.rules.commands import HideCoins
from tests.webhooks.receivers import Receiver
from tests.webhooks.subscribed import Subscribed, subscribed

_HOUR = timedelta(hours=1)


def events(receiver: Receiver, path: str = "200") -> list[dict[str, Any]]:
    return [event for body in receiver.bodies(path) for event in body["data"]["events"]]


def play(game: Subscribed) -> None:
    """Something public, something of Ann's alone, something public."""
    game.add_stones(2)
    game.cairns.run(HideCoins(coins=7), game.cairns.ann)
    game.cairns.run(HideCoins(coins=5), game.cairns.bob)
    game.add_stones(1)


def test_each_is_sent_exactly_what_their_log_has(game: Subscribed, receiver: Receiver):
    eve = User.objects.create_user(username="eve", password="x")
    cairns = game.cairns
    looks = {
        "200": (eve, {}, ""),
        "201": (cairns.ann, {}, ""),
        "202": (cairns.bob, {"seat": cairns.seat(cairns.bob)}, f"&seat={cairns.seat(cairns.bob)}"),
        "204": (cairns.host, {"as_gm": True}, "&as=gm"),
    }
    begun = {path: _log(game, user, query)["cursor"] for path, (user, _, query) in looks.items()}
    for path, (user, more, _) in looks.items():
        game.subscribe(user, receiver.url(path), **more)
    play(game)
    game.deliver_all()
    for path, (user, _, query) in looks.items():
        assert events(receiver, path) == _log(game, user, f"&after={begun[path]}{query}")["results"]
    hidden = {path: [e["type"] for e in events(receiver, path)].count("toy.CoinsHidden") for path in looks}
    assert hidden == {"200": 0, "201": 1, "202": 1, "204": 2}


def _log(game: Subscribed, user: User, query: str) -> dict[str, Any]:
    address = f"/api/v1/games/{game.cairns.game.pk}/events/?limit=500{query}"
    page: dict[str, Any] = asking(user).get(address).json()
    return page


@pytest.mark.rule("CF-9")
def test_no_webhook_but_the_writers_own_says_who_wrote_an_anonymous_message(db, private_nets, receiver: Receiver):
    game = Subscribed(table('{"tide_seconds": 3600, "press": "anonymous"}'))
    cairns, looks = game.cairns, {}
    eve = User.objects.create_user(username="eve", password="x")
    for path, user, more in (
        ("200", eve, {}),
        ("201", cairns.ann, {}),
        ("202", cairns.bob, {}),
        ("204", cairns.host, {"as_gm": True}),
    ):
        looks[path] = game.subscribe(user, receiver.url(path), **more)
    for to in (EVERYBODY, str(cairns.seat(cairns.bob))):
        cairns.run(SendMessage(to=(to,), text="unspeakable"), cairns.ann)
    game.deliver_all()
    sent, own = "core.AnonymousMessageSent", "core.MessageSent"
    expected = {"200": [sent], "201": [sent, own, own], "202": [sent, sent], "204": [sent]}
    assert {path: [event["type"] for event in events(receiver, path)] for path in looks} == expected
    for path in looks:
        assert (str(cairns.seat(cairns.ann)) in str(receiver.bodies(path))) == (path == "201")


def test_what_happens_in_secret_sends_a_stranger_no_message_and_changes_none(game: Subscribed, receiver: Receiver):
    eve = User.objects.create_user(username="eve", password="x")
    webhook = game.subscribe(eve, receiver.url())
    game.cairns.run(HideCoins(coins=7), game.cairns.ann)
    game.deliver_all()
    assert receiver.got == [] and game.deliveries(webhook) == []
    assert game.take() == []


def test_what_a_lost_seat_might_read_is_left_out_of_a_message_that_waits(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url("500"))
    play(game)
    game.deliver()
    assert "toy.CoinsHidden" in [event["type"] for event in events(receiver, "500")]
    Seat.objects.filter(user=game.cairns.ann).update(user=None)
    Webhook.objects.update(url=receiver.url())
    game.pass_time(seconds=10)
    game.deliver_all()
    assert "toy.CoinsHidden" not in [event["type"] for event in events(receiver)]
    assert receiver.ids() == receiver.ids("500")
    assert game.deliveries(webhook)[0].state == DeliveryState.DELIVERED


def test_a_message_of_which_nothing_is_left_to_read_is_dropped(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url("500"))
    game.cairns.run(HideCoins(coins=7), game.cairns.ann)
    game.deliver()
    Seat.objects.filter(user=game.cairns.ann).update(user=None)
    game.pass_time(seconds=10)
    game.deliver()
    assert game.deliveries(webhook) == [] and len(receiver.got) == 1


def test_who_named_a_seat_and_lost_it_is_switched_off(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url(), seat=game.cairns.seat(game.cairns.ann))
    gm = game.subscribe(game.cairns.host, receiver.url(), as_gm=True)
    play(game)
    Seat.objects.filter(user__in=[game.cairns.ann, game.cairns.host]).update(user=None)
    game.deliver_all()
    for row, reason in ((webhook, "seat.missing"), (gm, "gm.missing")):
        row.refresh_from_db()
        assert (row.is_active, row.reason) == (False, reason)
    assert receiver.got == []


def test_who_is_out_of_a_private_game_is_switched_off(db, private_nets, receiver: Receiver):
    game = subscribed(start=False)
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    type(game.cairns.game).objects.update(is_public=False)
    Seat.objects.filter(user=game.cairns.ann).update(user=None)
    game.cairns.game.refresh_from_db()
    type(game.cairns.game).objects.update(seq=game.cairns.game.seq + 1)
    game.deliver_all()
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.reason) == (False, "game.missing")


def test_who_retires_leaves_no_webhook(game: Subscribed, receiver: Receiver):
    game.subscribe(game.cairns.ann, receiver.url())
    retire(game.cairns.ann)
    game.add_stones()
    game.deliver_all()
    assert receiver.got == [] and not Webhook.objects.exists()


@pytest.fixture
def application(db) -> Application:
    return Application.objects.create(
        name="Watcher",
        redirect_uris="https://app.example/back",
        scope_words="read play gm",
    )


def signed_in(user: User, application: Application, game: Subscribed) -> Principal:
    token = Token.objects.create(
        user=user, application=application, name="x", prefix="12345678", digest=f"{user.pk.hex:0>64}"[:64],
        scope_words="read play", expires_at=game.now + _HOUR,
    )  # fmt: skip
    return Principal(user, token)


def test_what_an_application_made_ends_with_its_sign_in(game: Subscribed, receiver: Receiver, application):
    for user, end in ((game.cairns.ann, "revoked"), (game.cairns.bob, "expired"), (game.cairns.host, "application")):
        principal = signed_in(user, application, game)
        wish = Wish(url=receiver.url(), game=game.cairns.game.pk)
        subscriptions.create(principal, wish, game.now)
        game.add_stones()
        game.deliver_all()
        assert len(receiver.got) == 1, end
        if end == "revoked":
            Token.objects.update(revoked_at=game.now)
        elif end == "expired":
            game.pass_time(hours=2)
        else:
            revoke_application(application)
        game.add_stones()
        game.deliver_all()
        assert len(receiver.got) == 1, end
        assert not Webhook.objects.exists()
        receiver.got.clear()


def test_an_application_sees_its_own_alone(game: Subscribed, receiver: Receiver, application):
    game.subscribe(game.cairns.ann, receiver.url())
    principal = signed_in(game.cairns.ann, application, game)
    made, _ = subscriptions.create(principal, Wish(url=receiver.url(), game=game.cairns.game.pk), game.now)
    assert subscriptions.webhooks_for(principal) == [made]
    assert len(subscriptions.webhooks_for(Principal(game.cairns.ann))) == 2
