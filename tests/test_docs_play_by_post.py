"""The page about play by post: its example opens a game, its tables are the options and the questions of the code."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from games.engine.post_options import PostOptions, post_options
from games.engine.prompts.prompt import Rule
from games.engine.prompts.questions import every_player
from games.models import Game
from tests.api.worlds import client, user
from tests.rulesets import RULESETS

PAGE = (Path(__file__).parent.parent / "docs" / "play-by-post.md").read_text(encoding="utf-8")
PLAYED_BY_POST = ("albraxas", "dawn", "dietower", "forgeborn")


@pytest.mark.django_db
def test_the_example_opens_a_game():
    found = re.search(r"<!-- example: open -->\n```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    answer = client(user("host")).post("/api/v1/games/", json.loads(found[1]), content_type="application/json")
    assert answer.status_code == 201, answer.content
    chosen = post_options(Game.objects.get().options)
    assert all(value for value in chosen.model_dump().values()) and chosen.deadline_at == "20:00"


@pytest.mark.django_db
def test_an_unknown_time_zone_is_refused_where_a_game_is_opened():
    body = {"ruleset": "toy", "name": "Nowhere", "options": {"time_zone": "Europe/Atlantis"}}
    answer = client(user("host")).post("/api/v1/games/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "zone.unknown") and not Game.objects.exists()


def test_the_table_of_options_is_that_of_the_code():
    rows = re.findall(r"^\| `(\w+)` \| ", PAGE.partition("| option | |")[2].partition("\n\n")[0], re.MULTILINE)
    assert rows == list(PostOptions.model_fields)


def test_the_table_of_windows_is_that_of_the_courses():
    listed = re.findall(r"^\| (\w+) \| `([\w.]+)` \| (\d+) (hours|days) \| ", PAGE, re.MULTILINE)
    found = []
    for slug in PLAYED_BY_POST:
        course = RULESETS[slug].course
        for row in course.questions.values():
            if row.window and (row.settles is not Rule.FIRST or row.owners is every_player):
                found.append((slug, str(row.kind), course.windows[row.window].by_post))
    assert [(game, kind, timedelta(**{unit: int(n)})) for game, kind, n, unit in listed] == found
