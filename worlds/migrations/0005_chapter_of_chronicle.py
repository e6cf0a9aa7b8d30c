"""A world's chronicle calls the stretch of play that an entry tells of a chapter, as both APIs do."""

from typing import ClassVar

from django.db import migrations, models

from core.postgres_names import RenameInPostgres


class Migration(migrations.Migration):
    dependencies: ClassVar = [("worlds", "0004_holdings")]

    operations: ClassVar = [
        migrations.RenameField("chronicle", "age", "chapter"),
        RenameInPostgres(
            "worlds_chronicle", ("CONSTRAINT", "worlds_chronicle_age_check", "worlds_chronicle_chapter_check")
        ),
        migrations.AlterField(
            "chronicle",
            "chapter",
            models.PositiveSmallIntegerField(
                blank=True,
                help_text="The chapter that it tells of (a century, an Age, a turn); empty: before all counting.",
                null=True,
            ),
        ),
    ]
