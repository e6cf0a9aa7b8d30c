"""How many statements a read sends, and that the short ways answer as the long ones."""

import json
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Token, User
from accounts.services import revoke_token
from api.graphql import limits
from config.caches.memory import TallyingMemory
from core.process_cache import clear_process_caches
from tests.api.graph import nodes
from tests.api.worlds import assert_refused, atlantis, client, run, toy_game, user
from tests.toy.rules.commands import AddStones

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_known():
    caches["throttles"].clear()
    clear_process_caches()


def test_a_warm_state_takes_one_statement(django_assert_num_queries):
    toy = toy_game()
    ann = client(toy.ann)
    for _ in range(2):
        ann.get(toy.path("state/"))
    with django_assert_num_queries(1):  # whether the token is worth something, and the game's digest
        assert ann.get(toy.path("state/")).status_code == 200


def test_a_reader_who_was_let_in_is_checked_again_each_time():
    toy = toy_game()
    ann = client(toy.ann)
    token = Token.objects.get(user=toy.ann)
    look = lambda: ann.get(toy.path("state/"))  # noqa: E731
    for _ in range(2):
        assert look().status_code == 200
    Token.objects.filter(pk=token.pk).update(scope_words="play")
    assert_refused(look(), 403, "token.scope")
    Token.objects.filter(pk=token.pk).update(scope_words=token.scope_words, expires_at=timezone.now())
    assert_refused(look(), 401, "token.refused")
    Token.objects.filter(pk=token.pk).update(expires_at=None)
    assert look().status_code == 200
    User.objects.filter(pk=toy.ann.pk).update(is_active=False)
    assert_refused(look(), 401, "token.refused")
    User.objects.filter(pk=toy.ann.pk).update(is_active=True)
    assert look().status_code == 200
    revoke_token(token)
    assert_refused(look(), 401, "token.refused")


def test_a_game_that_is_not_there_and_one_that_may_not_be_seen_are_asked_for_alike():
    hidden = toy_game(is_public=False)
    eve = client(hidden.eve)
    eve.get(toy_game().path("state/"))
    rows = []
    for path in (hidden.path("state/"), f"/api/v1/games/{uuid4()}/state/"):
        with CaptureQueriesContext(connection) as captured:
            assert_refused(eve.get(path), 404, "game.missing")
        rows.append([query["sql"].partition("WHERE")[0] for query in captured.captured_queries])
    assert rows[0] == rows[1] and len(rows[0]) == 2


@pytest.mark.django_db(transaction=True)
def test_a_state_right_after_an_event_takes_four_statements(django_assert_num_queries):
    toy = toy_game()
    ann = client(toy.ann)
    for _ in range(3):
        run(toy, AddStones(stones=1), toy.ann)
        ann.get(toy.path("state/"))
    run(toy, AddStones(stones=1), toy.ann)
    with django_assert_num_queries(4):
        assert ann.get(toy.path("state/")).json()["piles"][0]["stones"] == 4


def test_a_list_of_a_world_takes_two_statements_and_says_what_a_filtered_one_says(django_assert_num_queries):
    world, ann = atlantis().world, client(user("ann"))
    ann.get("/api/v1/me/")
    with django_assert_num_queries(2):
        plain = ann.get(f"/api/v1/worlds/{world.pk}/squares/?limit=5").json()
    filtered = ann.get(f"/api/v1/worlds/{world.pk}/squares/?limit=5&x_min=0").json()
    assert plain["results"] == filtered["results"] and len(plain["results"]) == 5
    following = ann.get(plain["next"]).json()
    assert following["results"][0] not in plain["results"] and following["previous"]


def test_the_world_of_an_empty_list_is_missing_only_where_it_may_not_be_seen():
    hidden = atlantis("Hidden", is_public=False, members=(user("ann"),)).world
    empty = f"/api/v1/worlds/{hidden.pk}/routes/"
    assert client(user("ann")).get(empty).json()["results"] == []
    for path in (empty, f"/api/v1/worlds/{hidden.pk}/squares/"):
        assert client(user("eve")).get(path).status_code == client().get(path).status_code == 404


def test_a_list_in_graphql_is_validated_once_and_takes_three_statements(django_assert_num_queries, monkeypatch):
    world, ann = atlantis().world, client(user("ann"))
    query = "query Cheap($w: UUID!) { world(id: $w) { squares(first: 5) { edges { node { world { id } x y } } } } }"
    body = json.dumps({"query": query, "variables": {"w": str(world.pk)}})
    ask = lambda: ann.post("/graphql/", body, content_type="application/json").json()  # noqa: E731
    first = ask()
    assert {node["world"]["id"] for node in nodes(first["data"]["world"]["squares"])} == {str(world.pk)}
    monkeypatch.setattr("strawberry.schema.schema.validate_document", None)
    with django_assert_num_queries(3):
        assert ask() == first


def test_an_invalid_query_is_not_cached_as_valid():
    body = json.dumps({"query": "{ worlds { edges { node { colour } } } }"})
    rows = [client().post("/graphql/", body, content_type="application/json").json()["errors"] for _ in range(2)]
    assert rows[0][0]["message"] == rows[1][0]["message"] and "colour" in rows[0][0]["message"]
    assert limits._valid.get("{ worlds { edges { node { colour } } } }") is None


def test_a_tally_counts_and_begins_again_when_its_seconds_are_over():
    memory = TallyingMemory("tally", {})
    assert [memory.tally("a", 60) for _ in range(3)] == [1, 2, 3]
    memory.delete("a")
    assert (memory.tally("a", 60), memory.tally("b", 60)) == (1, 1)
