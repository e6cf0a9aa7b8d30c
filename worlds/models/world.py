"""The world itself: its size, its squares, and what lies on them."""

from typing import Any, ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import IntegrityError, models
from django.db.models import F, Q

from core.ids import in_slot_of
from core.places.routing import making
from worlds.ids import SIDE_LIMIT, WORLD_BITS, square_id, world_number
from worlds.models.base import NAME_LENGTH, Named, OfWorld, check_filled
from worlds.querysets import VisibleQuerySet, WorldQuerySet

ID_TRIES = 3
"""How often a new world looks for an id whose number is free; two numbers meet once in 10^7."""


class Adjacency(models.IntegerChoices):
    """How many neighbours a square has."""

    SIDES = 4, "4: squares that share a side"
    SIDES_AND_CORNERS = 8, "8: squares that share a side or a corner"


class Terrain(models.TextChoices):
    """Base terrain of the letter maps. A game with other climates stores its own keys, up to 16 characters."""

    PLAINS = "P", "plains"
    FOREST = "F", "forest"
    DESERT = "D", "desert"
    MOUNTAINS = "M", "mountains"
    ICE = "I", "ice"
    WATER = "W", "water"


class World(Named):
    """A world: a rectangle of squares (or none, for games without a map) and all that lives on it.

    A world outlives its games; at most one live game plays on it at a time. A world without a game has a random id; one
    that a game makes has the game's slot.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    width = models.PositiveIntegerField(help_text="Columns, in squares; 0 for a world without a map.")
    height = models.PositiveIntegerField(help_text="Rows, in squares; 0 for a world without a map.")
    adjacency = models.PositiveSmallIntegerField(
        choices=Adjacency.choices, default=Adjacency.SIDES_AND_CORNERS, help_text="Neighbours of a square: 4 or 8."
    )
    is_public = models.BooleanField(
        default=True, help_text="Everybody may see it; otherwise only its members.", verbose_name="public"
    )
    number = models.BigIntegerField(
        unique=True, editable=False, help_text="38 bits that follow from the id; the base of the ids of its squares."
    )
    attribution = models.CharField(
        max_length=300, blank=True, help_text="Who must be named where the map is shown; empty for nobody."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WorldQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["-created_at", "id"], name="world_by_age")]
        constraints = [
            *check_filled("world", "name"),
            models.CheckConstraint(
                condition=Q(width__gt=0, height__gt=0) | Q(width=0, height=0), name="world_both_sides_or_none"
            ),
            models.CheckConstraint(
                condition=Q(width__lte=SIDE_LIMIT, height__lte=SIDE_LIMIT), name="world_sides_within_limit"
            ),
            models.CheckConstraint(condition=Q(adjacency__in=Adjacency.values), name="world_adjacency_known"),
            models.CheckConstraint(
                condition=Q(number__gte=0, number__lt=1 << WORLD_BITS), name="world_number_in_38_bits"
            ),
        ]

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if self.__dict__.get("number", 0) is None:
            self.number = world_number(self.id)

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """As ever; a new world whose number another has gets another id in its slot. Raises IntegrityError."""
        tries = ID_TRIES if self._state.adding else 0
        while tries:
            tries -= 1
            try:
                with making(self.id):
                    return super().save(*args, **kwargs)
            except IntegrityError:
                if not tries or not World.objects.filter(number=self.number).exclude(pk=self.pk).exists():
                    raise
                self.id = in_slot_of(self.id, uuid4())
                self.number = world_number(self.id)
        super().save(*args, **kwargs)

    def square_id(self, x: int, y: int) -> int:
        """The id of the square in column x and row y; ValueError when it lies off the map."""
        if not 0 <= y < self.height:
            raise ValueError(f"No square ({x}, {y}) in a world {self.height} squares high.")
        return square_id(self.number, self.width, x, y)

    @property
    def square_range(self) -> tuple[int, int]:
        """The first and last square id of this world, for `filter(id__range=...)`; needs a map."""
        first = square_id(self.number, self.width, 0, 0)
        return first, first + self.width * self.height - 1


class WorldMember(models.Model):
    """A person who may see a private world. The code that seats people keeps these rows up to date.

    No key of the database leads to people: worlds may live in another one.
    """

    world = models.ForeignKey(World, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.DO_NOTHING, db_constraint=False, related_name="+")

    objects = VisibleQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["world", "user"], name="world_member_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.world}"


class Square(models.Model):
    """One square of a world. Its id is `worlds.ids.square_id(number, width, x, y)`, set by the caller.

    Clients name squares {x, y}; the id never leaves the service.
    """

    id = models.BigIntegerField(primary_key=True)
    # No index of its own: the unique key and the index below begin with the world.
    world = models.ForeignKey(World, models.CASCADE, related_name="squares", db_index=False)
    x = models.PositiveSmallIntegerField(help_text="Column, from 0 in the west.")
    y = models.PositiveSmallIntegerField(help_text="Row, from 0 in the north.")
    terrain = models.CharField(max_length=16, help_text="P F D M I W, or a key of the game that plays here.")

    objects = VisibleQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        # A page of one world in the order of the list: without it the squares of all other worlds are walked first.
        indexes = [models.Index(fields=["world", "id"], name="square_of_world")]
        constraints = [
            models.UniqueConstraint(fields=["world", "x", "y"], name="square_once"),
            models.CheckConstraint(condition=Q(x__gte=0, y__gte=0), name="square_from_zero"),
            *check_filled("square", "terrain"),
        ]

    def __str__(self) -> str:
        return f"({self.x}, {self.y})"


class Feature(OfWorld):
    """A feature of the land on one square: a river, a volcano, caves of fear. Cities are `City`."""

    square = models.ForeignKey(Square, models.CASCADE, related_name="features")
    kind = models.CharField(max_length=40, help_text="Key of the feature in its game's rules, such as `volcano`.")
    name = models.CharField(max_length=NAME_LENGTH, blank=True, help_text="Its own name, if somebody gave it one.")

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["square", "kind", "id"]
        constraints = check_filled("feature", "kind")

    def __str__(self) -> str:
        return self.name or self.kind.replace("_", " ")


class Place(OfWorld):
    """A named place: a land of many squares, or a point of a map that has no squares."""

    kind = models.CharField(max_length=40, help_text="What it is: land, sea, village, citadel ...")
    name = models.CharField(max_length=NAME_LENGTH)
    squares = models.ManyToManyField(Square, through="PlaceSquare", related_name="places")
    x = models.IntegerField(null=True, blank=True, help_text="Column on a drawn sheet, in the units of its game.")
    y = models.IntegerField(null=True, blank=True, help_text="Row on a drawn sheet, in the units of its game.")

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["name", "id"]
        constraints = [
            *check_filled("place", "kind", "name"),
            models.CheckConstraint(
                condition=Q(x__isnull=True, y__isnull=True) | Q(x__isnull=False, y__isnull=False),
                name="place_point_whole_or_none",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PlaceSquare(models.Model):
    """A square that belongs to a place; places may overlap."""

    place = models.ForeignKey(Place, models.CASCADE, related_name="place_squares", db_index=False)
    square = models.ForeignKey(Square, models.CASCADE, related_name="place_squares")

    world_path: ClassVar[str] = "place__world"
    objects = VisibleQuerySet.as_manager()

    class Meta:
        ordering = ["place", "square"]
        constraints = [models.UniqueConstraint(fields=["place", "square"], name="place_square_once")]

    def __str__(self) -> str:
        return f"{self.place} {self.square}"


class Route(OfWorld):
    """A way between two places, open in both directions."""

    kind = models.CharField(max_length=40, default="road", help_text="What it is: road, trail, sea lane ...")
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    from_place = models.ForeignKey(Place, models.CASCADE, related_name="routes_out")
    to_place = models.ForeignKey(Place, models.CASCADE, related_name="routes_in")

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["from_place", "to_place", "id"]
        constraints = [
            *check_filled("route", "kind"),
            models.CheckConstraint(condition=~Q(from_place=F("to_place")), name="route_leads_elsewhere"),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.kind}: {self.from_place} - {self.to_place}"
