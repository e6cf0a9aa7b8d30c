"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('forgeborn', '0003_winding_range'),
        ('games', '0015_prefix_indexes'),
    ]

    operations = [
        without_index(
            'forgeborn',
            migrations.AlterField(
                model_name='advanceanswer',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='forgeborn_advance_answers', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='ballot',
                name='vote',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ballots', to='forgeborn.vote'),
            ),
            migrations.AlterField(
                model_name='character',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='forgeborn_characters', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='droppeddie',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='forgeborn_dice', to='games.game'),
            ),
            migrations.AlterField(
                model_name='helpoffer',
                name='action',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='forgeborn.action'),
            ),
            migrations.AlterField(
                model_name='place',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='forgeborn_places', to='games.game'),
            ),
            migrations.AlterField(
                model_name='seal',
                name='vote',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seals', to='forgeborn.vote'),
            ),
        ),
    ]
