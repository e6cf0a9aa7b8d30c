"""The log: what happened, in the past tense, append-only; who may read it; what was acknowledged; every die."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple, TypeAlias
from uuid import UUID

from django.db import models
from django.db.models import Q

from games.models.game import Game
from games.models.querysets import AudienceQuerySet, ServerQuerySet

OF_MESSAGES = Q(type__in=("MessageSent", "MessageReported"))
"""What is asked for by its kind while a command is decided: few events of most games."""
IS_ATTACK = ~Q(attacked="")
"""What is asked for while notifications are made: few events of most games."""


class LoggedEvent(models.Model):
    """One event. `seq` is gapless in its game, `ordinal` gapless in the stream of its audience."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveBigIntegerField()
    audience = models.CharField(max_length=1000)
    ordinal = models.PositiveBigIntegerField()
    type = models.CharField(max_length=60)
    v = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()
    body = models.TextField(help_text="The event's fields as canonical JSON.")
    rules = models.TextField(default="[]", help_text="Rule ids it cites, as JSON.")
    rolls = models.TextField(default="[]", help_text="The dice it used, as JSON.")
    text = models.TextField(blank=True, default="")
    by = models.CharField(max_length=12, blank=True, default="")
    on_behalf_of = models.UUIDField(null=True, blank=True)
    cause = models.CharField(max_length=200, blank=True, default="", help_text="The command or timer behind it.")
    attacked = models.TextField(
        blank=True, default="", db_default="",
        help_text="The players' seats that it attacks, as JSON; empty: none. It follows from the events, so no digest "
        "covers it.",
    )  # fmt: skip
    fallen = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="seq of the rewind behind which this event lies."
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 over the digest before and this row.")
    mark = models.CharField(
        max_length=8, blank=True, default="", db_default="",
        help_text="Digest of its stream up to here, of what its readers may read; cursors hold it.",
    )  # fmt: skip

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="event_seq_once_a_game"),
            models.UniqueConstraint(fields=["game", "audience", "ordinal"], name="event_ordinal_once_a_stream"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["game", "-seq"], condition=OF_MESSAGES, name="event_of_messages"),
            models.Index(fields=["game", "-seq"], condition=IS_ATTACK, name="event_of_attacks"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"


@dataclass(slots=True, kw_only=True)
class EventRow:
    """An event as it is written: the columns of its row. An instance of the model takes fifteen times as long."""

    game_id: UUID
    seq: int
    audience: str
    ordinal: int
    type: str
    v: int
    at: datetime
    body: str
    rules: str
    rolls: str
    text: str
    by: str
    on_behalf_of: UUID | None
    cause: str
    attacked: str
    fallen: int | None = None
    digest: str = ""
    mark: str = ""


AnyEventRow: TypeAlias = LoggedEvent | EventRow
"""An event as it was read, or as it is written."""


class Stream(models.Model):
    """The head of one audience's stream in a game."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="streams", db_index=False)
    audience = models.CharField(max_length=1000)
    head = models.PositiveBigIntegerField(default=0)
    mark = models.CharField(max_length=8, blank=True, default="", db_default="", help_text="That of its last event.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "audience"], name="stream_once_a_game")]

    def __str__(self) -> str:
        return f"{self.audience} at {self.head}"


class Receipt(models.Model):
    """An acknowledged command: the same key again returns its outcome. Principal is a user's id or `clock`."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="receipts", db_index=False)
    principal = models.CharField(max_length=40)
    key = models.CharField(max_length=255)
    command = models.CharField(max_length=60)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of the command, its fields and the acting seat.")
    first_seq = models.PositiveBigIntegerField()
    last_seq = models.PositiveBigIntegerField()
    at = models.DateTimeField()

    objects = ServerQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "principal", "key"], name="receipt_once_a_principal")
        ]

    def __str__(self) -> str:
        return f"{self.command} by {self.principal}"


class ReceiptRow(NamedTuple):
    """A receipt as it is written: the columns of its row."""

    game_id: UUID
    principal: str
    key: str
    command: str
    fingerprint: str
    first_seq: int
    last_seq: int
    at: datetime


class Die(models.Model):
    """One die that was rolled, with the label it is bound to. Its readers are those of the event that used it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dice", db_index=False)
    event = models.ForeignKey(LoggedEvent, on_delete=models.CASCADE, related_name="dice")
    seq = models.PositiveBigIntegerField(help_text="The event's number in its game.")
    audience = models.CharField(max_length=1000)
    label = models.CharField(max_length=200)
    index = models.PositiveSmallIntegerField()
    sides = models.PositiveIntegerField()
    value = models.PositiveIntegerField()
    source = models.CharField(max_length=8)
    rule = models.CharField(max_length=20, blank=True, default="")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seq", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "label", "index"], name="die_label_used_once"),
            models.CheckConstraint(condition=Q(value__gte=1) & Q(value__lte=models.F("sides")), name="die_in_range"),
        ]

    def __str__(self) -> str:
        return f"d{self.sides}: {self.value}"
