"""Persons: who is somebody in a world and is neither a deity nor a people."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models

from worlds.models.base import NAME_LENGTH, OfWorld, check_filled, one_at_most
from worlds.models.world import Place, Square

KIND_PATTERN = r"^[a-z][a-z0-9_]{0,39}$"
"""What a kind of person may be: a key of its ruleset, in small letters."""


class Person(OfWorld):
    """Somebody in a world: a character, a monster, a prince. The seat that plays them belongs to the game.

    They are at one place or on one square at most, or nowhere.
    """

    name = models.CharField(max_length=NAME_LENGTH)
    kind = models.CharField(
        max_length=40,
        validators=[RegexValidator(KIND_PATTERN, "Write a kind with small letters, digits and underscores.")],
        help_text="What they are, a key of the rules of their game, such as `character`, `monster` or `prince`.",
    )
    description = models.TextField(blank=True)
    place = models.ForeignKey(
        Place,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="persons",
        help_text="The place where they are; empty when they are on a square, or nowhere.",
    )
    square = models.ForeignKey(
        Square,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="persons",
        help_text="The square on which they are; empty when they are at a place, or nowhere.",
    )

    class Meta(OfWorld.Meta):
        abstract = False
        ordering = ["name", "id"]
        constraints = [
            *check_filled("person", "name", "kind"),
            one_at_most("person_somewhere_once_at_most", "place", "square"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def whereabouts(self) -> Place | Square | None:
        """Where they are; None for nowhere."""
        return self.place or self.square

    def clean(self) -> None:
        """Refuse (ValidationError) a place or a square of another world; no check of the database sees both rows."""
        super().clean()
        for name in ("place", "square"):
            found = getattr(self, name)
            if found is not None and found.world_id != self.world_id:
                raise ValidationError({name: f"This {name} is in another world; choose one of the person's world."})
