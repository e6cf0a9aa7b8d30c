"""Every example of the README and of the first war is real: requests are sent, GraphQL documents run or validated."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from django.test import Client
from graphql import parse, validate

from api.graphql.schema import schema
from games import registry
from games.models import Game
from games.workers import demo
from tests import forms
from tests.pages import blocks, curls, send
from tests.play.ruleless import choices
from tools import games_table

ROOT = Path(__file__).parent.parent
README, FIRST_WAR = (ROOT / "README.md").read_text(), (ROOT / "docs" / "first-war.md").read_text()
pytestmark = pytest.mark.django_db


@pytest.fixture
def of_demo(settings, tmp_path):
    settings.DEMO, settings.DATA_DIR = True, tmp_path


@pytest.fixture
def war(of_demo):
    """Values for the variables of the README: the event, Gordrun's token, and a war that is legal."""
    listing = demo.prepare("gods2")
    user = next(u for u in listing["users"] if u["name"] == "demo-player-1")
    token = {"Authorization": f"Bearer {user['token']}"}
    legal = Client(headers=token).get(f"/api/v1/games/{listing['game']}/legal-commands/").json()
    war = next(o for o in legal["results"] if o["command"] == "declare-war" and o["legal"])
    return {
        "BASE": listing["base_url"],
        "GAME": listing["game"],
        "TOKEN": user["token"],
        "SEAT": user["seat"],
        "ME": user["id"],
        "ATTACKER": choices(war, legal, "attacker")[0],
        "DEFENDER": choices(war, legal, "defender")[0],
    }


def answered(page: str, values: dict[str, str]) -> list[tuple[str, int]]:
    """The requests of a page, by the last part of their address, with the status of their answers."""
    found = []
    for words in curls(page, values):
        if "-sN" in words:
            continue  # the stream is served beside Django and has tests of its own
        answer = send(words, values["BASE"])
        assert "errors" not in answer.json(), answer.content
        found.append((answer.request["PATH_INFO"].rsplit("/", 2)[1], answer.status_code))
    return found


def test_every_request_of_the_readme_is_answered(war):
    assert answered(README, war) == [("events", 200), ("legal-commands", 200), ("graphql", 200)]


def test_every_request_of_the_first_war_is_answered(war):
    assert answered(FIRST_WAR, war) == [
        ("hand-over", 201),
        ("events", 200),
        ("state", 200),
        ("legal-commands", 200),
        ("declare-war", 201),
    ]


# --- lists ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", games_table.PAGES)
def test_the_tables_of_the_games_are_made_from_the_rulesets(name):
    text = (ROOT / name).read_text()
    assert games_table.page(name, text) == text, "python tools/games_table.py writes it anew"


def test_the_table_of_the_games_leads_to_the_page_of_each():
    assert {f"docs/games/{slug}.md" for slug in registry.demos()} == set(
        re.findall(r"\((docs/games/\w+\.md)\)", README)
    )


def test_the_users_of_the_demo_are_listed_with_what_they_play(of_demo):
    listing = demo.prepare()
    rows = dict(re.findall(r"^\| `(demo-[\w-]+)` \| (.+) \|$", README, re.M))
    assert list(rows) == [*sorted(name for name in rows if "player" in name), "demo-gm", "demo-observer", "demo-admin"]
    assert set(rows) == {user["name"] for user in listing["users"]}
    plays: dict[str, list[str]] = {}
    for game in listing["games"]:
        for seat in game["seats"]:
            if seat["role"] == "player":
                plays.setdefault(seat["user"], []).append(f"{seat['seat_name']} (`{game['ruleset']}`)")
    assert {name: rows[name] for name in plays} == {name: ", ".join(seats) for name, seats in plays.items()}
    assert len(listing["games"]) == 5 and "ids of five live games" in README
    for game in listing["games"]:
        held = {(seat["user"], seat["role"]) for seat in game["seats"]}
        assert {("demo-gm", "host"), ("demo-gm", "gm"), ("demo-observer", "observer")} <= held


# --- the first war, as a shell plays it -------------------------------------------------------------------------------
SHELL = """
curl() {{
  case "$*" in
    *POST*) printf '%s\\n' "$*" >> {folder}/posts; return;;
  esac
  n=$(($(cat {folder}/asked) + 1)); echo $n > {folder}/asked
  if [ $n -gt {waits} ]; then cat {folder}/legal.json; else cat {folder}/barred.json; fi
}}
sleep() {{ :; }}
"""
"""In front of the snippet: requests are answered from files, and no time passes."""


def play(folder: Path, war: dict[str, str], *, waits: int, tries: int = 60) -> tuple[list[str], list[str]]:
    """Run the page's first war in a shell; what it says, and what it posts. waits: answers without a legal war."""
    response = Client(headers={"Authorization": f"Bearer {war['TOKEN']}"}).get(
        f"/api/v1/games/{war['GAME']}/legal-commands/?command=declare-war"
    )
    barred = {**response.json(), "results": [{**candidate, "legal": False} for candidate in response.json()["results"]]}
    (folder / "legal.json").write_bytes(response.content)
    (folder / "barred.json").write_text(json.dumps(barred))
    (folder / "asked").write_text("0")
    (folder / "posts").write_text("")
    (snippet,) = [block for block in blocks(FIRST_WAR, "sh") if "my-first-war" in block]
    assert "$(seq 60)" in snippet
    snippet = snippet.replace("$(seq 60)", f"$(seq {tries})")
    values = " ".join(f"{name}={war[name]}" for name in ("BASE", "GAME", "TOKEN"))
    script = f"{SHELL.format(folder=folder, waits=waits)}\n{values}\n{snippet}"
    done = subprocess.run(["sh", "-u"], input=script, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines(), (folder / "posts").read_text().splitlines()


@pytest.mark.parametrize("waits", [0, 2])
def test_the_first_war_waits_until_one_is_legal_and_is_declared_once(war, tmp_path, waits):
    output, posts = play(tmp_path, war, waits=waits)

    assert [line.split(";")[0] for line in output] == ["No war may be declared now"] * waits
    (post,) = posts
    assert f'{{"attacker": "{war["ATTACKER"]}", "defender": "{war["DEFENDER"]}"}}' in post


def test_where_no_war_becomes_legal_nothing_is_sent_and_the_reader_is_informed(war, tmp_path):
    """The short form has the page's loop try three times, not sixty."""
    tries = 3 if forms.SHORT else 60
    output, posts = play(tmp_path, war, waits=99, tries=tries)

    assert posts == []
    assert len(output) == tries + 1 and f"({tries} of 60)" in output[-2]
    assert output[-1].startswith("No war may be declared; GET http://127.0.0.1:8000/api/v1/games/?demo=1")


def test_every_graphql_document_of_the_first_war_fits_the_schema(war):
    mutation, subscription = blocks(FIRST_WAR, "graphql")
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
    found = answer.json()["data"]["gods2DeclareWar"]
    assert found["replayed"] is False
    assert "gods2.WarDeclared" in {event["type"] for event in found["events"]}
    assert Game.objects.get(pk=war["GAME"]).gods2_wars.filter(kind="god").exists()
