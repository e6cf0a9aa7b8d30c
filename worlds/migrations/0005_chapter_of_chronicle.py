"""A world's chronicle calls the stretch of play that an entry tells of a chapter, as both APIs do."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("worlds", "0004_holdings")]

    operations: ClassVar = [
        migrations.RenameField("chronicle", "age", "chapter"),
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
