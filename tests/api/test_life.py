"""The life of a game: status, chapter, step and who is waited for, alike in lists, details, both APIs and streams."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.engine.lifecycle.gm_commands import Pause
from tests.api.dawn import graphql
from tests.api.streams import begin, streaming
from tests.api.streams import run as run_async
from tests.api.test_streams_websocket import socket
from tests.api.worlds import client, max_queries, run, toy_game, user
from tests.games.albraxas import writing as albraxas
from tests.games.dawn import setting_up as dawn
from tests.toy.rules.commands import AddStones, CastVote, HideCoins, Propose

LIFE = ("status", "chapter", "step", "waiting_for", "paused_at")
GRAPH = """query($g: UUID!) { game(id: $g) {
    status chapter { word number } step waiting_for: waitingFor { seat must due } paused_at: pausedAt } }"""


def detail(toy, who=None, query=""):
    found = client(who).get(toy.path(query)).json()
    return {name: found[name] for name in LIFE}


def waiting(expected):
    """Seat -> whether it must act; None for the game-masters."""
    return {each["seat"]: each["must"] for each in expected["waiting_for"]}


@pytest.mark.django_db
def test_a_lobby_waits_for_host_and_game_master_and_a_running_game_for_its_players():
    toy = toy_game(start=False)
    host = str(toy.fresh().seats.get(role="host").pk)
    lobby = detail(toy)
    assert (lobby["status"], lobby["step"], lobby["chapter"]) == ("lobby", "lobby", None)
    assert waiting(lobby) == {None: False, host: False}
    running = detail(toy_game())
    assert running["status"] == "running" and set(waiting(running).values()) == {False}


@pytest.mark.django_db
def test_list_detail_and_graphql_say_the_same():
    toy = toy_game()
    run(toy, Propose(text="Stop?"), toy.ann)
    ann, bob = str(toy.seat(toy.ann)), str(toy.seat(toy.bob))
    found = detail(toy, toy.bob)
    assert waiting(found) == {ann: True, bob: True} and all(each["due"] for each in found["waiting_for"])
    (row,) = client(toy.bob).get("/api/v1/games/?mine=1").json()["results"]
    assert {name: row[name] for name in LIFE} == found
    assert graphql(client(toy.bob), GRAPH, g=str(toy.game.pk))["game"] == found
    run(toy, CastVote(prompt=toy.fresh().prompts.get().pk, yes=False), toy.bob)
    assert waiting(detail(toy, toy.ann)) == {ann: False, bob: False}  # both against: it is settled


@pytest.mark.django_db
def test_nobody_is_waited_for_during_a_pause():
    toy = toy_game()
    run(toy, Pause(), toy.gm)
    found = detail(toy, toy.ann)
    assert found["waiting_for"] == [] and found["paused_at"]


@pytest.mark.django_db
def test_my_turn_is_one_inbox_for_all_games():
    running, lobby, other = toy_game(), toy_game(start=False), toy_game()
    run(other, Pause(), other.gm)
    ids = lambda who, query="": [g["id"] for g in client(who).get(f"/api/v1/games/?my_turn=1{query}").json()["results"]]  # noqa: E731
    assert ids(running.bob) == [str(running.game.pk)]
    assert ids(running.host) == ids(running.host, "&as=gm") == [str(lobby.game.pk)]
    assert ids(user("eve")) == ids(None) == []
    query = "query { games(myTurn: true) { edges { node { id } } } }"
    assert graphql(client(running.bob), query)["games"]["edges"] == [{"node": {"id": str(running.game.pk)}}]


@pytest.mark.django_db
@pytest.mark.parametrize("games", [2, 9])
def test_the_inbox_is_read_in_as_many_queries_whatever_the_number_of_games(games):
    for _ in range(games):
        toy_game()
    bob = client(user("bob"))
    bob.get("/api/v1/me/")
    with max_queries(5):
        assert len(bob.get("/api/v1/games/?my_turn=1").json()["results"]) == games


@pytest.mark.django_db
def test_the_set_up_is_a_part_of_the_life_of_dawn_and_albraxas():
    for here, step, word in ((dawn(), "setup", "age"), (albraxas(), "characters", "turn")):
        answer = client().get(f"/api/v1/games/{here.game.pk}/").json()
        assert (answer["status"], answer["step"]) == ("setup", step)
        assert answer["chapter"] == {"word": word, "number": 0}
        assert {each["must"] for each in answer["waiting_for"]} == {True, False}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("an_empty_hub")
async def test_a_stream_sends_the_life_of_its_game_at_first_and_when_it_changes():
    toy, _, bob, _ = await begin()
    read_detail = sync_to_async(detail, thread_sensitive=True)
    async with streaming(toy.path("stream/"), bob, life="1") as stream, streaming(toy.path("stream/"), bob) as other:
        kind, cursor, life = ("", "", {})
        while kind != "life":
            kind, cursor, life = await stream.next()
        assert (cursor, life) == (None, await read_detail(toy, toy.bob))
        await run_async(toy, toy.ann, AddStones(stones=1))
        await run_async(toy, toy.ann, HideCoins(coins=1))
        await run_async(toy, toy.ann, Propose(text="Stop?"))
        sent = [await stream.next() for _ in range(3)]  # a life is no older than the events before it; it may be newer
        assert [kind for kind, _, _ in sent if kind != "life"] == [
            "toy.StonesAdded",
            "core.PromptOpened",
        ]  # nothing of the coins
        assert [life for kind, _, life in sent if kind == "life"] == [await read_detail(toy, toy.bob)]
        assert stream.inbox.empty()
        while not other.inbox.empty():
            assert (await other.next())[0] != "life"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("an_empty_hub")
async def test_a_life_that_is_no_number_is_refused():
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, life="yes") as stream:
        assert stream.problem() == (422, "query.invalid")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("an_empty_hub")
async def test_a_subscription_sends_the_life_of_a_game():
    toy, ann, _, _ = await begin()
    query = "subscription($g: UUID!) { gameLife(game: $g) { status step waitingFor { seat must } } }"
    async with socket() as ws:
        await ws.enter(ann)
        ws.say(id="1", type="subscribe", payload={"query": query, "variables": {"g": str(toy.game.pk)}})
        first = (await ws.next())["payload"]["data"]["gameLife"]
        assert (first["status"], {each["must"] for each in first["waitingFor"]}) == ("running", {False})
        await asyncio.sleep(0)
        await run_async(toy, toy.ann, Propose(text="Stop?"))
        after = (await ws.next())["payload"]["data"]["gameLife"]
        assert {each["must"] for each in after["waitingFor"]} == {True}
