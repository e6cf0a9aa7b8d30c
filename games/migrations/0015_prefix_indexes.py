"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_marks'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        without_index(
            'games',
            migrations.AlterField(
                model_name='answer',
                name='prompt',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='games.prompt'),
            ),
            migrations.AlterField(
                model_name='die',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='dice', to='games.game'),
            ),
            migrations.AlterField(
                model_name='entereddie',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entered_dice', to='games.game'),
            ),
            migrations.AlterField(
                model_name='invitation',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.game'),
            ),
            migrations.AlterField(
                model_name='loggedevent',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='games.game'),
            ),
            migrations.AlterField(
                model_name='receipt',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='receipts', to='games.game'),
            ),
            migrations.AlterField(
                model_name='seat',
                name='user',
                field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='seats', to=settings.AUTH_USER_MODEL),
            ),
            migrations.AlterField(
                model_name='standinganswer',
                name='seat',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='standing_answers', to='games.seat'),
            ),
            migrations.AlterField(
                model_name='stream',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='streams', to='games.game'),
            ),
            migrations.AlterField(
                model_name='timer',
                name='game',
                field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='timers', to='games.game'),
            ),
        ),
    ]
