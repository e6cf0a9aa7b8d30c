"""What people do to their webhook endpoints; REST, GraphQL and the admin call these. Secrets come out once, when they
are made.

An endpoint has the events of all games posted in which its person holds a seat. Those of an application's token are
the ones that it made for the person: it neither sees nor changes others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from accounts.models import User, WebhookEndpoint
from api.common.authentication import Principal
from api.outbound.addresses import require_public
from api.webhooks.endpoint_rows import bring_webhooks_of_endpoint, delete_webhooks_of_endpoint
from api.webhooks.kinds import kinds_of_any_ruleset, pack
from api.webhooks.signing import new_secret
from api.webhooks.subscriptions import ROTATION, application_of, require_room
from core.places import routing
from games.models import Webhook

MAX_SHOWN = 100
"""Webhooks of an endpoint that are listed."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: where messages go, and which types of events, of any ruleset."""

    url: str
    kinds: Sequence[str] = ()


def endpoints_for(principal: Principal) -> QuerySet[WebhookEndpoint]:
    """All that a principal may know of, the newest first."""
    if principal.user is None:
        return WebhookEndpoint.objects.none()
    rows = WebhookEndpoint.objects.filter(user=principal.user.pk)
    return rows if principal.is_personal else rows.filter(application=application_of(principal))


def endpoint_for(principal: Principal, endpoint_id: UUID) -> WebhookEndpoint:
    """One of them. Raises Http404."""
    found = endpoints_for(principal).filter(pk=endpoint_id).first()
    if found is None:
        raise Http404
    return found


def webhooks_of_endpoint(principal: Principal, endpoint_id: UUID) -> list[Webhook]:
    """The webhooks of an endpoint, a game each, the newest first, `MAX_SHOWN` at most; a query in each place.

    Raises Http404.
    """
    endpoint = endpoint_for(principal, endpoint_id)
    order = ("-created_at", "-id")
    rows = Webhook.objects.filter(endpoint=endpoint.pk).order_by(*order)
    found = routing.in_places_at_hand(lambda: list(rows.all()[:MAX_SHOWN]))
    newest = sorted((row for here in found for row in here), key=lambda row: (row.created_at, row.pk), reverse=True)
    return newest[:MAX_SHOWN]


def create(principal: Principal, wish: Wish, now: datetime) -> tuple[WebhookEndpoint, str]:
    """A new endpoint and its secret. In each game it begins with what happens next.

    Raises Fault (webhook.address, webhook.kinds, webhooks.many).
    """
    assert principal.user is not None  # SignedIn
    require_public(wish.url)
    kinds, secret = pack(kinds_of_any_ruleset(wish.kinds)), new_secret()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=principal.user.pk)  # two at once are counted one after the other
        require_room(principal.user)
        made = WebhookEndpoint.objects.create(
            user=principal.user, application=application_of(principal), url=wish.url, kinds=kinds, secret=secret,
            created_at=now,
        )  # fmt: skip
    bring_webhooks_of_endpoint(made.pk, now)
    return made, secret


def change(endpoint: WebhookEndpoint, now: datetime, **changes: Any) -> WebhookEndpoint:
    """Change what is given of address, kinds and whether it is active, in all games.

    Switched on, its webhooks go on where they stopped. Raises Fault (webhook.address, webhook.kinds).
    """
    columns: dict[str, Any] = {}
    if "url" in changes:
        columns["url"] = require_public(changes["url"])
    if "kinds" in changes:
        columns["kinds"] = pack(kinds_of_any_ruleset(changes["kinds"]))
    if changes.get("is_active"):
        columns |= {"is_active": True, "reason": ""}
    if columns:
        WebhookEndpoint.objects.filter(pk=endpoint.pk).update(**columns)
    if changes.get("is_active") is False:
        _set_off(endpoint.pk, "owner.off")
    bring_webhooks_of_endpoint(endpoint.pk, now, revives="url" in changes or "is_active" in changes)
    return _again(endpoint)


def switch_off(endpoint: WebhookEndpoint, reason: str, now: datetime) -> None:
    """Post nothing more of any game until its owner switches it on. Nothing is lost."""
    _set_off(endpoint.pk, reason)
    bring_webhooks_of_endpoint(endpoint.pk, now)


def rotate(endpoint: WebhookEndpoint, now: datetime) -> tuple[WebhookEndpoint, str]:
    """It with a new secret, in all games; the one before signs beside it for `ROTATION`. Raises Http404."""
    secret = new_secret()
    with transaction.atomic():
        held = WebhookEndpoint.objects.select_for_update().filter(pk=endpoint.pk).first()
        if held is None:
            raise Http404
        held.old_secret, held.old_secret_until, held.secret = held.secret, now + ROTATION, secret
        held.save(update_fields=["old_secret", "old_secret_until", "secret"])
    bring_webhooks_of_endpoint(endpoint.pk, now)
    return held, secret


def delete(endpoint: WebhookEndpoint) -> None:
    """Delete it with its webhooks and their messages. It goes first: what is left of a killed worker is then deleted
    at its next message."""
    WebhookEndpoint.objects.filter(pk=endpoint.pk).delete()
    delete_webhooks_of_endpoint(endpoint.pk)


def _set_off(endpoint_id: UUID, reason: str) -> None:
    WebhookEndpoint.objects.filter(pk=endpoint_id, is_active=True).update(is_active=False, reason=reason)


def _again(endpoint: WebhookEndpoint) -> WebhookEndpoint:
    """It as it is now. Raises Http404."""
    found = WebhookEndpoint.objects.filter(pk=endpoint.pk).first()
    if found is None:
        raise Http404
    return found
