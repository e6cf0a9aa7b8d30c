"""Smiths, Heroines and artifacts: the sheets of persons and artifacts of the world, with their dice by size."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.forgeborn.models.realm import Place
from games.forgeborn.rules.state.schema_types import CameBy, CharacterKind, Form, Function
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known
from worlds.models import Artifact as WorldArtifact
from worlds.models import Person


class WithDice(models.Model):
    """A row with dice of five sizes."""

    d4 = models.PositiveIntegerField(default=0)
    d6 = models.PositiveIntegerField(default=0)
    d8 = models.PositiveIntegerField(default=0)
    d10 = models.PositiveIntegerField(default=0)
    d12 = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class Draft(WithDice, OfReaders):
    """The dice of a Smith before all are defined."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_draft")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_drafts")

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]

    def __str__(self) -> str:
        return f"Draft of {self.seat}"


class Nameplate(OfGame):
    """Name and description of a Smith before all are defined."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_nameplate")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_nameplates")
    name = models.CharField(max_length=80)
    text = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "name"]

    def __str__(self) -> str:
        return self.name


class Character(WithDice, OfGame):
    """The sheet of a Smith or a Heroine."""

    person = models.OneToOneField(Person, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_characters")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_characters", db_index=False)
    kind = models.CharField(max_length=8, choices=choices_of(CharacterKind))
    number = models.PositiveIntegerField(help_text="The order of recruiting, from 1; 0 for the Smith.")
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="characters")
    is_plain = models.BooleanField(default=False, help_text="Whether the service has made this Smith.")

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "number"]
        constraints: ClassVar = [
            is_known("forgeborn_character", "kind", CharacterKind),
            models.UniqueConstraint(fields=["seat", "number"], name="forgeborn_character_once"),
            models.CheckConstraint(
                condition=Q(kind=CharacterKind.SMITH.value, number=0)
                | ~Q(kind=CharacterKind.SMITH.value) & Q(number__gte=1),
                name="forgeborn_character_heroines_are_numbered",
            ),
        ]

    def __str__(self) -> str:
        return str(self.person)


class Artifact(WithDice, OfGame):
    """The sheet of an artifact."""

    artifact = models.OneToOneField(
        WorldArtifact, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_sheet"
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_artifacts")
    form = models.CharField(max_length=12, choices=choices_of(Form))
    function = models.CharField(max_length=12, choices=choices_of(Function))
    power = models.PositiveIntegerField(help_text="The number of its dice.")
    maker = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="made")
    helpers = models.TextField(default="[]", help_text="The Smiths who have rolled with the maker, as JSON.")
    round = models.PositiveIntegerField(help_text="The round in which it was made.")
    holder = models.UUIDField(
        db_index=True, help_text="The Citadel, where it lies in the Vault, or the character who holds it."
    )
    came_by = models.CharField(
        max_length=8, null=True, blank=True, choices=choices_of(CameBy), help_text="How its holder came by it."
    )

    class Meta:
        ordering: ClassVar = ["game_id", "round", "artifact"]
        constraints: ClassVar = [
            is_known("forgeborn_artifact", "form", Form),
            is_known("forgeborn_artifact", "function", Function),
            is_known("forgeborn_artifact", "came_by", CameBy, empty=True),
            models.CheckConstraint(
                condition=Q(power__gte=1, power=F("d4") + F("d6") + F("d8") + F("d10") + F("d12")),
                name="forgeborn_artifact_power_is_its_dice",
            ),
        ]

    def __str__(self) -> str:
        return str(self.artifact)
