"""Reading along: the last events first, backwards from there, and streams that begin now."""

import pytest

from tests.api.streams import begin, events, open_streams, run, streaming, until
from tests.api.test_graphql_play import data
from tests.api.test_streams_websocket import socket
from tests.api.worlds import assert_refused, client, toy_game
from tests.api.worlds import run as run_now
from tests.toy.rules.commands import AddStones, HideCoins

BACKWARDS = """query($g: UUID!, $b: String, $l: Int) { game(id: $g) {
  events(before: $b, last: $l) { start cursor more results { cursor type } } } }"""
FROM_NOW = "subscription($g: UUID!) { gameEvents(game: $g, fromNow: true) { type cursor } }"


@pytest.fixture
def toy(db):
    """A game with public events and secrets of two seats among them."""
    toy = toy_game()
    for stones in range(1, 4):
        run_now(toy, AddStones(stones=stones), toy.ann)
        run_now(toy, HideCoins(coins=stones), toy.ann)
        run_now(toy, HideCoins(coins=1), toy.bob)
    return toy


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("reader", ["ann", "bob", "eve"])
def test_pages_backwards_are_the_log_forwards(toy, size, reader):
    here = client(getattr(toy, reader))
    whole = here.get(toy.path("events/?limit=500")).json()
    found, page = [], here.get(toy.path(f"events/?last={size}")).json()
    assert page["cursor"] == whole["cursor"]
    found = page["results"]
    while page["more"]:
        behind = page["start"]
        page = here.get(toy.path(f"events/?last={size}&before={behind}")).json()
        assert page["cursor"] == behind
        assert len(page["results"]) == size or not page["more"]
        found = page["results"] + found
    assert found == whole["results"]
    assert page["start"] == whole["start"]


def test_forwards_from_the_start_of_a_page_is_that_page(toy):
    here = client(toy.ann)
    page = here.get(toy.path("events/?last=4")).json()
    again = here.get(toy.path(f"events/?after={page['start']}")).json()
    assert again["results"] == page["results"]
    assert again["cursor"] == page["cursor"]


def test_graphql_reads_backwards_as_rest_does(toy):
    here = client(toy.ann)
    rest = here.get(toy.path("events/?last=3")).json()
    page = data(here, BACKWARDS, g=str(toy.game.pk), l=3)["game"]["events"]
    assert [event["cursor"] for event in page["results"]] == [event["cursor"] for event in rest["results"]]
    assert (page["start"], page["cursor"], page["more"]) == (rest["start"], rest["cursor"], True)
    earlier = data(here, BACKWARDS, g=str(toy.game.pk), b=page["start"], l=100)["game"]["events"]
    assert earlier["cursor"] == page["start"] and not earlier["more"]


def test_both_directions_at_once_and_sizes_beyond_the_limit_are_refused(toy):
    here = client(toy.ann)
    cursor = here.get(toy.path("events/?last=1")).json()["cursor"]
    assert_refused(here.get(toy.path(f"events/?after={cursor}&last=3")), 422, "query.invalid")
    assert_refused(here.get(toy.path(f"events/?before={cursor}&limit=3")), 422, "query.invalid")
    assert_refused(here.get(toy.path("events/?last=0")), 422, "page.size")
    assert_refused(here.get(toy.path("events/?last=501")), 422, "page.size")
    assert_refused(here.get(toy.path("events/?before=nonsense")), 422, "cursor.invalid")
    answer = here.post("/graphql/", {"query": BACKWARDS.replace("before: $b", "before: $b, first: 2"), "variables": {
        "g": str(toy.game.pk), "l": 3}}, content_type="application/json").json()  # fmt: skip
    assert answer["errors"][0]["extensions"]["code"] == "query.invalid"


def test_reading_backwards_takes_as_many_statements_however_long_the_log_is(toy, django_assert_num_queries):
    here = client(toy.ann)
    here.get(toy.path("events/?last=2"))
    with django_assert_num_queries(3):
        here.get(toy.path("events/?last=2"))
    for _ in range(20):
        run_now(toy, AddStones(stones=1), toy.ann)
    here.get(toy.path("events/?last=2"))
    with django_assert_num_queries(3):
        here.get(toy.path("events/?last=2"))


@pytest.mark.django_db(transaction=True)
async def test_a_stream_from_now_sends_nothing_of_before_and_says_where_it_begins():
    toy, ann, _, _ = await begin()
    here = (await events(toy, ann))["cursor"]
    async with streaming(toy.path("stream/"), ann, **{"from": "now"}) as stream:
        await run(toy, toy.ann, AddStones(stones=3))
        name, cursor, event = await stream.next()
        assert (name, event["data"]["stones"]) == ("toy.StonesAdded", 3)
        assert b"id: %b\n\n" % here.encode() in stream.raw
    async with streaming(toy.path("stream/"), {**ann, "Last-Event-ID": here}, **{"from": "now"}) as resumed:
        assert (await resumed.next())[1] == cursor


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("query", [{"from": "yesterday"}, {"from": "now", "after": "x"}])
async def test_a_stream_from_elsewhere_is_refused(query):
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, **query) as stream:
        assert stream.problem() == (422, "query.invalid")


@pytest.mark.django_db(transaction=True)
async def test_a_subscription_from_now_sends_nothing_of_before():
    toy, ann, _, _ = await begin()
    async with socket() as line:
        await line.enter(ann)
        line.say(type="subscribe", id="1", payload={"query": FROM_NOW, "variables": {"g": str(toy.game.pk)}})
        await until(open_streams)
        await run(toy, toy.ann, AddStones(stones=2))
        assert (await line.next())["payload"]["data"]["gameEvents"]["type"] == "toy.StonesAdded"
