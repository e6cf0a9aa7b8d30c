"""What may live in databases apart: people, packs, games with their worlds. No key of a database joins them."""

from itertools import permutations

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model

FROM_ELSEWHERE = {"contenttypes", "sessions", "axes", "messages", "staticfiles"}
HOUSES = {"people": {"accounts", "oauth", "oauth2_provider", "auth", "admin"}, "packs": {"gods2_packs"}}


def house_of(model: type[Model]) -> str:
    """Where the rows of a model live: with people, with packs, or with games and worlds."""
    label = model._meta.app_label
    return next((house for house, labels in HOUSES.items() if label in labels), "games")


def keys() -> list[ForeignKey]:
    """Every foreign key of a table, those of many-to-many tables too."""
    models = [m for m in apps.get_models(include_auto_created=True) if m._meta.app_label not in FROM_ELSEWHERE]
    found = [f for m in models for f in m._meta.concrete_fields if isinstance(f, ForeignKey)]
    return [f for f in found if f.related_model._meta.app_label not in FROM_ELSEWHERE]


@pytest.mark.parametrize(("here", "there"), permutations(["people", "packs", "games"], 2))
def test_no_key_of_the_database_leads_from_one_house_to_another(here: str, there: str) -> None:
    held = [
        str(field)
        for field in keys()
        if (house_of(field.model), house_of(field.related_model)) == (here, there) and field.db_constraint
    ]
    assert held == []


def test_there_are_keys_in_every_house() -> None:
    assert {house_of(field.model) for field in keys()} == {"people", "packs", "games"}
