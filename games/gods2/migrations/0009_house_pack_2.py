"""Bring version 2 of the pack of the house into the rows.

Published as number 2, which new games play from then on; a database that has a version 2 of its own keeps that one and
gets the house's as a draft, to be published under another number by whoever wants it.
"""

import json
from typing import Any

from django.db import migrations
from django.utils import timezone

from games.gods2.pack import entries
from games.gods2.rules.pack.pack import digest_of

NAME, NOTE = 'Era Centrum', 'The pack of the house: balanced over sixteen centuries, no free loops.'
MODELS = {
    'spheres': 'PackSphere',
    'attributes': 'PackAttribute',
    'knowledges': 'PackKnowledge',
    'features': 'PackFeature',
    'powers': 'PackPower',
    'mana_sources': 'PackSource',
    'tables': 'PackTable',
}
JSON = {'effects', 'prereqs', 'requires', 'terrains', 'codes', 'cost', 'rows'}
"""Columns of text that hold JSON; the cost of an attribute is a number."""


def bring(apps: Any, schema_editor: Any) -> None:
    """Read the files once."""
    alias, label = schema_editor.connection.alias, label_of_packs(apps)
    versions = apps.get_model(label, 'PackVersion').objects.using(alias)
    raw, now = entries(2)[0], timezone.now()
    taken = versions.filter(number=2).first()
    if taken is not None and taken.digest == digest_of(2, raw):
        return
    told = {'name': NAME, 'note': NOTE, 'created_at': now}
    if taken is not None:
        version = versions.create(state='draft', **told)
    else:
        version = versions.create(number=2, state='published', digest=digest_of(2, raw), published_at=now, **told)
    for part, name in MODELS.items():
        model = apps.get_model(label, name)
        model.objects.using(alias).bulk_create(
            model(pack=version, position=position, **columns(part, given))
            for position, given in enumerate(raw[part], start=1)
        )


def label_of_packs(apps: Any) -> str:
    """The app that has the packs: the game until 0011, from then on, and in a new database, one of their own."""
    return 'gods2' if 'packversion' in apps.all_models['gods2'] else 'gods2_packs'


def columns(part: str, given: dict[str, Any]) -> dict[str, Any]:
    """The columns of an entry."""
    texts = JSON - ({'cost'} if part == 'attributes' else set())
    return {
        'key' if field == 'id' else field: json.dumps(value, ensure_ascii=False) if field in texts else value
        for field, value in given.items()
    }


def take_back(apps: Any, schema_editor: Any) -> None:
    """Without it there is version 1, and what the people of this place have made."""
    versions = apps.get_model('gods2', 'PackVersion').objects.using(schema_editor.connection.alias)
    versions.filter(name=NAME, note=NOTE).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('gods2', '0008_once_a_race'),
    ]

    operations = [
        migrations.RunPython(bring, take_back),
    ]
