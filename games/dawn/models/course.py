"""The course of a game, its gods and their points (DW-SET-*, DW-AGE-*, DW-ORD-*, DW-PTS-*)."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.dawn.models.base import check_known
from games.dawn.rules.state.constants import HEIGHT, LAST_AGE, LEAST_GODS, MOST_GODS, MOST_ROUNDS, WIDTH
from games.dawn.rules.state.schema_types import MAX_SIDE, Ethical, Moral, Pace, Step
from games.models import Game, Seat
from games.models.bases import OfGame
from games.models.columns import choices_of
from worlds.models import Deity


class Course(OfGame):
    """Where a game is: its step, Age and round, the turn order, and what was settled at the start."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="dawn_course")
    step = models.CharField(max_length=12, choices=choices_of(Step), default=Step.LOBBY.value)
    age = models.PositiveSmallIntegerField(default=0, help_text="1 Land, 2 Races, 3 Relations; 0 before the first.")
    round = models.PositiveSmallIntegerField(default=0, help_text="Of this Age.")
    length = models.PositiveSmallIntegerField(default=0, help_text="Planned rounds of this Age.")
    rounds = models.PositiveSmallIntegerField(default=0, help_text="Rounds begun in the whole game.")
    order = models.TextField(default="[]", help_text="Seats in the turn order of this round, as JSON.")
    acted = models.TextField(default="[]", help_text="Seats that have ended their turn, as JSON.")
    bought = models.TextField(default="[]", help_text="Seats that have bought a place this round, as JSON.")
    active = models.ForeignKey(
        Seat, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Whose turn it is."
    )
    begun = models.BooleanField(default=False, help_text="The active god has used a power this turn.")
    width = models.PositiveSmallIntegerField(default=WIDTH, help_text="Columns of the map.")
    height = models.PositiveSmallIntegerField(default=HEIGHT, help_text="Rows of the map.")
    seats = models.PositiveSmallIntegerField(default=MOST_GODS, help_text="The most gods.")
    free_alignment = models.BooleanField(default=False, help_text="A race may be created with any alignment.")
    open_challenge = models.BooleanField(default=False, help_text="Every power may be challenged.")
    deadlines = models.CharField(max_length=8, choices=choices_of(Pace), default=Pace.LIVE.value)
    edges = models.PositiveIntegerField(default=0, help_text="Edges ever given.")

    class Meta:
        constraints: ClassVar = [
            check_known("course", "step", Step),
            check_known("course", "deadlines", Pace),
            models.CheckConstraint(condition=Q(age__lte=LAST_AGE), name="dawn_three_ages"),
            models.CheckConstraint(
                condition=Q(round__lte=F("length"), length__lte=MOST_ROUNDS), name="dawn_round_within_its_age"
            ),
            models.CheckConstraint(
                condition=Q(width__lte=MAX_SIDE, height__lte=MAX_SIDE), name="dawn_map_within_limit"
            ),
            models.CheckConstraint(condition=Q(seats__gte=LEAST_GODS, seats__lte=MOST_GODS), name="dawn_seats_of_gods"),
        ]

    def __str__(self) -> str:
        return f"Age {self.age}, round {self.round} of {self.length}, {self.step}"


class GodSheet(OfGame):
    """What Dawn adds to a deity. The deity's id is the seat's."""

    deity = models.OneToOneField(Deity, primary_key=True, on_delete=models.CASCADE, related_name="dawn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_gods")
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="dawn_god")
    portfolio = models.TextField(default="[]", help_text="Aspects, as JSON.")
    moral = models.CharField(max_length=8, choices=choices_of(Moral))
    ethical = models.CharField(max_length=8, choices=choices_of(Ethical), null=True, blank=True)
    text = models.TextField(blank=True, help_text="History, looks, relations.")

    class Meta:
        verbose_name = "god"
        ordering: ClassVar = ["game_id", "deity"]
        constraints: ClassVar = [check_known("god", "moral", Moral), check_known("god", "ethical", Ethical, empty=True)]

    def __str__(self) -> str:
        return str(self.deity)


class Purse(OfGame):
    """The points of a god, and the sums of what came and went: earned + taken = balance + held + spent + given."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="dawn_purse")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_purses")
    balance = models.PositiveIntegerField(default=0, help_text="Free points.")
    held = models.PositiveIntegerField(default=0, help_text="Set aside for an open power.")
    earned = models.PositiveIntegerField(default=0)
    spent = models.PositiveIntegerField(default=0)
    given = models.PositiveIntegerField(default=0)
    taken = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(earned=F("balance") + F("held") + F("spent") + F("given") - F("taken")),
                name="dawn_purse_adds_up",
            )
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.balance} points"


class Hold(OfGame):
    """What an open power holds of a god's points."""

    undertaking = models.UUIDField(help_text="The power.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_holds")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="dawn_holds")
    amount = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["game_id", "undertaking", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["undertaking", "seat"], name="dawn_hold_once_an_undertaking")
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.amount} points"
