"""What may live in databases apart: people, packs, games with their worlds. No key of a database joins them."""

from itertools import permutations
from pathlib import Path

import pytest
import yaml
from django.apps import apps
from django.db.models import ForeignKey, Model
from graphql import GraphQLObjectType, build_schema, get_named_type

ROOT = Path(__file__).resolve().parents[2]
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


def test_no_id_in_the_documents_is_a_number() -> None:
    """Ids that leave the service are UUIDs, in REST and GraphQL: a serial number is of one database."""
    document = yaml.safe_load((ROOT / "api" / "openapi.yaml").read_text())
    ids = {
        f"{name}.{field}": shape
        for name, schema in document["components"]["schemas"].items()
        for field, shape in schema.get("properties", {}).items()
        if field == "id" or field.endswith("_id")
    }
    assert len(ids) > 20
    assert {name for name, shape in ids.items() if "integer" in str(shape.get("type"))} == set()
    schema = build_schema((ROOT / "api" / "schema.graphql").read_text())
    numbers = {
        f"{kind.name}.{name}"
        for kind in schema.type_map.values()
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if (name == "id" or name.endswith("Id")) and get_named_type(field.type).name in ("Int", "JSON")
    }
    assert numbers == set()
