"""Bring version 3 of the pack of the house into the rows: powers of a second Creation.

Published as number 3, which new games play from then on; a database that has a version 3 of its own keeps that one and
gets the house's as a draft.
"""

from typing import Any

from django.db import migrations

from games.gods2.packs.house_packs import bring_pack, remove_pack

NOTE = "The pack of the house: powers of a second Creation for every sphere."


def bring(apps: Any, schema_editor: Any) -> None:
    """Read the files once."""
    bring_pack(apps, schema_editor.connection.alias, 3, NOTE)


def take_back(apps: Any, schema_editor: Any) -> None:
    """Without it there are the versions before, and what the people of this place have made."""
    remove_pack(apps, schema_editor.connection.alias, NOTE)


class Migration(migrations.Migration):
    dependencies = [
        ("gods2_packs", "0001_initial"),
        ("gods2", "0011_packs_apart"),
    ]

    operations = [
        migrations.RunPython(bring, take_back),
    ]
