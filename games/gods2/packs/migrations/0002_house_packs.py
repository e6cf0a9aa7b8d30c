"""Bring the packs of the house into the rows, each published under its number; new games play the newest.

A database that has a pack of its own under one of the numbers keeps it and gets the house's as a draft.
"""

from typing import Any

from django.db import migrations

from games.gods2.packs.house_packs import bring_pack, remove_pack

NOTES = {
    1: "The pack of the house.",
    2: "The pack of the house: balanced over sixteen centuries, no free loops.",
    3: "The pack of the house: powers of a second Creation for every sphere.",
}


def bring(apps: Any, schema_editor: Any) -> None:
    """Read the files of each once."""
    for number, note in NOTES.items():
        bring_pack(apps, schema_editor.connection.alias, number, note)


def take_back(apps: Any, schema_editor: Any) -> None:
    """Without them there is what the people of this place have made."""
    for note in NOTES.values():
        remove_pack(apps, schema_editor.connection.alias, note)


class Migration(migrations.Migration):
    replaces = [
        ("gods2_packs", "0002_house_pack_3"),
    ]

    dependencies = [
        ("gods2_packs", "0001_tables"),
    ]

    operations = [
        migrations.RunPython(bring, take_back),
    ]
