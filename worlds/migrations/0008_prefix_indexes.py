"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('worlds', '0007_artifacts_of_cities'),
    ]

    operations = [
        without_index(
            'worlds',
            migrations.AlterField(
                model_name='chronicle',
                name='world',
                field=models.ForeignKey(db_index=False, help_text='The world this belongs to.', on_delete=django.db.models.deletion.CASCADE, to='worlds.world'),
            ),
            migrations.AlterField(
                model_name='holding',
                name='artifact',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='holdings', to='worlds.artifact'),
            ),
        ),
    ]
