"""The state in GraphQL: typed part by part, with the very values of REST, for every ruleset and every viewer."""

import json
from typing import Any

import pytest
from graphql import get_named_type, is_leaf_type

from api.graphql.commands import camel
from api.graphql.schema import schema
from games.albraxas.rules.state.schema_types import Step
from tests.security.grounds import Ground, ages, cairns, era, storm
from tests.security.looking import client_of
from tests.toy.rules.commands import AddStones

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["toy", "gods2", "albraxas", "dawn-war", "dawn-power"])
def ground(request: Any, settings: Any, tmp_path: Any) -> Ground:
    """A game in the midst of play."""
    made: Ground = {
        "toy": cairns,
        "gods2": lambda: era(settings, tmp_path),
        "albraxas": lambda: storm(Step.ORDER),
        "dawn-war": lambda: ages("war"),
        "dawn-power": lambda: ages("power"),
    }[request.param]()
    if request.param == "toy":
        made.as_owner(AddStones(stones=1))  # or there would be no row
    return made


def selection(kind: Any) -> str:
    """Every field of a type, as deep as it goes."""
    if is_leaf_type(kind):
        return ""
    return "{ " + " ".join(f"{n} {selection(get_named_type(f.type))}" for n, f in kind.fields.items()) + " }"


def camel_case(value: Any, kind: Any) -> Any:
    """A value of REST with the names of GraphQL; what is JSON there keeps its own."""
    kind = get_named_type(kind)
    if isinstance(value, list):
        return [camel_case(each, kind) for each in value]
    if isinstance(value, dict) and not is_leaf_type(kind):
        return {camel(name): camel_case(held, kind.fields[camel(name)].type) for name, held in value.items()}
    return value


def test_the_state_says_the_same_in_both_apis(ground: Ground) -> None:
    kind = schema._schema.type_map[f"{ground.slug.title()}State"]
    game = f"{ground.slug.title()}Game"
    seen = 0
    for viewer in ground.viewers.values():
        client, gm = client_of(viewer.user), "true" if viewer.as_gm else "false"
        rest = client.get(f"/api/v1/games/{ground.game.pk}/state/{'?as=gm' if viewer.as_gm else ''}").json()
        for part, field in kind.fields.items():
            selected = f"{part} {selection(get_named_type(field.type))}"
            query = f'{{ game(id: "{ground.game.pk}", asGm: {gm}) {{ ... on {game} {{ state {{ {selected} }} }} }} }}'
            answer = client.post("/graphql/", json.dumps({"query": query}), content_type="application/json").json()
            assert "errors" not in answer, answer
            found = answer["data"]["game"]["state"][part]
            (name,) = (name for name in rest if camel(name) == part)
            assert found == camel_case(rest[name], field.type), part
            seen += bool(found)
    assert seen >= len(ground.viewers), "some parts hold something"
