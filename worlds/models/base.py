"""What every row of a world has: an id and, mostly, its world."""

from uuid import UUID, uuid4

from django.db import models
from django.db.models import Q

from worlds.querysets import VisibleQuerySet

NAME_LENGTH = 120


class Named(models.Model):
    """A row with an id of its own.

    Inside a game the caller sets the id (it follows from the event that first names the thing); the default serves
    rows that a person makes by hand in a world without a game.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    pk: UUID

    class Meta:
        abstract = True


class OfWorld(Named):
    """A named row that belongs to one world and goes with it."""

    world = models.ForeignKey("worlds.World", models.CASCADE, help_text="The world this belongs to.")

    objects = VisibleQuerySet.as_manager()

    class Meta:
        abstract = True


def check_filled(table: str, *fields: str) -> list[models.BaseConstraint]:
    """Checks that these texts are not empty, named `<table>_<field>_filled`."""
    return [models.CheckConstraint(condition=~Q(**{field: ""}), name=f"{table}_{field}_filled") for field in fields]


def one_of(table: str, field: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    """A check that a text is one of the choices, named `<table>_<field>_known`."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": choices.values}), name=f"{table}_{field}_known")
