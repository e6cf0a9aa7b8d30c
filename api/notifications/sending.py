"""What all ways of sending notifications share: what is wanted, a lease, quiet hours, growing pauses.

What is sent is a row before it is sent. A lease keeps other workers away meanwhile; no transaction and no lock is open
while a server is waited for.
"""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, Q, QuerySet

from accounts.models import NotificationDigest
from api.notifications.quiet import end_of_quiet, next_time_of_day
from api.notifications.reading import Worded
from api.notifications.wishes import Wishes
from games.models import MailState, Notification, NotificationKind, SentNotification

LEASE = timedelta(minutes=5)
"""Longer than a server may take for all steps of what is sent."""
PAUSES_SECONDS = (30, 120, 600, 1800, 3600)
"""After the first failure, the second ...; the last goes on."""
JITTER = 0.2
GIVE_UP = timedelta(days=3)
MAX_NEW = 200
"""Rows that are written in one go; the others come with the next."""
PEOPLE_PER_QUERY = 100


@dataclass(frozen=True, slots=True)
class Order:
    """What a person wants sent in one way: these kinds, of what has stood since then."""

    wishes: Wishes
    kinds: Collection[str]
    since: datetime
    due_by: datetime | None = None
    """The next mail of a day: only what would be over by the one that comes first behind it; None: whatever it is."""

    def wants(self, row: Notification) -> bool:
        """Whether a notification is to be sent; what stood before they said so is not."""
        kind = NotificationKind(row.kind)
        if self.due_by is not None:
            first = next_time_of_day(row.created_at, self.wishes.time_zone, self.wishes.mail_digest)
            if row.due is None or row.due > first:
                return False
        return row.created_at >= self.since and kind in self.kinds and self.wishes.wants(kind, row.game_id)

    def rows(self, user: UUID) -> Q:
        """The rows of a person that may be wanted."""
        found = Q(user=user, kind__in=self.kinds, created_at__gte=self.since)
        return found if self.due_by is None else found & Q(due__lte=self.due_by)


def rows_to_send(orders: Mapping[UUID, Order], was_written: Exists) -> list[Notification]:
    """What stands unread in the place in force, is wanted, and has no row yet; the oldest first, `MAX_NEW` at most.

    orders: by person. was_written: whether a notification has its row. One query for `PEOPLE_PER_QUERY` people.
    """
    people, found = list(orders), list[Notification]()
    for first in range(0, len(people), PEOPLE_PER_QUERY):
        wanted = Q()
        for user in people[first : first + PEOPLE_PER_QUERY]:
            wanted |= orders[user].rows(user)
        rows = Notification.objects.filter(wanted, ~was_written, gone_at=None, read_at=None)
        found += rows.order_by("created_at", "pk")[:MAX_NEW]
    # Games and kinds that are off have no rows a second later, so they hold up nothing.
    found = [row for row in found if orders[row.user_id].wants(row)]
    return sorted(found, key=lambda row: (row.created_at, row.pk))[:MAX_NEW]


def lease(rows: QuerySet[Any], now: datetime, most: int) -> list[UUID]:
    """Lease those of some rows that are due, the longest waiting first: one query where there is none."""
    due = rows.filter(state=MailState.PENDING, next_try_at__lte=now).exclude(leased_until__gt=now)
    if most < 1 or not due.exists():
        return []
    with transaction.atomic():
        found = due.select_for_update(skip_locked=True).order_by("next_try_at", "id")
        taken = list(found.values_list("pk", flat=True)[:most])
        rows.filter(pk__in=taken).update(leased_until=now + LEASE)
    return taken


def quiet_until(worded: Worded, wishes: Wishes, now: datetime) -> datetime | None:
    """The end of the quiet hours; None outside of them, and for a near deadline that would be over by then."""
    ends = end_of_quiet(now, wishes.time_zone, wishes.quiet_from, wishes.quiet_to)
    is_too_late = worded.kind is NotificationKind.DEADLINE and worded.due and ends and worded.due <= ends
    return None if is_too_late else ends


def note_failure(
    row: SentNotification | NotificationDigest,
    error: str,
    now: datetime,
    *,
    is_final: bool,
    pause: timedelta = timedelta(0),
) -> None:
    """Put it off, the longer the more often it failed; failed for good where that is final, or after `GIVE_UP`.

    error: a code. pause: the least, as the server has asked.
    """
    row.attempts += 1
    row.error, row.leased_until = error, None
    growing = PAUSES_SECONDS[min(row.attempts, len(PAUSES_SECONDS)) - 1] * random.uniform(1 - JITTER, 1 + JITTER)
    row.next_try_at = now + max(timedelta(seconds=growing), pause)
    if is_final or now - row.created_at >= GIVE_UP:
        row.state = MailState.FAILED
    row.save(update_fields=["attempts", "error", "leased_until", "next_try_at", "state"])
