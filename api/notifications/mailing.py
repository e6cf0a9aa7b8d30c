"""Notifications go out by e-mail to those who want it: each once, and only while it still stands unread.

A mail is a row before it is sent, so a worker that is killed leaves it to be sent again, under the same Message-ID. A
lease keeps other workers away meanwhile; no transaction and no lock is open while the mail server is waited for. What
goes out to who wants one mail a day is in `digests.py`; what would be over by then goes out from here.
"""

from collections.abc import Callable
from datetime import datetime
from smtplib import SMTPException, SMTPRecipientsRefused
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from accounts.models import User
from api.notifications.addresses import absolute_address, path_of, path_to, stop_key
from api.notifications.answer_links import answer_key
from api.notifications.quiet import next_time_of_day
from api.notifications.reading import Worded, unread_notification
from api.notifications.sending import Order, lease, note_failure, quiet_until, rows_to_send
from api.notifications.wishes import Wishes, wishes_of_mailed
from core.ids import derived_id
from games.engine.game_state import Role
from games.models import MailState, NotificationMail
from games.runtime import failpoints

TEXT = """{message}
{until}
{game}: {address}
{answer}"""
FOOT = """
No more mail about your games: {stop}
What you are told, and how: {settings}
"""
ANSWER = """
Answer without signing in; the link is for you alone: {address}
"""
logger = structlog.get_logger(__name__)
Clock = Callable[[], datetime]


def write_mails(now: datetime) -> int:
    """Write the mails about what stands unread in the place in force and was mailed to nobody yet; how many."""
    written = NotificationMail.objects.filter(notification=OuterRef("pk"), rewinds=OuterRef("rewinds"))
    orders = {user: order for user, wishes in wishes_of_mailed().items() if (order := _order(wishes, now))}
    rows = rows_to_send(orders, Exists(written))
    NotificationMail.objects.bulk_create(
        [
            NotificationMail(
                id=derived_id(row.game_id, f"mail:{row.pk}:{row.rewinds}"),
                notification=row, rewinds=row.rewinds, next_try_at=now, created_at=now,
            )
            for row in rows
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    return len(rows)


def take(now: datetime, most: int) -> list[UUID]:
    """Lease mails of the place in force that are due, the longest waiting first: one query where there is none."""
    return lease(NotificationMail.objects.filter(digest=None), now, most)


def deliver(mail_id: UUID, clock: Clock = timezone.now) -> None:
    """Send a mail that was taken, if it is still to be sent, and note what came of it.

    What is read, answered or no longer wanted leaves no row: should it stand again, it is mailed then.
    """
    now = clock()
    mail = NotificationMail.objects.select_related("notification").get(pk=mail_id)
    row = mail.notification
    wishes = wishes_of_mailed([row.user_id]).get(row.user_id)
    worded = unread_notification(row.user_id, row.pk)
    order = _order(wishes, now) if wishes is not None else None
    if wishes is None or worded is None or order is None or not order.wants(row):
        mail.delete()
        return
    if ends := quiet_until(worded, wishes, now):
        NotificationMail.objects.filter(pk=mail_id).update(next_try_at=ends, leased_until=None)
        return
    try:
        message_about(mail.pk, worded, wishes, User.objects.get(pk=row.user_id)).send()
    except (OSError, SMTPException) as error:
        note_failure(mail, type(error).__name__, clock(), is_final=is_refused_for_good(error))
        logger.info("notification_not_mailed", mail=str(mail.pk), error=mail.error, attempts=mail.attempts)
        return
    failpoints.reach(failpoints.MAIL_SENT)
    NotificationMail.objects.filter(pk=mail_id).update(
        state=MailState.SENT, sent_at=clock(), attempts=F("attempts") + 1, error="", leased_until=None
    )
    logger.info("notification_mailed", mail=str(mail_id), kind=row.kind)


def message_about(mail: UUID, worded: Worded, wishes: Wishes, user: User) -> EmailMessage:
    """The mail: what the list says, and no more."""
    text = TEXT.format(
        message=worded.message,
        until=until(worded.due, wishes.time_zone),
        game=worded.game_name,
        address=absolute_address(path_of(worded)),
        answer=answer_line(worded, wishes, user),
    )
    return letter(mail, user, f"{worded.game_name}: {worded.message}", text)


def letter(mail: UUID, user: User, subject: str, text: str) -> EmailMessage:
    """A mail to somebody, with what ends such mail. mail: its id, which names it to programs."""
    stop = absolute_address(path_to("mail-off", stop_key(user.pk)))
    sender = settings.DEFAULT_FROM_EMAIL
    return EmailMessage(
        subject=" ".join(subject.split())[:150],
        body=text + FOOT.format(stop=stop, settings=absolute_address(path_to("notifications-page"))),
        from_email=sender,
        to=[user.email],
        headers={
            "Message-ID": f"<{mail}@{sender.rpartition('@')[2].rstrip('>')}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def answer_line(worded: Worded, wishes: Wishes, user: User) -> str:
    """Where a player answers without signing in; "" for what asks nothing, or asks somebody who leads the game."""
    if worded.question is None or worded.seat is None or worded.role is not Role.PLAYER or wishes.mail_since is None:
        return ""
    key = answer_key(user, wishes.mail_since, worded.game, worded.seat, worded.question)
    return ANSWER.format(address=absolute_address(path_to("answer", key)))


def until(due: datetime | None, zone: str) -> str:
    """A line that says until when, on the clock of a zone; "" without a deadline."""
    return "" if due is None else f"Until {due.astimezone(ZoneInfo(zone)):%d %b %Y, %H:%M} ({zone}).\n"


def _order(wishes: Wishes, now: datetime) -> Order | None:
    """What a person wants mailed by itself; None where that is nothing.

    Who wants one mail a day is mailed what would be over by the next one alone.
    """
    if wishes.mail_since is None:
        return None
    digest = next_time_of_day(now, wishes.time_zone, wishes.mail_digest) if wishes.mail_digest else None
    return Order(wishes, wishes.mail_kinds, wishes.mail_since, digest)


def is_refused_for_good(error: Exception) -> bool:
    """Whether the mail server wants no mail to this receiver, ever."""
    return isinstance(error, SMTPRecipientsRefused) and all(code >= 500 for code, _ in error.recipients.values())
