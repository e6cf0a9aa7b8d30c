"""Actors of the Die Tower: who is shown is a person of the world; what is secret of them has rows of its own."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.dietower.rules.state.constants import MOST_CHARACTERS, MOST_HEALTH, MOST_LEVEL
from games.dietower.rules.state.schema_types import ActorKind, Condition, Hidden, SheetField
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known
from worlds.models import Person


class Actor(OfReaders):
    """A player's character, an NPC or a Monster. One that nobody has seen yet is the game-masters' alone."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_actors")
    person = models.OneToOneField(
        Person,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="dietower_actor",
        help_text="The person of the world; none before the actor is shown.",
    )
    kind = models.CharField(max_length=12, choices=choices_of(ActorKind))
    name = models.CharField(max_length=80)
    seat = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="dietower_characters",
        help_text="Whose character it is; none for the world master's.",
    )
    number = models.PositiveIntegerField(default=0, help_text="Which of the seat's characters, from 1.")
    condition = models.CharField(max_length=12, choices=choices_of(Condition), default=Condition.ACTIVE.value)
    condition_text = models.TextField(blank=True, help_text="How it fell.")
    shown = models.BooleanField(default=True, help_text="Whether the players know of it.")

    class Meta:
        ordering: ClassVar = ["game_id", "kind", "name", "id"]
        constraints: ClassVar = [
            is_known("dietower_actor", "kind", ActorKind),
            is_known("dietower_actor", "condition", Condition),
            models.CheckConstraint(
                condition=Q(kind=ActorKind.PC.value, seat__isnull=False, number__gte=1, number__lte=MOST_CHARACTERS)
                | ~Q(kind=ActorKind.PC.value) & Q(seat__isnull=True),
                name="dietower_actor_of_a_seat_is_a_character",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Sheet(OfGame):
    """The sheet of a player's character, which lies on the table."""

    actor = models.OneToOneField(Actor, primary_key=True, on_delete=models.CASCADE, related_name="sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_sheets")
    weapon = models.TextField(blank=True)
    weapon_defensive = models.BooleanField(default=False, help_text="Whether the weapon serves to defend alone.")
    power = models.TextField(blank=True)
    power_drawback = models.TextField(blank=True)
    deviation = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    good_at = models.TextField(default="[]", help_text="What the character is good at, as JSON.")
    level = models.PositiveSmallIntegerField(default=1)
    wishes = models.PositiveIntegerField(default=1, help_text="The balance, with what a story Wish holds.")

    class Meta:
        ordering: ClassVar = ["game_id", "actor"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(level__gte=1, level__lte=MOST_LEVEL, wishes__lte=F("level")),
                name="dietower_sheet_wishes_within_the_level",
                violation_error_message=f"Level 1 to {MOST_LEVEL}, and no more Wishes than the level.",
            )
        ]

    def __str__(self) -> str:
        return str(self.actor)


class Mystery(OfReaders):
    """The mystery of a player's character."""

    state_table: ClassVar[str] = "mysteries"

    actor = models.OneToOneField(Actor, primary_key=True, on_delete=models.CASCADE, related_name="mystery")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_mysteries")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    secret = models.BooleanField(help_text="Whether its seat and the game-masters alone may read it.")

    class Meta:
        ordering: ClassVar = ["game_id", "actor"]
        verbose_name_plural = "mysteries"

    def __str__(self) -> str:
        return f"Mystery of {self.actor}"


class Brief(OfReaders):
    """What the world master has written of an NPC or a Monster; for game-masters."""

    actor = models.OneToOneField(Actor, primary_key=True, on_delete=models.CASCADE, related_name="brief")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_briefs")
    weapon = models.TextField(blank=True)
    weapon_defensive = models.BooleanField(default=False, help_text="Whether the weapon serves to defend alone.")
    power = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    weakness = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "actor"]

    def __str__(self) -> str:
        return f"Brief on {self.actor}"


class Vitality(OfReaders):
    """The Health of a Monster; for game-masters."""

    actor = models.OneToOneField(Actor, primary_key=True, on_delete=models.CASCADE, related_name="vitality")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_vitalities")
    health = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["game_id", "actor"]
        verbose_name_plural = "vitalities"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(health__lte=MOST_HEALTH), name="dietower_vitality_health_in_range")
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {self.health}"


class Revelation(OfGame):
    """What was revealed of somebody, as it was then."""

    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="revelations", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_revelations")
    field = models.CharField(max_length=12, choices=choices_of(Hidden))
    text = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "actor", "field"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["actor", "field"], name="dietower_revelation_once"),
            is_known("dietower_revelation", "field", Hidden),
        ]

    def __str__(self) -> str:
        return f"{self.field} of {self.actor}"


class Chart(OfGame):
    """A random chart for a field of sheets."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_charts", db_index=False)
    field = models.CharField(max_length=20, choices=choices_of(SheetField))
    lines = models.TextField(default="[]", help_text="As JSON.")

    class Meta:
        ordering: ClassVar = ["game_id", "field"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "field"], name="dietower_chart_once_a_field"),
            is_known("dietower_chart", "field", SheetField),
        ]

    def __str__(self) -> str:
        return self.field
