"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('albraxas', '0001_initial'),
        ('games', '0015_prefix_indexes'),
    ]

    operations = [
        without_index(
            'albraxas',
            migrations.AlterField(
                model_name='phase',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='albraxas_phases', to='games.game'),
            ),
            migrations.AlterField(
                model_name='visit',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='albraxas_visits', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='written',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='albraxas_written', to='games.seat'),
            ),
        ),
    ]
