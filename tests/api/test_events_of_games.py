"""Events in GraphQL: a type for each class, whose `data` has the types of the class, nullable alike in a ruleset."""

from types import NoneType
from typing import get_args

import pytest
import strawberry
from graphql import GraphQLList, GraphQLNonNull, GraphQLObjectType
from strawberry.schema.config import StrawberryConfig

from api.graphql import events
from api.graphql.mapping import Outputs, pick
from api.graphql.schema import SCALARS
from api.graphql.schema import schema as served
from api.representations.issuing.commands import component_name
from games import registry

ENVELOPE = {"cursor", "type", "at", "text", "rules", "rolls", "by", "onBehalfOf", "undone", "muted", "dataJson"}
MAX_JSON = 8
"""Fields whose class says no more than that they are JSON, or one of several types."""


def types_of(slugs: list[str], monkeypatch) -> dict[str, dict[str, str]]:
    """The fields of the `data` of every event type and their GraphQL types, with these rulesets alone."""
    monkeypatch.setattr(registry, "rulesets", lambda: [registry.ruleset(slug) for slug in slugs])

    @strawberry.type
    class Query:
        nothing: str

    alike = StrawberryConfig(default_resolver=pick, scalar_map=SCALARS)  # the interface is that of the served schema
    core = strawberry.Schema(Query, types=events.event_types(Outputs()), config=alike)._schema
    found = {}
    for kind in core.get_possible_types(core.type_map["GameEvent"]):
        data = kind.fields.get("data")
        found[kind.name] = {name: str(field.type) for name, field in data.type.of_type.fields.items()} if data else {}
    return found


def test_a_further_game_changes_no_field_of_those_before_it(monkeypatch):
    first, *others = [ruleset.slug for ruleset in registry.rulesets()]
    alone = types_of([first], monkeypatch)
    together = types_of([first, *others], monkeypatch)
    assert alone["Gods2WarFought"]["sides"] == "[Gods2Side!]!"
    assert together["AlbraxasGameStarted"]["sides"] == "Int!"
    assert {name: together[name] for name in alone} == alone


@pytest.mark.parametrize(("name", "kind"), list(events.every_event()), ids=lambda value: str(value))
def test_the_data_of_an_event_is_nullable_where_its_class_says_so_and_a_list_where_that_is_one(name, kind):
    made = served._schema.type_map[name]
    assert isinstance(made, GraphQLObjectType)
    assert set(made.fields) - {"data"} == ENVELOPE
    if not kind.model_fields:
        assert "data" not in made.fields
        return
    data = made.fields["data"].type.of_type
    by_name = {field.extensions["strawberry-definition"].python_name: field for field in data.fields.values()}
    assert by_name.keys() == kind.model_fields.keys()
    for field, found in kind.model_fields.items():
        shown = by_name[field].type
        assert not (isinstance(shown, GraphQLNonNull) and NoneType in get_args(found.annotation)), field
        inner = shown.of_type if isinstance(shown, GraphQLNonNull) else shown
        assert isinstance(inner, GraphQLList) is str(found.annotation).startswith(("tuple", "list", "frozenset")), field


@pytest.mark.parametrize("slug", [ruleset.slug for ruleset in registry.rulesets()])
def test_a_field_is_as_nullable_in_all_events_of_a_ruleset(slug):
    """A query may ask every event for it without an alias; only what every game has may be surer."""
    forms: dict[tuple[str, str], list[tuple[bool, bool, bool]]] = {}
    for kind in registry.ruleset(slug).events.values():
        data = served._schema.type_map[component_name(slug, kind)].fields.get("data")
        for field in data.type.of_type.fields.values() if data else ():
            name = field.extensions["strawberry-definition"].python_name
            empty = NoneType in get_args(kind.model_fields[name].annotation)
            nullable = not isinstance(field.type, GraphQLNonNull)
            form = (kind.__name__ in registry.CORE_NAMES, empty, nullable)
            forms.setdefault((name, str(field.type).removesuffix("!")), []).append(form)
    for name, found in forms.items():
        may_be_empty = {own: any(empty for core, empty, _ in found if core or own) for own in (False, True)}
        assert all(nullable is may_be_empty[not core] for core, _, nullable in found), name
    assert any(nullable and not empty for found in forms.values() for core, empty, nullable in found if not core)


def test_few_fields_of_events_are_json():
    unclear = []
    for name, _ in events.every_event():
        data = served._schema.type_map[name].fields.get("data")
        fields = data.type.of_type.fields.items() if data else ()
        unclear += [f"{name}.{key}" for key, field in fields if "JSON" in str(field.type)]
    assert len(unclear) <= MAX_JSON, unclear


def test_an_event_says_its_ruleset_and_that_of_every_game_core():
    assert registry.event_type("gods2", "WarDeclared") == "gods2.WarDeclared"
    assert registry.event_type("gods2", "Paused") == registry.event_type("dawn", "Paused") == "core.Paused"
    value = events.typed_value("albraxas", {"type": "albraxas.GameStarted", "data": {"sides": 10}})
    assert (value["__typename"], value["data"], value["data_json"]) == (
        "AlbraxasGameStarted",
        {"warnings": (), "commitment": "", "sides": 10},  # what an earlier release did not write has its default
        {"sides": 10},
    )
