"""Webhooks over REST: one's own, their messages, tests and replays. Secrets are shown once, never cached.

Each view parses, calls `api.webhooks.subscriptions` and answers.
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.authentication import principal_of
from api.common.paging import CursorPages
from api.common.permissions import SignedIn
from api.representations.resources.webhooks import (
    DeliverySerializer,
    NewWebhookSerializer,
    SubscribeSerializer,
    WebhookChangeSerializer,
    WebhookSerializer,
    WebhooksSerializer,
)
from api.rest.accounts import ONCE, wish
from api.rest.base import ApiView, uuid_in
from api.webhooks import endpoints, subscriptions
from api.webhooks.subscriptions import Wish
from games.models import Webhook, WebhookDelivery

ENDPOINT = OpenApiParameter(
    "endpoint", UUID, description="Those that this endpoint of yours made, 100 at most; else those that none made."
)


class WebhookApiView(ApiView):
    """A view of the webhooks of the user who asks; an application's token has those that it made."""

    permission_classes = (SignedIn,)

    def webhook(self, request: Request, webhook_id: UUID) -> Webhook:
        """One of them. Raises Http404."""
        return subscriptions.webhook_for(principal_of(request), webhook_id)


def with_secret(webhook: Webhook, secret: str) -> dict[str, Any]:
    """A webhook's row and, this once, its secret."""
    return {**WebhookSerializer(webhook).data, "secret": secret}


@extend_schema(tags=["webhooks"])
class WebhooksView(WebhookApiView):
    """The webhooks of the user who asks."""

    parameters = {"GET": ("endpoint",)}

    @extend_schema(operation_id="webhooks", parameters=[ENDPOINT], responses=WebhooksSerializer)
    def get(self, request: Request) -> Response:
        """Those that no endpoint made, or those of one endpoint; the newest first."""
        principal, endpoint = principal_of(request), uuid_in(request, "endpoint")
        if endpoint is None:
            rows = subscriptions.webhooks_for(principal)
        else:
            rows = endpoints.webhooks_of_endpoint(principal, endpoint)
        return Response({"results": WebhookSerializer(rows, many=True).data})

    @extend_schema(operation_id="create_webhook", request=SubscribeSerializer, responses={201: NewWebhookSerializer})
    def post(self, request: Request) -> Response:
        """Have a game's events posted to an address, from now on, as far as you may see them."""
        asked = Wish(**wish(SubscribeSerializer, request))
        made, secret = subscriptions.create(principal_of(request), asked, timezone.now())
        return Response(with_secret(made, secret), status=201, headers=ONCE)


@extend_schema(tags=["webhooks"])
class WebhookView(WebhookApiView):
    """One webhook."""

    @extend_schema(operation_id="webhook", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """How it is, without its secret."""
        return Response(WebhookSerializer(self.webhook(request, webhook_id)).data)

    @extend_schema(operation_id="change_webhook", request=WebhookChangeSerializer, responses=WebhookSerializer)
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Change address or kinds, or switch it off or on; one that an endpoint made is switched alone."""
        found, changes = self.webhook(request, webhook_id), wish(WebhookChangeSerializer, request)
        return Response(WebhookSerializer(subscriptions.change(found, timezone.now(), **changes)).data)

    @extend_schema(
        operation_id="delete_webhook", request=None, responses={204: OpenApiResponse(description="Deleted.")}
    )
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Delete it with its messages; not one that an endpoint made."""
        subscriptions.delete(self.webhook(request, webhook_id))
        return Response(status=204)


@extend_schema(tags=["webhooks"])
class WebhookSecretView(WebhookApiView):
    """The secret of a webhook."""

    @extend_schema(operation_id="rotate_webhook_secret", request=None, responses={201: NewWebhookSerializer})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Make a new one; for a day the one before signs beside it. Not of one that an endpoint made."""
        found = self.webhook(request, webhook_id)
        secret = subscriptions.rotate(found, timezone.now())
        return Response(with_secret(found, secret), status=201, headers=ONCE)


@extend_schema(tags=["webhooks"])
class WebhookTestView(WebhookApiView):
    """Tests of a webhook."""

    @extend_schema(operation_id="test_webhook", request=None, responses={202: DeliverySerializer})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Have a message without events posted, before all others."""
        row = subscriptions.send_test(self.webhook(request, webhook_id), timezone.now())
        return Response(DeliverySerializer(row).data, status=202)


@extend_schema(tags=["webhooks"])
@extend_schema_view(get=extend_schema(operation_id="deliveries", responses=DeliverySerializer(many=True)))
class DeliveriesView(WebhookApiView, GenericAPIView[WebhookDelivery]):
    """The messages of a webhook."""

    parameters = {"GET": ("limit", "cursor")}
    serializer_class = DeliverySerializer
    pagination_class = CursorPages
    queryset = WebhookDelivery.objects.all()

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        """Those of the webhook in the address. Raises Http404."""
        return subscriptions.deliveries_of(self.webhook(self.request, self.kwargs["webhook_id"]))

    def get(self, request: Request, webhook_id: UUID) -> Response:
        """Those that wait and the last that were taken, the newest first."""
        rows = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)


@extend_schema(tags=["webhooks"])
class ReplayView(WebhookApiView):
    """One message, once more."""

    @extend_schema(operation_id="replay_delivery", request=None, responses={202: DeliverySerializer})
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Have it posted again, under its own id, with what you may see of its events now."""
        row = subscriptions.replay(self.webhook(request, webhook_id), delivery_id, timezone.now())
        return Response(DeliverySerializer(row).data, status=202)


urlpatterns = [
    path("me/webhooks/", WebhooksView.as_view(), name="webhooks"),
    path("me/webhooks/<uuid:webhook_id>/", WebhookView.as_view(), name="webhook"),
    path("me/webhooks/<uuid:webhook_id>/secret/", WebhookSecretView.as_view(), name="webhook-secret"),
    path("me/webhooks/<uuid:webhook_id>/test/", WebhookTestView.as_view(), name="webhook-test"),
    path("me/webhooks/<uuid:webhook_id>/deliveries/", DeliveriesView.as_view(), name="deliveries"),
    path(
        "me/webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/replay/",
        ReplayView.as_view(),
        name="delivery-replay",
    ),
]
