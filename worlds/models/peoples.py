"""Peoples: races, where their units stand, their cities, orders and armies.

Columns here are what every game shares; numbers of one game hang on its own sheets, one-to-one with these rows.
"""

from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from worlds.models.base import NAME_LENGTH, Named, OfWorld, check_filled, one_of
from worlds.models.world import Square
from worlds.querysets import RaceQuerySet, VisibleQuerySet


class Race(OfWorld):
    """A race of mortals."""

    name = models.CharField(max_length=NAME_LENGTH, help_text="Unique in its world, upper and lower case alike.")
    colour = models.CharField(
        max_length=7,
        blank=True,
        validators=[RegexValidator(r"^#[0-9a-f]{6}$", "Write a colour as #rrggbb, with small letters.")],
        help_text="Colour on maps, #rrggbb; empty for the one that follows from the id.",
    )
    extinct = models.BooleanField(default=False, help_text="No unit is left; the row stays for the chronicle.")

    objects = RaceQuerySet.as_manager()  # type: ignore[misc]  # more than the base's, and in its place

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["name", "id"]
        constraints = [
            *check_filled("race", "name"),
            models.UniqueConstraint("world", Lower("name"), name="race_name_once"),
            models.CheckConstraint(condition=Q(colour="") | Q(colour__startswith="#"), name="race_colour_hash"),
        ]

    def __str__(self) -> str:
        return self.name


class Presence(models.Model):
    """Units of one race on one square. A square without units has no row.

    The key is a running number that means nothing: name a presence by race and square, never by it.
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="presences", db_index=False)
    square = models.ForeignKey(Square, models.CASCADE, related_name="presences")
    units = models.PositiveIntegerField(help_text="Whole population units, at least 1.")

    world_path: ClassVar[str] = "race__world"
    objects = VisibleQuerySet.as_manager()

    class Meta:
        ordering = ["square", "race"]
        constraints = [
            models.UniqueConstraint(fields=["race", "square"], name="presence_once"),
            models.CheckConstraint(condition=Q(units__gt=0), name="presence_has_units"),
        ]

    def __str__(self) -> str:
        return f"{self.race} {self.square}: {self.units}"


class CityKind(models.TextChoices):
    """How great a city is."""

    CITY = "city", "city"
    GREAT = "great", "great city"


class City(OfWorld):
    """A city of a race; a square holds at most one."""

    race = models.ForeignKey(Race, models.CASCADE, related_name="cities")
    square = models.OneToOneField(Square, models.CASCADE, related_name="city")
    kind = models.CharField(max_length=8, choices=CityKind.choices, default=CityKind.CITY)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["name", "id"]
        verbose_name_plural = "cities"
        constraints = [one_of("city", "kind", CityKind)]

    def __str__(self) -> str:
        return self.name or f"{self.get_kind_display()} at {self.square_id}"


class Order(Named):
    """An order founded among a race: a guild, knights, a church."""

    race = models.ForeignKey(Race, models.CASCADE, related_name="orders")
    kind = models.CharField(max_length=40, help_text="What it is: guild, knightly, religious ...")
    name = models.CharField(max_length=NAME_LENGTH)
    founded = models.CharField(max_length=60, blank=True, help_text="When, in the words of its game: Age 2, round 3.")
    dissolved = models.BooleanField(default=False, help_text="It has ended; the row stays for the chronicle.")

    world_path: ClassVar[str] = "race__world"
    id_home: ClassVar[str] = "race_id"
    objects = VisibleQuerySet.as_manager()

    class Meta(Named.Meta):
        abstract = False
        ordering = ["name", "id"]
        constraints = check_filled("order", "kind", "name")

    def __str__(self) -> str:
        return self.name


class Army(Named):
    """An army of a race, standing on a square."""

    race = models.ForeignKey(Race, models.CASCADE, related_name="armies")
    city = models.ForeignKey(
        City, models.SET_NULL, null=True, blank=True, related_name="armies", help_text="The city that raised it."
    )
    square = models.ForeignKey(Square, models.CASCADE, related_name="armies", help_text="Where it stands.")
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    strength = models.PositiveIntegerField(default=1, help_text="Dice it brings to a battle, at least 1.")
    raised = models.CharField(max_length=60, blank=True, help_text="When, in the words of its game: Age 3, round 1.")

    world_path: ClassVar[str] = "race__world"
    id_home: ClassVar[str] = "race_id"
    objects = VisibleQuerySet.as_manager()

    class Meta(Named.Meta):
        abstract = False
        ordering = ["race", "id"]
        verbose_name_plural = "armies"
        constraints = [models.CheckConstraint(condition=Q(strength__gt=0), name="army_has_strength")]

    def __str__(self) -> str:
        return self.name or f"army at {self.square_id}"
