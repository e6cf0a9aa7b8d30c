"""Rows of Cairns."""

from typing import ClassVar

from django.db import models

from games.models import Game, Seat
from games.models.querysets import OfGameQuerySet, SeatSecretQuerySet


class Pile(models.Model):
    """A seat's stones."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="pile")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="piles")
    stones = models.PositiveIntegerField(default=0)
    rolled = models.PositiveIntegerField(default=0)

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["seat"]

    def __str__(self) -> str:
        return f"{self.stones} stones"


class Hoard(models.Model):
    """A seat's hidden coins."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="hoard")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="hoards")
    coins = models.PositiveIntegerField(default=0)

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["seat"]

    def __str__(self) -> str:
        return f"{self.coins} coins"


class Tide(models.Model):
    """The tide of a game."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="tide")
    count = models.PositiveIntegerField(default=0)
    poisoned = models.BooleanField(default=False)

    objects = OfGameQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Tide {self.count}"
