"""The map of Forgeborn: the dice that lie on the sheet, and the places that they stand for. Ways are routes."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.forgeborn.rules.state.constants import MOST_SIDE
from games.forgeborn.rules.state.schema_types import ListName, PlaceKind
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known
from worlds.models import Place as WorldPlace


class DroppedDie(OfGame):
    """A die that lies on the sheet."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_dice", db_index=False)
    name = models.CharField(max_length=20, help_text="d12, d8a, ruins-3 ...")
    sides = models.PositiveSmallIntegerField()
    face = models.PositiveSmallIntegerField()
    x = models.PositiveSmallIntegerField(help_text="Whole units from the left edge of the sheet.")
    y = models.PositiveSmallIntegerField(help_text="Whole units from its upper edge.")
    is_entered = models.BooleanField(default=False, help_text="Whether the table has entered or moved it.")

    class Meta:
        ordering: ClassVar = ["game_id", "name"]
        verbose_name_plural = "dropped dice"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "name"], name="forgeborn_die_once"),
            models.CheckConstraint(
                condition=Q(face__gte=1, face__lte=models.F("sides"), x__lt=MOST_SIDE, y__lt=MOST_SIDE),
                name="forgeborn_die_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.face}"


class Place(OfGame):
    """The sheet of a place of the world's map."""

    place = models.OneToOneField(WorldPlace, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_places", db_index=False)
    kind = models.CharField(max_length=12, choices=choices_of(PlaceKind))
    number = models.PositiveIntegerField(help_text="Which of its kind, from 1; 0 where there is one alone.")
    die = models.CharField(max_length=20, help_text="The die that it stands for.")
    power = models.PositiveIntegerField(help_text="How many d12 roll against those who try it; 0 for the Forest.")
    is_spent = models.BooleanField(default=False, help_text="Whether Ruins are explored.")
    threat = models.TextField(blank=True, help_text="What threatens a Village, or guards Ruins.")

    class Meta:
        ordering: ClassVar = ["game_id", "kind", "number"]
        constraints: ClassVar = [
            is_known("forgeborn_place", "kind", PlaceKind),
            models.UniqueConstraint(fields=["game", "kind", "number"], name="forgeborn_place_once"),
            models.CheckConstraint(
                condition=Q(kind=PlaceKind.FOREST.value, power=0) | ~Q(kind=PlaceKind.FOREST.value) & Q(power__gte=1),
                name="forgeborn_place_has_a_power",
            ),
        ]

    def __str__(self) -> str:
        return str(self.place)


class Note(OfReaders):
    """What a game-master has written for later."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_notes")
    text = models.TextField()
    place = models.ForeignKey(Place, null=True, blank=True, on_delete=models.SET_NULL, related_name="notes")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return self.text[:60]


class Line(OfReaders):
    """A line of a list that was drawn or chosen."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_lines")
    list = models.CharField(max_length=12, choices=choices_of(ListName))
    line = models.PositiveIntegerField(help_text="Its number in the list, from 1.")
    text = models.TextField()
    place = models.ForeignKey(Place, null=True, blank=True, on_delete=models.SET_NULL, related_name="lines")
    drawer = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The player's seat that drew it; none for the service or a game-master.",
    )
    is_public = models.BooleanField(default=False, help_text="Whether the service drew it, for all to read.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [is_known("forgeborn_line", "list", ListName)]

    def __str__(self) -> str:
        return f"{self.list} {self.line}: {self.text[:60]}"
