"""Webhook endpoints over REST: webhooks for all games of the user who asks. Secrets are shown once, never cached.

Each view parses, calls `api.webhooks.endpoints` and answers.
"""

from typing import Any
from uuid import UUID

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import WebhookEndpoint
from api.common.authentication import principal_of
from api.common.permissions import SignedIn
from api.representations.resources.webhooks import (
    NewWebhookEndpointSerializer,
    WebhookChangeSerializer,
    WebhookEndpointSerializer,
    WebhookEndpointsSerializer,
    WebhookEndpointWishSerializer,
)
from api.rest.accounts import ONCE, wish
from api.rest.base import ApiView
from api.webhooks import endpoints
from api.webhooks.endpoints import Wish


class EndpointApiView(ApiView):
    """A view of the endpoints of the user who asks; an application's token has those that it made."""

    permission_classes = (SignedIn,)

    def endpoint(self, request: Request, endpoint_id: UUID) -> WebhookEndpoint:
        """One of them. Raises Http404."""
        return endpoints.endpoint_for(principal_of(request), endpoint_id)


def with_secret(endpoint: WebhookEndpoint, secret: str) -> dict[str, Any]:
    """An endpoint's row and, this once, its secret."""
    return {**WebhookEndpointSerializer(endpoint).data, "secret": secret}


@extend_schema(tags=["webhooks"])
class WebhookEndpointsView(EndpointApiView):
    """The webhook endpoints of the user who asks."""

    @extend_schema(operation_id="webhook_endpoints", responses=WebhookEndpointsSerializer)
    def get(self, request: Request) -> Response:
        """All of them, the newest first."""
        rows = endpoints.endpoints_for(principal_of(request))
        return Response({"results": WebhookEndpointSerializer(rows, many=True).data})

    @extend_schema(
        operation_id="create_webhook_endpoint",
        request=WebhookEndpointWishSerializer,
        responses={201: NewWebhookEndpointSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have the events of all your games posted to an address, from now on, those too that you join later."""
        asked = Wish(**wish(WebhookEndpointWishSerializer, request))
        made, secret = endpoints.create(principal_of(request), asked, timezone.now())
        return Response(with_secret(made, secret), status=201, headers=ONCE)


@extend_schema(tags=["webhooks"])
class WebhookEndpointView(EndpointApiView):
    """One webhook endpoint."""

    @extend_schema(operation_id="webhook_endpoint", responses=WebhookEndpointSerializer)
    def get(self, request: Request, endpoint_id: UUID) -> Response:
        """How it is, without its secret."""
        return Response(WebhookEndpointSerializer(self.endpoint(request, endpoint_id)).data)

    @extend_schema(
        operation_id="change_webhook_endpoint", request=WebhookChangeSerializer, responses=WebhookEndpointSerializer
    )
    def patch(self, request: Request, endpoint_id: UUID) -> Response:
        """Change address or kinds, or switch it off or on, in all games; switched on, it goes on where it stopped."""
        found, changes = self.endpoint(request, endpoint_id), wish(WebhookChangeSerializer, request)
        return Response(WebhookEndpointSerializer(endpoints.change(found, timezone.now(), **changes)).data)

    @extend_schema(
        operation_id="delete_webhook_endpoint", request=None, responses={204: OpenApiResponse(description="Deleted.")}
    )
    def delete(self, request: Request, endpoint_id: UUID) -> Response:
        """Delete it with its webhooks and their messages."""
        endpoints.delete(self.endpoint(request, endpoint_id))
        return Response(status=204)


@extend_schema(tags=["webhooks"])
class WebhookEndpointSecretView(EndpointApiView):
    """The secret of a webhook endpoint."""

    @extend_schema(
        operation_id="rotate_webhook_endpoint_secret", request=None, responses={201: NewWebhookEndpointSerializer}
    )
    def post(self, request: Request, endpoint_id: UUID) -> Response:
        """Make a new one for all games; for a day the one before signs beside it."""
        row, secret = endpoints.rotate(self.endpoint(request, endpoint_id), timezone.now())
        return Response(with_secret(row, secret), status=201, headers=ONCE)


urlpatterns = [
    path("me/webhook-endpoints/", WebhookEndpointsView.as_view(), name="webhook-endpoints"),
    path("me/webhook-endpoints/<uuid:endpoint_id>/", WebhookEndpointView.as_view(), name="webhook-endpoint"),
    path(
        "me/webhook-endpoints/<uuid:endpoint_id>/secret/",
        WebhookEndpointSecretView.as_view(),
        name="webhook-endpoint-secret",
    ),
]
