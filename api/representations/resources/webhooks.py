"""Serializers of webhooks, of the endpoints that make some, and of their messages.

A secret is no field of a row; it is in the answer to its making.
"""

from typing import Any

import orjson
from rest_framework import serializers

from accounts.models import WebhookEndpoint
from api.representations.resources.accounts import StrictSerializer, StrictText
from api.webhooks.endpoints import MAX_SHOWN
from api.webhooks.kinds import MAX_KINDS
from api.webhooks.subscriptions import MAX_WEBHOOKS
from games.models import DeliveryState, Webhook, WebhookDelivery
from games.models.webhooks import MAX_URL_CHARACTERS

WEBHOOK_FIELDS = (
    "id",
    "game",
    "application",
    "endpoint",
    "seat",
    "as_gm",
    "url",
    "kinds",
    "is_active",
    "reason",
    "failures",
    "next_try_at",
    "old_secret_until",
    "created_at",
)
ENDPOINT_FIELDS = (
    "id",
    "application",
    "url",
    "kinds",
    "is_active",
    "reason",
    "old_secret_until",
    "created_at",
)
DELIVERY_FIELDS = (
    "id",
    "is_test",
    "state",
    "attempts",
    "status",
    "error",
    "created_at",
    "tried_at",
    "delivered_at",
)


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook's row."""

    game = serializers.UUIDField(source="game_id", help_text="The game whose events are posted.")
    kinds = serializers.SerializerMethodField(help_text="The types of events that are wanted; empty: all.")

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = WEBHOOK_FIELDS
        read_only_fields = fields

    def get_kinds(self, webhook: Webhook) -> list[str]:
        """As they were given."""
        kinds: list[str] = orjson.loads(webhook.kinds)
        return kinds


class NewWebhookSerializer(WebhookSerializer):
    """A webhook's row and, this once, its secret."""

    secret = serializers.CharField(help_text="The secret that signs its messages: shown now and never again.")

    class Meta(WebhookSerializer.Meta):
        fields = (*WEBHOOK_FIELDS, "secret")
        read_only_fields = fields


class WebhooksSerializer(serializers.Serializer[Any]):
    """The webhooks of a person that no endpoint made, or the newest of an endpoint."""

    results = serializers.ListField(
        child=WebhookSerializer(), max_length=max(MAX_WEBHOOKS, MAX_SHOWN), help_text="The newest first."
    )


class WebhookEndpointSerializer(serializers.ModelSerializer[WebhookEndpoint]):
    """An endpoint's row."""

    kinds = serializers.SerializerMethodField(help_text="The types of events that are wanted; empty: all.")

    class Meta:
        model = WebhookEndpoint
        fields: tuple[str, ...] = ENDPOINT_FIELDS
        read_only_fields = fields

    def get_kinds(self, endpoint: WebhookEndpoint) -> list[str]:
        """As they were given."""
        kinds: list[str] = orjson.loads(endpoint.kinds)
        return kinds


class NewWebhookEndpointSerializer(WebhookEndpointSerializer):
    """An endpoint's row and, this once, its secret."""

    secret = serializers.CharField(help_text="The secret that signs its messages: shown now and never again.")

    class Meta(WebhookEndpointSerializer.Meta):
        fields = (*ENDPOINT_FIELDS, "secret")
        read_only_fields = fields


class WebhookEndpointsSerializer(serializers.Serializer[Any]):
    """All webhook endpoints of a person."""

    results = serializers.ListField(
        child=WebhookEndpointSerializer(), max_length=MAX_WEBHOOKS, help_text="The newest first."
    )


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """A message of a webhook; its id is the `webhook-id` that is sent with it."""

    state = serializers.ChoiceField(choices=[*DeliveryState], help_text="Whether the receiver has taken it.")

    class Meta:
        model = WebhookDelivery
        fields: tuple[str, ...] = DELIVERY_FIELDS
        read_only_fields = fields


class KindsField(serializers.ListField):
    """Types of events, as they stand in `events/`."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            child=StrictText(max_length=120),
            max_length=MAX_KINDS,
            help_text="Types of events, `<ruleset>.<Class>`; empty: all.",
            **more,
        )


class SubscribeSerializer(StrictSerializer):
    """A request for a webhook."""

    game = serializers.UUIDField(help_text="A game that you may see.")
    url = StrictText(max_length=MAX_URL_CHARACTERS, help_text="Where its events are posted; https alone.")
    seat = serializers.UUIDField(default=None, allow_null=True, help_text="Look through this seat of yours.")
    as_gm = serializers.BooleanField(default=False, help_text="Look as a game-master; needs the scope `gm`.")
    kinds = KindsField(default=list)


class WebhookEndpointWishSerializer(StrictSerializer):
    """A request for a webhook endpoint."""

    url = StrictText(
        max_length=MAX_URL_CHARACTERS, help_text="Where the events of all your games are posted; https alone."
    )
    kinds = KindsField(default=list)


class WebhookChangeSerializer(StrictSerializer):
    """What may be changed of a webhook or endpoint."""

    url = StrictText(max_length=MAX_URL_CHARACTERS, required=False, help_text="Where its events are posted.")
    kinds = KindsField(required=False)
    is_active = serializers.BooleanField(required=False, help_text="Whether messages are posted.")
