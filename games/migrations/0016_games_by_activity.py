"""The minute of each game's last public event, by which lists of games go."""

from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import TruncMinute


def fill(apps: Any, schema_editor: Any) -> None:
    """Take it from the time of that event in the games that are there."""
    apps.get_model("games", "Game").objects.update(listed_at=TruncMinute("public_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_webhooks_of_endpoints"),
        ("worlds", "0003_lists_by_age"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="listed_at",
            field=models.DateTimeField(
                blank=True,
                help_text="The minute of its last public event, by which lists of games go: an index of the time itself would "
                "have to be written with each command.",
                null=True,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True, hints={"model_name": "game"}),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["-listed_at", "id"], name="game_by_activity"),
        ),
    ]
