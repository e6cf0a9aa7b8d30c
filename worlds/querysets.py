"""What a viewer may see: `visible_to(visibility)`, the only rule of visibility for rows of worlds.

A row of a world is visible exactly when its world is. Secrets of a game are rows of that game's own tables and have
rules of their own; nothing here knows them.
"""

from typing import Any, Self, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from core.places.card_rows import CardQuerySet
from worlds.ids import colours_apart
from worlds.visibility import Visibility

M = TypeVar("M", bound=models.Model, covariant=True)
WHOLE = 10_000


class VisibleQuerySet(CardQuerySet[M]):
    """Rows that know how to show themselves to a Sight.

    The model's `world_path` leads from the row to its world: `"world"` unless it says else, such as `"race__world"`.
    """

    def visible_to(self, visibility: Visibility) -> Self:
        """The rows whose world this viewer may see; adds one subquery and never repeats a row."""
        if visibility.admin:
            return self
        path = getattr(self.model, "world_path", "world")
        return self.filter(**{f"{path}__in": visible_worlds(visibility).values("pk")})


class WorldQuerySet(VisibleQuerySet[M]):
    """Worlds: public ones for everybody, private ones for their members."""

    def visible_to(self, visibility: Visibility) -> Self:
        """Public worlds, those this viewer is a member of, or all for an admin."""
        return self if visibility.admin else self.filter(_open_to(visibility))


class RaceQuerySet(VisibleQuerySet[M]):
    """Races, with their sums."""

    def living(self) -> Self:
        """Races that are not extinct."""
        return self.filter(extinct=False)

    def with_units(self) -> Self:
        """Annotates `units`: all units of the race on the map (0 when it has none)."""
        return self.annotate(units=Coalesce(Sum("presences__units"), 0))

    def paint(self) -> None:
        """Give each of these races without a colour one that is far from those of the others, which it keeps."""
        chosen = dict(self.values_list("pk", "colour"))
        colours = colours_apart(chosen)
        for race in (race for race, colour in chosen.items() if not colour):
            self.filter(pk=race).update(colour=colours[race])


def visible_worlds(visibility: Visibility) -> WorldQuerySet[Any]:
    """The worlds this viewer may see, for use in a subquery."""
    worlds: WorldQuerySet[Any] = apps.get_model("worlds", "World")._default_manager.all()
    return worlds.visible_to(visibility)


def _open_to(visibility: Visibility) -> Q:
    """The condition on a world; an Exists, since a join would repeat a world for each member."""
    if visibility.user is None:
        return Q(is_public=True)
    member = apps.get_model("worlds", "WorldMember")._default_manager.filter(world=OuterRef("pk"), user=visibility.user)
    return Q(is_public=True) | Q(Exists(member))
