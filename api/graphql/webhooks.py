"""Webhooks in GraphQL: the same services, serializers and refusals as in REST."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from django.utils import timezone

from accounts.models import Scope
from api.common.permissions import require_scope
from api.graphql.commands import Refusal
from api.graphql.context import OperationContext, answer, context_of
from api.graphql.mapping import either, many, object_type
from api.representations.resources.webhooks import (
    DeliverySerializer,
    SubscribeSerializer,
    WebhookChangeSerializer,
    WebhookSerializer,
)
from api.webhooks import endpoints, subscriptions
from api.webhooks.subscriptions import Wish
from games.models import Webhook

MAX_DELIVERIES = 100
DELIVERY: dict[str, Any] = {
    "id": UUID,
    "is_test": bool,
    "state": str,
    "attempts": int,
    "status": int | None,
    "error": str,
    "created_at": datetime,
    "tried_at": datetime | None,
    "delivered_at": datetime | None,
}
WebhookDeliveryType = object_type(
    "WebhookDelivery",
    DELIVERY,
    {
        "id": "The `webhook-id` that is sent with it.",
        "state": "`pending` or `delivered`.",
        "status": "Of the last answer; null without one.",
        "error": "Why there was no answer; empty with one.",
    },
    "A message of a webhook.",
)
WebhookType = object_type(
    "Webhook",
    {
        "id": UUID,
        "game": UUID,
        "application": UUID | None,
        "endpoint": UUID | None,
        "seat": UUID | None,
        "as_gm": bool,
        "url": str,
        "kinds": list[str],
        "is_active": bool,
        "reason": str,
        "failures": int,
        "next_try_at": datetime,
        "old_secret_until": datetime | None,
        "created_at": datetime,
    },
    {
        "game": "The id of the game whose events are posted.",
        "application": "The application that made it; null where people did themselves.",
        "endpoint": "The endpoint that made it; null for one of a single game.",
        "kinds": "The types of events that are wanted; empty: all.",
        "reason": "Why it is off; empty while it is on.",
        "failures": "Attempts since the last success.",
    },
    "An address to which a game's events are posted; never its secret.",
)


def _one_of(name: str, hints: dict[str, Any], description: str) -> Any:
    done = object_type(name, hints, {}, description, apart=True)
    return Annotated[either((done, Refusal)), strawberry.union(f"{name}Result")]


MadeResult = _one_of(
    "WebhookMade", {"webhook": WebhookType, "secret": str}, "A webhook and a new secret, shown this once."
)
ChangedResult = _one_of("WebhookChanged", {"webhook": WebhookType}, "A webhook, as it is now.")
DeletedResult = _one_of("WebhookDeleted", {"id": UUID}, "A webhook that is no more.")
QueuedResult = _one_of("DeliveryQueued", {"delivery": WebhookDeliveryType}, "A message that is about to be posted.")


def webhooks(info: strawberry.Info, endpoint: UUID | None = None) -> Any:
    """Your webhooks that no endpoint made, or those of one endpoint (100 at most), the newest first.

    An application gets those that it made.
    """
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    if endpoint is None:
        rows = subscriptions.webhooks_for(context.principal)
    else:
        rows = endpoints.webhooks_of_endpoint(context.principal, endpoint)
    return WebhookSerializer(rows, many=True).data


def deliveries(info: strawberry.Info, id: UUID) -> Any:
    """The messages of one of your webhooks that wait, and the last that were taken; 100 at most, the newest first."""
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    found = subscriptions.webhook_for(context.principal, id)
    return DeliverySerializer(subscriptions.deliveries_of(found)[:MAX_DELIVERIES], many=True).data


def _act(info: strawberry.Info, act: Callable[[OperationContext], dict[str, Any]]) -> Any:
    context = context_of(info)

    def acting() -> dict[str, Any]:
        context.may_act()
        return act(context)

    return answer(context, acting)


def _act_on(info: strawberry.Info, id: UUID, act: Callable[[Webhook], dict[str, Any]]) -> Any:
    return _act(info, lambda context: act(subscriptions.webhook_for(context.principal, id)))


def _with_secret(webhook: Webhook, secret: str) -> dict[str, Any]:
    return {"webhook": WebhookSerializer(webhook).data, "secret": secret, "__typename": "WebhookMade"}


def create_webhook(
    info: strawberry.Info,
    game: UUID,
    url: str,
    seat: UUID | None = None,
    as_gm: bool = False,
    kinds: list[str] | None = None,
) -> Any:
    """Have a game's events posted to an address, from now on, as far as you may see them."""

    def act(context: OperationContext) -> dict[str, Any]:
        given = {"game": str(game), "url": url, "seat": seat and str(seat), "as_gm": as_gm, "kinds": kinds or []}
        body = SubscribeSerializer(data=given)
        body.is_valid(raise_exception=True)
        return _with_secret(*subscriptions.create(context.principal, Wish(**body.validated_data), timezone.now()))

    return _act(info, act)


def change_webhook(
    info: strawberry.Info,
    id: UUID,
    url: str | None = None,
    kinds: list[str] | None = None,
    is_active: bool | None = None,
) -> Any:
    """Change address or kinds, or switch it off or on; one that an endpoint made is switched alone."""
    given = {"url": url, "kinds": kinds, "is_active": is_active}

    def act(found: Webhook) -> dict[str, Any]:
        body = WebhookChangeSerializer(data={name: value for name, value in given.items() if value is not None})
        body.is_valid(raise_exception=True)
        row = subscriptions.change(found, timezone.now(), **body.validated_data)
        return {"webhook": WebhookSerializer(row).data, "__typename": "WebhookChanged"}

    return _act_on(info, id, act)


def delete_webhook(info: strawberry.Info, id: UUID) -> Any:
    """Delete a webhook with its messages; not one that an endpoint made."""

    def act(found: Webhook) -> dict[str, Any]:
        subscriptions.delete(found)
        return {"id": id, "__typename": "WebhookDeleted"}

    return _act_on(info, id, act)


def rotate_webhook_secret(info: strawberry.Info, id: UUID) -> Any:
    """Make a new secret; for a day the one before signs beside it. Not for one that an endpoint made."""
    return _act_on(info, id, lambda found: _with_secret(found, subscriptions.rotate(found, timezone.now())))


def _delivery_json(row: Any) -> dict[str, Any]:
    return {"delivery": DeliverySerializer(row).data, "__typename": "DeliveryQueued"}


def test_webhook(info: strawberry.Info, id: UUID) -> Any:
    """Have a message without events posted, before all others."""
    return _act_on(info, id, lambda found: _delivery_json(subscriptions.send_test(found, timezone.now())))


def replay_delivery(info: strawberry.Info, id: UUID, delivery: UUID) -> Any:
    """Have a message of a webhook (`id`) posted again, under its own id."""
    return _act_on(info, id, lambda found: _delivery_json(subscriptions.replay(found, delivery, timezone.now())))


def _query(resolve: Any, kind: Any) -> Any:
    return strawberry.field(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


def _mutation(resolve: Any, kind: Any) -> Any:
    return strawberry.mutation(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


QUERIES: dict[str, Any] = {
    "webhooks": _query(webhooks, many(WebhookType)),
    "deliveries": _query(deliveries, many(WebhookDeliveryType)),
}
MUTATIONS: dict[str, Any] = {
    "create_webhook": _mutation(create_webhook, MadeResult),
    "change_webhook": _mutation(change_webhook, ChangedResult),
    "delete_webhook": _mutation(delete_webhook, DeletedResult),
    "rotate_webhook_secret": _mutation(rotate_webhook_secret, MadeResult),
    "test_webhook": _mutation(test_webhook, QueuedResult),
    "replay_delivery": _mutation(replay_delivery, QueuedResult),
}
