"""Streams of games in both buckets, in one hub: each is read in its place, and none is silent for the other."""

import time
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.streams import handshake, hub
from api.streams.positions import present_cursor, seqs_of
from core.places import routing
from games import services
from tests.api.streams import db, streaming
from tests.api.worlds import bearer
from tests.games.cairns import Cairns
from tests.places.buckets import BOTH
from tests.places.games import in_its_place, one_in_each
from tests.toy.rules.commands import AddStones
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def an_empty_hub():
    """Nobody has a stream open; afterwards the hub is closed."""
    handshake.PLACES.taken.clear()
    yield
    await hub.hub().close()


@db
def begin() -> tuple[Cairns, Cairns, dict[str, str]]:
    first, second = one_in_each()
    return first, second, bearer(first.ann)


@db
def add_stones(cairns: Cairns, stones: int) -> None:
    actor = in_its_place(cairns, lambda of: of.actor(of.ann))
    services.run(cairns.game.pk, AddStones(stones=stones), actor=actor)


def path(cairns: Cairns) -> str:
    return f"/api/v1/games/{cairns.game.pk}/stream/"


@pytest.mark.usefixtures("an_empty_hub")
async def test_a_hub_follows_games_of_both_places():
    first, second, ann = await begin()
    query = {"from": "now"}
    async with streaming(path(first), ann, **query) as one, streaming(path(second), ann, **query) as two:
        assert (one.status, two.status) == (200, 200)
        for stones in (2, 3):
            for cairns, stream in ((first, one), (second, two)):
                await add_stones(cairns, stones)
                while (event := await stream.next())[0] != "toy.StonesAdded":
                    continue
                assert event[2]["data"]["stones"] == stones


@pytest.mark.usefixtures("an_empty_hub")
async def test_a_stream_begins_with_the_log_and_the_life_of_its_game_in_each_place():
    first, second, ann = await begin()
    for cairns in (first, second):
        async with streaming(path(cairns), ann, life="1") as stream:
            names = await stream.types(1)
            while names[-1] != "life":
                names += await stream.types(1)
            assert names[0] == "core.GameOpened"


@pytest.mark.usefixtures("an_empty_hub")
async def test_a_game_that_is_nowhere_is_missing():
    _, _, ann = await begin()
    async with streaming(f"/api/v1/games/{uuid4()}/stream/", ann) as stream:
        assert stream.problem() == (404, "game.missing")


def test_the_look_at_all_watched_games_is_one_query_a_place():
    first, second = one_in_each()
    games = {first.game.pk, second.game.pk, uuid4()}
    with CaptureQueriesContext(connection) as captured:
        found = seqs_of(games)

    assert [query["sql"][:6] for query in captured.captured_queries].count("SELECT") == 2
    assert found == {each.game.pk: in_its_place(each, lambda of: of.fresh().seq) for each in (first, second)}
    assert present_cursor(first.game.pk, Visibility()) != present_cursor(second.game.pk, Visibility())


def test_a_game_that_lies_elsewhere_by_now_is_read_there(monkeypatch):
    """The process believes an old table of slots: what is not found is sought again by the new one."""
    first, second = one_in_each()
    believed, now = routing.read_table(), time.monotonic()
    right = [routing.Table(now, BOTH, believed.by_slot), routing.Table(now, BOTH, believed.by_slot[::-1])]
    monkeypatch.setattr(routing, "_table", [right[1]])

    def forget() -> None:
        routing._table[:] = [right[0]]

    monkeypatch.setattr(routing, "forget", forget)
    for cairns in (first, second):
        routing._table[:] = [right[1]]
        page, seq, life = hub.Hub._read(cairns.game.pk, "toy", Visibility(), "", True)
        assert len(page.results) and seq and life
