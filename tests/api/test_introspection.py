"""The schema asked of GraphQL itself: once an operation, made once a process, within a budget; and as a file."""

import json

import pytest
from django.core.cache import caches
from graphql import get_introspection_query

from api.graphql import introspection, limits
from api.graphql.schema import schema
from core.process_cache import clear_process_caches
from tests.api.people import asking
from tests.api.test_graphql_door import CORE, GR, ROOT, codes, post
from tests.api.worlds import client, user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NAMES = "{ __schema { queryType { name } } }"


@pytest.fixture(autouse=True)
def fresh():
    caches["throttles"].clear()
    clear_process_caches()


@pytest.fixture
def made(monkeypatch):
    """The names of the operations that were executed, in order."""
    done = []
    keep = introspection._answers.put
    monkeypatch.setattr(introspection._answers, "put", lambda key, value: done.append(key) or keep(key, value))
    return done


def rates(settings, **changes):
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {**whole, "DEFAULT_THROTTLE_RATES": {**whole["DEFAULT_THROTTLE_RATES"], **changes}}


def test_an_introspection_is_made_once_however_it_is_written(made):
    first, *others = [
        post({"query": query, **more})
        for query, more in (
            (NAMES, {}),
            ("# again\nquery {\n __schema { queryType { name } }\n}", {}),
            (f"query other {{ __typename }} {NAMES.replace('{', 'query it {', 1)}", {"operationName": "it"}),
            (f"query other {{ __typename }} {NAMES.replace('{', 'query it {', 1)}", {"operationName": "it"}),
        )
    ]
    assert first.json() == {"data": {"__schema": {"queryType": {"name": "Query"}}}}
    assert [each.content for each in others] == [first.content] * 3
    assert len(made) == 2, "the name of an operation is a part of it"


def test_a_kept_answer_is_that_of_its_values_and_never_of_rows(made):
    query = "query($name: String!) { __type(name: $name) { name } }"
    names = [
        post({"query": query, "variables": {"name": n}}).json()["data"]["__type"]["name"] for n in ("Query", "Seat")
    ]
    assert names == ["Query", "Seat"]
    post({"query": "{ __schema { queryType { name } } rulesets { slug } }"})
    assert len(made) == 2
    assert post({"query": NAMES}, accept=GR).json() == post({"query": NAMES}, accept=GR).json()


def test_what_tools_send_is_within_the_limits():
    whole = get_introspection_query(
        specified_by_url=True, directive_is_repeatable=True, schema_description=True, input_value_deprecation=True
    )
    asked = {"query": "query IntrospectionQuery", "operationName": "IntrospectionQuery"} | {"query": whole}
    answer = post(asked)
    assert "errors" not in answer.json()
    assert {kind["name"] for kind in answer.json()["data"]["__schema"]["types"]} == set(CORE.type_map)
    plain = '{ __type(name: "Query") { fields { name args { name type { name ofType { name } } } } } __typename }'
    assert "errors" not in post({"query": plain}).json()


def test_what_an_operation_costs_is_taken_from_the_budget_of_its_asker(settings):
    rates(
        settings, anon_cost=f"{limits.CHARGE_OF_A_SCHEMA + limits.CHARGE_OF_A_KEPT_ANSWER + 1}/hour", user_cost="4/hour"
    )
    assert post({"query": NAMES})["RateLimit-Remaining"] == str(limits.CHARGE_OF_A_KEPT_ANSWER + 1)
    assert post({"query": NAMES})["RateLimit-Remaining"] == "1"
    refused = post({"query": "{ rulesets { slug title } }"})
    assert (refused.status_code, codes(refused)) == (429, ["rate.exceeded"])
    assert int(refused["Retry-After"]) > 0
    known = asking(user("ada"))
    answers = [
        known.post("/graphql/", json.dumps({"query": "{ me { id username } }"}), "application/json") for _ in "ab"
    ]
    assert [answer.status_code for answer in answers] == [200, 429], "another's budget, and a cost of three fields"


def test_the_dearest_operation_named_is_not_that_which_is_charged(settings):
    rates(settings, anon_cost="10/hour")
    both = f"query cheap {{ __typename }} {NAMES.replace('{', 'query dear {', 1)}"
    assert post({"query": both, "operationName": "cheap"}).status_code == 200
    assert codes(post({"query": both, "operationName": "dear"})) == ["rate.exceeded"]


@pytest.mark.parametrize("address", ["/graphql/schema.graphql", "/api/schema/?ruleset=core"])
def test_a_schema_is_a_file_that_is_sent_again_only_when_it_has_changed(address):
    found = client().get(address)
    assert (found.status_code, found["Cache-Control"]) == (200, "public, max-age=3600")
    again = client().get(address, headers={"If-None-Match": found["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", found["ETag"])
    assert client().get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_the_file_is_the_schema():
    text = client().get("/graphql/schema.graphql").content.decode()
    assert text.strip() == schema.as_str().strip()
    committed = (ROOT / "api" / "schema.graphql").read_text()
    assert text.splitlines()[:5] == committed.splitlines()[:5], "with the toy game the rest is longer"
