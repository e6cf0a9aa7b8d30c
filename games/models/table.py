"""Prompts, answers, standing answers and timers: what is owed, and what happens if nobody acts."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.game import Game, Seat
from games.models.querysets import AudienceQuerySet, SeatSecretQuerySet, ServerQuerySet


class Prompt(models.Model):
    """An open question: who owes an answer, by which settling rule, and what silence means."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="prompts")
    audience = models.CharField(max_length=1000)
    kind = models.CharField(max_length=40)
    lane = models.CharField(max_length=80)
    depth = models.PositiveSmallIntegerField(default=0)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="children")
    owners = models.TextField(help_text="Readers who owe an answer, as JSON: gm or seat:<id>.")
    rule = models.CharField(max_length=12)
    answered_by = models.TextField(help_text="Commands that answer it, as JSON.")
    question = models.TextField()
    subject = models.UUIDField(null=True, blank=True)
    choices = models.TextField(default="[]")
    silence = models.TextField(blank=True, default="")
    threshold = models.PositiveIntegerField(default=0)
    sealed = models.BooleanField(default=False)
    opened_at = models.DateTimeField()

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["opened_at", "id"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.question[:60]}"


class Answer(models.Model):
    """What an owner has answered so far."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="answers")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="answers", db_index=False)
    owner = models.CharField(max_length=50)
    value = models.TextField(help_text="JSON.")
    audience = models.CharField(max_length=1000)
    salt = models.CharField(max_length=200, db_default="", default="", blank=True)
    digest = models.CharField(
        max_length=64, db_default="", default="", blank=True, help_text="The commitment to a sealed answer."
    )

    objects = AudienceQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["prompt", "owner"], name="one_answer_an_owner")]

    def __str__(self) -> str:
        return f"Answer of {self.owner}"


class StandingAnswer(models.Model):
    """What a seat answers in advance to every prompt of a kind."""

    state_table: ClassVar[str] = "standing"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="standing_answers")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="standing_answers", db_index=False)
    kind = models.CharField(max_length=40)
    answer = models.TextField()

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["seat", "kind"], name="one_standing_answer_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.answer}"


class EnteredDie(models.Model):
    """A die that a person rolls at a real table: entered with its value, or left to the server (no value)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entered_dice", db_index=False)
    label = models.CharField(max_length=200)
    index = models.PositiveSmallIntegerField()
    value = models.PositiveIntegerField(null=True, blank=True)
    awaited = models.BooleanField(default=False)
    held = models.TextField(db_default="", default="", blank=True, help_text="The decision that waits for it, as JSON.")

    objects = ServerQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "label", "index"], name="die_entered_once")]

    def __str__(self) -> str:
        return f"{self.label}/{self.index}"


class Timer(models.Model):
    """A command that the clock will issue. `due` is empty while it is frozen; then it keeps what is left."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="timers", db_index=False)
    audience = models.CharField(max_length=1000)
    key = models.CharField(max_length=120)
    does = models.CharField(max_length=60)
    arguments = models.TextField()
    generation = models.PositiveIntegerField()
    due = models.DateTimeField(null=True, blank=True)
    left = models.DurationField(null=True, blank=True)
    subject = models.UUIDField(null=True, blank=True)
    early = models.BooleanField(db_default=True, default=True, help_text="Whether a GM may fire it before its time.")
    failures = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(blank=True, default="")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["due", "generation"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "key"], name="one_timer_a_key"),
            models.CheckConstraint(condition=Q(due__isnull=True) ^ Q(left__isnull=True), name="timer_due_or_frozen"),
        ]
        indexes: ClassVar = [
            # The sweep asks once a second which games have something due.
            models.Index(fields=["due"], condition=Q(due__isnull=False), name="timer_by_due"),
        ]

    def __str__(self) -> str:
        return f"{self.key} does {self.does}"


class Leave(models.Model):
    """A time in which a seat need not answer: a vacation, or one deadline for which its absence was excused."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="leaves")
    audience = models.CharField(max_length=1000)
    seat = models.UUIDField(help_text="The seat that is away.")
    starts_at = models.DateTimeField(help_text="From when; of an absence the deadline at which it was excused.")
    ends_at = models.DateTimeField(help_text="Until when; of an absence the deadline that follows.")
    days = models.PositiveSmallIntegerField(default=0, help_text="Days of vacation that it costs; 0: an absence.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["starts_at", "id"]

    def __str__(self) -> str:
        return f"{'Vacation' if self.days else 'Absence'} from {self.starts_at:%Y-%m-%d}"
