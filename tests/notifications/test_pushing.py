"""News of games by push: once to each browser, while they stand, readable by it alone, and by services that fail."""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from django.db import connection
from django.db.models import Exists
from django.test.utils import CaptureQueriesContext

from accounts.models import PushSubscription, User
from accounts.retirement import retire
from api.notifications import browsers, pushing, sending, tasks, web_push
from api.notifications.reading import read_up_to
from api.notifications.sending import Order
from api.notifications.wishes import wishes_for
from games.engine.audience import seat_and_gm
from games.models import MailState, Notification, NotificationPush, Prompt
from games.runtime import failpoints
from tests.notifications.pushed import VAPID_PRIVATE_KEY, VAPID_SUBJECT, Browser, claims_of
from tests.notifications.told import Told, told
from tests.webhooks.receivers import Receiver, receiving


@pytest.fixture(scope="module")
def server() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def service(server: Receiver, settings) -> Receiver:
    """A push service that nothing was sent to yet."""
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = VAPID_PRIVATE_KEY, VAPID_SUBJECT
    settings.WEBHOOK_PRIVATE_NETS = True
    server.got.clear()
    return server


def allow(game: Told, user: User, endpoint: str) -> Browser:
    """Let a new browser of somebody's take pushes."""
    browser = Browser(endpoint)
    browsers.subscribe(user.pk, browsers.Wish(**browser.given), game.now)
    return browser


@pytest.fixture
def ann(game: Told, service: Receiver) -> Browser:
    return allow(game, game.cairns.ann, service.url("201?ann"))


def work(game: Told) -> None:
    """What the worker does now."""
    game.follow()
    pushing.write_pushes(game.now)
    for each in pushing.take(game.now, 10):
        pushing.deliver(each, game.clock)


def read(service: Receiver, browser: Browser) -> list[dict[str, Any]]:
    """What was pushed to a browser, in order."""
    path = "/" + browser.endpoint.rpartition("/")[2]
    return [browser.read(body) for asked, _, body in service.got if asked == path]


def test_a_question_is_pushed_once_to_each_browser_and_says_what_the_list_says(
    game: Told, service: Receiver, ann: Browser
) -> None:
    other = allow(game, game.cairns.ann, service.url("201?other"))
    game.propose()
    work(game)
    (told,) = read(service, ann)
    tag = told.pop("tag")
    assert told == {
        "title": "Cairns",
        "body": "You are asked: More salt?",
        "due": "2026-03-02T12:00:00Z",
        "path": f"/games/{game.cairns.game.pk}/seats/{game.cairns.seat(game.cairns.ann)}/",
    }
    (same,) = read(service, other)
    assert same.pop("tag") != tag, "two subscriptions have nothing in common"
    assert same == told
    for _ in range(5):
        game.pass_time(minutes=10)
        work(game)
    assert len(service.got) == 2
    assert {row.state for row in NotificationPush.objects.all()} == {MailState.SENT}


def test_a_push_is_signed_for_its_service_and_waits_until_the_deadline(
    game: Told, service: Receiver, ann: Browser
) -> None:
    game.propose()
    work(game)
    ((_, headers, body),) = service.got
    claims = claims_of(headers["authorization"], web_push.public_key())
    assert claims["aud"] == service.url("").rstrip("/") and claims["sub"] == VAPID_SUBJECT
    assert claims["exp"] == int((game.now + timedelta(hours=12)).timestamp())
    assert (headers["ttl"], headers["urgency"]) == (str(24 * 3600), "normal")
    assert headers["content-encoding"] == "aes128gcm" and len(headers["topic"]) == 32
    assert (len(body) - 86 - 17) % web_push.BLOCK_BYTES == 0, "its length tells nothing of the text"
    with pytest.raises(InvalidTag):
        Browser(ann.endpoint).read(body)


def test_what_is_said_of_one_question_replaces_what_was_said_and_nothing_of_another(
    game: Told, service: Receiver, ann: Browser
) -> None:
    game.propose()
    work(game)
    game.pass_time(hours=20)
    work(game)
    asked, near = read(service, ann)
    assert near["body"] == "Your deadline is near: More salt?" and near["tag"] == asked["tag"]
    game.vote(game.cairns.ann)
    game.vote(game.cairns.bob)
    work(game)
    (turn,) = read(service, ann)[2:]
    assert turn["body"] == "You may act." and turn["tag"] != asked["tag"]
    first, second, third = (headers for _, headers, _ in service.got)
    assert first["topic"] == second["topic"] != third["topic"] and second["urgency"] == "high"


def test_what_is_answered_or_read_before_it_goes_out_is_not_pushed(game: Told, service: Receiver, ann: Browser) -> None:
    allow(game, game.cairns.bob, service.url("201?bob"))
    game.wish(game.cairns.ann, push_kinds_off=["turn"])
    game.propose()
    game.follow()
    assert pushing.write_pushes(game.now) == 2
    game.vote(game.cairns.ann)
    read_up_to(game.cairns.bob.pk, game.rows(game.cairns.bob)[0].pk, game.now)
    game.wish(game.cairns.bob, push_kinds_off=["alone"])
    work(game)
    assert service.got == [] and not NotificationPush.objects.exists()


def test_kinds_that_are_off_and_what_stood_before_are_not_pushed(game: Told, service: Receiver) -> None:
    game.propose()
    game.follow()
    game.pass_time(minutes=1)
    allow(game, game.cairns.ann, service.url("201?ann"))
    game.wish(game.cairns.ann, push_kinds_off=["deadline"])
    work(game)
    game.pass_time(hours=20)
    work(game)
    assert service.got == []


def test_quiet_hours_hold_a_push_back_until_their_end(game: Told, service: Receiver, ann: Browser) -> None:
    game.wish(game.cairns.ann, quiet_from="11:00", quiet_to="14:00")
    game.propose()  # at noon
    work(game)
    assert service.got == []
    game.pass_time(hours=2)
    work(game)
    assert len(read(service, ann)) == 1


def test_a_push_says_nothing_of_what_its_reader_may_not_see_and_nothing_of_others(
    game: Told, service: Receiver, ann: Browser
) -> None:
    game.propose()
    game.follow()
    Prompt.objects.update(audience=seat_and_gm(game.cairns.seat(game.cairns.bob)), question="The canary sings?")
    pushing.write_pushes(game.now)
    for each in pushing.take(game.now, 10):
        pushing.deliver(each, game.clock)
    (told,) = read(service, ann)
    assert "canary" not in str(told)
    people = (game.cairns.ann, game.cairns.bob)
    in_the_open = " ".join(str((path, headers)) for path, headers, _ in service.got)
    for secret in (*(str(each.pk) for each in people), str(game.cairns.game.pk), "Cairns", "games"):
        assert secret not in in_the_open.replace(VAPID_SUBJECT, "")


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten_and_others_are_not(
    game: Told, service: Receiver, ann: Browser, status: int
) -> None:
    allow(game, game.cairns.ann, service.url(str(status)))
    game.propose()
    work(game)
    assert [each.endpoint for each in PushSubscription.objects.all()] == [ann.endpoint]
    game.pass_time(hours=20)
    work(game)
    assert len(read(service, ann)) == 2 and len(service.got) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 413])
def test_what_a_service_would_refuse_again_has_failed_for_good(game: Told, service: Receiver, status: int) -> None:
    allow(game, game.cairns.ann, service.url(str(status)))
    game.propose()
    work(game)
    (push,) = NotificationPush.objects.all()
    assert (push.state, push.attempts, push.error) == (MailState.FAILED, 1, f"status.{status}")
    game.pass_time(hours=12)
    assert pushing.take(game.now, 10) == [] and PushSubscription.objects.count() == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_service_that_asks_for_a_pause_gets_it(game: Told, service: Receiver, status: int) -> None:
    allow(game, game.cairns.ann, service.url(str(status)))  # wants two hours
    game.propose()
    work(game)
    game.pass_time(seconds=7199)
    assert pushing.take(game.now, 10) == []
    game.pass_time(seconds=1)
    assert len(pushing.take(game.now, 10)) == 1


@pytest.mark.parametrize("path", ["500", "301", "rubbish"])
def test_pauses_grow_while_a_service_fails_and_end_after_three_days(game: Told, service: Receiver, path: str) -> None:
    allow(game, game.cairns.ann, service.url(path))
    game.propose()
    pauses = []
    for _ in range(4):
        work(game)
        (push,) = NotificationPush.objects.all()
        pauses.append(push.next_try_at - game.now)
        game.now = push.next_try_at
    assert pauses == sorted(pauses) and pauses[-1] > timedelta(minutes=20) and push.state == MailState.PENDING
    assert len(service.got) == 4, "no redirect is followed"
    NotificationPush.objects.update(created_at=game.now - sending.GIVE_UP)
    work(game)
    assert NotificationPush.objects.get().state == MailState.FAILED


def test_a_push_whose_deadline_is_over_is_not_sent(game: Told, service: Receiver, ann: Browser) -> None:
    game.propose()
    game.follow()
    pushing.write_pushes(game.now)
    Notification.objects.update(due=game.now)
    for each in pushing.take(game.now, 10):
        pushing.deliver(each, game.clock)
    assert service.got == [] and not NotificationPush.objects.exists()


def test_an_endpoint_of_a_private_network_is_not_posted_to_whenever_it_was_stored(
    game: Told, service: Receiver, ann: Browser, settings
) -> None:
    game.propose()
    settings.WEBHOOK_PRIVATE_NETS = False
    PushSubscription.objects.update(endpoint=service.url("201?ann", host="localhost").replace("http:", "https:"))
    work(game)
    assert service.got == []
    (push,) = NotificationPush.objects.all()
    assert (push.state, push.error) == (MailState.FAILED, "address.refused")


def test_a_worker_that_ends_between_sending_and_noting_sends_again_what_replaces_the_first(
    game: Told, service: Receiver, ann: Browser, monkeypatch
) -> None:
    game.propose()
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0 if point == failpoints.PUSH_SENT else None)
        work(game)
    work(game)
    assert len(service.got) == 1, "its lease stands"
    game.now += sending.LEASE
    work(game)
    (_, one, _), (_, other, _) = service.got
    first, second = read(service, ann)
    assert first == second and one["topic"] == other["topic"]
    assert NotificationPush.objects.count() == 1


def test_people_are_asked_for_so_many_at_a_time_and_kinds_belong_to_the_query(
    game: Told, service: Receiver, ann: Browser, monkeypatch
) -> None:
    allow(game, game.cairns.bob, service.url("201?bob"))
    game.propose()
    game.follow()
    monkeypatch.setattr(sending, "PEOPLE_PER_QUERY", 1)
    everybody = {
        user.pk: Order(wishes_for(user.pk), ["asked"], game.now) for user in (game.cairns.ann, game.cairns.bob)
    }
    none = Exists(NotificationPush.objects.none())
    with CaptureQueriesContext(connection) as asked:
        found = sending.rows_to_send(everybody, none)
    assert [row.user_id for row in found] == [row.user_id for row in sorted(found, key=lambda row: row.pk)]
    assert len(found) == len(asked) == 2
    later = {user: Order(each.wishes, each.kinds, game.now + timedelta(seconds=1)) for user, each in everybody.items()}
    other = {user: Order(each.wishes, ["over"], each.since) for user, each in everybody.items()}
    assert sending.rows_to_send(later, none) == sending.rows_to_send(other, none) == []


def test_who_subscribes_with_a_browser_of_another_takes_it_over(game: Told, service: Receiver, ann: Browser) -> None:
    game.propose()
    game.follow()
    pushing.write_pushes(game.now)
    browsers.subscribe(game.cairns.bob.pk, browsers.Wish(**ann.given), game.now)
    work(game)
    assert PushSubscription.objects.get().user == game.cairns.bob
    (told,) = read(service, ann)
    assert told["path"].endswith(f"/seats/{game.cairns.seat(game.cairns.bob)}/"), "nothing of Ann's goes to it"


def test_a_person_who_leaves_for_good_leaves_no_subscription(game: Told, ann: Browser) -> None:
    game.propose()
    game.follow()
    pushing.write_pushes(game.now)
    retire(game.cairns.ann)
    work(game)
    assert not PushSubscription.objects.exists() and not NotificationPush.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_service_that_hangs_holds_up_no_other(service: Receiver, monkeypatch) -> None:
    game = told()
    monkeypatch.setattr(tasks.timezone, "now", game.clock)
    monkeypatch.setattr(tasks.pushing, "deliver", partial(pushing.deliver, clock=game.clock))
    bob = allow(game, game.cairns.bob, service.url("201?bob"))
    game.propose()
    with receiving() as slow:
        allow(game, game.cairns.ann, slow.url("hang"))
        game.follow()
        begun = tasks.push_everywhere()
        (_,), (hanging,) = wait(begun, timeout=60, return_when=FIRST_COMPLETED)
        assert len(read(service, bob)) == 1
        game.pass_time(hours=20)
        game.follow()
        done, _ = wait(tasks.push_everywhere(), timeout=60, return_when=FIRST_COMPLETED)
        assert len(done) == 1 and len(read(service, bob)) == 2 and not hanging.done()
    assert hanging.result(timeout=60) is None
