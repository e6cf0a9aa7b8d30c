"""Messages of webhooks: in order, at least once, under one id; what receivers do, and when they are tried again."""

from base64 import b64decode
from datetime import timedelta
from itertools import pairwise

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from standardwebhooks import Webhook as Verifier

from api.outbound import posting
from api.webhooks import delivery, messages, subscriptions
from api.webhooks.attempts import GIVE_UP, JITTER, LEASE, PAUSES_SECONDS
from games.models import DeliveryState, LoggedEvent, Webhook
from tests.api.people import asking
from tests.games.cairns import NOON
from tests.toy.rules.commands import HideCoins
from tests.webhooks.receivers import Receiver, certificate, receiving
from tests.webhooks.subscribed import Subscribed


def signed_by(receiver: Receiver, number: int, secret: str) -> None:
    """Raise unless a message is signed with a secret, at the time of the tests."""
    _, headers, body = receiver.got[number]
    at = headers["webhook-timestamp"]
    assert int(at) >= int(NOON.timestamp())
    found = [each.removeprefix("v1,") for each in headers["webhook-signature"].split(" ")]
    from_time = NOON.fromtimestamp(int(at), NOON.tzinfo)
    wanted = Verifier(secret).sign(headers["webhook-id"], from_time, body.decode()).removeprefix("v1,")
    assert b64decode(wanted) in [b64decode(each) for each in found]


def test_what_happens_is_posted_once_in_the_envelope_of_events_and_signed(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    assert game.deliver() == []

    game.add_stones(3)
    game.deliver_all()

    (body,) = receiver.bodies()
    assert body["type"] == "game.events" and body["timestamp"].endswith("Z")
    page = asking(game.cairns.ann).get(body["data"]["link"]).json()
    assert body["data"]["events"] == page["results"] and len(page["results"]) > 0
    assert (body["data"]["start"], body["data"]["cursor"]) == (page["start"], page["cursor"])
    assert body["data"]["is_whole"] is True
    signed_by(receiver, 0, webhook.secret)
    assert receiver.ids() == [str(game.deliveries(webhook)[0].pk)]
    assert game.deliveries(webhook)[0].state == DeliveryState.DELIVERED


def test_a_message_reads_the_log_once_and_prunes_nothing_that_it_keeps(game: Subscribed, receiver: Receiver):
    """The kind: what thousands of subscribers of one event do each, done twice."""
    game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones(3)
    (taken,) = game.take()
    with CaptureQueriesContext(connection) as asked:
        delivery.deliver(taken, game.clock)
    statements = [query["sql"] for query in asked.captured_queries]
    assert sum(f'FROM "{LoggedEvent._meta.db_table}" WHERE' in each for each in statements) == 1
    assert not [each for each in statements if each.startswith("DELETE")]
    assert len(receiver.got) == 1


def test_messages_come_in_the_order_of_the_log_and_stay_below_20_kb(game: Subscribed, receiver: Receiver):
    game.subscribe(game.cairns.ann, receiver.url())
    first = game.cairns.fresh().seq
    for number in range(60):
        game.add_stones(number % 3 + 1)
    game.deliver_all()
    shown = [event["cursor"] for body in receiver.bodies() for event in body["data"]["events"]]
    log = asking(game.cairns.ann).get(f"/api/v1/games/{game.cairns.game.pk}/events/?limit=500").json()["results"]
    assert shown == [event["cursor"] for event in log][-len(shown) :]
    assert len(shown) == LoggedEvent.objects.filter(game=game.cairns.game, seq__gt=first, audience="public").count()
    assert len(receiver.got) > 1
    assert all(len(body) <= messages.MAX_BODY_BYTES for _, _, body in receiver.got)


def test_an_event_that_is_too_large_is_a_link(game: Subscribed, receiver: Receiver, monkeypatch):
    monkeypatch.setattr(messages, "MAX_BODY_BYTES", 100)
    game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()
    game.deliver_all()
    bodies = receiver.bodies()
    assert [(body["data"]["events"], body["data"]["is_whole"]) for body in bodies] == [([], False)] * len(bodies)
    found = [event for body in bodies for event in asking(game.cairns.ann).get(body["data"]["link"]).json()["results"]]
    assert "toy.StonesAdded" in [event["type"] for event in found]


def test_kinds_that_were_not_asked_for_are_not_posted(game: Subscribed, receiver: Receiver):
    game.subscribe(game.cairns.ann, receiver.url(), kinds=["toy.StonesAdded"])
    game.cairns.run(HideCoins(coins=1), game.cairns.ann)
    game.deliver_all()
    assert receiver.got == []
    game.add_stones()
    game.deliver_all()
    (body,) = receiver.bodies()
    assert [event["type"] for event in body["data"]["events"]] == ["toy.StonesAdded"]
    assert game.take() == []


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [("500", 500, ""), ("301", 301, ""), ("404", 404, ""), ("rubbish", None, "answer.unreadable")],
)
def test_what_is_not_2xx_is_tried_again_with_the_same_id_and_words(game: Subscribed, receiver, path, status, error):
    webhook = game.subscribe(game.cairns.ann, receiver.url(path))
    game.add_stones()
    first = game.now
    game.deliver()
    webhook.refresh_from_db()
    (row,) = game.deliveries(webhook)
    assert (row.status, row.error, row.state) == (status, error, DeliveryState.PENDING)
    assert abs((webhook.next_try_at - first).total_seconds() - PAUSES_SECONDS[0]) <= JITTER * PAUSES_SECONDS[0]
    assert game.take() == [], "it is left alone until then"
    game.pass_time(seconds=PAUSES_SECONDS[0] * (1 + JITTER))
    game.add_stones()
    game.deliver()
    assert receiver.ids(path)[0] == receiver.ids(path)[1]
    assert receiver.got[0][2] == receiver.got[1][2], "what has happened since is in the next"
    assert receiver.ids("200") == [], "no redirect is followed"


def test_an_answer_of_5_mb_is_taken_by_its_status_and_not_read(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url("large"))
    game.add_stones()
    assert game.deliver() == [posting.Answer(200)]
    assert game.deliveries(webhook)[0].state == DeliveryState.DELIVERED


@pytest.mark.parametrize("path", ["hang", "drip"])
def test_a_receiver_that_hangs_or_drips_is_left_after_the_whole_time(game: Subscribed, receiver, path, monkeypatch):
    monkeypatch.setattr(posting, "TOTAL_SECONDS", 0.2)
    game.subscribe(game.cairns.ann, receiver.url(path))
    game.add_stones()
    assert game.deliver() == [posting.Answer(error="time.exceeded")]


@pytest.mark.parametrize("path", ["429", "503"])
def test_a_receiver_that_asks_for_a_pause_gets_it(game: Subscribed, receiver: Receiver, path: str):
    webhook = game.subscribe(game.cairns.ann, receiver.url(path))
    game.add_stones()
    game.deliver()
    webhook.refresh_from_db()
    assert webhook.next_try_at == game.now + timedelta(seconds=7200)


@pytest.mark.parametrize(
    ("status", "header", "seconds"),
    [
        (429, "60", 60), (503, "Sun, 01 Mar 2026 12:01:00 GMT", 60), (503, "Sun, 01 Mar 2026 11:00:00 GMT", 0),
        (429, "soon", 0), (429, "", 0), (500, "60", 0), (429, "9" * 40, 86_400), (429, "-5", 0),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date_and_a_day_at_most(status: int, header: str, seconds: int):
    assert posting.Answer(status, retry_after=header).retry_pause(NOON) == timedelta(seconds=seconds)


def test_410_switches_off_at_once_and_switched_on_it_goes_on_where_it_was(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url("410"))
    game.add_stones()
    game.deliver()
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.reason) == (False, "receiver.gone")
    game.pass_time(days=1)
    game.add_stones()
    assert game.take() == []
    subscriptions.change(webhook, game.now, url=receiver.url(), is_active=True)
    game.deliver_all()
    assert receiver.ids()[0] == receiver.ids("410")[0]
    assert len(receiver.bodies()) == 2


def test_pauses_grow_and_after_three_days_of_failures_it_is_off(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url("500"))
    game.add_stones()
    began, pauses = game.now, []
    while webhook.is_active:
        game.deliver()
        webhook.refresh_from_db()
        pauses.append((webhook.next_try_at - game.now).total_seconds())
        game.now = webhook.next_try_at
    assert webhook.reason == "receiver.failing"
    assert GIVE_UP <= game.now - began <= GIVE_UP + timedelta(hours=15)
    assert all(later > before for before, later in pairwise(pauses[:7]))
    assert len(set(receiver.ids("500"))) == 1


def test_a_success_ends_the_count_of_failures(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url("500"))
    game.add_stones()
    game.deliver()
    Webhook.objects.update(url=receiver.url())
    game.pass_time(seconds=10)
    game.deliver_all()
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since) == (0, None)


def test_one_broken_receiver_holds_no_other(game: Subscribed, receiver: Receiver):
    game.subscribe(game.cairns.bob, receiver.url("500"))
    game.subscribe(game.cairns.ann, receiver.url())
    for _ in range(3):
        game.add_stones()
        game.deliver_all()
    assert len(receiver.ids()) == 3
    assert len(receiver.ids("500")) == 1


def test_a_lease_keeps_others_away_until_it_ends_and_then_the_same_message_is_posted(game: Subscribed, receiver):
    game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()
    (webhook,) = game.take()
    assert game.take() == []
    game.pass_time(seconds=LEASE.total_seconds())
    assert game.take() == [webhook]


def test_during_a_rotation_both_secrets_sign(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    old = webhook.secret
    new = subscriptions.rotate(webhook, game.now)
    assert new != old
    game.add_stones()
    game.deliver_all()
    for secret in (old, new):
        signed_by(receiver, 0, secret)
    game.pass_time(days=1)
    game.add_stones()
    game.deliver_all()
    signed_by(receiver, 1, new)
    assert len(receiver.got[1][1]["webhook-signature"].split(" ")) == 1


def test_a_test_is_posted_first_and_once(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()
    assert subscriptions.send_test(webhook, game.now) == subscriptions.send_test(webhook, game.now)
    game.deliver_all()
    assert [body["type"] for body in receiver.bodies()] == ["webhook.test", "game.events"]


def test_a_replayed_message_has_its_id_and_its_words(game: Subscribed, receiver: Receiver):
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    for _ in range(2):
        game.add_stones()
        game.deliver_all()
    subscriptions.replay(webhook, game.deliveries(webhook)[0].pk, game.now)
    game.deliver_all()
    assert receiver.ids()[2] == receiver.ids()[0]
    assert receiver.got[2][2] == receiver.got[0][2]


def test_old_messages_are_deleted_once_delivered(game: Subscribed, receiver: Receiver, monkeypatch):
    monkeypatch.setattr(delivery, "KEPT_DELIVERIES", 2)
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    for _ in range(4):
        game.add_stones()
        game.pass_time(seconds=1)
        game.deliver_all()
    assert len(game.deliveries(webhook)) == 2


def test_tls_of_another_name_or_of_nobodys_authority_is_no_connection(tmp_path, private_nets, monkeypatch):
    made = certificate(tmp_path, "localhost")
    with receiving(made) as receiver:
        assert posting.post(receiver.url(host="localhost"), b"{}", {}) == posting.Answer(error="connection.failed")
        trusting = posting.ssl.create_default_context(cafile=made)
        monkeypatch.setattr(posting, "certificates", lambda: trusting)
        assert posting.post(receiver.url(host="localhost"), b"{}", {}) == posting.Answer(200)
        assert posting.post(receiver.url(host="127.0.0.1"), b"{}", {}) == posting.Answer(error="connection.failed")


def test_plain_http_where_https_was_asked_and_nobody_there(receiver: Receiver, private_nets):
    at = receiver.url().replace("http://", "https://")
    assert posting.post(at, b"{}", {}) == posting.Answer(error="connection.failed")
    assert posting.post("http://127.0.0.1:1/", b"{}", {}) == posting.Answer(error="connection.failed")
    assert posting.post("http://nowhere.invalid/", b"{}", {}) == posting.Answer(error="name.unknown")


def test_the_body_is_the_same_bytes_as_the_event_over_rest(game: Subscribed, receiver: Receiver):
    game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()
    game.deliver_all()
    page = asking(game.cairns.ann).get(orjson.loads(receiver.got[0][2])["data"]["link"]).content
    events = page.partition(b'"results":')[2].partition(b',"start"')[0]
    assert events in receiver.got[0][2]
