"""Bring the pack of the house into the rows, as version 1, published."""

from typing import Any

from django.db import migrations

from games.gods2.packs.house_packs import bring_pack, label_of_packs

NOTE = 'The pack of the house.'


def bring(apps: Any, schema_editor: Any) -> None:
    """Read the files once; a database that has a version 1 keeps it."""
    alias = schema_editor.connection.alias
    if not apps.get_model(label_of_packs(apps), 'PackVersion').objects.using(alias).filter(number=1).exists():
        bring_pack(apps, alias, 1, NOTE)


def take_back(apps: Any, schema_editor: Any) -> None:
    """Without the tables there are no rows."""
    apps.get_model('gods2', 'PackVersion').objects.using(schema_editor.connection.alias).filter(number=1).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('gods2', '0003_packs'),
    ]

    operations = [
        migrations.RunPython(bring, take_back),
    ]
