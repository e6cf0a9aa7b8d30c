"""Endpoints: the events of all games of a person, those too that they join later; none missed, none of another seat."""

import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from accounts.models import Token, User, WebhookEndpoint
from accounts.oauth.models import Application
from accounts.retirement import retire
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.notifications import following
from api.webhooks import endpoint_rows, endpoints, subscriptions
from api.webhooks.endpoints import Wish
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.removal import RemoveSeat
from games.engine.lifecycle.seating import HandOver, Join
from games.models import Game, NotificationFollower, Seat, Webhook
from games.runtime import failpoints
from tests.faults.shared import another
from tests.games.cairns import NOON, Cairns
from tests.notifications.test_killed import work
from tests.toy.rules.commands import AddStones, HideCoins
from tests.webhooks.receivers import Receiver
from tests.webhooks.subscribed import Subscribed, subscribed

pytestmark = pytest.mark.skipif(
    bool(settings.PLACES), reason="A transaction keeps to one place: with two, tests/places/test_webhook_endpoints.py."
)
LONG = '{"tide_seconds": 3600}'


def endpoint_of(game: Subscribed, user: User, url: str, *kinds: str) -> WebhookEndpoint:
    return endpoints.create(Principal(user), Wish(url, kinds), game.now)[0]


def look(game: Subscribed) -> int:
    """Look at what has moved, as the worker does; how many games that were."""
    found = following.games_to_look_at(game.now, 10)
    for each in found:
        assert following.look_at(each, game.now)
    return len(found)


def events(receiver: Receiver, path: str = "200") -> list[dict[str, Any]]:
    return [event for body in receiver.bodies(path) for event in body["data"]["events"]]


def types(receiver: Receiver, path: str = "200") -> list[str]:
    return [event["type"] for event in events(receiver, path)]


def row_of(endpoint: WebhookEndpoint, game: Game) -> Webhook | None:
    return Webhook.objects.filter(endpoint=endpoint.pk, game=game).first()


def state_of(endpoint: WebhookEndpoint, game: Game) -> tuple[bool, str]:
    row = row_of(endpoint, game)
    assert row is not None
    return row.is_active, row.reason


def lobby_of(game: Subscribed, name: str = "Later") -> Cairns:
    """One more game of the same host, not begun, without Ann."""
    cairns = game.cairns
    opened = services.open_game("toy", name, user=cairns.host.pk, options=LONG, now=NOON)
    return Cairns(opened, cairns.host, cairns.ann, cairns.bob)


def join(cairns: Cairns, user: User, **more: Any) -> None:
    services.run(cairns.game.pk, Join(name=user.username.title(), **more), actor=Actor(Issuer.SEAT, user.pk), now=NOON)


def remove(cairns: Cairns, user: User) -> None:
    cairns.run(RemoveSeat(seat=cairns.seat(user), reason="Away."), cairns.gm)


def test_one_endpoint_posts_what_happens_next_in_each_game_that_is_not_over(game: Subscribed, receiver: Receiver):
    second, over, without = another(game.cairns, LONG), another(game.cairns, LONG), lobby_of(game)
    Game.objects.filter(pk=over.game.pk).update(status="finished")
    game.add_stones(5)
    made = endpoint_of(game, game.cairns.ann, receiver.url(), "toy.StonesAdded")
    assert {row.game_id for row in Webhook.objects.all()} == {game.cairns.game.pk, second.game.pk}
    game.add_stones(2)
    second.run(AddStones(stones=3), second.ann)
    game.deliver_all()
    assert [event["data"]["stones"] for event in events(receiver)] in ([2, 3], [3, 2])
    assert {body["data"]["game"] for body in receiver.bodies()} == {str(game.cairns.game.pk), str(second.game.pk)}
    assert row_of(made, without.game) is None


def test_a_game_that_is_joined_later_is_posted_from_the_lobby_on_however_late_the_look_is(
    game: Subscribed, receiver: Receiver
):
    made = endpoint_of(game, game.cairns.ann, receiver.url())
    later = lobby_of(game)
    look(game)
    receiver.got.clear()
    join(later, game.cairns.ann)
    join(later, game.cairns.bob)
    later.run(Start(), later.gm)
    later.run(AddStones(stones=4), later.ann)
    assert row_of(made, later.game) is None
    assert look(game) == 1 and look(game) == 0
    game.deliver_all()
    later.run(AddStones(stones=5), later.ann)
    look(game)
    game.deliver_all()
    found = events(receiver)
    assert [each["data"]["stones"] for each in found if each["type"] == "toy.StonesAdded"] == [4, 5]
    assert [each["type"] for each in found].count("core.SeatTaken") == 2
    assert Webhook.objects.filter(endpoint=made.pk, game=later.game).count() == 1


def test_a_game_that_the_person_opens_is_posted_in_its_lobby(game: Subscribed, receiver: Receiver):
    made = endpoint_of(game, game.cairns.host, receiver.url())
    opened = lobby_of(game)
    look(game)
    game.deliver_all()
    row = row_of(made, opened.game)
    assert row is not None
    mine = [body["data"] for body in receiver.bodies() if body["data"]["game"] == str(opened.game.pk)]
    assert next(event["type"] for each in mine for event in each["events"]) == "core.GameOpened"


def test_what_another_seat_may_read_is_posted_to_it_alone(game: Subscribed, receiver: Receiver):
    cairns = game.cairns
    eve = User.objects.create_user(username="eve", password="x")
    join(cairns, eve, role="observer")
    for path, user in (("200", cairns.ann), ("201", cairns.bob), ("202", cairns.host), ("204", eve)):
        endpoint_of(game, user, receiver.url(path))
    cairns.run(HideCoins(coins=7), cairns.ann)
    game.add_stones()
    game.deliver_all()
    hidden = {path: types(receiver, path).count("toy.CoinsHidden") for path in ("200", "201", "202", "204")}
    assert hidden == {"200": 1, "201": 0, "202": 0, "204": 0}
    assert all("toy.StonesAdded" in types(receiver, path) for path in hidden)


def test_who_leaves_is_posted_nothing_more_and_goes_on_where_it_stopped_when_they_are_back(
    game: Subscribed, receiver: Receiver
):
    cairns = game.cairns
    made = endpoint_of(game, cairns.ann, receiver.url(), "toy.StonesAdded", "toy.CoinsHidden")
    seat = cairns.seat(cairns.ann)
    cairns.run(HideCoins(coins=7), cairns.ann)
    remove(cairns, cairns.ann)
    look(game)
    assert state_of(made, cairns.game) == (False, "seat.left")
    game.add_stones(3, cairns.bob)
    look(game)
    game.deliver_all()
    assert receiver.got == []
    cairns.run(HandOver(seat=seat, user=cairns.ann.pk, reason="Back."), cairns.gm)
    look(game)
    assert state_of(made, cairns.game) == (True, "")
    game.deliver_all()
    assert types(receiver) == ["toy.CoinsHidden", "toy.StonesAdded"]


def test_what_a_lost_seat_might_read_is_posted_to_nobody_before_the_look(game: Subscribed, receiver: Receiver):
    made = endpoint_of(game, game.cairns.ann, receiver.url(), "toy.CoinsHidden")
    game.cairns.run(HideCoins(coins=7), game.cairns.ann)
    remove(game.cairns, game.cairns.ann)
    game.deliver_all()
    assert receiver.got == []
    look(game)
    assert state_of(made, game.cairns.game) == (False, "seat.left")


@pytest.mark.parametrize("is_looked_at_first", [True, False])
def test_who_is_back_in_a_private_game_is_posted_to_again(
    game: Subscribed, receiver: Receiver, is_looked_at_first: bool
):
    """Whichever comes first, the look or the message that finds the game missing."""
    Game.objects.filter(pk=game.cairns.game.pk).update(is_public=False)
    made = endpoint_of(game, game.cairns.ann, receiver.url())
    seat = game.cairns.seat(game.cairns.ann)
    remove(game.cairns, game.cairns.ann)
    if is_looked_at_first:
        look(game)
    game.deliver_all()
    reason = "seat.left" if is_looked_at_first else "game.missing"
    assert state_of(made, game.cairns.game) == (False, reason) and receiver.got == []
    game.cairns.run(HandOver(seat=seat, user=game.cairns.ann.pk, reason="Back."), game.cairns.gm)
    look(game)
    assert state_of(made, game.cairns.game) == (True, "")


def test_a_bot_that_stands_in_ends_nothing(game: Subscribed, receiver: Receiver):
    made = endpoint_of(game, game.cairns.ann, receiver.url())
    Seat.objects.filter(user=game.cairns.ann).update(bot="idle")
    game.add_stones(1, game.cairns.bob)
    look(game)
    assert state_of(made, game.cairns.game) == (True, "")


def test_types_of_other_rulesets_make_no_webhook_and_a_change_of_them_makes_and_deletes_some(game: Subscribed):
    made = endpoint_of(game, game.cairns.ann, "https://a.example/", "gods2.WarDeclared")
    game.add_stones()
    look(game)
    assert not Webhook.objects.exists(), "of a game of Cairns nothing is wanted, and not all"
    endpoints.change(made, game.now, kinds=["gods2.WarDeclared", "toy.StonesAdded"])
    row = Webhook.objects.get()
    assert row.kinds == '["toy.StonesAdded"]' and row.seq == game.cairns.fresh().seq
    endpoints.change(made, game.now, kinds=["gods2.WarDeclared"])
    assert not Webhook.objects.exists()
    with pytest.raises(Fault) as refused:
        endpoints.change(made, game.now, kinds=["toy.Nothing"])
    assert refused.value.code == "webhook.kinds"


def test_a_new_address_and_a_new_secret_go_to_every_game(game: Subscribed, receiver: Receiver):
    second = another(game.cairns, LONG)
    made = endpoint_of(game, game.cairns.ann, receiver.url("500"))
    endpoints.change(made, game.now, url=receiver.url())
    _, secret = endpoints.rotate(made, game.now)
    game.add_stones()
    second.run(AddStones(stones=1), second.ann)
    game.deliver_all()
    assert len(receiver.bodies()) == 2 and receiver.bodies("500") == []
    keys = {secret, made.secret}
    for row in Webhook.objects.all():
        assert {row.secret, row.old_secret} == keys and row.secret == secret


def test_what_a_killed_worker_has_not_changed_is_changed_when_the_game_moves(game: Subscribed, receiver: Receiver):
    made = endpoint_of(game, game.cairns.ann, receiver.url("500"))
    look(game)
    WebhookEndpoint.objects.update(url=receiver.url(), is_active=False, reason="owner.off")
    game.add_stones()
    look(game)
    row = row_of(made, game.cairns.game)
    assert row is not None and (row.url, row.reason) == (receiver.url(), "endpoint.off")


def test_it_is_switched_off_and_on_in_all_games_and_loses_nothing(game: Subscribed, receiver: Receiver):
    made = endpoint_of(game, game.cairns.ann, receiver.url(), "toy.StonesAdded")
    off = endpoints.change(made, game.now, is_active=False)
    assert (off.is_active, off.reason) == (False, "owner.off")
    later = lobby_of(game)
    join(later, game.cairns.ann)
    join(later, game.cairns.bob)
    later.run(Start(), later.gm)
    look(game)
    later.run(AddStones(stones=4), later.ann)
    game.add_stones(2)
    look(game)
    game.deliver_all()
    assert receiver.got == []
    assert state_of(made, game.cairns.game) == state_of(made, later.game) == (False, "endpoint.off")
    endpoints.change(made, game.now, is_active=True)
    game.deliver_all()
    assert sorted(event["data"]["stones"] for event in events(receiver)) == [2, 4]


def test_switching_it_on_brings_back_what_a_receiver_ended_and_not_what_its_owner_did_in_one_game(
    game: Subscribed, receiver: Receiver
):
    second = another(game.cairns, LONG)
    made = endpoint_of(game, game.cairns.ann, receiver.url("410"))
    row = row_of(made, second.game)
    assert row is not None
    subscriptions.change(row, game.now, is_active=False)
    game.add_stones()
    game.deliver_all()
    assert state_of(made, game.cairns.game) == (False, "receiver.gone")
    game.add_stones()
    look(game)
    assert state_of(made, game.cairns.game) == (False, "receiver.gone"), "a look tries nothing again"
    endpoints.change(made, game.now, is_active=False)
    endpoints.change(made, game.now, is_active=True, url=receiver.url())
    assert state_of(made, game.cairns.game) == (True, "")
    assert state_of(made, second.game) == (False, "owner.off")
    game.deliver_all()
    assert types(receiver).count("toy.StonesAdded") == 2


def test_when_it_is_deleted_nothing_is_left_even_of_what_was_killed_between(game: Subscribed, receiver: Receiver):
    endpoint = endpoint_of(game, game.cairns.ann, receiver.url())
    game.add_stones()
    game.deliver_all()
    endpoints.delete(endpoint)
    assert not Webhook.objects.exists() and not WebhookEndpoint.objects.exists()
    for ending in (game.deliver_all, lambda: look(game)):
        made = endpoint_of(game, game.cairns.ann, receiver.url())
        look(game)
        WebhookEndpoint.objects.filter(pk=made.pk).delete()
        receiver.got.clear()
        game.add_stones()
        ending()
        assert not Webhook.objects.exists() and receiver.got == []


def test_who_retires_leaves_no_endpoint(game: Subscribed, receiver: Receiver):
    endpoint_of(game, game.cairns.ann, receiver.url())
    retire(game.cairns.ann)
    assert not WebhookEndpoint.objects.exists()
    game.add_stones(1, game.cairns.bob)
    look(game)
    game.deliver_all()
    assert receiver.got == [] and not Webhook.objects.exists()


def test_what_an_application_made_ends_with_its_sign_in_in_every_game(game: Subscribed, receiver: Receiver):
    application = Application.objects.create(
        name="Watcher", redirect_uris="https://app.example/back", scope_words="read play"
    )
    token = Token.objects.create(
        user=game.cairns.ann, application=application, name="x", prefix="12345678", digest="0" * 64,
        scope_words="read play", expires_at=game.now + timedelta(hours=1),
    )  # fmt: skip
    principal = Principal(game.cairns.ann, token)
    second = another(game.cairns, LONG)
    made, _ = endpoints.create(principal, Wish(receiver.url()), game.now)
    own = endpoint_of(game, game.cairns.ann, receiver.url("201"))
    assert list(endpoints.endpoints_for(principal)) == [made]
    assert set(endpoints.endpoints_for(Principal(game.cairns.ann))) == {made, own}
    assert {row.application for row in Webhook.objects.filter(endpoint=made.pk)} == {application.pk}
    Token.objects.update(revoked_at=game.now)
    game.add_stones()
    game.deliver_all()
    assert not WebhookEndpoint.objects.filter(pk=made.pk).exists()
    Token.objects.update(revoked_at=None)
    second.run(AddStones(stones=1), second.ann)
    look(game)
    game.deliver_all()
    assert receiver.bodies() == [] and receiver.bodies("201") != []
    assert not Webhook.objects.filter(endpoint=made.pk).exists()


def test_a_look_asks_two_queries_more_where_nothing_is_to_be_done(game: Subscribed, django_assert_num_queries):
    users = {game.cairns.ann.pk, game.cairns.bob.pk}
    for _ in range(2):
        with django_assert_num_queries(2):
            endpoint_rows.bring_webhooks_of_game(game.cairns.game, 0, users, game.now)
        endpoint_of(game, game.cairns.ann, "https://a.example/")


def test_what_was_made_before_a_fault_is_made_again_with_the_position(
    game: Subscribed, receiver: Receiver, monkeypatch
):
    made = endpoint_of(game, game.cairns.ann, receiver.url(), "toy.StonesAdded")
    later = another(game.cairns, LONG)
    later.run(AddStones(stones=4), later.ann)
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0)
        look(game)
    assert row_of(made, later.game) is None
    look(game)
    game.deliver_all()
    assert [event["data"]["stones"] for event in events(receiver)] == [4]


def test_two_who_make_the_webhook_of_a_game_make_one(game: Subscribed):
    made = endpoint_of(game, game.cairns.ann, "https://a.example/")
    before = Webhook.objects.get()
    endpoint_rows._make(game.cairns.game, [made], 0, game.now)
    after = Webhook.objects.get()
    assert (before.pk, before.seq) == (after.pk, after.seq)
    assert before.pk.hex[:3] == game.cairns.game.pk.hex[:3], "it lies where its game lies"


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_follower_that_is_killed_between_rows_and_position_misses_nothing(tmp_path: Path, settings) -> None:
    settings.WEBHOOK_PRIVATE_NETS = True
    game = subscribed()
    made = endpoint_of(game, game.cairns.ann, "https://a.example/", "toy.StonesAdded")
    look(game)
    later = another(game.cairns, LONG)
    later.run(AddStones(stones=4), later.ann)
    killed = work(game.now, tmp_path, failpoints.NOTIFICATIONS_WRITTEN)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert row_of(made, later.game) is None
    assert look(game) == 1
    row = row_of(made, later.game)
    assert row is not None and row.seq == 0
    assert NotificationFollower.objects.get(game=later.game).seq == later.fresh().seq
