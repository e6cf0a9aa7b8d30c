"""The clock of Era Centrum, its worksheet, and the queue at the Window."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.gods2.rules.state.records import Phase
from games.models import Game, Seat
from games.models.querysets import OfGameQuerySet, SeatSecretQuerySet


class Era(models.Model):
    """The clock of Era Centrum in one game."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="gods2_era")
    phase = models.CharField(max_length=12, choices=[(p.value, p.value) for p in Phase], default=Phase.SETUP)
    plan = models.TextField(default="[]", help_text="Centuries of each session, as JSON.")
    century_seconds = models.PositiveIntegerField(default=1800)
    session = models.PositiveSmallIntegerField(default=0)
    century = models.PositiveSmallIntegerField(default=0)
    pack_version = models.PositiveIntegerField(default=0)
    pack_digest = models.CharField(max_length=64, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True)
    activity_ends_at = models.DateTimeField(null=True, blank=True, help_text="When history powers end.")
    ends_at = models.DateTimeField(null=True, blank=True)
    growing = models.TextField(default="[]", help_text="Races that still have to grow, as JSON.")
    next_number = models.PositiveIntegerField(default=1)
    called = models.PositiveIntegerField(null=True, blank=True, help_text="The number served at the Window.")
    castings = models.PositiveIntegerField(default=0, db_default=0, help_text="How many modifications were ever cast.")
    learned = models.TextField(
        default="[]", db_default="[]", help_text="Every knowledge that any race has ever known, as JSON."
    )
    creation = models.BooleanField(
        default=False, db_default=False, help_text="Whether this or the next century is a second Creation."
    )

    objects = OfGameQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=Q(century__lte=16), name="gods2_sixteen_centuries")]

    def __str__(self) -> str:
        return f"Century {self.century}, {self.phase}"


class Line(models.Model):
    """A line of the running century's worksheet."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_lines", db_index=False)
    kind = models.CharField(max_length=10, help_text="box, source or race.")
    key = models.CharField(max_length=80)
    count = models.IntegerField()

    objects = OfGameQuerySet.as_manager()

    class Meta:
        verbose_name = "worksheet line"
        ordering: ClassVar = ["game_id", "kind", "key"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "kind", "key"], name="gods2_line_once"),
            models.CheckConstraint(condition=Q(count__gte=0), name="gods2_line_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.count}"


class QueueNumber(models.Model):
    """A number that waits, or is served, at the Window."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_numbers", db_index=False)
    number = models.PositiveIntegerField()
    place = models.PositiveIntegerField(help_text="Order in the queue, lowest first.")
    misses = models.PositiveSmallIntegerField(default=0)

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "place"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="gods2_number_once")]

    def __str__(self) -> str:
        return f"Number {self.number}"


class NumberHolder(models.Model):
    """Whose number it is."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_holders", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="gods2_holder_once"),
            models.UniqueConstraint(fields=["game", "seat"], name="gods2_one_number_a_caster"),
        ]

    def __str__(self) -> str:
        return f"{self.seat} holds number {self.number}"
