"""One mail a day, across all games of a person, at the time of day that they have chosen.

As in `mailing.py`, it is a row before it is sent, with a lease, under an id that follows from person and day. What it
is about is settled once, by rows of the games (`NotificationMail.digest`), so that nothing is in two mails. A worker
that is killed before it has noted that the mail is out leaves all of it to be sent again; what was answered or read
meanwhile is left out.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from smtplib import SMTPException
from uuid import UUID

import structlog
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from accounts.models import NotificationDigest
from api.notifications.addresses import absolute_address, path_of
from api.notifications.mailing import answer_line, is_refused_for_good, letter, until
from api.notifications.quiet import end_of_quiet, last_time_of_day
from api.notifications.reading import Worded, unread_notifications
from api.notifications.sending import Order, lease, note_failure, rows_to_send
from api.notifications.wishes import Wishes, wishes_of_mailed
from core.ids import derived_id
from core.places import routing
from games.engine.wording import quantity
from games.models import MailState, NotificationMail
from games.runtime import failpoints

KEPT = timedelta(days=7)
"""How long the row of a mail that is settled is kept."""
MAX_ROWS = 200
"""Notifications in one mail; the others come with the next."""
Clock = Callable[[], datetime]
logger = structlog.get_logger(__name__)


def write_digests(now: datetime) -> int:
    """Write the mails of people whose time of day has come and of whom something stood unmailed then; how many.

    Two queries, and one for each place where somebody's time has come and nothing was written for it yet.
    """
    people = {user: wishes for user, wishes in wishes_of_mailed().items() if wishes.mail_digest}
    moments = {user: last_time_of_day(now, wishes.time_zone, wishes.mail_digest) for user, wishes in people.items()}
    ids = {user: _id_of(user, moment) for user, moment in moments.items()}
    written = set(NotificationDigest.objects.filter(pk__in=ids.values()).values_list("pk", flat=True)) if ids else set()
    orders = {
        user: Order(wishes, wishes.mail_kinds, wishes.mail_since)
        for user, wishes in people.items()
        if ids[user] not in written and wishes.mail_since is not None and wishes.mail_since <= moments[user]
    }
    found = _people_with_something(orders, moments) if orders else set[UUID]()
    NotificationDigest.objects.bulk_create(
        [
            NotificationDigest(
                id=ids[user], user_id=user, moment=moments[user], state=MailState.PENDING,
                next_try_at=now, created_at=now,
            )
            for user in found
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    return len(found)


def take(now: datetime, most: int) -> list[UUID]:
    """Lease mails that are due, the longest waiting first: one query where there is none."""
    return lease(NotificationDigest.objects.all(), now, most)


def deliver(digest_id: UUID, clock: Clock = timezone.now) -> None:
    """Send a mail that was taken, with what still stands unread, and note what came of it.

    Who wants no such mail any more gets none; what it was about is free for other mails. One that was sent, and not
    noted in every place, is noted.
    """
    digest = NotificationDigest.objects.select_related("user").get(pk=digest_id)
    if digest.sent_at is None and not _send(digest, clock):
        return
    if digest.sent_at is not None:
        routing.in_every_place(_note_sent, digest)
    NotificationDigest.objects.filter(pk=digest_id).update(
        state=MailState.SENT, attempts=F("attempts") + 1, error="", leased_until=None
    )
    past = NotificationDigest.objects.filter(user=digest.user_id, created_at__lt=clock() - KEPT)
    past.exclude(state=MailState.PENDING).delete()


def _send(digest: NotificationDigest, clock: Clock) -> bool:
    """Send it; whether it is out, or nothing of it was left: it may also wait, have failed, or be wanted no more.

    That it is out is one statement behind its sending: until then, and no longer, it is sent again.
    """
    now = clock()
    wishes = wishes_of_mailed([digest.user_id]).get(digest.user_id)
    order = None if wishes is None or wishes.mail_since is None else Order(wishes, wishes.mail_kinds, wishes.mail_since)
    if wishes is None or order is None or not wishes.mail_digest:
        routing.in_every_place(_release, digest.pk)
        digest.delete()
        return False
    if ends := end_of_quiet(now, wishes.time_zone, wishes.quiet_from, wishes.quiet_to):
        NotificationDigest.objects.filter(pk=digest.pk).update(next_try_at=ends, leased_until=None)
        return False
    if digest.claimed_at is None:
        routing.in_every_place(_claim, digest, order, now)
        digest.claimed_at = now
        digest.save(update_fields=["claimed_at"])
    rows = [row for found in routing.in_every_place(_rows, digest, order) for row in found]
    if not rows:
        return True
    try:
        subject, text = content_of(rows, wishes, digest)
        letter(digest.pk, digest.user, subject, text).send()
    except (OSError, SMTPException) as error:
        note_failure(digest, type(error).__name__, clock(), is_final=is_refused_for_good(error))
        if digest.state == MailState.FAILED:
            routing.in_every_place(_release, digest.pk)
        logger.info("digest_not_mailed", digest=str(digest.pk), error=digest.error, attempts=digest.attempts)
        return False
    failpoints.reach(failpoints.MAIL_SENT)
    digest.sent_at = clock()
    digest.save(update_fields=["sent_at"])
    failpoints.reach(failpoints.MAIL_NOTED)
    logger.info("digest_mailed", digest=str(digest.pk), notifications=len(rows))
    return True


def content_of(rows: Iterable[Worded], wishes: Wishes, digest: NotificationDigest) -> tuple[str, str]:
    """Subject and text: by games, the one with the nearest deadline first, and so within each."""
    ordered = sorted(rows, key=lambda row: (row.game_name, row.game, _place(row)))
    games = [list(held) for _, held in groupby(ordered, key=lambda row: row.game)]
    games.sort(key=lambda held: _place(held[0]))
    text = "\n".join(_game_text(held, wishes, digest) for held in games)
    return f"{quantity(len(ordered), 'notification')} of {quantity(len(games), 'game')}", text


def _game_text(rows: list[Worded], wishes: Wishes, digest: NotificationDigest) -> str:
    lines = [rows[0].game_name, "=" * min(len(rows[0].game_name), 72)]
    answered = set[UUID | None]()
    for row in rows:
        lines += [row.message, *until(row.due, wishes.time_zone).splitlines()]
        if row.question not in answered:  # its link is the same in whatever is said of it
            lines += answer_line(row, wishes, digest.user).split("\n")[1:-1]
        answered.add(row.question)
        lines += [f"{row.game_name}: {absolute_address(path_of(row))}", ""]
    return "\n".join(lines)


def _place(row: Worded) -> tuple[bool, datetime]:
    """Its place among others: the nearest deadline first, what has none last."""
    return (row.due is None, row.due or row.created_at)


def _id_of(user: UUID, moment: datetime) -> UUID:
    return derived_id(user, f"digest:{moment.isoformat()}")


def _people_with_something(orders: Mapping[UUID, Order], moments: Mapping[UUID, datetime]) -> set[UUID]:
    found = routing.in_every_place(lambda: rows_to_send(orders, _has_mail()))
    return {row.user_id for rows in found for row in rows if row.created_at <= moments[row.user_id]}


def _has_mail() -> Exists:
    return Exists(NotificationMail.objects.filter(notification=OuterRef("pk"), rewinds=OuterRef("rewinds")))


def _claim(digest: NotificationDigest, order: Order, now: datetime) -> None:
    """Let what stands unread in the place in force and was in no mail go out with this one."""
    rows = rows_to_send({digest.user_id: order}, _has_mail())[:MAX_ROWS]
    NotificationMail.objects.bulk_create(
        [
            NotificationMail(
                id=derived_id(row.game_id, f"mail:{row.pk}:{row.rewinds}"),
                notification=row, rewinds=row.rewinds, digest=digest.pk, next_try_at=now, created_at=now,
            )
            for row in rows
        ],
        ignore_conflicts=True,
    )  # fmt: skip


def _rows(digest: NotificationDigest, order: Order) -> list[Worded]:
    """What of it is still to be sent in the place in force; the rest is freed, to be mailed should it stand again."""
    mails = NotificationMail.objects.filter(digest=digest.pk, state=MailState.PENDING).select_related("notification")
    claimed = {mail.notification_id: mail for mail in mails}
    stands = unread_notifications(digest.user_id, claimed) if claimed else []
    rows = [row for row in stands if order.wants(claimed[row.id].notification)]
    if gone := claimed.keys() - {row.id for row in rows}:
        NotificationMail.objects.filter(pk__in=[claimed[each].pk for each in gone]).delete()
    return rows


def _note_sent(digest: NotificationDigest) -> None:
    """All that is left of it in the place in force has gone out with it."""
    NotificationMail.objects.filter(digest=digest.pk, state=MailState.PENDING).update(
        state=MailState.SENT, sent_at=digest.sent_at, attempts=F("attempts") + 1, error=""
    )


def _release(digest_id: UUID) -> None:
    NotificationMail.objects.filter(digest=digest_id, state=MailState.PENDING).delete()
