"""Bases of the rows that rulesets keep: who may see a row, and what has one row."""

from typing import ClassVar

from django.db import models

from games.models.querysets import AudienceQuerySet, OfGameQuerySet, SeatSecretQuerySet


class OfGame(models.Model):
    """A row that everybody may see who may see its game."""

    objects = OfGameQuerySet.as_manager()

    class Meta:
        abstract = True


class OfReaders(models.Model):
    """A row with its readers."""

    audience = models.CharField(max_length=1000)

    objects = AudienceQuerySet.as_manager()

    class Meta:
        abstract = True


class OnePerGame(OfGame):
    """The one row that a game has; its model adds the columns."""

    game = models.OneToOneField(
        "games.Game", primary_key=True, on_delete=models.CASCADE, related_name="%(app_label)s_%(class)s"
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} of {self.game}"


class OfSeat(models.Model):
    """The one row that a seat has; who may see it is for a model to say."""

    seat = models.OneToOneField(
        "games.Seat", primary_key=True, on_delete=models.CASCADE, related_name="%(app_label)s_%(class)s"
    )
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="%(app_label)s_%(class)ss")

    class Meta:
        abstract = True
        ordering: ClassVar = ["game_id", "seat"]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} of {self.seat}"


class OnePerSeat(OfSeat):
    """The one row that a seat has; everybody may see it who may see the game."""

    objects = OfGameQuerySet.as_manager()

    class Meta(OfSeat.Meta):
        abstract = True


class SecretOfSeat(OfSeat):
    """The one row that a seat has, for itself and the GMs alone."""

    objects = SeatSecretQuerySet.as_manager()

    class Meta(OfSeat.Meta):
        abstract = True
