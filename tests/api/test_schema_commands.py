"""Each command has an operation of its own in the OpenAPI document, and an address that tells what it needs."""

import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from api.representations.issuing.commands import component_name
from api.representations.issuing.examples import played_examples
from api.representations.issuing.refusals import EVERY_COMMAND, refusal_codes
from api.representations.shapes.commands import CommandNow, CommandShape
from api.rest.docs import document
from api.rest.schema_commands import COMMAND, COMMANDS
from api.rest.schema_parts import parts
from games import registry
from games.engine.errors import Refused
from tests.api.worlds import assert_refused, client, run, toy_game
from tests.toy.rules.commands import AddStones, HideCoins
from tools.error_codes import ROOT, refusals

SHARED = {"configure-game", "define-god", "set-map", "leave-seat", "set-standing-answer"}
"""Names of commands that several rulesets have."""


@pytest.fixture(scope="module")
def documents():
    return {part: json.loads(document(as_json=True, part=part)) for part in ("", *parts())}


def own_commands(document):
    found = {}
    for place, operations in document["paths"].items():
        if place.startswith(COMMANDS) and place != COMMAND:
            found[place.removeprefix(COMMANDS).rstrip("/")] = operations["post"]
    return found


@cache
def refusals_of_the_engine() -> set[str]:
    """The codes in the code that every game has."""
    return set(refusals(ROOT / "games" / "engine"))


@pytest.mark.parametrize("slug", registry.folders())
def test_the_document_of_a_ruleset_has_one_operation_a_command_with_its_own_body(documents, slug):
    found, rules = own_commands(documents[slug]), registry.ruleset(slug)
    assert found.keys() == rules.open_commands.keys()
    for name, kind in rules.open_commands.items():
        post, owner = found[name], registry.owner(slug, kind.__name__)
        assert post["operationId"] == f"{owner}_{name}".replace("-", "_")
        content = post["requestBody"]["content"]["application/json"]
        assert content["schema"] == {"$ref": f"#/components/schemas/{component_name(slug, kind)}"}
        assert post["x-rules"] == list(kind.rules) and set(post["x-issuers"]) <= {"seat", "host", "gm"}
        assert post["summary"] and post["description"] == kind.summary()
        assert post["responses"].keys() == {"200", "201", "default"}


def test_where_rulesets_share_a_name_the_whole_document_chooses_and_a_part_is_exact(documents):
    whole = own_commands(documents[""])
    unions = {n for n, post in whole.items() if "anyOf" in post["requestBody"]["content"]["application/json"]["schema"]}
    assert unions >= SHARED
    for name in SHARED:
        assert whole[name]["operationId"] == f"command_{name}".replace("-", "_")
        assert own_commands(documents["dawn"]).get(name, whole[name])["operationId"].startswith(("dawn_", "command_"))
    assert "anyOf" not in json.dumps(own_commands(documents["dawn"])["configure-game"])
    core = own_commands(documents["core"])
    assert {"pause", "join", "amend"} <= core.keys() and not SHARED & core.keys()


@pytest.mark.parametrize("part", parts())
def test_every_example_is_a_body_that_its_schema_takes(documents, part):
    found = documents[part]
    for name, post in own_commands(found).items():
        content = post["requestBody"]["content"]["application/json"]
        schema = {**content["schema"], "components": found["components"]}
        assert [error.message for error in Draft202012Validator(schema).iter_errors(content["example"])] == [], name


@pytest.mark.parametrize("owner", [registry.CORE, *registry.folders()])
def test_every_command_has_an_example_that_names_the_test_in_which_it_is_played(owner):
    commands = {
        name
        for rules in registry.rulesets()
        for name, kind in rules.open_commands.items()
        if registry.owner(rules.slug, kind.__name__) == owner
    }
    examples = played_examples(owner)
    assert set(examples) == commands
    for name, example in examples.items():
        path, _, test = example["played"].partition("::")
        assert f"def {test.partition('[')[0]}(" in (ROOT / path).read_text(), name


@pytest.mark.parametrize("slug", registry.folders())
def test_refusals_are_codes_of_the_rules_and_every_code_of_the_rules_is_a_refusal_of_some_command(slug):
    rules = registry.ruleset(slug)
    found = {name: set(refusal_codes(slug, kind)) for name, kind in rules.open_commands.items()}
    folder = ROOT / registry.folders()[slug].replace(".", "/") / "rules"
    written = set(refusals(folder)) | refusals_of_the_engine()
    listed = set().union(*found.values())
    assert listed <= written and not listed & EVERY_COMMAND
    assert len(set(refusals(folder)) - EVERY_COMMAND - listed) <= 12  # of options, the clock, corrections and helpers


def test_refusals_of_what_a_command_looks_up_are_listed():
    cast = refusal_codes("gods2", registry.ruleset("gods2").open_commands["cast-power"])
    assert {"mana.short", "square.locked", "knowledge.known", "war.forbidden", "choice.invalid"} <= set(cast)
    challenge = refusal_codes("dawn", registry.ruleset("dawn").open_commands["raise-challenge"])
    assert "points.short" in challenge


@pytest.mark.django_db
def test_a_refusal_that_is_answered_is_one_that_the_document_lists(documents):
    toy = toy_game(start=False)
    for command in (AddStones(stones=2), HideCoins(coins=1)):
        with pytest.raises(Refused) as refused:
            run(toy, command, toy.ann)
        listed = own_commands(documents["toy"])[command.slug()]["x-refusals"]
        assert refused.value.code in {*listed, *EVERY_COMMAND}


@pytest.mark.django_db
def test_a_command_is_told_by_its_ruleset_and_by_a_game_with_what_is_legal_now():
    toy = toy_game()
    plain = client().get("/api/v1/rulesets/toy/commands/add-stones/").json()
    CommandShape.model_validate_json(json.dumps(plain), strict=True)
    assert (plain["example"], plain["issuers"]) == ({"stones": 2}, ["seat"])
    assert "stones" in plain["body"]["properties"]
    answer = client(toy.ann).get(toy.path("commands/add-stones/"))
    now = CommandNow.model_validate_json(answer.content, strict=True)
    assert {name: answer.json()[name] for name in plain} == plain
    listed = client(toy.ann).get(toy.path("legal-commands/?command=add-stones")).json()
    assert (answer.json()["legal"], now.cursor) == (listed["results"], listed["cursor"])
    assert [legal.legal for legal in now.legal] == [True]
    for path in ("/api/v1/rulesets/toy/commands/bring-tide/", toy.path("commands/bring-tide/")):
        assert_refused(client(toy.ann).get(path), 404, "command.missing")
    assert_refused(client().get("/api/v1/rulesets/chess/commands/add-stones/"), 404, "ruleset.missing")
    assert_refused(client(toy.ann).get(toy.path("commands/add-stones/?dry_run=1")), 422, "query.invalid")
