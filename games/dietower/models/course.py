"""Where a game of the Die Tower is, its sessions, and the places of the seats in the circle."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.dietower.rules.state.constants import (
    CHARACTERS,
    IDLE_ROUNDS,
    LEAST_HALF_WIDTH,
    MOST_CHARACTERS,
    MOST_HALF_WIDTH,
    MOST_IDLE_ROUNDS,
    MOST_SEATS,
    SEATS,
)
from games.dietower.rules.state.schema_types import Mode, Step
from games.models import Game, Seat
from games.models.bases import OfGame
from games.models.columns import choices_of, is_known


class Course(OfGame):
    """The course of one game: its step, the session, and what its game-master has set."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="dietower_course")
    step = models.CharField(max_length=12, choices=choices_of(Step), default=Step.LOBBY.value)
    session = models.PositiveIntegerField(default=0, help_text="0 before the first.")
    seats = models.PositiveIntegerField(default=SEATS, help_text="Most seats of players.")
    characters = models.PositiveIntegerField(default=CHARACTERS, help_text="Most characters of a seat.")
    idle_rounds = models.PositiveIntegerField(
        default=IDLE_ROUNDS, help_text="Rounds of silence after which an encounter closes by itself."
    )

    class Meta:
        constraints: ClassVar = [
            is_known("dietower_course", "step", Step),
            models.CheckConstraint(
                condition=Q(
                    seats__gte=1,
                    seats__lte=MOST_SEATS,
                    characters__gte=1,
                    characters__lte=MOST_CHARACTERS,
                    idle_rounds__gte=1,
                    idle_rounds__lte=MOST_IDLE_ROUNDS,
                ),
                name="dietower_course_settings_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"Session {self.session}, {self.step}"


class Session(OfGame):
    """A session of play."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_sessions", db_index=False)
    number = models.PositiveIntegerField(help_text="From 1.")
    mode = models.CharField(max_length=12, choices=choices_of(Mode), help_text="How its dice are placed.")
    half_width = models.PositiveSmallIntegerField(help_text="How steady its tower is.")
    closed = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["game_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="dietower_session_once"),
            is_known("dietower_session", "mode", Mode),
            models.CheckConstraint(
                condition=Q(half_width__gte=LEAST_HALF_WIDTH, half_width__lte=MOST_HALF_WIDTH),
                name="dietower_session_half_width_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"Session {self.number}"


class Place(OfGame):
    """The place of a seat in the circle."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="dietower_place")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_places")
    number = models.PositiveIntegerField(help_text="1 for the seat that was taken first.")

    class Meta:
        ordering: ClassVar = ["game_id", "number"]

    def __str__(self) -> str:
        return f"{self.seat}, place {self.number}"
