"""Messages are written, posted and marked: in the order of the log, at least once, each under one id for good.

A message is a row before it is posted, so a worker that is killed at any point leaves it to be posted again. A lease
keeps other workers away meanwhile; no transaction and no lock is open while the network is waited for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from api.outbound.posting import Answer, post
from api.webhooks import messages
from api.webhooks.attempts import COUNTED, count_attempt, current_viewer, is_free, lease
from api.webhooks.signing import signature_headers
from core.ids import in_slot_of
from games.models import DeliveryState, Game, Webhook, WebhookDelivery
from games.runtime import failpoints, metrics

KEPT_DELIVERIES = 100
"""Of each webhook; older ones are deleted once they are delivered."""
logger = structlog.get_logger(__name__)
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that is ready to be posted."""

    webhook: Webhook
    delivery: WebhookDelivery
    body: bytes


def take(now: datetime, most: int) -> list[UUID]:
    """Lease the webhooks of the place in force that have something to post, those first that have waited longest.

    One query where there is none. Those that other workers are looking at are skipped (SKIP LOCKED).
    """
    return lease(_due(now), now, most)


def _due(now: datetime) -> QuerySet[Webhook]:
    moved = Game.objects.filter(pk=OuterRef("game_id"), seq__gt=OuterRef("seq"))
    pending = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), state=DeliveryState.PENDING)
    rows: QuerySet[Webhook] = Webhook.objects.filter(is_free(now)).filter(Exists(moved) | Exists(pending))
    return rows


def deliver(webhook_id: UUID, clock: Clock = timezone.now) -> Answer | None:
    """Post the next message of a webhook that was taken, and mark what came of it; None where none is to be posted."""
    began = clock()
    letter = _write(webhook_id, began)
    if letter is None:
        Webhook.objects.filter(pk=webhook_id).update(leased_until=None)
        return None
    failpoints.reach(failpoints.MESSAGE_WRITTEN)
    keys = keys_of(letter.webhook, began)
    answer = post(letter.webhook.url, letter.body, signature_headers(str(letter.delivery.pk), began, letter.body, keys))
    failpoints.reach(failpoints.MESSAGE_POSTED)
    metrics.count_post("webhook", answer.status, is_success=answer.is_success)
    _mark(letter, answer, began, clock())
    return answer


def keys_of(webhook: Webhook, now: datetime) -> list[str]:
    """The secrets that sign now: the new one first."""
    is_rotating = webhook.old_secret_until is not None and webhook.old_secret_until > now
    return [webhook.secret, webhook.old_secret] if is_rotating else [webhook.secret]


def _write(webhook_id: UUID, now: datetime) -> Letter | None:
    """The next message: one that waits, else one about what has happened since; None where its owner may read none."""
    webhook = Webhook.objects.filter(pk=webhook_id, is_active=True).first()
    if webhook is None:
        return None
    viewer = current_viewer(webhook, now, seat=webhook.seat, as_="gm" if webhook.as_gm else "")
    if viewer is None:
        return None
    waiting = webhook.deliveries.filter(state=DeliveryState.PENDING).order_by("-is_test", "first_seq", "created_at")
    delivery, content = waiting.first(), None
    if delivery is None:
        span = messages.next_span(webhook, viewer)
        delivery, content = _next(webhook, span, now), span.content
    elif not delivery.is_test:
        content = messages.content_of(webhook, delivery, viewer)
    if delivery is None:
        return None
    body = messages.body_of(webhook, delivery, viewer, content)
    if not body:
        delivery.delete()
        return None
    return Letter(webhook, delivery, body)


def _next(webhook: Webhook, span: messages.Span, now: datetime) -> WebhookDelivery | None:
    """The message about the next of the log, which the webhook is then past; None where none is to be written."""
    with transaction.atomic():
        here = Webhook.objects.filter(pk=webhook.pk, seq=webhook.seq, is_active=True)
        if not here.update(seq=span.last_seq) or span.content is None:
            return None
        return add_delivery(webhook, now, first_seq=webhook.seq + 1, last_seq=span.last_seq)


def add_delivery(webhook: Webhook, now: datetime, **columns: int | bool) -> WebhookDelivery:
    """A new message of a webhook; its id, the `webhook-id`, lies in the slot of the game."""
    made: WebhookDelivery = WebhookDelivery.objects.create(
        id=in_slot_of(webhook.game_id, uuid4()), webhook=webhook, created_at=now, **columns
    )
    return made


def _mark(letter: Letter, answer: Answer, began: datetime, ended: datetime) -> None:
    """Write down what came of an attempt. What was changed or deleted meanwhile stays so."""
    columns: dict[str, Any] = {
        "attempts": F("attempts") + 1,
        "status": answer.status,
        "error": answer.error,
        "tried_at": began,
    }
    if answer.is_success:
        columns |= {"state": DeliveryState.DELIVERED, "delivered_at": Coalesce("delivered_at", ended)}
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update().filter(pk=letter.webhook.pk).first()
        if webhook is None:
            return
        WebhookDelivery.objects.filter(pk=letter.delivery.pk).update(**columns)
        count_attempt(webhook, answer, began, ended)
        webhook.save(update_fields=COUNTED)
        _prune(webhook)
    logger.info(
        "webhook_posted", webhook=str(webhook.pk), message=str(letter.delivery.pk), status=answer.status,
        error=answer.error, failures=webhook.failures,
    )  # fmt: skip


def _prune(webhook: Webhook) -> None:
    behind = list(webhook.deliveries.order_by("-created_at", "id").values_list("pk", flat=True)[KEPT_DELIVERIES:])
    if behind:
        webhook.deliveries.filter(state=DeliveryState.DELIVERED, pk__in=behind).delete()
