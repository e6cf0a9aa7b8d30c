"""Rows of Forgeborn over both APIs: how many statements a game takes does not grow with what was forged."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from games.reads import selectors
from tests.games.forgeborn import ARTIFACTS, Smithy, begin, fill, forge, reach
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
LISTS = ("artifacts", "characters", "places", "purses", "actions", "pools", "votes", "ballots")
GRAPH = """query($g: UUID!) { game(id: $g) { ... on ForgebornGame {
    artifacts { edges { node {
        form power maker { person { name } } artifact { name person { name } place { name } } } } }
    characters { edges { node { d12 person { name place { name } } seat { name } } } } } } }"""


@pytest.fixture
def here() -> Smithy:
    """Ember lies in the Vault; it is Ann's second turn."""
    table = begin({"referee": "none"}, now=timezone.now())
    forge(table, "ann", others=("bob",))
    table.does("bob", "end-turn")
    return table


def statements(ask: Callable[[], Any]) -> int:
    """How many statements something takes that is answered."""
    caches["throttles"].clear()
    with CaptureQueriesContext(connection) as captured:
        answer = ask()
    assert getattr(answer, "status_code", 200) == 200, answer.content
    return len(captured)


def costs(here: Smithy) -> dict[str, int]:
    """The statements of the state, of every list, and of a graph three links deep."""
    who = here.client("bob")
    game = Game.objects.get(pk=here.id)
    found = {"state": statements(lambda: selectors.state_for(game, Visibility.nobody()))}
    for name in LISTS:
        found[name] = statements(lambda name=name: who.get(f"/api/v1/forgeborn/{name}/?game={here.id}&limit=100"))
    body = {"query": GRAPH, "variables": {"g": str(here.id)}}
    found["graph"] = statements(lambda: who.post("/graphql/", body, content_type="application/json"))
    found["cards"] = statements(lambda: who.get(here.url("pictures/")))
    return found


@pytest.mark.rule("FB-ROW-1", "FB-ROW-2")
def test_no_question_takes_more_statements_with_more_artifacts_and_heroines(here: Smithy) -> None:
    costs(here)  # the first time some things are looked up that are kept
    before = costs(here)
    fill(here)
    after = costs(here)
    assert after == before
    assert before["state"] < 40 and before["artifacts"] <= 4
    listed = here.client("bob").get(f"/api/v1/forgeborn/artifacts/?game={here.id}&limit=100").json()["results"]
    assert len(listed) == ARTIFACTS


def test_a_conflict_in_one_command_takes_as_many_statements_with_more_artifacts(here: Smithy) -> None:
    """A whole turn, pool and gain sent along, loaded anew each time as by another process."""
    reach(here, "ann", "lair")
    conflict = {"pool": {"free": [4]}, "gain": {}}
    first = statements(lambda: here.does("ann", "face-dragon", **conflict))
    here.does("bob", "end-turn")
    fill(here)
    second = statements(lambda: here.does("ann", "face-dragon", **conflict))
    assert second <= first + 1  # the character has a die more: its row is written as before
    here.does("bob", "end-turn")
