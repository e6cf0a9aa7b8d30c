"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('dawn', '0003_saved_cities'),
        ('games', '0015_prefix_indexes'),
        ('worlds', '0008_prefix_indexes'),
    ]

    operations = [
        without_index(
            'dawn',
            migrations.AlterField(
                model_name='advance',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_advances', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='conflict',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_conflicts', to='games.game'),
            ),
            migrations.AlterField(
                model_name='mark',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_marks', to='games.game'),
            ),
            migrations.AlterField(
                model_name='motion',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_motions', to='games.game'),
            ),
            migrations.AlterField(
                model_name='power',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_powers', to='games.game'),
            ),
            migrations.AlterField(
                model_name='territory',
                name='race',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_territory', to='worlds.race'),
            ),
            migrations.AlterField(
                model_name='war',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dawn_wars', to='games.game'),
            ),
        ),
    ]
