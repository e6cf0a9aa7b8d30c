"""Races, cities, orders and avatars (DW-RACE-*, DW-EDGE-*, DW-ALN-*, DW-ORDR-*, DW-AVA-*): sheets of the world's
entities.

Armies have no sheet: all of an army stands in `worlds.Army`.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.dawn.models.base import check_known, on_scale
from games.dawn.rules.state.constants import LAST_AGE
from games.dawn.rules.state.schema_types import EdgeKind, Life, Tier
from games.models import Game, Seat
from games.models.bases import OfGame
from games.models.columns import choices_of
from worlds.models import Army, Avatar, City, Order, Race, Square


class RaceSheet(OfGame):
    """What Dawn adds to a race: home, tier, alignment, creators; parents if it is a subrace."""

    race = models.OneToOneField(Race, primary_key=True, on_delete=models.CASCADE, related_name="dawn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_races")
    home = models.ForeignKey(Square, on_delete=models.CASCADE, related_name="+")
    tier = models.CharField(max_length=12, choices=choices_of(Tier))
    alignment = models.SmallIntegerField(default=0, help_text="-2 cruel to +2 angelic.")
    life = models.CharField(max_length=12, choices=choices_of(Life), default=Life.ALIVE.value)
    creators = models.TextField(default="[]", help_text="Seats, as JSON.")
    parents = models.TextField(default="[]", help_text="Races, as JSON; none unless it is a subrace.")
    had_city = models.BooleanField(default=False, db_default=False, help_text="Whether it has ever had a city.")

    class Meta:
        ordering: ClassVar = ["game_id", "race"]
        constraints: ClassVar = [check_known("race", "tier", Tier), check_known("race", "life", Life), on_scale("race")]

    def __str__(self) -> str:
        return str(self.race)


class CitySheet(OfGame):
    """What Dawn adds to a city: who controls it, its alignment, and the armies it has raised."""

    city = models.OneToOneField(City, primary_key=True, on_delete=models.CASCADE, related_name="dawn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_cities")
    controller = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    alignment = models.SmallIntegerField(default=0, help_text="-2 cruel to +2 angelic.")
    raised = models.PositiveSmallIntegerField(default=0, help_text="Armies raised in the round it last raised any.")
    raised_in = models.PositiveSmallIntegerField(default=0, help_text="That round, counted through the whole game.")
    most_raised = models.PositiveSmallIntegerField(default=1, help_text="The most it may raise in that round.")
    saved_by = models.TextField(
        default="[]", db_default="[]", help_text="Seats whose miracle saves it, each until their next turn, as JSON."
    )

    class Meta:
        ordering: ClassVar = ["game_id", "city"]
        constraints: ClassVar = [
            on_scale("city"),
            models.CheckConstraint(condition=Q(raised__lte=F("most_raised")), name="dawn_city_raises_within_its_cap"),
        ]

    def __str__(self) -> str:
        return str(self.city)


class Edge(OfGame):
    """What a race or a city is good at. `target` is the id of that race or city; a name occurs once for each."""

    target = models.UUIDField(help_text="The race or city.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_edges")
    race = models.ForeignKey(Race, null=True, blank=True, on_delete=models.CASCADE, related_name="dawn_edges")
    city = models.ForeignKey(City, null=True, blank=True, on_delete=models.CASCADE, related_name="dawn_edges")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=12, choices=choices_of(EdgeKind))
    tags = models.TextField(default="[]", help_text="What it opens on a march, as JSON.")
    given = models.PositiveIntegerField(help_text="Its age: a running number.")

    class Meta:
        ordering: ClassVar = ["game_id", "target", "given"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["target", "name"], name="dawn_edge_once_a_race_or_city"),
            check_known("edge", "kind", EdgeKind),
            models.CheckConstraint(
                condition=Q(race=F("target"), city__isnull=True) | Q(city=F("target"), race__isnull=True),
                name="dawn_edge_of_a_race_or_a_city",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OrderSheet(OfGame):
    """What Dawn adds to an order: its owners, and when it was founded."""

    order = models.OneToOneField(Order, primary_key=True, on_delete=models.CASCADE, related_name="dawn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_orders")
    owners = models.TextField(default="[]", help_text="Seats that command it without a surcharge, as JSON.")
    age = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["game_id", "order"]
        constraints: ClassVar = [models.CheckConstraint(condition=Q(age__lte=LAST_AGE), name="dawn_order_of_an_age")]

    def __str__(self) -> str:
        return str(self.order)


class AvatarSheet(OfGame):
    """What Dawn adds to an avatar: where it is or fell, what it does, and whether it comes back."""

    avatar = models.OneToOneField(Avatar, primary_key=True, on_delete=models.CASCADE, related_name="dawn_sheet")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_avatars")
    square = models.ForeignKey(Square, on_delete=models.CASCADE, related_name="+", help_text="Where it is, or fell.")
    alive = models.BooleanField(default=True)
    defending = models.BooleanField(default=False, help_text="It has defended the city on its square since it came.")
    leads = models.ForeignKey(Army, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    fell_in = models.PositiveSmallIntegerField(default=0, help_text="Round of the whole game in which it last fell.")
    returning = models.BooleanField(default=False, help_text="Its god has won it back.")
    killed_by = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    avenging = models.BooleanField(default=False, help_text="Its god may still bid for its return.")

    class Meta:
        ordering: ClassVar = ["game_id", "avatar"]

    def __str__(self) -> str:
        return str(self.avatar)


class Alliance(OfGame):
    """A promise between two races, or a city and a race; it forbids nothing (DW-CMDR-3)."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_alliances")
    one = models.UUIDField(help_text="A race or a city.")
    other = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="+")
    ended = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"Alliance with {self.other}"
