"""Options that the log leaves out where they have their default: GraphQL shows it, REST leaves them out."""

import json

import pytest
from django.core.cache import caches

from tests.api.worlds import client, user

pytestmark = pytest.mark.django_db
CONFIGURE = """mutation($game: UUID!, $options: Gods2Gods2OptionsInput) {
  it: gods2ConfigureGame(game: $game, input: {options: $options}, asGm: true) { ... on CommandDone { events {
    ... on Gods2GameConfigured {
      data { options { packVersion greatCityCounts severalSpheres impassableHeld } } } } } } }"""


@pytest.mark.parametrize(
    ("given", "several"), [({}, "sum"), ({"severalSpheres": "average"}, "average")], ids=["unsaid", "said"]
)
def test_an_option_that_the_log_does_not_say_reads_as_its_default(given, several):
    caches["throttles"].clear()
    host = client(user("host"))
    opened = host.post(
        "/api/v1/games/", json.dumps({"ruleset": "gods2", "name": "Stage"}), content_type="application/json"
    )
    body = {"query": CONFIGURE, "variables": {"game": opened.json()["id"], "options": given}}
    answer = host.post("/graphql/", json.dumps(body), content_type="application/json").json()
    assert "errors" not in answer, answer
    usual = {"packVersion": None, "greatCityCounts": 1, "severalSpheres": several, "impassableHeld": False}
    assert answer["data"]["it"]["events"][0]["data"]["options"] == usual
