"""Notifications are pushed to the browsers of those who want it: once to each, and only while they stand unread.

A push is a row before it is sent, as a mail is (`sending`). One that is sent again after a worker was killed has the
same `Topic` and tag, so a browser shows it in place of the first.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import orjson
import structlog
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import PushSubscription
from api.notifications import browsers, web_push
from api.notifications.addresses import path_of
from api.notifications.reading import Worded, unread_notification
from api.notifications.sending import Order, lease, note_failure, quiet_until, rows_to_send
from api.notifications.wishes import Wishes, wishes_of_people
from api.outbound.posting import Answer, post
from core.ids import derived_id
from games.models import MailState, Notification, NotificationKind, NotificationPush
from games.runtime import failpoints, metrics

SALT = "api.notifications.push"
UNDATED_TTL = timedelta(days=3)
"""How long a push without a deadline waits for a browser that is off."""
MAX_TTL = timedelta(days=28)
"""The most that push services keep."""
MAX_MESSAGE_CHARACTERS, MAX_NAME_CHARACTERS = 300, 80
"""Of text and title: six bytes each at most, as JSON."""
URGENCIES = {NotificationKind.DEADLINE: "high", NotificationKind.ALONE: "high", NotificationKind.CHAPTER: "low"}
"""Others are normal: they may wait until a phone is awake."""
GONE = (404, 410)
"""Statuses by which a push service says that the subscription is no more."""
FINAL = (400, 401, 403, 413)
"""Statuses that the same push would get again: malformed, signed by a key it does not know, too large."""
FINAL_ERRORS = ("address.refused",)
logger = structlog.get_logger(__name__)
Clock = Callable[[], datetime]


def write_pushes(now: datetime) -> int:
    """Write the pushes about what stands unread in the place in force and was pushed to nobody yet; how many."""
    owned = browsers.subscriptions_by_person()
    written = NotificationPush.objects.filter(notification=OuterRef("pk"), rewinds=OuterRef("rewinds"))
    wishes = wishes_of_people(owned) if owned else {}
    rows = rows_to_send({user: _order(each, owned[user]) for user, each in wishes.items()}, Exists(written))
    made = [
        _push(row, subscription.pk, now)
        for row in rows
        for subscription in owned[row.user_id]
        if row.created_at >= subscription.created_at
    ]
    NotificationPush.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def take(now: datetime, most: int) -> list[UUID]:
    """Lease pushes of the place in force that are due, the longest waiting first: one query where there is none."""
    return lease(NotificationPush.objects.all(), now, most)


def deliver(push_id: UUID, clock: Clock = timezone.now) -> None:
    """Send a push that was taken, if it is still to be sent, and note what came of it.

    What is read, answered, over or no longer wanted leaves no row, as in `mailing.deliver`.
    """
    now = clock()
    push = NotificationPush.objects.select_related("notification").filter(pk=push_id).first()
    if push is None:  # the notification was deleted, and the push with it
        return
    row = push.notification
    subscription = browsers.subscription_for(row.user_id, push.subscription)
    wishes = wishes_of_people([row.user_id]).get(row.user_id)
    worded = unread_notification(row.user_id, row.pk)
    if subscription is None or wishes is None or worded is None or _is_over(worded, now):
        push.delete()
        return
    if not _order(wishes, [subscription]).wants(row):
        push.delete()
        return
    if ends := quiet_until(worded, wishes, now):
        NotificationPush.objects.filter(pk=push_id).update(next_try_at=ends, leased_until=None)
        return
    topic = topic_of(row, subscription.pk)
    urgency = URGENCIES.get(worded.kind, "normal")
    head = web_push.headers(subscription.endpoint, topic, _ttl(worded, now), urgency, now)
    answer = post(subscription.endpoint, web_push.encrypt(body_of(worded, topic), subscription), head)
    failpoints.reach(failpoints.PUSH_SENT)
    metrics.count_post("push", answer.status, is_success=answer.is_success)
    _note(push, subscription, answer, clock())


def body_of(worded: Worded, topic: str) -> bytes:
    """What the browser is told: what the list says, and no more. As JSON."""
    shown = {
        "title": worded.game_name[:MAX_NAME_CHARACTERS],
        "body": worded.message[:MAX_MESSAGE_CHARACTERS],
        "due": worded.due,
        "path": path_of(worded),
        "tag": topic,
    }
    body = orjson.dumps(shown, option=orjson.OPT_UTC_Z)
    assert len(body) <= web_push.MAX_BODY_BYTES
    return body


def topic_of(row: Notification, subscription: UUID) -> str:
    """What a push is about, for its push service, which can tell nothing from it: a newer one replaces an older.

    The same for all that is said of one question, and for what is said of a game in one kind.
    """
    about = f"{subscription}:{row.game_id}:{row.seat}:{row.subject or row.kind}"
    digest = salted_hmac(SALT, about, algorithm="sha256").digest()[:24]
    return urlsafe_b64encode(digest).decode()


def _order(wishes: Wishes, subscriptions: Sequence[PushSubscription]) -> Order:
    kinds = [kind for kind in NotificationKind if kind not in wishes.push_kinds_off]
    return Order(wishes, kinds, min(each.created_at for each in subscriptions))


def _push(row: Notification, subscription: UUID, now: datetime) -> NotificationPush:
    return NotificationPush(
        id=derived_id(row.game_id, f"push:{row.pk}:{row.rewinds}:{subscription}"), notification=row,
        subscription=subscription, rewinds=row.rewinds, next_try_at=now, created_at=now,
    )  # fmt: skip


def _is_over(worded: Worded, now: datetime) -> bool:
    return worded.due is not None and worded.due <= now


def _ttl(worded: Worded, now: datetime) -> timedelta:
    """How long a push is worth anything: until the deadline."""
    return UNDATED_TTL if worded.due is None else min(worded.due - now, MAX_TTL)


def _note(push: NotificationPush, subscription: PushSubscription, answer: Answer, now: datetime) -> None:
    """Write down what came of a push; no more is sent to a browser that is gone."""
    if answer.is_success:
        NotificationPush.objects.filter(pk=push.pk).update(
            state=MailState.SENT, sent_at=now, attempts=F("attempts") + 1, error="", leased_until=None
        )
    else:
        error = answer.error or f"status.{answer.status}"
        is_final = answer.status in (*GONE, *FINAL) or answer.error in FINAL_ERRORS
        note_failure(push, error, now, is_final=is_final, pause=answer.retry_pause(now))
        if answer.status in GONE:
            browsers.forget(subscription)
    logger.info("notification_pushed", push=str(push.pk), status=answer.status, error=answer.error)
