"""The map (DW-SET-4, DW-LAND-*): sheets of squares, regions, and the territories of races."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.dawn.models.base import check_known
from games.dawn.rules.state.schema_types import Climate
from games.models import Game, Seat
from games.models.bases import OfGame
from games.models.columns import choices_of
from worlds.models import Race, Square


class Region(OfGame):
    """What one shaping made: named, and described if it is fantastic."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_regions")
    name = models.CharField(max_length=80)
    text = models.TextField(blank=True)
    fantastic = models.BooleanField(default=False)
    by = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+", help_text="The god who shaped it.")

    class Meta:
        ordering: ClassVar = ["game_id", "name", "id"]
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(name=""), name="dawn_region_named")]

    def __str__(self) -> str:
        return self.name


class SquareSheet(OfGame):
    """What Dawn adds to a square: its climate, what is fantastic about it, and who shaped it."""

    square = models.OneToOneField(Square, primary_key=True, on_delete=models.CASCADE, related_name="dawn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_squares")
    climate = models.CharField(max_length=12, choices=choices_of(Climate))
    fantastic = models.BooleanField(default=False)
    floating = models.BooleanField(default=False, help_text="It floats: closed to all who cannot fly.")
    shaped_by = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    region = models.ForeignKey(
        Region,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="squares",
        help_text="The region that it was last shaped with.",
    )

    class Meta:
        verbose_name = "shaped square"
        ordering: ClassVar = ["square"]
        constraints: ClassVar = [
            check_known("square", "climate", Climate),
            models.CheckConstraint(
                condition=Q(floating=False) | Q(fantastic=True), name="dawn_only_fantastic_land_floats"
            ),
        ]

    def __str__(self) -> str:
        return str(self.square)


class Territory(OfGame):
    """That a square belongs to a race; squares may belong to several (DW-RACE-5)."""

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="dawn_territory", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_territory")
    square = models.ForeignKey(Square, on_delete=models.CASCADE, related_name="dawn_territory")

    class Meta:
        verbose_name_plural = "territories"
        ordering: ClassVar = ["game_id", "race", "square"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["race", "square"], name="dawn_territory_once_a_race")]

    def __str__(self) -> str:
        return f"{self.race} {self.square}"
