"""What a seat answers in advance is called that: a word of its own, apart from the engine's standing answers."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from core.postgres_names import RenameInPostgres


class Migration(migrations.Migration):
    dependencies: ClassVar = [("forgeborn", "0001_initial")]

    operations: ClassVar = [
        migrations.RenameModel("StandingWord", "AdvanceAnswer"),
        RenameInPostgres(
            "forgeborn_advanceanswer",
            (
                "CONSTRAINT",
                "forgeborn_standingword_game_id_32fcf0e0_fk_games_game_id",
                "forgeborn_advanceanswer_game_id_86a8b3ed_fk_games_game_id",
            ),
            (
                "CONSTRAINT",
                "forgeborn_standingword_seat_id_3c0047a7_fk_games_seat_id",
                "forgeborn_advanceanswer_seat_id_4820b2f6_fk_games_seat_id",
            ),
            ("CONSTRAINT", "forgeborn_standingword_pkey", "forgeborn_advanceanswer_pkey"),
            ("INDEX", "forgeborn_standingword_game_id_32fcf0e0", "forgeborn_advanceanswer_game_id_86a8b3ed"),
            ("INDEX", "forgeborn_standingword_seat_id_3c0047a7", "forgeborn_advanceanswer_seat_id_4820b2f6"),
            ("SEQUENCE", "forgeborn_standingword_id_seq", "forgeborn_advanceanswer_id_seq"),
        ),
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
