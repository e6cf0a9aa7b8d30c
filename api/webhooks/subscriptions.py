"""What people do to their webhooks; REST, GraphQL and the admin call these. Secrets come out once, when they are made.

Those of an application's token are the ones that it made for the person: it neither sees nor changes others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from accounts.models import Scope, User, WebhookEndpoint
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.permissions import require_scope
from api.common.viewer import viewer_of
from api.outbound.addresses import require_public
from api.webhooks.attempts import columns_of_start, switch_off
from api.webhooks.delivery import add_delivery
from api.webhooks.endpoint_rows import BY_ENDPOINT
from api.webhooks.kinds import kinds_of_ruleset, pack
from api.webhooks.signing import new_secret
from core.ids import in_slot_of
from core.places import routing
from games.models import DeliveryState, Webhook, WebhookDelivery

MAX_WEBHOOKS = 20
"""Of one person, over all games, with their endpoints."""
ROTATION = timedelta(days=1)
"""How long the old secret signs beside the new one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: where messages go, of which game, as whose eyes see it, which types of events."""

    url: str
    game: UUID
    seat: UUID | None = None
    as_gm: bool = False
    kinds: Sequence[str] = ()


def webhooks_for(principal: Principal) -> list[Webhook]:
    """All that a principal may know of and no endpoint made, the newest first; a query in each place."""
    found = routing.in_places_at_hand(lambda: list(_webhooks_of(principal).filter(endpoint=None)))
    return sorted((row for rows in found for row in rows), key=lambda row: (row.created_at, row.pk), reverse=True)


def webhook_for(principal: Principal, webhook_id: UUID) -> Webhook:
    """One of them, in the place in force. Raises Http404."""
    found = _webhooks_of(principal).filter(pk=webhook_id).first()
    if found is None:
        raise Http404
    return found


def _webhooks_of(principal: Principal) -> QuerySet[Webhook]:
    if principal.user is None:
        return Webhook.objects.none()
    rows: QuerySet[Webhook] = Webhook.objects.filter(user=principal.user.pk)
    return rows if principal.is_personal else rows.filter(application=application_of(principal))


def application_of(principal: Principal) -> UUID | None:
    """The application whose token asks; None for people themselves."""
    return principal.token.application_id if principal.token is not None else None


def create(principal: Principal, wish: Wish, now: datetime) -> tuple[Webhook, str]:
    """A new webhook, which begins with what happens next, and its secret.

    Raises Fault (token.scope, webhook.address, webhook.kinds, webhooks.many), Refused (game.missing, seat.missing,
    gm.missing).
    """
    if wish.as_gm:
        require_scope(principal, Scope.GM)
    assert principal.user is not None  # SignedIn
    require_public(wish.url)
    with routing.making(wish.game):
        User.objects.select_for_update().get(pk=principal.user.pk)  # two at once are counted one after the other
        viewer = viewer_of(wish.game, principal.user.pk, seat=wish.seat, as_="gm" if wish.as_gm else "")
        kinds = kinds_of_ruleset(viewer.game.ruleset, wish.kinds)
        require_room(principal.user)
        secret = new_secret()
        made = Webhook.objects.create(
            id=in_slot_of(wish.game, uuid4()), game=viewer.game, user=principal.user,
            application=application_of(principal), seat=wish.seat, as_gm=wish.as_gm, url=wish.url,
            kinds=pack(kinds), secret=secret, seq=viewer.game.seq, next_try_at=now, created_at=now,
        )  # fmt: skip
    return made, secret


def require_room(user: User) -> None:
    """Raise Fault (webhooks.many) where a person has as many webhooks and endpoints as one may; those that endpoints
    have made are not counted."""
    by_hand = routing.in_places_at_hand(lambda: Webhook.objects.filter(user=user.pk, endpoint=None).count())
    if sum(by_hand) + WebhookEndpoint.objects.filter(user=user.pk).count() >= MAX_WEBHOOKS:
        message = f"You have {MAX_WEBHOOKS} webhooks and webhook endpoints; delete one first."
        raise Fault("webhooks.many", message, most=MAX_WEBHOOKS)


def change(webhook: Webhook, now: datetime, **changes: Any) -> Webhook:
    """Change what is given of address, kinds and whether it is active. Raises Fault (webhook.address, webhook.kinds,
    webhook.of_endpoint).

    Switched on, it goes on where it stopped.
    """
    if "url" in changes or "kinds" in changes:
        require_by_hand(webhook)
    if changes.get("is_active"):
        _require_endpoint_on(webhook)
    columns: dict[str, Any] = {}
    if "url" in changes:
        columns["url"] = require_public(changes["url"])
    if "kinds" in changes:
        columns["kinds"] = pack(kinds_of_ruleset(webhook.game.ruleset, changes["kinds"]))
    is_active = changes.get("is_active", webhook.is_active)
    if is_active and ("is_active" in changes or "url" in changes):
        columns |= columns_of_start(now)
    if columns:
        Webhook.objects.filter(pk=webhook.pk).update(**columns)
    if not is_active:
        switch_off(Webhook, webhook.pk, "owner.off")
    webhook.refresh_from_db()
    return webhook


def rotate(webhook: Webhook, now: datetime) -> str:
    """A new secret; the one before signs beside it for `ROTATION`. Raises Fault (webhook.of_endpoint)."""
    require_by_hand(webhook)
    secret = new_secret()
    with transaction.atomic():
        held = Webhook.objects.select_for_update().get(pk=webhook.pk)
        held.old_secret, held.old_secret_until, held.secret = held.secret, now + ROTATION, secret
        held.save(update_fields=["old_secret", "old_secret_until", "secret"])
    webhook.refresh_from_db()
    return secret


def delete(webhook: Webhook) -> None:
    """Delete a webhook with its messages. Raises Fault (webhook.of_endpoint)."""
    require_by_hand(webhook)
    webhook.delete()


def require_by_hand(webhook: Webhook) -> None:
    """Raise Fault (webhook.of_endpoint) for one that an endpoint made: it has its address, types and secret there.

    One that was left behind by an endpoint that is no more is its person's to delete.
    """
    if webhook.endpoint is not None and WebhookEndpoint.objects.filter(pk=webhook.endpoint).exists():
        message = "An endpoint of yours made this webhook; change or delete that, or switch this one off."
        raise Fault("webhook.of_endpoint", message, endpoint=str(webhook.endpoint))


def _require_endpoint_on(webhook: Webhook) -> None:
    """Raise Fault (webhook.of_endpoint) where the endpoint of a webhook keeps it off."""
    if webhook.endpoint is None:
        return
    is_on = WebhookEndpoint.objects.filter(pk=webhook.endpoint, is_active=True).exists()
    if not is_on or webhook.reason in BY_ENDPOINT[1:]:
        message = "This webhook is on while the endpoint that made it is on and you hold a seat in its game."
        raise Fault("webhook.of_endpoint", message, endpoint=str(webhook.endpoint), reason=webhook.reason)


def deliveries_of(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """Its messages, the newest first; delivered ones are kept for a while."""
    rows: QuerySet[WebhookDelivery] = WebhookDelivery.objects.filter(webhook=webhook).order_by("-created_at", "id")
    return rows


def send_test(webhook: Webhook, now: datetime) -> WebhookDelivery:
    """Let a message without content be posted next; the same one where one is waiting. Raises Fault (webhook.off)."""
    with transaction.atomic():
        _hurry(webhook, now)
        waiting = webhook.deliveries.filter(is_test=True, state=DeliveryState.PENDING).first()
        return waiting or add_delivery(webhook, now, is_test=True)


def replay(webhook: Webhook, delivery_id: UUID, now: datetime) -> WebhookDelivery:
    """Let a message be posted again, under its own id. Raises Http404, Fault (webhook.off)."""
    with transaction.atomic():
        _hurry(webhook, now)
        found = webhook.deliveries.select_for_update().filter(pk=delivery_id).first()
        if found is None:
            raise Http404
        found.state = DeliveryState.PENDING
        found.save(update_fields=["state"])
        return found


def _hurry(webhook: Webhook, now: datetime) -> None:
    """Let it be tried at once. Raises Fault (webhook.off)."""
    if not Webhook.objects.filter(pk=webhook.pk, is_active=True).update(next_try_at=now):
        raise Fault("webhook.off", "This webhook is off; switch it on first.", reason=webhook.reason)
