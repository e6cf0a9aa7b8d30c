"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_prefix_indexes'),
        ('gods2', '0012_artifact_powers'),
        ('worlds', '0008_prefix_indexes'),
    ]

    operations = [
        without_index(
            'gods2',
            migrations.AlterField(
                model_name='artifactpower',
                name='artifact',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_powers', to='worlds.artifact'),
            ),
            migrations.AlterField(
                model_name='cards',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_cards', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='factor',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_factors', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='grant',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_grants', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='land',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_lands', to='games.game'),
            ),
            migrations.AlterField(
                model_name='law',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_laws', to='games.game'),
            ),
            migrations.AlterField(
                model_name='line',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_lines', to='games.game'),
            ),
            migrations.AlterField(
                model_name='modification',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_modifications', to='games.game'),
            ),
            migrations.AlterField(
                model_name='numberholder',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_holders', to='games.game'),
            ),
            migrations.AlterField(
                model_name='queuenumber',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_numbers', to='games.game'),
            ),
            migrations.AlterField(
                model_name='raceattribute',
                name='race',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attribute_rows', to='gods2.racesheet'),
            ),
            migrations.AlterField(
                model_name='raceknowledge',
                name='race',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='knowledge_rows', to='gods2.racesheet'),
            ),
            migrations.AlterField(
                model_name='war',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='gods2_wars', to='games.game'),
            ),
            migrations.AlterField(
                model_name='warpolicy',
                name='war',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='policies', to='gods2.war'),
            ),
        ),
    ]
