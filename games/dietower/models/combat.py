"""Encounters, who takes part, how far they are from each other, and what they hold and attack."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.dietower.models.actors import Actor
from games.dietower.rules.state.schema_types import ActionKind, Band, Uses
from games.models import Game
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known


class Encounter(OfGame):
    """An encounter: its order, whose turn it is, and what was done in it."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_encounters", db_index=False)
    number = models.PositiveIntegerField(help_text="Counted through the game.")
    session = models.PositiveIntegerField()
    order = models.TextField(default="[]", help_text="Actors as they act in a round, as JSON.")
    round = models.PositiveIntegerField(default=0)
    turn = models.ForeignKey(
        Actor, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Whose turn it is."
    )
    moved = models.BooleanField(default=False, help_text="Whether the movement of this turn is used.")
    attacked = models.BooleanField(default=False, help_text="Whether the attack of this turn is used.")
    done = models.BooleanField(default=False, help_text="Whether anything was done in this turn.")
    last_turn = models.ForeignKey(
        Actor, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Whose turn was the last."
    )
    round_silent = models.BooleanField(default=True, help_text="Whether nothing was done in this round.")
    silent_rounds = models.PositiveIntegerField(default=0, help_text="Rounds in a row before it without anything done.")
    closing = models.BooleanField(default=False)
    closed = models.BooleanField(default=False)
    closing_text = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="dietower_encounter_number_once"),
            models.UniqueConstraint(
                fields=["game"], condition=Q(closed=False), name="dietower_one_encounter_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"Encounter {self.number}"


class Member(OfGame):
    """Somebody who takes part in the encounter."""

    actor = models.OneToOneField(Actor, primary_key=True, on_delete=models.CASCADE, related_name="membership")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_members")
    encounter = models.ForeignKey(Encounter, on_delete=models.CASCADE, related_name="members")

    class Meta:
        ordering: ClassVar = ["game_id", "actor"]

    def __str__(self) -> str:
        return str(self.actor)


class Distance(OfGame):
    """How far a player's character and an opponent are from each other."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_distances")
    a = models.ForeignKey(
        Actor, on_delete=models.CASCADE, related_name="+", help_text="A player's character.", db_index=False
    )
    b = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="+", help_text="The opponent.")
    band = models.CharField(max_length=12, choices=choices_of(Band))

    class Meta:
        ordering: ClassVar = ["game_id", "a", "b"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["a", "b"], name="dietower_distance_once"),
            is_known("dietower_distance", "band", Band),
            models.CheckConstraint(condition=~Q(a=F("b")), name="dietower_distance_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.a} to {self.b}: {self.band}"


class Hold(OfReaders):
    """An action that is held until something happens; what an NPC or a Monster holds is the game-masters'."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_holds")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="holds")
    action = models.CharField(max_length=12, choices=choices_of(ActionKind))
    trigger = models.TextField(blank=True)
    hidden = models.BooleanField()
    triggered = models.PositiveIntegerField(default=0, help_text="Which trigger it was; 0 for none yet.")
    offered = models.BooleanField(default=False, help_text="Whether its holder was asked and waits on.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [is_known("dietower_hold", "action", ActionKind)]

    def __str__(self) -> str:
        return f"{self.actor}: {self.action}"


class Attack(OfGame):
    """An attack, from its declaration to its end."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_attacks")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="attacks")
    target = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="attacked")
    uses = models.CharField(max_length=12, choices=choices_of(Uses))
    defence = models.CharField(max_length=12, null=True, blank=True, choices=choices_of(Uses))
    hold = models.UUIDField(null=True, blank=True, help_text="The held action that it is; none for a turn's attack.")
    trigger = models.TextField(blank=True, default="", db_default="", help_text="What that waited for.")
    is_set = models.BooleanField(default=False)
    over = models.BooleanField(default=False)
    hit = models.BooleanField(null=True, blank=True, help_text="None until both sides have rolled.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            is_known("dietower_attack", "uses", Uses),
            is_known("dietower_attack", "defence", Uses, empty=True),
        ]

    def __str__(self) -> str:
        return f"{self.actor} against {self.target}"


class Aim(OfReaders):
    """Whether an attack is aimed at a weakness; for game-masters."""

    attack = models.OneToOneField(Attack, primary_key=True, on_delete=models.CASCADE, related_name="aim")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_aims")
    weakness = models.BooleanField()

    class Meta:
        ordering: ClassVar = ["game_id", "attack"]

    def __str__(self) -> str:
        return f"Aim of {self.attack}"
