"""What every row of a world has: an id and, mostly, its world."""

from functools import reduce
from itertools import combinations
from operator import and_
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from core.ids import in_slot_of
from core.names import name_to_store
from worlds.querysets import VisibleQuerySet

NAME_LENGTH = 120


class IdField(models.UUIDField):
    """The key of a row of a world: unless the caller sets it, a random id in the slot of its world, made on saving."""

    def deconstruct(self) -> Any:
        """To the migrations it is the plain field that it stands in the database as."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.UUIDField", args, {**kwargs, "default": uuid4}

    def get_pk_value_on_save(self, instance: models.Model) -> UUID:
        """An id for a row that has none. Without a world to live in it is any: the database refuses the row."""
        home = getattr(instance, instance.id_home)  # type: ignore[attr-defined]
        return uuid4() if home is None else in_slot_of(home, uuid4())


class Named(models.Model):
    """A row with an id of its own, which carries the slot of its world.

    Inside a game the caller sets the id (it follows from the event that first names the thing); else saving makes one.
    """

    id = IdField(primary_key=True, editable=False)
    pk: UUID
    id_home: ClassVar[str] = "world_id"
    """The column with the id whose slot a new id takes over."""

    class Meta:
        abstract = True

    def clean(self) -> None:
        """Store the name as every name is stored. Raises ValidationError for one that is none."""
        super().clean()
        if name := getattr(self, "name", ""):
            try:
                self.__dict__["name"] = name_to_store(name)
            except ValueError as error:
                raise ValidationError({"name": str(error)}) from error


class OfWorld(Named):
    """A named row that belongs to one world and goes with it."""

    # No index of its own: the index below begins with the world.
    world = models.ForeignKey("worlds.World", models.CASCADE, help_text="The world this belongs to.", db_index=False)

    objects = VisibleQuerySet.as_manager()

    class Meta:
        abstract = True
        # A page of one world in the order of the lists: without it all its rows are read, or those of other worlds.
        indexes = [models.Index(fields=["world", "id"], name="%(class)s_of_world")]


def check_filled(table: str, *fields: str) -> list[models.BaseConstraint]:
    """Checks that these texts are not empty, named `<table>_<field>_filled`."""
    return [models.CheckConstraint(condition=~Q(**{field: ""}), name=f"{table}_{field}_filled") for field in fields]


def one_at_most(name: str, *fields: str) -> models.CheckConstraint:
    """A check of that name: of these fields no two are filled."""
    pairs = (Q(**{f"{one}__isnull": True}) | Q(**{f"{other}__isnull": True}) for one, other in combinations(fields, 2))
    return models.CheckConstraint(condition=reduce(and_, pairs), name=name)


def one_of(table: str, field: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    """A check that a text is one of the choices, named `<table>_<field>_known`."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": choices.values}), name=f"{table}_{field}_known")
