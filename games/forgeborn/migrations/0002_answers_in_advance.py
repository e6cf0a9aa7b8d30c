"""What a seat answers in advance is called that: a word of its own, apart from the engine's standing answers."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("forgeborn", "0001_initial")]

    operations: ClassVar = [
        migrations.RenameModel("StandingWord", "AdvanceAnswer"),
        migrations.RemoveConstraint("advanceanswer", "forgeborn_standing_word_once"),
        migrations.AddConstraint(
            "advanceanswer",
            models.UniqueConstraint(fields=("seat", "kind"), name="forgeborn_advance_answer_once"),
        ),
        migrations.AlterField(
            "advanceanswer",
            "game",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="forgeborn_advance_answers", to="games.game"
            ),
        ),
        migrations.AlterField(
            "advanceanswer",
            "seat",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="forgeborn_advance_answers", to="games.seat"
            ),
        ),
    ]
