"""Every example of the README is real: the requests are sent, the GraphQL documents are run or validated."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from graphql import parse, validate

from api.graphql.schema import schema
from games import demo
from games.models import Game
from tests.pages import blocks, curls, sent

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
pytestmark = pytest.mark.django_db


@pytest.fixture
def told(settings, tmp_path):
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    return demo.prepare()


@pytest.fixture
def war(told):
    """Values for the variables of the README: the event, Gordrun's token, and a war he may declare."""
    user = next(u for u in told["users"] if u["name"] == "demo-player-1")
    token = {"Authorization": f"Bearer {user['token']}"}
    offers = Client(headers=token).get(f"/api/v1/games/{told['game']}/legal-commands/").json()["results"]
    arguments = next(o["arguments"] for o in offers if o["command"] == "declare-war" and o["legal"])
    return {
        "BASE": told["base_url"],
        "GAME": told["game"],
        "TOKEN": user["token"],
        "ATTACKER": arguments["attacker"]["values"][0],
        "DEFENDER": arguments["defender"]["values"][0],
    }


def test_every_request_of_the_readme_is_answered(war):
    answered = []
    for words in curls(README, war):
        if "-sN" in words:
            continue  # the stream is served beside Django and has tests of its own
        answer = sent(words, war["BASE"])
        answered.append((answer.request["PATH_INFO"].rsplit("/", 2)[1], answer.status_code))
    assert answered == [("events", 200), ("state", 200), ("legal-commands", 200), ("declare-war", 201)]


def test_every_graphql_document_of_the_readme_fits_the_schema(war):
    mutation, subscription = blocks(README, "graphql")
    for document in (mutation, subscription):
        assert validate(schema._schema, parse(document)) == []
    answer = Client(headers={"Authorization": f"Bearer {war['TOKEN']}"}).post(
        "/graphql/",
        json.dumps(
            {
                "query": mutation,
                "variables": {
                    "game": war["GAME"],
                    "input": {"attacker": war["ATTACKER"], "defender": war["DEFENDER"]},
                },
            }
        ),
        content_type="application/json",
    )
    told = answer.json()["data"]["gods2DeclareWar"]
    assert told["replayed"] is False
    assert "WarDeclared" in {event["type"] for event in told["events"]}
    assert Game.objects.get(pk=war["GAME"]).gods2_wars.filter(kind="god").exists()


def test_the_files_that_the_readme_names_exist():
    named = re.findall(r"`((?:docs|games|worlds|api|docker|tests)/[\w./-]+)`", README)
    assert named
    assert [n for n in named if not (ROOT / n).exists()] == []
