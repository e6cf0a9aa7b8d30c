"""Rows of Albraxas: the course of the game, phases, characters and where they were, orders, and two secrets.

A character before the start (`Sheet`) is for its own seat; a place that is not shown yet (`Choice`) for the rebels.
Orders stay answers of their question (`games.Answer`), with salt and digest, until all are shown.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.albraxas.rules.state.constants import LEAST_PHASES, LEAST_SIDES, MOST_PHASES, MOST_SIDES, PHASES, SIDES
from games.albraxas.rules.state.schema_types import Action, Mode, Side, Step
from games.models import Game, Seat
from games.models.querysets import AudienceQuerySet, OfGameQuerySet, SeatSecretQuerySet


class Storm(models.Model):
    """The course of one game: its step and turn, its numbers, who plays Albraxas, who has won."""

    state_table: ClassVar[str] = "storms"

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="albraxas_storm")
    step = models.CharField(max_length=12, choices=[(s.value, s.value) for s in Step], default=Step.LOBBY.value)
    turn = models.PositiveSmallIntegerField(default=0, help_text="0 before the first.")
    phases = models.PositiveSmallIntegerField(default=PHASES)
    sides = models.PositiveSmallIntegerField(default=SIDES, help_text="Of every die.")
    check_from = models.PositiveSmallIntegerField(default=1, help_text="First turn whose CHECK may end the game.")
    albraxas = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat that plays Albraxas.",
    )
    winner = models.CharField(max_length=10, null=True, blank=True, choices=[(s.value, s.value) for s in Side])

    objects = OfGameQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(phases__gte=LEAST_PHASES, phases__lte=MOST_PHASES), name="albraxas_phases_in_range"
            ),
            models.CheckConstraint(
                condition=Q(sides__gte=LEAST_SIDES, sides__lte=MOST_SIDES), name="albraxas_sides_in_range"
            ),
            models.CheckConstraint(
                condition=Q(turn__lt=F("phases"), check_from__gte=1, check_from__lt=F("phases")),
                name="albraxas_turns_before_the_last_phase",
            ),
        ]

    def __str__(self) -> str:
        return f"Turn {self.turn}, {self.step}"


class Phase(models.Model):
    """A phase with its stored Tide and Ebb."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="albraxas_phases", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="1 is the Beginning.")
    tide = models.PositiveIntegerField(default=0)
    ebb = models.PositiveIntegerField(default=0)

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="albraxas_phase_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_PHASES), name="albraxas_phase_number_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"Phase {self.number}"


class Sheet(models.Model):
    """A character as its owner writes it before the start; the owner's secret."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="albraxas_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="albraxas_sheets")
    name = models.CharField(max_length=80)
    backbone = models.PositiveSmallIntegerField()
    battle = models.PositiveSmallIntegerField()
    blitz = models.PositiveSmallIntegerField()

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(backbone__gte=1, battle__gte=1, blitz__gte=1), name="albraxas_sheet_of_ones_at_least"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Character(models.Model):
    """A rebel or Albraxas, identified by the seat. Visible to everybody from the start on."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="albraxas_character")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="albraxas_characters")
    side = models.CharField(max_length=10, choices=[(s.value, s.value) for s in Side])
    name = models.CharField(max_length=80)
    backbone = models.PositiveSmallIntegerField(help_text="At 0 the character is out.")
    battle = models.PositiveSmallIntegerField()
    blitz = models.PositiveSmallIntegerField()
    dynamism = models.PositiveIntegerField()
    start_backbone = models.PositiveSmallIntegerField()
    most_dynamism = models.PositiveIntegerField(help_text="Dynamism at the start; there is never more.")
    phase = models.PositiveSmallIntegerField(default=0, help_text="Where the character is; 0 before the first move.")
    clones = models.PositiveSmallIntegerField(
        default=0, help_text="Earlier turns in which the character visited this phase."
    )
    forced = models.BooleanField(default=False, help_text="In the last phase, unable to leave: no new visit.")
    fallen = models.BooleanField(default=False)
    conceded = models.BooleanField(default=False)

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "side", "seat"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(battle__gte=1, blitz__gte=1), name="albraxas_character_can_act"),
            models.CheckConstraint(
                condition=Q(backbone__lte=F("start_backbone"), dynamism__lte=F("most_dynamism")),
                name="albraxas_character_within_what_he_began_with",
            ),
            models.CheckConstraint(
                condition=Q(fallen=True, backbone=0) | Q(fallen=False, backbone__gte=1),
                name="albraxas_character_fallen_without_backbone",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Choice(models.Model):
    """Where a rebel means to go this turn; Albraxas does not see it."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="albraxas_choice")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="albraxas_choices")
    phase = models.PositiveSmallIntegerField()
    locked = models.BooleanField(default=False, help_text="Whether the rebel has locked this choice.")
    audience = models.CharField(max_length=1000)

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]

    def __str__(self) -> str:
        return f"{self.seat}: phase {self.phase}"


class Visit(models.Model):
    """In how many turns a rebel has visited a phase."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="albraxas_visits", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="albraxas_visits")
    phase = models.PositiveSmallIntegerField()
    count = models.PositiveSmallIntegerField(help_text="Turns; a forced stay is none.")

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "phase"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "phase"], name="albraxas_visits_counted_once"),
            models.CheckConstraint(condition=Q(count__gte=1, phase__gte=1), name="albraxas_visit_of_a_phase"),
        ]

    def __str__(self) -> str:
        return f"{self.seat} in phase {self.phase}: {self.count}"


class Written(models.Model):
    """One shown order of this turn."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="albraxas_written", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="albraxas_written")
    juncture = models.PositiveSmallIntegerField(help_text="0 for the whole phase.")
    action = models.CharField(max_length=12, choices=[(a.value, a.value) for a in Action])
    dice = models.PositiveSmallIntegerField(default=0, help_text="Dice that a blitz buys.")
    tie_max = models.PositiveIntegerField(default=0, help_text="The most Dynamism for knocked-out pairs of one roll.")
    tie_mode = models.CharField(max_length=10, choices=[(m.value, m.value) for m in Mode])

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "juncture"]
        verbose_name = "written order"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "juncture"], name="albraxas_order_once_a_juncture"),
            models.CheckConstraint(
                condition=Q(juncture=0, action=Action.CONVALESCE.value)
                | Q(juncture__gte=1) & ~Q(action=Action.CONVALESCE.value),
                name="albraxas_convalesce_takes_the_phase",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat}, juncture {self.juncture}: {self.action}"
