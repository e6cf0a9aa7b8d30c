"""What may live in databases apart: people, packs, games with their worlds. No key of a database joins them."""

from itertools import permutations
from pathlib import Path

import pytest
import yaml
from django.apps import apps
from django.contrib import admin
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


@pytest.mark.parametrize(("here", "there"), list(permutations(["people", "packs", "games"], 2)))
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
    documents = [
        yaml.load(path.read_text(), Loader=yaml.CSafeLoader) for path in (ROOT / "api" / "openapi").glob("*.yaml")
    ]
    ids = {
        f"{name}.{field}": shape
        for document in documents
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


def test_no_page_of_the_console_joins_rows_of_games_with_people() -> None:
    """Searches, filters and selected rows of the pages: people are asked for by themselves (`NamingPeople`)."""
    joined = []
    for model, page in admin.site._registry.items():
        assert page.list_select_related is not True, f"{page} joins whatever it shows"
        paths = [*page.search_fields, *(page.list_select_related or ())]
        joined += [f"{page}: {path}" for path in paths if house_of(model) == "games" and leads_to_people(model, path)]
    assert joined == []


def leads_to_people(model: type[Model], path: str) -> bool:
    """Whether a lookup path goes from a row of a game on to a person."""
    for part in path.lstrip("=^@").split("__"):
        field = next((f for f in model._meta.get_fields() if f.name == part), None)
        if field is None or field.related_model is None:
            return False
        if house_of(field.related_model) == "people":
            return True
        model = field.related_model
    return False
