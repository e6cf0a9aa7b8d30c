"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('gods2_packs', '0002_house_pack_3'),
    ]

    operations = [
        without_index(
            'gods2_packs',
            migrations.AlterField(
                model_name='packattribute',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
            migrations.AlterField(
                model_name='packfeature',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
            migrations.AlterField(
                model_name='packknowledge',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
            migrations.AlterField(
                model_name='packpower',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
            migrations.AlterField(
                model_name='packsource',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
            migrations.AlterField(
                model_name='packsphere',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
            migrations.AlterField(
                model_name='packtable',
                name='pack',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion'),
            ),
        ),
    ]
