"""Requests that want to keep the service busy are refused before they cost: by work counted, not by time.

The requests themselves are in `tests/api/bombs.py`; `bench/bombs.py` measures what refusing each costs the processor.
"""

import json

import pytest
from django.core.cache import caches
from django.test import Client
from graphql.validation.rules import overlapping_fields_can_be_merged as overlapping

from api.graphql import limits
from tests.api.bombs import BOMBS

pytestmark = [pytest.mark.django_db, pytest.mark.once]
GR = {"Accept": "application/graphql-response+json"}
CODES = {"query.invalid", "query.deep", "query.costly", "request.unfit", "body.unreadable"}
MAX_PAIRS = 60_000


@pytest.fixture(autouse=True)
def fresh():
    caches["throttles"].clear()


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_a_type_and_validated_in_bounds(name, monkeypatch, django_assert_num_queries):
    compared = []
    find = overlapping.find_conflict
    monkeypatch.setattr(overlapping, "find_conflict", lambda *a: compared.append(1) or find(*a))
    with django_assert_num_queries(0):
        answer = Client(headers=GR).post("/graphql/", json.dumps(BOMBS[name]), content_type="application/json")
    assert answer.status_code == 400
    found = {error["extensions"]["code"] for error in answer.json()["errors"]}
    assert found <= CODES
    assert len(compared) <= MAX_PAIRS


def test_the_most_that_may_be_asked_for_is_validated_in_bounds(monkeypatch):
    """As many fields of one name, and as many fragments, as the limits allow: what is compared stays bounded."""
    compared = []
    find = overlapping.find_conflict
    monkeypatch.setattr(overlapping, "find_conflict", lambda *a: compared.append(1) or find(*a))
    beside = "{" + "... { __typename } " * limits.MAX_FIELDS + "}"
    fragments = range(limits.MAX_FRAGMENTS)
    spread = "{" + " ".join(f"...f{n}" for n in fragments) + "}"
    spread += " ".join(f" fragment f{n} on Query {{ __typename }}" for n in fragments)
    for query, pairs in ((beside, limits.MAX_FIELDS**2), (spread, limits.MAX_FRAGMENTS**2)):
        compared.clear()
        answer = Client().post("/graphql/", json.dumps({"query": query}), content_type="application/json")
        assert answer.json() == {"data": {"__typename": "Query"}}
        assert 0 < len(compared) <= pairs


@pytest.mark.parametrize("field", ["first: {}", "filters: {{number: {{gte: {}}}}}"])
def test_a_number_that_python_would_not_read_is_a_refusal(field):
    query = "{ gods2Packs(" + field.format("9" * 5000) + ") { edges { node { number } } } }"
    answer = Client(headers=GR).post("/graphql/", json.dumps({"query": query}), content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["extensions"]["code"] == "query.invalid"
