"""The packs of the house come into the rows by migrations: from the files, once, beside what a place has of its own.

This works on the models as a migration sees them, and stays as it is as long as one migration calls it.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from games.gods2.pack import entries
from games.gods2.rules.pack.pack import digest_of

APP = "gods2_packs"
NAME = "Era Centrum"
MODELS: Mapping[str, str] = {
    "spheres": "PackSphere",
    "attributes": "PackAttribute",
    "knowledges": "PackKnowledge",
    "features": "PackFeature",
    "powers": "PackPower",
    "mana_sources": "PackSource",
    "tables": "PackTable",
}
JSON = frozenset({"effects", "prereqs", "requires", "terrains", "codes", "cost", "rows"})
"""Columns of text that hold JSON; the cost of an attribute is a number."""


def bring_pack(apps: Any, alias: str, number: int, note: str) -> None:
    """Publish a pack of the files under its number; a database that has another one there gets it as a draft."""
    versions = apps.get_model(APP, "PackVersion").objects.using(alias)
    raw, now = entries(number)[0], timezone.now()
    digest = digest_of(number, raw)
    taken = versions.filter(number=number).first()
    if taken is not None and taken.digest == digest:
        return
    told = {"name": NAME, "note": note, "created_at": now}
    if taken is not None:
        version = versions.create(state="draft", **told)
    else:
        version = versions.create(number=number, state="published", digest=digest, published_at=now, **told)
    for part, name in MODELS.items():
        model = apps.get_model(APP, name)
        model.objects.using(alias).bulk_create(
            model(pack=version, position=position, **columns(part, given))
            for position, given in enumerate(raw[part], start=1)
        )


def remove_pack(apps: Any, alias: str, note: str) -> None:
    """Take back what `bring_pack` has brought with this note."""
    versions = apps.get_model(APP, "PackVersion").objects.using(alias)
    versions.filter(name=NAME, note=note).delete()


def columns(part: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of an entry."""
    texts = JSON - ({"cost"} if part == "attributes" else set())
    return {
        "key" if field == "id" else field: json.dumps(value, ensure_ascii=False) if field in texts else value
        for field, value in given.items()
    }
