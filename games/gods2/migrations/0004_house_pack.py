"""Bring the pack of the house into the rows, as version 1, published."""

import json
from typing import Any

from django.db import migrations
from django.utils import timezone

from games.gods2.pack import entries
from games.gods2.rules.pack.pack import digest_of

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
    """Read the files once; a database that has a version 1 keeps it."""
    alias, label = schema_editor.connection.alias, label_of_packs(apps)
    versions = apps.get_model(label, 'PackVersion').objects.using(alias)
    if versions.filter(number=1).exists():
        return
    raw, now = entries(1)[0], timezone.now()
    version = versions.create(
        name='Era Centrum', number=1, state='published', digest=digest_of(1, raw), created_at=now, published_at=now,
        note='The pack of the house.',
    )
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
    """Without the tables there are no rows."""
    apps.get_model('gods2', 'PackVersion').objects.using(schema_editor.connection.alias).filter(number=1).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('gods2', '0003_packs'),
    ]

    operations = [
        migrations.RunPython(bring, take_back),
    ]
