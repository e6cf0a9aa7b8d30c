"""A city may hold an artifact, as it may have held one."""

from itertools import combinations
from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

KINDS = ("deity", "race", "city", "place", "person")


def one_at_most(name: str, kinds: tuple[str, ...]) -> models.CheckConstraint:
    """The check that of these columns no two are filled."""
    condition = models.Q()
    for one, other in combinations(kinds, 2):
        condition &= models.Q(**{f"{one}__isnull": True}) | models.Q(**{f"{other}__isnull": True})
    return models.CheckConstraint(condition=condition, name=name)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("worlds", "0006_figures_of_chronicle")]

    operations: ClassVar = [
        operation
        for model, constraint, related in (
            ("artifact", "artifact_one_holder_at_most", "artifacts"),
            ("holding", "holding_one_holder_at_most", "holdings"),
        )
        for operation in (
            migrations.AddField(
                model,
                "city",
                models.ForeignKey(
                    "worlds.City",
                    django.db.models.deletion.SET_NULL,
                    null=True,
                    blank=True,
                    related_name=related,
                ),
            ),
            migrations.RemoveConstraint(model, constraint),
            migrations.AddConstraint(model, one_at_most(constraint, KINDS)),
        )
    ]
