"""The OpenAPI document in parts: each whole in itself, with nothing of another game."""

import json
import re

import pytest

from api.rest.docs import document, whole_document
from api.rest.schema_parts import part_of, parts
from games import registry
from tests.api.worlds import assert_refused, client

GROWTH = {"core": 0.35, "toy": 0.4, "albraxas": 0.5, "dawn": 0.65, "dietower": 0.65, "forgeborn": 0.65, "gods2": 0.8}
"""How much of the whole document a part is at most."""


@pytest.fixture(scope="module")
def whole():
    return json.loads(document(as_json=True))


@pytest.mark.parametrize("part", parts())
def test_a_part_is_whole_in_itself_and_says_nothing_of_another_game(whole, part):
    found = json.loads(document(as_json=True, part=part))
    text = json.dumps(found)
    places = set(re.findall(r'"\$ref": "#/components/(\w+)/([^"]+)"', text))
    there = {(kind, name) for kind, each in found["components"].items() for name in each if kind != "securitySchemes"}
    assert places == there  # whatever is referred to is there, and nothing else
    for slug in registry.folders():
        named = [
            name for name in found["components"]["schemas"] if name.startswith((slug.title(), f"Open{slug.title()}"))
        ]
        assert bool(named) is (slug == part)
        assert any(place.startswith(f"/api/v1/{slug}/") for place in found["paths"]) is (
            slug == part and any(place.startswith(f"/api/v1/{slug}/") for place in whole["paths"])
        )
    for place, operations in found["paths"].items():
        assert operations.keys() == whole["paths"][place].keys()
    assert len(text) < GROWTH[part] * len(json.dumps(whole))


@pytest.mark.parametrize("part", parts())
def test_the_commands_of_a_part_are_those_of_its_ruleset(part):
    found = json.loads(document(as_json=True, part=part))
    here = "/api/v1/games/{game_id}/commands/"
    names = sorted(
        p.removeprefix(here).rstrip("/") for p in found["paths"] if p.startswith(here) and "{command}" not in p
    )
    if part == registry.CORE:
        assert "pause" in names and "join" in names and "declare-war" not in names and "add-stones" not in names
    else:
        assert names == sorted(registry.ruleset(part).open_commands)


def test_what_is_common_to_the_rulesets_stays_where_they_are_cut_away():
    schemas = json.loads(document(as_json=True, part=registry.CORE))["components"]["schemas"]
    assert schemas["GameEvent"]["properties"] == schemas["AnyEvent"]["properties"]
    for name in ("GameState", "GameStateParts"):
        fields = schemas[name]["properties"]
        assert {"ruleset", "cursor", "at", "game"} <= set(fields) and schemas[name]["additionalProperties"] is True
        assert not {"races", "stones", "avatars"} & set(fields)
        assert {"ruleset", "cursor", "at", "game"} <= set(schemas[name]["required"])


def test_a_part_leaves_the_whole_document_as_it_is(whole):
    before = json.dumps(whole_document(), default=str)
    part_of(whole_document(), "toy")
    assert json.dumps(whole_document(), default=str) == before


def test_the_parts_are_served_and_another_name_is_refused():
    answer = client().get("/api/schema/?ruleset=toy", headers={"Accept": "application/json"})
    assert answer.status_code == 200 and "ToyAddStones" in answer.json()["components"]["schemas"]
    refused = client().get("/api/schema/?ruleset=chess")
    assert_refused(refused, 422, "query.invalid")
    assert "core" in refused.json()["detail"] and "toy" in refused.json()["detail"]
    page = client().get("/api/docs/?ruleset=toy")
    assert page.status_code == 200
    assert b'src="/api/docs/?ruleset=toy&amp;script="' in page.content
    assert rb"/api/schema/?ruleset\u003Dtoy" in client().get("/api/docs/?ruleset=toy&script=").content


@pytest.mark.parametrize("part", parts())
def test_no_inline_choice_of_a_parameter_is_called_as_a_component(part):
    """Generators call an inline choice by operation and parameter: `command` with `dry_run` is `CommandDryRun`."""
    found = json.loads(document(as_json=True, part=part))
    components, called = found["components"], {name.lower() for name in found["components"]["schemas"]}
    for operations in found["paths"].values():
        for operation in (found for found in operations.values() if isinstance(found, dict)):
            for each in operation.get("parameters", ()):
                parameter = components["parameters"][each["$ref"].rpartition("/")[2]] if "$ref" in each else each
                if "enum" in parameter["schema"]:
                    name = f"{operation['operationId']}_{parameter['name']}".replace("_", "").lower()
                    assert name not in called, name


def test_the_envelope_of_the_core_is_written_out():
    """Behind `allOf` with one reference some generators make the class of its `data` twice, and drop both."""
    schemas = json.loads(document(as_json=True, part=registry.CORE))["components"]["schemas"]
    assert schemas["GameEvent"]["properties"] == schemas["AnyEvent"]["properties"]
    assert not {"allOf", "oneOf", "anyOf"} & schemas["GameEvent"].keys()
