"""Channels that are away for an hour: no timer of a game waits for them, and afterwards they have what they missed."""

from collections.abc import Iterator
from concurrent.futures import wait
from datetime import timedelta
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Semaphore, Thread

import pytest
from django.utils import timezone

from api.common.authentication import Principal
from api.notifications import tasks as notification_tasks
from api.notifications.tasks import Work
from api.outbound import posting
from api.outbound.pool import Pool
from api.webhooks import delivery, subscriptions
from api.webhooks import tasks as webhook_tasks
from api.webhooks.subscriptions import Wish
from games import registry, services
from games.models import LoggedEvent, NotificationMail, Webhook
from tests.games.cairns import NOON
from tests.notifications.test_smtp import wish_mail
from tests.notifications.told import Told, told
from tests.toy.rules.commands import Propose
from tests.webhooks.receivers import receiving

HOUR = 60
"""Minutes."""
WAIT_SECONDS = 100.0


class Silent:
    """A server that takes every connection and says nothing, be it asked for mail or for posts."""

    def __init__(self) -> None:
        self.over, self.asked = Event(), Semaphore(0)
        silent = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                silent.asked.release()
                silent.over.wait()

        self.server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def silent() -> Iterator[Silent]:
    server = Silent()
    yield server
    server.over.set()
    server.server.shutdown()
    server.server.server_close()


@pytest.fixture
def game(transactional_db: None, silent: Silent, settings, monkeypatch: pytest.MonkeyPatch) -> Told:
    """A game whose channels lead to a silent server; the clock of ticks is that of the test."""
    settings.WEBHOOK_PRIVATE_NETS = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", silent.port, 600
    settings.PUBLIC_URL = "https://games.example"
    monkeypatch.setattr(posting, "TOTAL_SECONDS", 600.0)
    monkeypatch.setattr(webhook_tasks, "POOL", Pool("webhooks", 1))
    monkeypatch.setattr(notification_tasks, "MAILS", Pool("mails", 1))
    monkeypatch.setattr(notification_tasks, "MAILING", Work("mail", notification_tasks.mail_everywhere))
    found = told()
    monkeypatch.setattr(timezone, "now", found.clock)
    return found


def test_channels_that_are_silent_for_an_hour_delay_no_timer_by_a_second(game: Told, silent: Silent) -> None:
    """The kind: a tick that waits for somebody's network, behind which the timers of all games would wait."""
    ann, bob = game.cairns.ann, game.cairns.bob
    webhook, _ = subscriptions.create(
        Principal(ann), Wish(url=f"http://127.0.0.1:{silent.port}/", game=game.cairns.game.pk), game.now
    )
    wish_mail(game, bob)
    game.run(Propose(text="More salt?"), ann)
    game.follow()
    (posting_now,) = webhook_tasks.begin_due()
    mailing_now = notification_tasks.MAILING.begin()
    assert mailing_now is not None
    for _ in range(2):
        assert silent.asked.acquire(timeout=WAIT_SECONDS), "both are in the middle of it"

    for _ in range(HOUR):
        game.pass_time(minutes=1)
        assert webhook_tasks.begin_due() == [] and notification_tasks.MAILING.begin() is None
        services.fire_due(game.cairns.game.pk, game.now)
        game.follow()
    assert not posting_now.done() and not mailing_now.done()
    tide = LoggedEvent.objects.get(game=game.cairns.game, type="TideCame")
    vote = LoggedEvent.objects.get(game=game.cairns.game, type="MotionSettled")
    assert (tide.at, vote.at) == (NOON + timedelta(seconds=3600), NOON + timedelta(seconds=600))

    silent.over.set()
    wait([posting_now, mailing_now], WAIT_SECONDS)
    assert not NotificationMail.objects.filter(sent_at__isnull=False).exists()
    with receiving() as receiver:
        Webhook.objects.filter(pk=webhook.pk).update(url=receiver.url(), next_try_at=game.now)
        while taken := delivery.take(game.now, 1):
            delivery.deliver(taken[0], game.clock)
        told_types = [event["type"] for body in receiver.bodies() for event in body["data"]["events"]]
    since = LoggedEvent.objects.filter(game=game.cairns.game, audience="public", seq__gt=webhook.seq).order_by("seq")
    assert told_types == [registry.event_type("toy", kind) for kind in since.values_list("type", flat=True)]
