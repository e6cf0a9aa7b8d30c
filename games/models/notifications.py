"""Notifications: what people are told of their games, and how far each game has been looked through for them.

Rows of the game, in its place (ADR 115): they name people by id alone. No row holds a text of the game; what a
notification says is worded when it is read (`api.notifications.reading`).
"""

from enum import StrEnum
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.columns import choices_of, is_known
from games.models.game import Game
from games.models.querysets import ServerQuerySet


class NotificationKind(StrEnum):
    """What somebody is told."""

    ASKED = "asked"
    TURN = "turn"
    DEADLINE = "deadline"
    ALONE = "alone"
    ATTACKED = "attacked"
    CHAPTER = "chapter"
    OVER = "over"


class Notification(models.Model):
    """Something that a person is told of one of their games; its id follows from game, person, seat and `key`."""

    id = models.UUIDField(primary_key=True, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notifications", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+", db_index=False
    )
    seat = models.UUIDField(null=True, blank=True, help_text="The seat it is about; none where it is about the game.")
    kind = models.CharField(max_length=10, choices=choices_of(NotificationKind))
    key = models.CharField(max_length=80, help_text="What it is about, once for a seat: a question, a step, a chapter.")
    subject = models.UUIDField(null=True, blank=True, help_text="The question that it is about.")
    due = models.DateTimeField(null=True, blank=True, help_text="Until when; none without a deadline.")
    was_shared = models.BooleanField(default=False, help_text="Whether others were waited for beside this seat.")
    rewinds = models.PositiveIntegerField(default=0, help_text="Rewinds of the game when it was last made to stand.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    read_at = models.DateTimeField(null=True, blank=True, help_text="When its owner marked it as read.")
    gone_at = models.DateTimeField(null=True, blank=True, help_text="Since when it is no longer so.")
    changed_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When it was last written: made, changed, read or gone."
    )

    objects = ServerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["user", "-created_at", "id"], condition=Q(gone_at=None), name="notification_by_user"),
            models.Index(fields=["game", "gone_at"], name="notification_by_game"),
            models.Index(fields=["user", "changed_at"], name="notification_by_change"),
        ]
        constraints: ClassVar = [is_known("notification", "kind", NotificationKind)]

    def __str__(self) -> str:
        return f"{self.kind} of {self.game_id}"


class MailState(StrEnum):
    """How far a mail, or a push, is."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


class SentNotification(models.Model):
    """What goes out about a notification, and how sending fares; its id follows from what it is about."""

    id = models.UUIDField(primary_key=True, editable=False)
    state = models.CharField(max_length=10, choices=choices_of(MailState), default=MailState.PENDING)
    rewinds = models.PositiveIntegerField(default=0, help_text="Rewinds of the game when it was made to stand.")
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=80, blank=True, help_text="What the last attempt ended with.")
    next_try_at = models.DateTimeField(help_text="Not before.")
    leased_until = models.DateTimeField(null=True, blank=True, help_text="A worker is at it until then.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When the mail server took it.")

    objects = ServerQuerySet.as_manager()

    class Meta:
        abstract = True


class NotificationMail(SentNotification):
    """A mail about a notification; its id names the mail to programs (`Message-ID`)."""

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="mails")
    digest = models.UUIDField(null=True, blank=True, help_text="The mail of a day in which it goes out; none: its own.")

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at", "id"], condition=Q(state="pending"), name="notification_mail_due"),
            models.Index(fields=["digest"], condition=Q(digest__isnull=False), name="notification_mail_of_digest"),
        ]
        constraints: ClassVar = [is_known("notificationmail", "state", MailState)]

    def __str__(self) -> str:
        return f"Mail about {self.notification_id}"


class NotificationPush(SentNotification):
    """A push about a notification to one browser. The subscription is the person's, so it is named by id alone."""

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="pushes")
    subscription = models.UUIDField(help_text="The subscription of the browser.")

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at", "id"], condition=Q(state="pending"), name="notification_push_due")
        ]
        constraints: ClassVar = [is_known("notificationpush", "state", MailState)]

    def __str__(self) -> str:
        return f"Push about {self.notification_id}"


class NotificationFollower(models.Model):
    """How far a game has been looked through for notifications. Whoever looks holds this row's lock."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="notification_follower")
    seq = models.PositiveBigIntegerField(default=0, help_text="Number of the last event that was there.")
    look_at = models.DateTimeField(null=True, blank=True, help_text="When it is looked at next, though nothing moves.")
    looked_at = models.DateTimeField(null=True, blank=True, help_text="When it was looked at last.")
    rests_until = models.DateTimeField(
        null=True, blank=True, help_text="Until when it is left alone, since the last look at it failed."
    )

    objects = ServerQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Follower of {self.game_id}"
