"""When something public last happened in each game: what everybody's lists are ordered by."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps: Any, schema_editor: Any) -> None:
    """Find it in the log of the games that are there."""
    events = apps.get_model("games", "LoggedEvent").objects.filter(game=OuterRef("pk"), audience="public")
    apps.get_model("games", "Game").objects.update(public_at=Subquery(events.order_by("-ordinal").values("at")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_unused_columns"),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="last_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Time of its last event; its clock never goes back. Shown to no player.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="public_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Time of its last public event: when something last happened, for everybody.",
                null=True,
            ),
        ),
        # A new database has no games.
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
