"""Gods at their seats, and their secrets: purses, cards, factors, and the demons' pool."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q

from games.models import Game, Seat
from games.models.querysets import OfGameQuerySet, SeatSecretQuerySet
from worlds.models import Deity
from worlds.visibility import Visibility


class GodSheet(models.Model):
    """The seat that plays a deity. The deity's id is the seat's."""

    deity = models.OneToOneField(Deity, primary_key=True, on_delete=models.CASCADE, related_name="gods2_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_gods")
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="gods2_god")

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "deity"]

    def __str__(self) -> str:
        return str(self.deity)


class Absence(models.Model):
    """A player whom a game-master has marked as away: a secret of theirs and the game-masters'."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="gods2_absence")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_absences")

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]

    def __str__(self) -> str:
        return f"{self.seat} is away"


class Purse(models.Model):
    """A god's mana. Whole mana can be spent; the fraction is carried until it is whole."""

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="gods2_purse")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_purses")
    balance = models.IntegerField(default=0, help_text="Whole mana.")
    carried = models.DecimalField(max_digits=20, decimal_places=8, default=0, help_text="Fraction of one mana.")

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(balance__gte=0), name="gods2_purse_not_negative"),
            models.CheckConstraint(condition=Q(carried__gte=0, carried__lt=1), name="gods2_purse_carries_a_fraction"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.balance} mana"


class PoolQuerySet(models.QuerySet[Any]):
    """The demons' pool: for demons and GMs."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The pools that this viewer may draw on, or lead."""
        if visibility.admin:
            return self
        readers = Q(game__in=visibility.gm_games)
        for seat in visibility.seats:
            readers |= Q(demons__contains=str(seat))
        return self.filter(readers)


class Pool(models.Model):
    """The demons' common account."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="gods2_pool")
    balance = models.IntegerField(default=0)
    carried = models.DecimalField(max_digits=20, decimal_places=8, default=0)
    demons = models.TextField(default="[]", help_text="Seats that may draw on it, as JSON.")

    objects = PoolQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=Q(balance__gte=0), name="gods2_pool_not_negative")]

    def __str__(self) -> str:
        return f"Pool: {self.balance} mana"


class Cards(models.Model):
    """How many cards of a sphere a god holds."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="gods2_cards", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_cards")
    sphere = models.CharField(max_length=8)
    count = models.PositiveSmallIntegerField()

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "sphere"]
        verbose_name_plural = "cards"
        constraints: ClassVar = [models.UniqueConstraint(fields=["seat", "sphere"], name="gods2_cards_once_a_sphere")]

    def __str__(self) -> str:
        return f"{self.seat}: {self.count} {self.sphere}"


class Factor(models.Model):
    """A god's factor for a mana source in this session."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="gods2_factors", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_factors")
    source = models.CharField(max_length=60)
    factor = models.DecimalField(max_digits=16, decimal_places=8)

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "source"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["seat", "source"], name="gods2_factor_once_a_source")]

    def __str__(self) -> str:
        return f"{self.seat}: {self.source} {self.factor}"
