"""Packs are an app of their own (`gods2_packs`), which has these tables from now on: nothing changes in the database."""

from django.db import migrations

MODELS = (
    'PackAttribute', 'PackFeature', 'PackKnowledge', 'PackPower', 'PackSource', 'PackSphere', 'PackTable', 'PackVersion',
)


class Migration(migrations.Migration):

    dependencies = [
        ('gods2', '0010_people_without_keys'),
        ('gods2_packs', '0001_initial'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name) for name in MODELS],
        ),
    ]
