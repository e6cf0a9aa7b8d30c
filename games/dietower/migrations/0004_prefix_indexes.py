"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('dietower', '0003_deeds'),
        ('games', '0015_prefix_indexes'),
    ]

    operations = [
        without_index(
            'dietower',
            migrations.AlterField(
                model_name='chart',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dietower_charts', to='games.game'),
            ),
            migrations.AlterField(
                model_name='distance',
                name='a',
                field=models.ForeignKey(db_index=False, help_text="A player's character.", on_delete=django.db.models.deletion.CASCADE, related_name='+', to='dietower.actor'),
            ),
            migrations.AlterField(
                model_name='encounter',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dietower_encounters', to='games.game'),
            ),
            migrations.AlterField(
                model_name='placement',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dietower_placements', to='games.game'),
            ),
            migrations.AlterField(
                model_name='revelation',
                name='actor',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='revelations', to='dietower.actor'),
            ),
            migrations.AlterField(
                model_name='session',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dietower_sessions', to='games.game'),
            ),
            migrations.AlterField(
                model_name='towerdie',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dietower_dice', to='games.game'),
            ),
        ),
    ]
