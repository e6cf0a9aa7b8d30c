"""Wars, and what the GM wants of their diplomacy."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.gods2.rules.state.records import DiplomacyPolicy, WarKind, WarStatus
from games.models import Game
from games.models.querysets import GmSecretQuerySet, OfGameQuerySet
from worlds.models import Race


class War(models.Model):
    """A declared war and how it ended."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_wars", db_index=False)
    century = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField(help_text="Counts the wars of a century from 1.")
    attacker = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="gods2_attacks")
    defender = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="gods2_defences")
    kind = models.CharField(max_length=12, choices=[(k.value, k.value) for k in WarKind])
    declared_at = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True, help_text="When it is fought.")
    order = models.PositiveIntegerField(default=0, help_text="Place among the aggressive wars of its century.")
    held = models.PositiveIntegerField(default=0, help_text="Seconds a GM has held it back.")
    status = models.CharField(max_length=10, choices=[(s.value, s.value) for s in WarStatus])
    attacker_percent = models.IntegerField(default=0)
    defender_percent = models.IntegerField(default=0)
    attacker_lost = models.PositiveIntegerField(default=0, help_text="Units.")
    defender_lost = models.PositiveIntegerField(default=0, help_text="Units.")
    loser = models.ForeignKey(Race, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    vacated = models.TextField(default="[]", help_text="Squares the loser left, as JSON.")
    ended_at = models.DateTimeField(null=True, blank=True)
    name = models.CharField(max_length=80, blank=True, default="")
    group = models.UUIDField(null=True, blank=True, help_text="The combined war it belongs to.")
    split = models.PositiveIntegerField(
        null=True, blank=True, help_text="Strength with which the race with several enemies fights this one."
    )

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "century", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "century", "number"], name="gods2_war_number_once_a_century"),
            models.CheckConstraint(condition=~Q(attacker=F("defender")), name="gods2_war_of_two_sides"),
        ]

    def __str__(self) -> str:
        return self.name or f"War {self.number} of century {self.century}"


class WarPolicy(models.Model):
    """What a GM wants of a side's diplomacy."""

    war = models.ForeignKey(War, on_delete=models.CASCADE, related_name="policies", db_index=False)
    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_policies")
    policy = models.CharField(max_length=10, choices=[(p.value, p.value) for p in DiplomacyPolicy])

    objects = GmSecretQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "war policies"
        constraints: ClassVar = [models.UniqueConstraint(fields=["war", "race"], name="gods2_one_policy_a_side")]

    def __str__(self) -> str:
        return f"{self.race}: {self.policy}"
