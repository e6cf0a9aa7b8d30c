"""The OpenAPI document: the contract's paths, one definition for both APIs, read from our own host."""

import ast
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from django.urls import get_resolver
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from api.representations.shapes.log import AnyEvent
from api.rest.docs import whole_document
from games import registry, services
from tests.api.worlds import atlantis, client, toy_game
from tests.toy.rules.commands import AddStones, HideCoins, Propose, RollStones

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = [
    "/api/v1/rulesets/",
    "/api/v1/rulesets/{slug}/",
    "/api/v1/rulesets/{slug}/rules/",
    "/api/v1/rulesets/{slug}/commands/",
    "/api/v1/games/",
    "/api/v1/games/{game_id}/",
    "/api/v1/games/{game_id}/state/",
    "/api/v1/games/{game_id}/seats/",
    "/api/v1/games/{game_id}/batch/",
    "/api/v1/games/{game_id}/join/",
    "/api/v1/games/{game_id}/commands/{command}/",
    "/api/v1/games/{game_id}/commands/pause/",
    "/api/v1/rulesets/{slug}/commands/{command}/",
    "/api/v1/games/{game_id}/legal-commands/",
    "/api/v1/games/{game_id}/prompts/",
    "/api/v1/games/{game_id}/events/",
    "/api/v1/games/{game_id}/stream/",
    "/api/v1/games/{game_id}/dice/",
    "/api/v1/games/{game_id}/timers/",
    "/api/v1/games/{game_id}/chronicle/",
    "/api/v1/games/{game_id}/map.svg",
    "/api/v1/worlds/",
    "/api/v1/worlds/squares/",
    "/api/v1/worlds/races/",
    "/api/v1/worlds/deities/",
    "/api/v1/worlds/pantheons/",
    "/api/v1/worlds/cities/",
    "/api/v1/worlds/artifacts/",
    "/api/v1/worlds/persons/",
    "/api/v1/toy/piles/",
    "/api/v1/me/",
    "/api/v1/tokens/",
]


@pytest.fixture(scope="module")
def document():
    return whole_document()  # made once a process


def operations(document):
    return [(p, m, op) for p, ops in document["paths"].items() for m, op in ops.items() if m != "parameters"]


def at(document, reference):
    """What a reference refers to."""
    _, components, kind, name = reference.split("/")
    return document[components][kind][name]


def fits(document, component, value):
    """Complaints about a value that should fit a component."""
    schema = {"$ref": f"#/components/schemas/{component}", "components": document["components"]}
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


def test_the_document_is_valid_and_has_every_path_of_the_contract(document):
    validate_schema(document)
    assert document["openapi"] == "3.1.1"
    assert [path for path in CONTRACT if path not in document["paths"]] == []


def test_every_operation_says_what_it_is_and_how_it_fails(document):
    tags = {tag["name"] for tag in document["tags"]}
    for path, method, operation in operations(document):
        assert operation["summary"] and operation["description"], (path, method)
        assert set(operation["tags"]) <= tags, (path, method)
        assert not {status for status in operation["responses"] if status[0] in "45"}
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}
        for parameter in operation.get("parameters", ()):
            said = parameter if "$ref" not in parameter else at(document, parameter["$ref"])
            assert said["description"], (path, method, said["name"])
        for answer in operation["responses"].values():
            said = answer if "$ref" not in answer else at(document, answer["$ref"])
            assert {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} <= set(said["headers"])
    problem = document["components"]["responses"]["Problem"]
    assert problem["content"]["application/problem+json"]["schema"] == {"$ref": "#/components/schemas/Problem"}
    assert all(f"{status}: " in problem["description"] for status in (401, 404, 409, 412, 422, 429, 503))
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"


def test_every_reference_leads_somewhere(document):
    places = set(re.findall(r'"\$ref": "#/components/(\w+)/([^"]+)"', json.dumps(document)))
    assert len({kind for kind, _ in places}) == 4
    assert [place for place in places if place[1] not in document["components"][place[0]]] == []


def names_made(name, schema, inside=False):
    """What generators call a component and the choices and objects inside it: each behind the names around it."""
    if inside and ("enum" in schema or "properties" in schema):
        yield name
    for field, found in schema.get("properties", {}).items():
        yield from names_made(name + "".join(word.title() for word in re.split(r"[^A-Za-z0-9]", field)), found, True)
    for found in schema.get("allOf", ()):
        yield from names_made(name, found)


def test_no_name_that_a_generator_makes_is_that_of_another_component(document):
    """Generators drop what is called alike and is not alike, and every operation that leads to it.

    They call the choice of a parameter after its operation, too.
    """
    schemas = document["components"]["schemas"]
    made = [name for component, schema in schemas.items() for name in (component, *names_made(component, schema))]
    made += [
        f"{operation['operationId']}_{parameter['name']}".replace("_", "")
        for _, _, operation in operations(document)
        for parameter in (at(document, p["$ref"]) if "$ref" in p else p for p in operation.get("parameters", ()))
        if "enum" in parameter["schema"]
    ]
    counts = Counter(name.casefold() for name in made)
    assert [name for name, count in counts.items() if count > 1] == []
    assert schemas["DietowerHold"]["properties"]["action"]["$ref"].endswith("/DietowerHoldActionChoice")
    assert schemas["DietowerHoldActionChoice"]["enum"] == ["move", "attack"]
    assert "AlbraxasWrittenActionChoice" in schemas
    assert schemas["Gods2War"]["properties"]["status"]["$ref"].endswith("/Gods2WarStatus")
    assert "x-spec-enum-id" not in json.dumps(document)


def test_every_command_of_people_is_a_body_and_none_of_the_clocks(document):
    assert {"ToyAddStones", "ToyCastVote", "CorePause", "CoreJoin"} <= set(document["components"]["schemas"])
    assert not {"ToyBringTide", "CoreSettleDefault", "CorePlayBot"} & set(document["components"]["schemas"])
    places = {f"/api/v1/games/{{game_id}}/commands/{name}/" for name in ("add-stones", "bring-tide")}
    assert places & set(document["paths"]) == {"/api/v1/games/{game_id}/commands/add-stones/"}
    assert fits(document, "ToyAddStones", {"stones": 3}) == []
    assert fits(document, "ToyAddStones", {"stones": 9}) and fits(document, "ToyAddStones", {"stones": 3, "x": 1})


def test_every_event_class_is_discriminated_by_its_type(document):
    union = document["components"]["schemas"]["ToyEvent"]
    events = registry.ruleset("toy").events
    assert set(union["discriminator"]["mapping"]) == {registry.event_type("toy", name) for name in events}
    for name, place in union["discriminator"]["mapping"].items():
        component = document["components"]["schemas"][place.rsplit("/", 1)[-1]]
        assert component["title"] == place.rsplit("/", 1)[-1]  # generators call classes by their titles
        assert component["allOf"][0] == {"$ref": "#/components/schemas/EventEnvelope"}
        assert component["allOf"][1]["properties"]["type"]["const"] == name
        data = component["allOf"][1]["properties"]["data"]
        assert set(data["required"]) == set(events[name.rpartition(".")[2]].model_fields)
    envelope = document["components"]["schemas"]["EventEnvelope"]
    assert set(envelope["required"]) == set(AnyEvent.model_fields) - {"type", "data"}


@pytest.mark.django_db
def test_responses_match_the_documented_schema(document):
    toy = toy_game()
    world = atlantis().world.pk
    for command in (AddStones(stones=2), RollStones(), HideCoins(coins=3), Propose(text="Stop?")):
        services.run(toy.game.pk, command, actor=toy.actor(toy.ann))
    gm, ann = client(toy.host), client(toy.ann)
    for name, component in {
        "": "GameDetail", "state/": "ToyState", "seats/": "SeatList", "events/": "EventPage", "prompts/": "PromptList",
        "timers/": "TimerList", "dice/": "DicePage", "chronicle/": "ChroniclePage",
        "legal-commands/": "LegalCommandList",
    }.items():  # fmt: skip
        assert fits(document, component, ann.get(toy.path(name)).json()) == [], name
    for event in gm.get(toy.path("events/?as=gm")).json()["results"]:
        assert fits(document, "ToyEvent", event) == []
    done = ann.post(toy.path("commands/add-stones/"), {"stones": 1}, content_type="application/json").json()
    assert fits(document, "CommandDone", done) == []
    for path, component in (
        ("races", "Race"),
        ("cities", "City"),
        ("squares", "Square"),
        ("pantheons", "PantheonShare"),
        ("persons", "WorldPerson"),
        ("artifacts", "Artifact"),
    ):
        for row in ann.get(f"/api/v1/worlds/{world}/{path}/").json()["results"]:
            assert fits(document, component, row) == []
    assert fits(document, "Problem", ann.get(toy.path("?as=gm")).json()) == []


def names_and_texts(path):
    """What a file says to Python: its names and its texts, docstrings left out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Name | ast.Attribute | ast.ImportFrom):
            yield ast.unparse(node)


@pytest.mark.django_db
def test_a_game_that_is_not_named_anywhere_in_the_api_has_its_addresses(document):
    assert {"/api/v1/toy/piles/", "/api/v1/toy/piles/{key}/", "/api/v1/toy/hoards/"} <= set(document["paths"])
    slugs = re.compile(rf"\b({'|'.join(registry.folders())})\b", re.IGNORECASE)
    code = [
        line
        for folder in ("rest", "representations")
        for path in (ROOT / "api" / folder).glob("*.py")
        for line in names_and_texts(path)
    ]
    assert [line for line in code if slugs.search(line)] == []


@pytest.mark.django_db
def test_the_reader_and_the_document_come_from_our_own_host(settings):
    settings.ANONYMOUS_READ = False
    page = client().get("/api/docs/")
    assert page.status_code == 200
    hosts = re.findall(r"(?:src|href)=[\"'](?:https?:)?//([^\"'/]+)", page.content.decode())
    assert hosts == []
    assert "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in page.content.decode()
    packed = client().get("/api/schema/", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert yaml.load(gzip.decompress(packed.content), Loader=yaml.CSafeLoader)["info"]["title"] == "Theogony"
    assert client().get("/api/schema/", headers={"Accept": "application/json"}).json()["info"]["title"] == "Theogony"


def test_addresses_end_as_the_contract_says():
    found = [str(pattern.pattern) for pattern in get_resolver("api.rest.urls").url_patterns[0].url_patterns]
    assert all(path == "" or path.endswith("/") or path.endswith(".svg") for path in found)
