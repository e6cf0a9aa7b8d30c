"""What all rows have in common whose messages are posted: a lease, pauses after failures, and when they are off.

A lease keeps other workers away meanwhile; no transaction and no lock is open while the network is waited for.
"""

import random
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet

from api.common.exceptions import Fault
from api.common.viewer import Viewer, viewer_of
from api.outbound.posting import Answer
from api.webhooks.owners import OwnerGone, delete_for_good, require_owner
from games.engine.errors import Refused
from games.models import PostedTo

LEASE = timedelta(seconds=60)
"""Longer than a name takes to be resolved and a message to be posted."""
PAUSES_SECONDS = (5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600)
"""After the first failure, the second ...; the last goes on."""
JITTER = 0.2
"""The share by which a pause is longer or shorter, so that those who failed together do not come back together."""
GIVE_UP = timedelta(days=3)
"""Without any success: then the webhook is off."""
GONE = (410,)
"""Statuses by which a receiver says that it is no more."""
COUNTED = ("failures", "failing_since", "next_try_at", "leased_until", "is_active", "reason")
"""Columns that `count_attempt` sets."""
OFF: dict[str, Any] = {"is_active": False, "leased_until": None}
"""Columns of a row that is off, beside the reason."""
logger = structlog.get_logger(__name__)
R = TypeVar("R", bound=PostedTo)


def is_free(now: datetime) -> Q:
    """The rows that are on, are leased by nobody, and whose pause is over."""
    return Q(Q(leased_until=None) | Q(leased_until__lte=now), is_active=True, next_try_at__lte=now)


def current_viewer(row: PostedTo, now: datetime, *, seat: UUID | None = None, as_: str = "") -> Viewer | None:
    """Its owner at the game, as they may look now; None where they may not.

    It is deleted then where they are here no more, and off where they may not see the game so.
    """
    try:
        require_owner(row, now)
        return viewer_of(row.game_id, row.user_id, seat=seat, as_=as_)
    except OwnerGone as gone:
        logger.info("webhook_deleted", webhook=str(row.pk), reason=gone.code)
        delete_for_good(row)
    except Refused as refused:
        switch_off(type(row), row.pk, refused.code)
    except Fault as fault:  # the game is moving: the next sweep finds it where it lies then
        logger.info("webhook_waits", webhook=str(row.pk), reason=fault.code)
    return None


def lease(due: QuerySet[R], now: datetime, most: int) -> list[UUID]:
    """Lease rows of the place in force that are due, those first that have waited longest.

    One query where there is none. Those that other workers are looking at are skipped (SKIP LOCKED).
    """
    if most < 1 or not due.exists():
        return []
    with transaction.atomic():
        found = due.select_for_update(skip_locked=True).order_by("next_try_at")  # as the index has them: no sort of all
        taken = list(found.values_list("pk", flat=True)[:most])
        due.model._default_manager.filter(pk__in=taken).update(leased_until=now + LEASE)
    return taken


def columns_of_start(now: datetime) -> dict[str, Any]:
    """Columns of a row that is switched on: what failed before counts no more."""
    return {"is_active": True, "reason": "", "failures": 0, "failing_since": None, "next_try_at": now}


def switch_off(model: type[PostedTo], key: UUID, reason: str) -> None:
    """Post nothing more until somebody switches it on. Nothing is lost: it goes on behind the last message."""
    rows = model._default_manager.filter(pk=key, is_active=True)
    rows.update(**OFF, reason=reason)
    logger.info("webhook_off", webhook=str(key), reason=reason)


def count_attempt(
    row: PostedTo, answer: Answer, began: datetime, ended: datetime, gone: Collection[int] = GONE
) -> None:
    """Set what an attempt changes (`COUNTED`): when the next one is; off where the receiver is gone, or has failed for
    too long. The caller saves the row. gone: statuses that say so."""
    row.leased_until = None
    if answer.is_success:
        # One that is slow is left alone for as long as it took, so that it holds no thread all the time.
        row.failures, row.failing_since, row.next_try_at = 0, None, ended + (ended - began)
        return
    row.failures += 1
    row.failing_since = row.failing_since or ended
    pause = timedelta(seconds=PAUSES_SECONDS[min(row.failures, len(PAUSES_SECONDS)) - 1])
    pause *= random.uniform(1 - JITTER, 1 + JITTER)
    row.next_try_at = ended + max(pause, answer.retry_pause(ended))
    if row.is_active and answer.status in gone:
        row.is_active, row.reason = False, "receiver.gone"
    elif row.is_active and ended - row.failing_since >= GIVE_UP:
        row.is_active, row.reason = False, "receiver.failing"
