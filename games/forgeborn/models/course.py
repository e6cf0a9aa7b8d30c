"""Where a game of Forgeborn is, the order of its seats, and what each player has."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.forgeborn.rules.state.constants import ROAD_MOVES
from games.forgeborn.rules.state.schema_types import EndReason, Step
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known


class Course(OfGame):
    """The course of one game: its step, the round, and whose turn it is."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_course")
    step = models.CharField(max_length=12, choices=choices_of(Step), default=Step.LOBBY.value)
    round = models.PositiveIntegerField(default=0, help_text="Counted from 1; 0 before the first turn.")
    winds = models.BooleanField(
        default=False, db_default=False, help_text="Whether the range of the map winds around places."
    )
    first_seat = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat that the host has named to begin; none where dice say it.",
    )
    order = models.TextField(default="[]", help_text="The seats in the order of their turns, as JSON.")
    to_come = models.TextField(default="[]", help_text="The seats that have a turn in this round yet, as JSON.")
    active = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat whose turn it is.",
    )
    character = models.ForeignKey(
        "forgeborn.Character",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The character of this turn; none before one is chosen, which is the Smith.",
    )
    roads = models.PositiveSmallIntegerField(default=0, help_text="Road moves of this turn.")
    slayer = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat that has slain the Dragon.",
    )
    called = models.BooleanField(default=False, help_text="Whether time was called: this round is the last.")
    reason = models.CharField(
        max_length=12, null=True, blank=True, choices=choices_of(EndReason), help_text="Why the game is over."
    )
    winners = models.TextField(default="[]", help_text="The seats that have won, as JSON.")

    class Meta:
        constraints: ClassVar = [
            is_known("forgeborn_course", "step", Step),
            is_known("forgeborn_course", "reason", EndReason, empty=True),
            models.CheckConstraint(condition=Q(roads__lte=ROAD_MOVES), name="forgeborn_course_roads_in_range"),
        ]

    def __str__(self) -> str:
        return f"Round {self.round}, {self.step}"


class Chair(OfGame):
    """The place of a seat among the players."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_chair")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_chairs")
    number = models.PositiveIntegerField(help_text="1 for the seat that was taken first.")

    class Meta:
        ordering: ClassVar = ["game_id", "number"]

    def __str__(self) -> str:
        return f"{self.seat}, place {self.number}"


class Purse(OfGame):
    """What a player has: victory points, tokens, the Prince's ear, a claim."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="forgeborn_purse")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_purses")
    vp = models.PositiveIntegerField(default=0, help_text="Victory points.")
    resource = models.PositiveIntegerField(default=0, help_text="Resource tokens.")
    secret = models.PositiveIntegerField(default=0, help_text="Secret tokens.")
    is_swayed = models.BooleanField(default=False, help_text="Whether the player has swayed the Prince.")
    claim = models.ForeignKey(
        "forgeborn.Artifact",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="claims",
        help_text="The artifact in the Vault that the player has claimed.",
    )

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]

    def __str__(self) -> str:
        return f"{self.seat}: {self.vp} VP"


class AdvanceAnswer(OfReaders):
    """What a seat answers in advance; its own secret."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_advance_answers")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_advance_answers", db_index=False)
    kind = models.CharField(max_length=8)
    answer = models.CharField(max_length=8)

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "kind"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "kind"], name="forgeborn_advance_answer_once"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.kind}"
