"""Chat hooks: addresses of chat channels to which news of a game are posted, a line at a time.

Rows of the game, in its place (ADR 115). What is posted is made of what a stranger may know (`api.webhooks.chat`);
a row holds how far that went, and no text of it.
"""

from enum import StrEnum
from typing import ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.columns import choices_of, is_known
from games.models.game import Game
from games.models.webhooks import PostedTo


class ChatFormat(StrEnum):
    """How a channel wants its lines."""

    DISCORD = "discord"
    SLACK = "slack"
    MATTERMOST = "mattermost"


class ChatHook(PostedTo):
    """A person's wish to have news of a game posted to a channel. Its address holds a key: it is shown to nobody."""

    id = models.UUIDField(primary_key=True, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="chat_hooks")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, related_name="chat_hooks"
    )
    format = models.CharField(max_length=20, choices=choices_of(ChatFormat), help_text="How the channel wants lines.")
    time_zone = models.CharField(max_length=64, default="UTC", help_text="Where its times are; an IANA name.")
    mentions = models.TextField(default="{}", help_text="Who is called, by seat, as JSON: what the channel reads.")
    seq = models.PositiveBigIntegerField(help_text="Number of the last event that was looked at.")
    look_at = models.DateTimeField(null=True, blank=True, help_text="When it is looked at without an event.")
    is_test_asked = models.BooleanField(default=False, help_text="Whether a test is posted next.")
    chapter = models.PositiveIntegerField(default=0, help_text="The last chapter whose beginning was posted.")
    is_end_posted = models.BooleanField(default=False, help_text="Whether the end of the game was posted.")
    message = models.CharField(
        max_length=64, blank=True, default="", help_text="The receiver's id of the line that says who is waited for."
    )
    line = models.CharField(max_length=64, blank=True, default="", help_text="Digest of that line.")
    called = models.TextField(default="{}", help_text="Who was waited for already when it was posted, as JSON.")
    posted_at = models.DateTimeField(null=True, blank=True, help_text="When that line was last posted anew.")
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Status of the last answer.")
    error = models.CharField(max_length=60, blank=True, default="", help_text="Why there was no answer; a code.")
    tried_at = models.DateTimeField(null=True, blank=True, help_text="When something was last posted.")

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at"], condition=Q(is_active=True), name="chat_hook_by_due"),
        ]
        constraints: ClassVar = [is_known("chat_hook", "format", ChatFormat)]

    def __str__(self) -> str:
        return f"Chat hook of {self.game_id}"

    @property
    def address(self) -> str:
        """As much of its address as is shown: the host and the last four characters."""
        return f"{urlsplit(self.url).hostname}/…{self.url[-4:]}"
