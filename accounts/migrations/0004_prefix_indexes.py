"""Indexes that longer ones begin with are dropped; no table is written anew."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.index_migrations import without_index


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_user_retired_at'),
    ]

    operations = [
        without_index(
            'accounts',
            migrations.AlterField(
                model_name='token',
                name='user',
                field=models.ForeignKey(db_index=False, help_text='Whose token this is.', on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL),
            ),
        ),
    ]
