"""The state in parts, and what is over: read from its list, never from the state."""

from uuid import UUID

import pytest

from api.representations.resources.state_tables import own_resources
from api.representations.shapes.state_schemas import part_types, state_parts_schema, state_schema
from games import registry
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.war.schedule_commands import FightWarNow
from tests.api.worlds import assert_refused, client, run, toy_game
from tests.games.live import Table, live
from tests.toy.rules.commands import HideCoins

pytestmark = pytest.mark.django_db


def test_only_the_named_parts_are_sent_behind_the_head():
    toy = toy_game()
    run(toy, HideCoins(coins=7), toy.ann)
    answer = client(toy.ann).get(toy.path("state/?parts=hoards,timers"))
    state = state_parts_schema("toy").model_validate_json(answer.content, strict=True)
    assert list(answer.json())[:4] == ["ruleset", "cursor", "at", "game"]
    assert state.model_fields_set == {"ruleset", "cursor", "at", "game", "hoards", "timers"}
    assert [hoard.coins for hoard in state.hoards] == [7] and [t.key for t in state.timers] == ["tide"]


@pytest.mark.parametrize("parts", ["piles,moons", "", "piles,", "table"])
def test_an_unknown_part_is_refused_and_those_there_are_named(parts):
    toy = toy_game()
    refused = client().get(toy.path(f"state/?parts={parts}"))
    assert_refused(refused, 422, "query.invalid")
    assert {"piles", "hoards", "prompts"} <= set(refused.json()["detail"].rstrip(".").replace(",", "").split())


def test_parts_have_the_tag_of_the_whole_state():
    toy = toy_game()
    ann = client(toy.ann)
    tag = ann.get(toy.path("state/"))["ETag"]
    assert ann.get(toy.path("state/?parts=piles"), headers={"If-None-Match": tag}).status_code == 304
    assert_refused(ann.get(toy.path("state/?parts=moons"), headers={"If-None-Match": tag}), 422, "query.invalid")


@pytest.mark.parametrize("slug", registry.folders())
def test_what_is_over_has_a_list_that_is_asked_by_game_and_by_how_it_is_over(slug):
    lists = {resource.model: resource for resource in own_resources(slug)}
    state = set(part_types(slug))
    for mapped in registry.store(slug).tables:
        if mapped.declared.ledger or mapped.declared.over:
            resource = lists[mapped.parts[-1].model]
            assert {"game", *mapped.declared.over} <= set(resource.filters), mapped.table
        assert (mapped.table in state) is not mapped.declared.ledger


def test_a_war_that_is_over_leaves_the_state_for_the_list_of_wars():
    event = live()
    attacker, defender = event.races["Dwarves"], event.races["Elves"]
    event.run(DeclareWar(power="declare_war", attacker=attacker, defender=defender), "ana")
    cleo = Table(event, "cleo")
    (war,) = cleo.get("state/")["wars"]
    assert war["status"] == "declared"
    event.run(FightWarNow(war=UUID(war["id"])))
    assert cleo.get("state/", parts="wars")["wars"] == []
    (listed,) = cleo.client.get("/api/v1/gods2/wars/", {"game": event.id}).json()["results"]
    assert listed["id"] == war["id"] and listed["status"] != "declared"


def test_each_ruleset_has_a_state_of_its_own_with_the_rows_of_its_tables_alone():
    for slug in registry.folders():
        schema = state_schema(slug).model_json_schema(mode="serialization")
        assert schema["properties"]["ruleset"]["const"] == slug
        assert schema["additionalProperties"] is False and set(schema["required"]) == set(schema["properties"])
        hidden = {m.table: m.hidden for m in registry.store(slug).shown_tables}
        for table, fields in hidden.items():
            row = schema["properties"][table]["items"]["$ref"].rsplit("/", 1)[-1]
            assert not fields & schema["$defs"][row]["properties"].keys(), table
