"""An entry of a world's chronicle keeps its numbers beside its sentence."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("worlds", "0005_chapter_of_chronicle")]

    operations: ClassVar = [
        migrations.AddField(
            "chronicle",
            "figures",
            models.TextField(blank=True, db_default="", default="", help_text="The numbers beside the sentence."),
        ),
    ]
