"""What Celery carries for notifications: a tick without truth. The rows say which games are to be looked at.

A tick hands its work to threads of the worker's process and ends, so that no timer waits for it, nor for a mail server.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from api.notifications import digests, following, mailing, pushing, web_push
from api.outbound.pool import Pool, taking
from core.places import routing
from games.runtime import metrics

MAX_GAMES_PER_TICK = 50
"""Of each place; the others come with the next tick."""
Clock = Callable[[], datetime]
logger = structlog.get_logger(__name__)
MAX_MAILS_AT_ONCE = 4
"""Mails that a process sends at once."""


MAX_PUSHES_AT_ONCE = 8
"""Pushes that a process sends at once."""


@dataclass(slots=True)
class Work:
    """What ticks begin, on a thread of its own; one run at a time in a process, so that none piles up."""

    name: str
    run: Callable[[], object]
    is_free: Lock = field(default_factory=Lock)
    _thread: ThreadPoolExecutor | None = None

    def begin(self) -> Future[None] | None:
        """The run that was begun; None while that of an earlier tick goes on."""
        if not self.is_free.acquire(blocking=False):
            return None
        if self._thread is None:  # by the first tick, thus in the process that works and not in the one that forks it
            self._thread = ThreadPoolExecutor(1, thread_name_prefix=self.name)
        return self._thread.submit(self._run_and_free)

    def _run_and_free(self) -> None:
        """A run with the connection of this thread, which it keeps for the next one, unless that is old or broken."""
        try:
            close_old_connections()
            self.run()
        except Exception:
            logger.exception("notifications_work_failed", work=self.name)  # the next tick tries again
        finally:
            close_old_connections()
            self.is_free.release()


@shared_task(name="notifications.follow_games", ignore_result=True, expires=5)
def follow_games() -> None:
    """Each second: begin to look at the games that have moved. Safe to run twice, late, or at once."""
    FOLLOWING.begin()


def follow_everywhere(clock: Clock = timezone.now) -> None:
    """Look at the games that have moved, of each place so many; one that cannot be looked at rests for a while."""
    for place in routing.places_to_write():
        with routing.at_hand(place):
            _follow_here(clock)


def _follow_here(clock: Clock) -> None:
    for game in following.games_to_look_at(clock(), MAX_GAMES_PER_TICK):
        try:
            if following.look_at(game, clock()):
                metrics.count_look("done")
        except Exception:
            logger.exception("notifications_failed", game=str(game))
            metrics.count_look("failed")
            following.put_off(game, clock())


@shared_task(name="notifications.mail", ignore_result=True, expires=5)
def mail() -> None:
    """Every five seconds: begin to send the mails that are due. Safe to run twice, late, or at once."""
    if settings.EMAIL_HOST and settings.PUBLIC_URL:
        MAILING.begin()


def mail_everywhere() -> None:
    """Write the mails about what is new, and send those that are due; then those of a day."""
    for place in routing.places_to_write():
        with routing.at_hand(place):
            mailing.write_mails(timezone.now())
            wait(MAILS.begin(taking(place, mailing.take), _deliver))
    digests.write_digests(timezone.now())
    wait(MAILS.begin(lambda most: digests.take(timezone.now(), most), _deliver_digest))


def _deliver(mail_id: UUID) -> None:
    try:
        with routing.at(mail_id):
            mailing.deliver(mail_id)
    except Exception:
        logger.exception("notification_mail_failed", mail=str(mail_id))  # its lease ends, and it is tried again


@shared_task(name="notifications.push", ignore_result=True, expires=5)
def push() -> None:
    """Every two seconds: begin to send the pushes that are due. Safe to run twice, late, or at once."""
    if web_push.is_configured():
        PUSHING.begin()


def push_everywhere() -> list[Future[None]]:
    """Write the pushes about what is new, and begin those that are due, as far as threads are free.

    Nobody waits for them, so a push service that is slow holds up no other.
    """
    begun: list[Future[None]] = []
    for place in routing.places_to_write():
        with routing.at_hand(place):
            pushing.write_pushes(timezone.now())
            begun += PUSHES.begin(taking(place, pushing.take), _deliver_push)
    return begun


def _deliver_push(push_id: UUID) -> None:
    try:
        with routing.at(push_id):
            pushing.deliver(push_id)
    except Exception:
        logger.exception("notification_push_failed", push=str(push_id))  # its lease ends, and it is tried again


def _deliver_digest(digest_id: UUID) -> None:
    try:
        digests.deliver(digest_id)
    except Exception:
        logger.exception("digest_failed", digest=str(digest_id))  # its lease ends, and it is tried again


FOLLOWING = Work("notifications", follow_everywhere)
MAILING = Work("mail", mail_everywhere)
PUSHING = Work("push", push_everywhere)
MAILS = Pool("mails", MAX_MAILS_AT_ONCE)
PUSHES = Pool("pushes", MAX_PUSHES_AT_ONCE)
