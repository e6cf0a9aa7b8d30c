"""Works: artifacts, and the chronicle of what happened."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from worlds.models.base import NAME_LENGTH, Named, OfWorld, check_filled, one_at_most
from worlds.models.divine import Deity
from worlds.models.peoples import City, Race
from worlds.models.persons import Person
from worlds.models.world import Place, Square
from worlds.querysets import VisibleQuerySet

HOLDERS = ("deity", "race", "city", "place", "person")
"""The kinds of holders of an artifact, each the name of its key."""


class Artifact(OfWorld):
    """A thing of power. At most one holder: a deity, a race, a city, a place or a person; none when nobody has it."""

    name = models.CharField(max_length=NAME_LENGTH)
    description = models.TextField(blank=True)
    deity = models.ForeignKey(Deity, models.SET_NULL, null=True, blank=True, related_name="artifacts")
    race = models.ForeignKey(Race, models.SET_NULL, null=True, blank=True, related_name="artifacts")
    city = models.ForeignKey(City, models.SET_NULL, null=True, blank=True, related_name="artifacts")
    place = models.ForeignKey(Place, models.SET_NULL, null=True, blank=True, related_name="artifacts")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="artifacts")
    lost = models.BooleanField(default=False, help_text="Destroyed or gone; the row stays for the chronicle.")

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["name", "id"]
        constraints = [
            *check_filled("artifact", "name"),
            one_at_most("artifact_one_holder_at_most", *HOLDERS),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def holder(self) -> Deity | Race | City | Place | Person | None:
        """Who or what has it."""
        return self.deity or self.race or self.city or self.place or self.person


class Holding(Named):
    """A time for which an artifact had one holder, or none: where it has been."""

    artifact = models.ForeignKey(Artifact, models.CASCADE, related_name="holdings", db_index=False)
    number = models.PositiveIntegerField(help_text="Running number of its artifact, from 1.")
    deity = models.ForeignKey(Deity, models.SET_NULL, null=True, blank=True, related_name="holdings")
    race = models.ForeignKey(Race, models.SET_NULL, null=True, blank=True, related_name="holdings")
    city = models.ForeignKey(City, models.SET_NULL, null=True, blank=True, related_name="holdings")
    place = models.ForeignKey(Place, models.SET_NULL, null=True, blank=True, related_name="holdings")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="holdings")
    heading = models.CharField(max_length=120, blank=True, help_text="Since when, in the words of its game: Round 3.")
    since = models.DateTimeField(help_text="When it came to the holder in play, UTC.")
    until = models.DateTimeField(null=True, blank=True, help_text="When it went on, UTC; empty for the holder of now.")

    world_path: ClassVar[str] = "artifact__world"
    id_home: ClassVar[str] = "artifact_id"
    objects = VisibleQuerySet.as_manager()

    class Meta(Named.Meta):
        abstract = False
        ordering = ["artifact", "number"]
        constraints = [
            one_at_most("holding_one_holder_at_most", *HOLDERS),
            models.UniqueConstraint(fields=["artifact", "number"], name="holding_number_once_an_artifact"),
            models.UniqueConstraint(
                fields=["artifact"], condition=Q(until__isnull=True), name="holding_one_of_now_an_artifact"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.artifact}, {self.number}"


class Chronicle(OfWorld):
    """One entry of a world's chronicle, in the order of `position`."""

    position = models.PositiveIntegerField(help_text="Running number in its world, from 1.")
    chapter = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="The chapter that it tells of (a century, an Age, a turn); empty: before all counting.",
    )
    heading = models.CharField(max_length=120, blank=True, help_text="When, in the words of its game: Century 3.")
    text = models.TextField()
    figures = models.TextField(blank=True, default="", db_default="", help_text="The numbers beside the sentence.")
    square = models.ForeignKey(
        Square, models.SET_NULL, null=True, blank=True, related_name="+", help_text="Where it happened, if on a square."
    )
    entry = models.UUIDField(
        null=True, blank=True, help_text="The event of a game's log that it tells of; empty when a person wrote it."
    )
    written_at = models.DateTimeField(null=True, blank=True, help_text="When it happened in play, UTC.")

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["world_id", "position"]
        indexes = []  # the unique key begins with the world
        verbose_name_plural = "chronicle"
        constraints = [
            *check_filled("chronicle", "text"),
            models.UniqueConstraint(fields=["world", "position"], name="chronicle_position_once"),
            models.CheckConstraint(condition=Q(position__gte=1), name="chronicle_from_one"),
            models.UniqueConstraint(
                fields=["world", "entry"], condition=Q(entry__isnull=False), name="chronicle_entry_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.heading or self.position}: {self.text[:60]}"
