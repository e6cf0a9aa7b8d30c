"""The state in GraphQL: typed part by part, with the very values of REST, for every ruleset and every viewer."""

import json
from typing import Any

import pytest
from graphql import get_named_type

from api.graphql.commands import camel
from api.graphql.schema import schema
from games.albraxas.rules.state.schema_types import Step
from tests import forms
from tests.api.graph import camel_case, whole_selection
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


def test_the_state_says_the_same_in_both_apis(ground: Ground) -> None:
    kind = schema._schema.type_map[f"{ground.slug.title()}State"]
    game = f"{ground.slug.title()}Game"
    seen = 0
    viewers = forms.some(list(ground.viewers.values()), 2)
    for viewer in viewers:
        client, gm = client_of(viewer.user), "true" if viewer.as_gm else "false"
        rest = client.get(f"/api/v1/games/{ground.game.pk}/state/{'?as=gm' if viewer.as_gm else ''}").json()
        for part, field in kind.fields.items():
            selected = f"{part} {whole_selection(get_named_type(field.type))}"
            query = f'{{ game(id: "{ground.game.pk}", asGm: {gm}) {{ ... on {game} {{ state {{ {selected} }} }} }} }}'
            answer = client.post("/graphql/", json.dumps({"query": query}), content_type="application/json").json()
            assert "errors" not in answer, answer
            found = answer["data"]["game"]["state"][part]
            (name,) = (name for name in rest if camel(name) == part)
            assert found == camel_case(rest[name], field.type), part
            seen += bool(found)
    assert seen >= len(viewers), "some parts hold something"
