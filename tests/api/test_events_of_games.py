"""Event types of several games in one schema: a further game changes no field that exists."""

import pytest
import strawberry
from strawberry.schema.config import StrawberryConfig

from api.graphql import events
from api.graphql.mapping import Outputs, pick
from api.graphql.schema import SCALARS
from games import registry

pytestmark = pytest.mark.django_db


def fields_of(slugs: list[str], monkeypatch) -> dict[str, dict[str, str]]:
    """The own fields of every event type and their GraphQL types, with these rulesets alone."""
    monkeypatch.setattr(registry, "rulesets", lambda: [registry.ruleset(slug) for slug in slugs])

    @strawberry.type
    class Query:
        nothing: str

    alike = StrawberryConfig(default_resolver=pick, scalar_map=SCALARS)  # the interface is that of the served schema
    core = strawberry.Schema(Query, types=events.event_types(Outputs()), config=alike)._schema
    face = core.type_map["GameEvent"]
    return {
        kind.name: {name: str(field.type) for name, field in kind.fields.items() if name not in face.fields}
        for kind in core.get_possible_types(face)
    }


@pytest.fixture
def names_kept(monkeypatch):
    """What other tests know of the served schema is left alone."""
    monkeypatch.setattr(events, "RENAMED", {})


def test_a_further_game_changes_no_field_of_those_before_it(names_kept, monkeypatch):
    first, *others = [ruleset.slug for ruleset in registry.rulesets()]
    alone = fields_of([first], monkeypatch)

    together = fields_of([first, *others], monkeypatch)

    assert alone["Gods2WarFought"]["sides"] == "[Gods2Side!]!"
    assert {name: together[name] for name in alone} == alone
    assert together["AlbraxasGameStarted"]["albraxasSides"] == "Int!"
    assert "sides" not in together["AlbraxasGameStarted"]


def test_a_field_that_is_called_after_its_game_is_told_with_its_value():
    values = {"type": "GameStarted", "phases": 4, "sides": 10, "check_from": 3, "tide": [1, 4]}

    (value,) = events.event_values("albraxas", [values])

    assert (value["albraxas_sides"], value["phases"], value["fields"]["sides"]) == (10, 4, 10)
    assert "albraxas_phases" not in value
