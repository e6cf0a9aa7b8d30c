"""The divine: deities, the shares they hold in the pantheons of races, and their avatars."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from worlds.models.base import NAME_LENGTH, Named, OfWorld, check_filled, one_of
from worlds.models.peoples import Race
from worlds.models.world import Square
from worlds.querysets import WHOLE, VisibleQuerySet


class DeityKind(models.TextChoices):
    """What kind of being."""

    GOD = "god", "god"
    DEMON = "demon", "demon"
    SPIRIT = "spirit", "celestial spirit"
    SPECIAL = "special", "special being"


class DeityStatus(models.TextChoices):
    """How a deity fares."""

    ALIVE = "alive", "alive"
    KILLED = "killed", "killed"
    OBLITERATED = "obliterated", "obliterated"


class Deity(OfWorld):
    """A god, demon or spirit of a world. The seat that plays it belongs to the game, not to this row."""

    name = models.CharField(max_length=NAME_LENGTH, help_text="Unique in its world, upper and lower case alike.")
    kind = models.CharField(max_length=8, choices=DeityKind.choices, default=DeityKind.GOD)
    status = models.CharField(max_length=12, choices=DeityStatus.choices, default=DeityStatus.ALIVE)

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["name", "id"]
        verbose_name_plural = "deities"
        constraints = [
            *check_filled("deity", "name"),
            models.UniqueConstraint("world", Lower("name"), name="deity_name_once"),
            one_of("deity", "kind", DeityKind),
            one_of("deity", "status", DeityStatus),
        ]

    def __str__(self) -> str:
        return self.name


class SpecialMember(models.TextChoices):
    """Members of a pantheon that are no deity."""

    DIABOLISM = "diabolism", "diabolism"
    ATHEISM = "atheism", "atheism"


class PantheonShare(models.Model):
    """The share of one member in the pantheon of one race: a deity, or diabolism or atheism.

    The shares of a race add up to 10,000 (ADR 23). Name a share
    by race and member, never by its running number.
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="shares")
    deity = models.ForeignKey(Deity, models.RESTRICT, null=True, blank=True, related_name="shares")
    special = models.CharField(
        max_length=9, blank=True, choices=SpecialMember.choices, help_text="Diabolism or atheism, in place of a deity."
    )
    share = models.PositiveSmallIntegerField(help_text="Hundredths of a percent: 1 to 10,000.")

    world_path: ClassVar[str] = "race__world"
    objects = VisibleQuerySet.as_manager()

    class Meta:
        ordering = ["race", "-share", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(deity__isnull=False, special="") | Q(deity__isnull=True, special__in=SpecialMember.values),
                name="pantheon_share_one_member",
            ),
            models.CheckConstraint(condition=Q(share__gte=1, share__lte=WHOLE), name="pantheon_share_in_range"),
            models.UniqueConstraint(
                fields=["race", "deity"], condition=Q(deity__isnull=False), name="pantheon_share_deity_once"
            ),
            models.UniqueConstraint(
                fields=["race", "special"], condition=~Q(special=""), name="pantheon_share_special_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member_name}: {self.share // 100}.{self.share % 100:02d} %"

    @property
    def member_name(self) -> str:
        """The name of the deity, or the special member's own."""
        return str(self.deity) if self.deity_id else self.special


class Avatar(Named):
    """A body that a deity wears among mortals; a deity may have several."""

    deity = models.ForeignKey(Deity, models.CASCADE, related_name="avatars")
    square = models.ForeignKey(
        Square, models.CASCADE, null=True, blank=True, related_name="avatars", help_text="Where it is; empty: nowhere."
    )
    kind = models.CharField(max_length=40, blank=True, help_text="What it looks like to the rules: beast, mortal ...")
    name = models.CharField(max_length=NAME_LENGTH)

    world_path: ClassVar[str] = "deity__world"
    id_home: ClassVar[str] = "deity_id"
    objects = VisibleQuerySet.as_manager()

    class Meta(Named.Meta):
        abstract = False
        ordering = ["name", "id"]
        constraints = check_filled("avatar", "name")

    def __str__(self) -> str:
        return self.name
