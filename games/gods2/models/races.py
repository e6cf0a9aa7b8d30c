"""The sheet of a race: its culture, attributes and knowledges, and orders for its pantheon."""

from typing import ClassVar

from django.db import models

from games.gods2.rules.state.records import Level
from games.models import Game, Seat
from games.models.querysets import AudienceQuerySet, OfGameQuerySet
from worlds.models import Race

LEVELS = [(level.value, level.value) for level in Level]


class RaceSheet(models.Model):
    """What The Gods II adds to a race."""

    race = models.OneToOneField(Race, primary_key=True, on_delete=models.CASCADE, related_name="gods2_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_races")
    level = models.CharField(max_length=12, choices=LEVELS)
    floor = models.CharField(max_length=12, choices=LEVELS, help_text="The level it cannot fall below.")
    starved = models.BooleanField(default=False, help_text="Starved at its growth in this century.")
    turmoil = models.BooleanField(default=False)
    troubled = models.BooleanField(default=False, help_text="Was in turmoil at some moment of this century.")
    turmoil_at_will = models.BooleanField(
        default=False, db_default=False, help_text="Its last turmoil was begun by a member god at will."
    )
    peak = models.PositiveIntegerField(default=0, help_text="The most units it is known to have had.")
    counted = models.TextField(
        default="[]", db_default="[]", help_text="Mana sources that count it no more in this century, as JSON."
    )

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "race"]

    def __str__(self) -> str:
        return str(self.race)


class RaceAttribute(models.Model):
    """An attribute that a race was made with; a key of the pack."""

    race = models.ForeignKey(RaceSheet, on_delete=models.CASCADE, related_name="attribute_rows", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=60)

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["race", "key"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["race", "key"], name="gods2_attribute_once_a_race")]

    def __str__(self) -> str:
        return self.key


class RaceKnowledge(models.Model):
    """A knowledge that a race has; a key of the pack."""

    race = models.ForeignKey(RaceSheet, on_delete=models.CASCADE, related_name="knowledge_rows", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=60)

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["race", "key"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["race", "key"], name="gods2_knowledge_once_a_race")]

    def __str__(self) -> str:
        return self.key


class PantheonOrder(models.Model):
    """A draft of new shares for a race; for its members, those it names, and the GMs."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_orders")
    audience = models.CharField(max_length=1000)
    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="+")
    drafter = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    pantheon = models.TextField(help_text="Member and share in hundredths of a percent, as JSON.")
    signed = models.TextField(default="[]", help_text="Seats that have signed, as JSON.")
    deferred = models.BooleanField(default=False, help_text="Waits for the next century.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"Order for {self.race}"
