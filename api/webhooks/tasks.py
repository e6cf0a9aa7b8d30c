"""What Celery carries for webhooks and chat hooks: a tick without truth. The rows say what is to be posted.

The tick hands the work to threads of the worker's process and ends, so that no timer waits for somebody's network.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import product
from threading import BoundedSemaphore
from types import ModuleType
from uuid import UUID

import structlog
from celery import shared_task
from django.db import connections
from django.utils import timezone

from api.webhooks import delivery
from api.webhooks.chat import delivery as chat_delivery
from core.places import routing

KINDS: tuple[ModuleType, ...] = (delivery, chat_delivery)
"""What is looked through for what is due: each has `take` and `deliver`."""
MAX_AT_ONCE = 16
"""Messages that a process posts at once."""
logger = structlog.get_logger(__name__)
_slots = BoundedSemaphore(MAX_AT_ONCE)


@shared_task(name="webhooks.deliver_due", ignore_result=True, expires=5)
def deliver_due() -> None:
    """Each second: begin to post what is due, as far as threads are free. Safe to run twice, late, or at once."""
    begin_due()


def begin_due() -> list[Future[None]]:
    """The work that was begun; of each place, as much as threads are free."""
    begun: list[Future[None]] = []
    for place, kind in product(routing.every_place(), KINDS):
        held, taken = _free_slots(), list[UUID]()
        try:
            with routing.at_place(place):
                taken = kind.take(timezone.now(), held)
        finally:  # also where the database is away: else nothing would be posted until the process starts again
            for _ in range(held - len(taken)):
                _slots.release()
        begun += [_threads().submit(_deliver, kind, webhook) for webhook in taken]
    return begun


def _free_slots() -> int:
    """Take every slot that is free; how many they are."""
    count = 0
    while _slots.acquire(blocking=False):
        count += 1
    return count


@cache
def _threads() -> ThreadPoolExecutor:
    """Made by the first tick, thus in the process that works and not in the one that forks it."""
    return ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="webhooks")


def _deliver(kind: ModuleType, webhook: UUID) -> None:
    try:
        with routing.at(webhook):
            kind.deliver(webhook)
    except Exception:
        logger.exception("webhook_failed", webhook=str(webhook))  # its lease ends, and it is tried again
    finally:
        connections.close_all()
        _slots.release()
