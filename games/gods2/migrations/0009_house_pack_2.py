"""Bring version 2 of the pack of the house into the rows.

Published as number 2, which new games play from then on; a database that has a version 2 of its own keeps that one and
gets the house's as a draft, to be published under another number by whoever wants it.
"""

from typing import Any

from django.db import migrations

from games.gods2.packs.house_packs import bring_pack, remove_pack

NOTE = 'The pack of the house: balanced over sixteen centuries, no free loops.'


def bring(apps: Any, schema_editor: Any) -> None:
    """Read the files once."""
    bring_pack(apps, schema_editor.connection.alias, 2, NOTE)


def take_back(apps: Any, schema_editor: Any) -> None:
    """Without it there is version 1, and what the people of this place have made."""
    remove_pack(apps, schema_editor.connection.alias, NOTE)


class Migration(migrations.Migration):

    dependencies = [
        ('gods2', '0008_once_a_race'),
    ]

    operations = [
        migrations.RunPython(bring, take_back),
    ]
