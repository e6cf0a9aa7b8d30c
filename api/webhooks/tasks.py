"""What Celery carries for webhooks and chat hooks: a tick without truth. The rows say what is to be posted.

The tick hands the work to threads of the worker's process and ends, so that no timer waits for somebody's network.
"""

from concurrent.futures import Future
from functools import partial
from itertools import count, product
from types import ModuleType
from uuid import UUID

import structlog
from celery import shared_task

from api.outbound.pool import Pool, taking
from api.webhooks import delivery
from api.webhooks.chat import delivery as chat_delivery
from core.places import routing

KINDS: tuple[ModuleType, ...] = (delivery, chat_delivery)
"""What is looked through for what is due: each has `take` and `deliver`."""
MAX_AT_ONCE = 16
"""Messages that a process posts at once."""
POOL = Pool("webhooks", MAX_AT_ONCE)
TURNS = count()
logger = structlog.get_logger(__name__)


@shared_task(name="webhooks.deliver_due", ignore_result=True, expires=5)
def deliver_due() -> None:
    """Each second: begin to post what is due, as far as threads are free. Safe to run twice, late, or at once."""
    begin_due()


def begin_due() -> list[Future[None]]:
    """The work that was begun; of each place and kind, as much as threads are free.

    Each tick begins with another of them, so that none waits while another always has something to do.
    """
    parts = list(product(routing.places_to_write(), KINDS))
    first = next(TURNS) % len(parts)
    begun: list[Future[None]] = []
    for place, kind in parts[first:] + parts[:first]:
        with routing.at_hand(place):
            begun += POOL.begin(taking(place, kind.take), partial(_deliver, kind))
    return begun


def _deliver(kind: ModuleType, webhook: UUID) -> None:
    try:
        with routing.at(webhook):
            kind.deliver(webhook)
    except Exception:
        logger.exception("webhook_failed", webhook=str(webhook))  # its lease ends, and it is tried again
