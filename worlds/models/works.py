"""Works: artifacts, and the chronicle of what happened."""

from django.db import models
from django.db.models import Q

from worlds.models.base import NAME_LENGTH, OfWorld, check_filled, one_at_most
from worlds.models.divine import Deity
from worlds.models.peoples import Race
from worlds.models.persons import Person
from worlds.models.world import Place, Square

HOLDERS = ("deity", "race", "place", "person")
"""The kinds of holders of an artifact, each the name of its key."""


class Artifact(OfWorld):
    """A thing of power. At most one holder: a deity, a race, a place or a person; none when nobody has it."""

    name = models.CharField(max_length=NAME_LENGTH)
    description = models.TextField(blank=True)
    deity = models.ForeignKey(Deity, models.SET_NULL, null=True, blank=True, related_name="artifacts")
    race = models.ForeignKey(Race, models.SET_NULL, null=True, blank=True, related_name="artifacts")
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
    def holder_kind(self) -> str:
        """What kind of holder it has, one of HOLDERS; "" for none."""
        return next((kind for kind in HOLDERS if getattr(self, f"{kind}_id") is not None), "")

    @property
    def holder(self) -> Deity | Race | Place | Person | None:
        """Who or what has it."""
        return self.deity or self.race or self.place or self.person


class Chronicle(OfWorld):
    """One entry of a world's chronicle, in the order of `position`."""

    position = models.PositiveIntegerField(help_text="Running number in its world, from 1.")
    age = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Number of the century, age or turn it tells of; empty: before all counting."
    )
    heading = models.CharField(max_length=120, blank=True, help_text="When, in the words of its game: Century 3.")
    text = models.TextField()
    square = models.ForeignKey(
        Square, models.SET_NULL, null=True, blank=True, related_name="+", help_text="Where it happened, if on a square."
    )
    entry = models.UUIDField(
        null=True, blank=True, help_text="The event of a game's log that it tells of; empty when a person wrote it."
    )
    written_at = models.DateTimeField(null=True, blank=True, help_text="When it happened in play, UTC.")

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["world", "position"]
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
