"""Webhooks: addresses of others to which the events of a game are posted, and the messages that go there.

Rows of the game, in its place (ADR 115): they name people by id alone. No row of the two says what its owner may see;
that is decided whenever a message is written (`api.webhooks.messages`).
"""

from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.columns import choices_of, is_known
from games.models.game import Game
from games.models.querysets import ServerQuerySet

MAX_URL_CHARACTERS = 2000


class DeliveryState(StrEnum):
    """How far a message has come."""

    PENDING = "pending"
    DELIVERED = "delivered"


class PostedTo(models.Model):
    """An address of somebody's to which a game's news are posted, and how posting fares.

    Each has a `game` and a `user`.
    """

    application = models.UUIDField(null=True, blank=True, help_text="The application that made it for them.")
    url = models.CharField(max_length=MAX_URL_CHARACTERS, help_text="Where its messages are posted.")
    is_active = models.BooleanField(default=True, help_text="Whether messages are posted.")
    reason = models.CharField(max_length=60, blank=True, default="", help_text="Why it is off; a code.")
    failures = models.PositiveIntegerField(default=0, help_text="Attempts without success since the last one with it.")
    failing_since = models.DateTimeField(null=True, blank=True, help_text="When the first of these was.")
    next_try_at = models.DateTimeField(default=timezone.now, help_text="When it is looked at again.")
    leased_until = models.DateTimeField(null=True, blank=True, help_text="Until when one worker alone works on it.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    game_id: UUID
    user_id: UUID

    objects = ServerQuerySet.as_manager()

    class Meta:
        abstract = True


class Webhook(PostedTo):
    """A person's wish to have a game's events posted to an address, as far as they may see them."""

    id = models.UUIDField(primary_key=True, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="webhooks")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, related_name="webhooks"
    )
    endpoint = models.UUIDField(
        null=True, blank=True, help_text="The endpoint of its owner's that made it; none: they did."
    )
    seat = models.UUIDField(null=True, blank=True, help_text="The seat through which they look, where they named one.")
    as_gm = models.BooleanField(default=False, help_text="Whether they look as a game-master.")
    kinds = models.TextField(default="[]", help_text="The types of events that are wanted, as JSON; [] for all.")
    secret = models.CharField(max_length=80, help_text="Signs its messages.")
    old_secret = models.CharField(max_length=80, blank=True, default="", help_text="Signs beside it for a while.")
    old_secret_until = models.DateTimeField(null=True, blank=True, help_text="Until when the old secret signs, too.")
    seq = models.PositiveBigIntegerField(help_text="Number of the last event that a message was written for.")

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            # Workers ask once a second which of them are due.
            models.Index(fields=["next_try_at"], condition=Q(is_active=True), name="webhook_by_due"),
            # A change of an endpoint goes to all of its own.
            models.Index(fields=["endpoint"], condition=Q(endpoint__isnull=False), name="webhook_of_endpoint"),
        ]

    def __str__(self) -> str:
        return f"Webhook of {self.game_id}"


class WebhookDelivery(models.Model):
    """One message of a webhook: some of the log, or a test. Its id is the same however often it is posted."""

    id = models.UUIDField(primary_key=True, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    is_test = models.BooleanField(default=False)
    first_seq = models.PositiveBigIntegerField(default=0, help_text="First event that it is about; 0 for a test.")
    last_seq = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=choices_of(DeliveryState), default=DeliveryState.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Status of the last answer.")
    error = models.CharField(max_length=60, blank=True, default="", help_text="Why there was no answer; a code.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    tried_at = models.DateTimeField(null=True, blank=True, help_text="When it was last posted.")
    delivered_at = models.DateTimeField(null=True, blank=True, help_text="When it was first taken.")

    objects = ServerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [models.Index(fields=["webhook", "-created_at", "id"], name="delivery_by_age")]
        constraints: ClassVar = [is_known("delivery", "state", DeliveryState)]

    def __str__(self) -> str:
        return f"Message {self.id}"
