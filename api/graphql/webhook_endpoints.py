"""Webhook endpoints in GraphQL: the same services, serializers and refusals as in REST."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from django.utils import timezone

from accounts.models import Scope, WebhookEndpoint
from api.common.authentication import Principal
from api.common.permissions import require_scope
from api.graphql.commands import Refusal
from api.graphql.context import answer, context_of
from api.graphql.mapping import either, many, object_type
from api.representations.resources.webhooks import (
    WebhookChangeSerializer,
    WebhookEndpointSerializer,
    WebhookEndpointWishSerializer,
)
from api.webhooks import endpoints
from api.webhooks.endpoints import Wish

WebhookEndpointType = object_type(
    "WebhookEndpoint",
    {
        "id": UUID,
        "application": UUID | None,
        "url": str,
        "kinds": list[str],
        "is_active": bool,
        "reason": str,
        "old_secret_until": datetime | None,
        "created_at": datetime,
    },
    {
        "application": "The application that made it; null where people did themselves.",
        "kinds": "The types of events that are wanted, of any ruleset; empty: all.",
        "reason": "Why it is off; empty while it is on.",
    },
    "An address to which the events of all games of yours are posted; never its secret.",
)


def _one_of(name: str, hints: dict[str, Any], description: str) -> Any:
    done = object_type(name, hints, {}, description, apart=True)
    return Annotated[either((done, Refusal)), strawberry.union(f"{name}Result")]


MadeResult = _one_of(
    "WebhookEndpointMade",
    {"webhook_endpoint": WebhookEndpointType, "secret": str},
    "A webhook endpoint and a new secret, shown this once.",
)
ChangedResult = _one_of(
    "WebhookEndpointChanged", {"webhook_endpoint": WebhookEndpointType}, "A webhook endpoint, as it is now."
)
DeletedResult = _one_of("WebhookEndpointDeleted", {"id": UUID}, "A webhook endpoint that is no more.")


def webhook_endpoints(info: strawberry.Info) -> Any:
    """Your webhook endpoints, the newest first; an application gets those that it made."""
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    return WebhookEndpointSerializer(endpoints.endpoints_for(context.principal), many=True).data


def _act(info: strawberry.Info, act: Callable[[Principal], dict[str, Any]]) -> Any:
    context = context_of(info)

    def acting() -> dict[str, Any]:
        context.may_act()
        return act(context.principal)

    return answer(context, acting)


def _with_secret(endpoint: WebhookEndpoint, secret: str) -> dict[str, Any]:
    shown = WebhookEndpointSerializer(endpoint).data
    return {"webhook_endpoint": shown, "secret": secret, "__typename": "WebhookEndpointMade"}


def create_webhook_endpoint(info: strawberry.Info, url: str, kinds: list[str] | None = None) -> Any:
    """Have the events of all your games posted to an address, from now on, those too that you join later."""

    def act(principal: Principal) -> dict[str, Any]:
        body = WebhookEndpointWishSerializer(data={"url": url, "kinds": kinds or []})
        body.is_valid(raise_exception=True)
        return _with_secret(*endpoints.create(principal, Wish(**body.validated_data), timezone.now()))

    return _act(info, act)


def change_webhook_endpoint(
    info: strawberry.Info,
    id: UUID,
    url: str | None = None,
    kinds: list[str] | None = None,
    is_active: bool | None = None,
) -> Any:
    """Change address or kinds, or switch it off or on, in all games; switched on, it goes on where it stopped."""
    given = {"url": url, "kinds": kinds, "is_active": is_active}

    def act(principal: Principal) -> dict[str, Any]:
        found = endpoints.endpoint_for(principal, id)
        body = WebhookChangeSerializer(data={name: value for name, value in given.items() if value is not None})
        body.is_valid(raise_exception=True)
        row = endpoints.change(found, timezone.now(), **body.validated_data)
        return {"webhook_endpoint": WebhookEndpointSerializer(row).data, "__typename": "WebhookEndpointChanged"}

    return _act(info, act)


def delete_webhook_endpoint(info: strawberry.Info, id: UUID) -> Any:
    """Delete a webhook endpoint with its webhooks and their messages."""

    def act(principal: Principal) -> dict[str, Any]:
        endpoints.delete(endpoints.endpoint_for(principal, id))
        return {"id": id, "__typename": "WebhookEndpointDeleted"}

    return _act(info, act)


def rotate_webhook_endpoint_secret(info: strawberry.Info, id: UUID) -> Any:
    """Make a new secret for all games; for a day the one before signs beside it."""

    def act(principal: Principal) -> dict[str, Any]:
        return _with_secret(*endpoints.rotate(endpoints.endpoint_for(principal, id), timezone.now()))

    return _act(info, act)


def _mutation(resolve: Any, kind: Any) -> Any:
    return strawberry.mutation(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


QUERIES: dict[str, Any] = {
    "webhook_endpoints": strawberry.field(
        resolver=webhook_endpoints, graphql_type=many(WebhookEndpointType), description=webhook_endpoints.__doc__
    )
}
MUTATIONS: dict[str, Any] = {
    "create_webhook_endpoint": _mutation(create_webhook_endpoint, MadeResult),
    "change_webhook_endpoint": _mutation(change_webhook_endpoint, ChangedResult),
    "delete_webhook_endpoint": _mutation(delete_webhook_endpoint, DeletedResult),
    "rotate_webhook_endpoint_secret": _mutation(rotate_webhook_endpoint_secret, MadeResult),
}
