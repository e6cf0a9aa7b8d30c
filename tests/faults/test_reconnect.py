"""A client comes back after any event, by whichever way: it knows what it would have known had it never been away."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from django.db import connections
from django.test import Client

from api.streams import handshake, hub, subscribers
from games import services
from games.engine.kernel import Actor, Command
from games.engine.lifecycle.gm_commands import Extend, Pause, Resume
from games.models import Prompt
from games.reads import selectors
from games.storage.cursors import Head
from tests.api.worlds import ToyGame, bearer, toy_game
from tests.faults.watching import watching
from tests.games.moments import rewind_to
from tests.toy.rules.commands import AddStones, CastVote, HideCoins, Propose
from worlds.visibility import Visibility

Fields = list[dict[str, Any]]
pytestmark = pytest.mark.django_db(transaction=True)
db = sync_to_async(thread_sensitive=True)


@pytest.fixture(autouse=True)
async def closing() -> AsyncIterator[None]:
    """No watcher is left from before, and every thread closes its connection after."""
    handshake.PLACES.taken.clear()
    caches["throttles"].clear()
    yield
    await hub.hub().close()
    await db(connections.close_all)()


def story() -> tuple[ToyGame, dict[str, tuple[dict[str, str], dict[str, str]]]]:
    """A game in which something of every kind has happened, and its viewers: their headers and their queries."""
    toy = toy_game()

    def run(command: Command, actor: Actor) -> services.Outcome:
        return services.run(toy.game.pk, command, actor=actor)

    ann, bob, gm = toy.actor(toy.ann), toy.actor(toy.bob), toy.gm
    run(AddStones(stones=2), ann)
    stands = run(HideCoins(coins=7), bob).last_seq
    run(HideCoins(coins=9), ann)
    run(rewind_to(toy.game.pk, stands, "Miscounted."), gm)
    run(Propose(text="More stones?"), ann)
    motion = Prompt.objects.get(game=toy.game).pk
    run(CastVote(prompt=motion, yes=True), ann)
    run(HideCoins(coins=3), ann)
    run(Pause(reason="Tea."), gm)
    run(Resume(), gm)
    run(CastVote(prompt=motion, yes=True), bob)
    run(Extend(timer="tide", seconds=60, reason="Late."), gm)
    run(AddStones(stones=5), bob)
    viewers: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        "Ann": (bearer(toy.ann), {}),
        "Bob": (bearer(toy.bob), {}),
        "the game-master": (bearer(toy.host), {"as": "gm"}),
        "a stranger": ({}, {}),
    }
    return toy, viewers


def read(toy: ToyGame, viewer: tuple[dict[str, str], dict[str, str]], after: str = "", limit: int = 500) -> Fields:
    """All that a viewer reads behind a cursor, page by page."""
    headers, query = viewer
    rows: Fields = []
    more = True
    while more:
        page = Client(headers=headers).get(toy.path("events/"), {**query, "after": after, "limit": limit}).json()
        rows, after, more = [*rows, *page["results"]], page["cursor"], page["more"]
    return rows


def understood(expected: Fields) -> dict[str, dict[str, int]]:
    """What a client makes of what it was expected: the piles and hoards, by seat. What has fallen does not count."""
    piles: dict[str, int] = {}
    hoards: dict[str, int] = {}
    for event in (event for event in expected if not event["undone"]):
        if event["type"] == "toy.StonesAdded":
            piles[event["data"]["seat"]] = piles.get(event["data"]["seat"], 0) + event["data"]["stones"]
        elif event["type"] == "toy.CoinsHidden":
            hoards[event["data"]["seat"]] = hoards.get(event["data"]["seat"], 0) + event["data"]["coins"]
    return {"piles": piles, "hoards": hoards}


def visible_rows(toy: ToyGame, viewer: tuple[dict[str, str], dict[str, str]]) -> dict[str, dict[str, int]]:
    """The piles and hoards as the state shows them to a viewer."""
    headers, query = viewer
    state = Client(headers=headers).get(toy.path("state/"), query).json()
    return {
        "piles": {row["id"]: row["stones"] for row in state["piles"]},
        "hoards": {row["id"]: row["coins"] for row in state["hoards"]},
    }


def test_a_reader_who_comes_back_behind_any_event_and_reads_on_gets_the_same_log() -> None:
    toy, viewers = story()
    lengths = set()
    for viewer in viewers.values():
        whole = read(toy, viewer)
        lengths.add(len(whole))
        assert understood(whole) == visible_rows(toy, viewer)
        for index, event in enumerate(whole):
            assert whole[: index + 1] + read(toy, viewer, event["cursor"], limit=4) == whole
    assert len(lengths) == 4  # each of the four sees other events


async def test_a_reader_who_comes_back_behind_any_event_and_watches_on_gets_the_same_log() -> None:
    toy, viewers = await db(story)()
    for headers, query in viewers.values():
        whole = await db(read)(toy, (headers, query))
        for index, event in enumerate(whole):
            cursor = {**headers, "Last-Event-ID": event["cursor"]} if index % 2 else headers
            more = query if index % 2 else {**query, "after": event["cursor"]}
            async with watching(toy.path("stream/"), cursor, **more) as stream:
                rest = [(await stream.next())[2] for _ in whole[index + 1 :]]
                assert whole[: index + 1] + rest == whole
                assert stream.queue.empty()


async def test_a_slow_reader_is_cut_again_and_again_and_ends_with_the_whole_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths, put = set(), subscribers.Subscriber.put

    def noting_put(subscriber: subscribers.Subscriber, message: Any) -> None:
        put(subscriber, message)
        lengths.add(len(subscriber.waiting))

    monkeypatch.setattr(subscribers, "MAX_QUEUE", 4)
    monkeypatch.setattr(subscribers.Subscriber, "put", noting_put)
    toy: ToyGame = await db(toy_game)()
    headers, actor = await db(bearer)(toy.bob), await db(toy.actor)(toy.ann)
    rows: Fields = []
    cuts = 0
    for _ in range(3):
        after = {"after": rows[-1]["cursor"]} if rows else {}
        async with watching(toy.path("stream/"), headers, **after) as stream:
            behind = len(await db(read)(toy, (headers, {}))) - len(rows)
            rows += [(await stream.next())[2] for _ in range(behind)]
            stream.reads.clear()
            for _ in range(9):
                await db(services.run)(toy.game.pk, AddStones(stones=1), actor=actor)
                await hub.hub().tick()
            stream.reads.set()
            while (event := await stream.next())[0] != "bye":
                rows.append(event[2])
            assert event[2] == {"reason": "reader.slow"}
            cuts += 1
    whole = await db(read)(toy, (headers, {}))
    assert len(rows) < len(whole)
    rows += await db(read)(toy, (headers, {}), rows[-1]["cursor"])
    assert rows == whole
    assert (cuts, max(lengths)) == (3, 4)


def test_an_event_during_the_read_of_a_page_is_not_sent_before_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = toy_game()
    ann = toy.actor(toy.ann)
    visibility = Visibility.of(toy.ann.pk, seats=(toy.seat(toy.ann),))
    services.run(toy.game.pk, HideCoins(coins=1), actor=ann)
    start = selectors.events_for(toy.fresh(), visibility, limit=500)
    services.run(toy.game.pk, AddStones(stones=1), actor=ann)
    true = selectors.heads_for

    def meanwhile(*arguments: Any) -> dict[str, Head]:
        heads = true(*arguments)
        monkeypatch.setattr(selectors, "heads_for", true)
        services.run(toy.game.pk, HideCoins(coins=2), actor=ann)
        services.run(toy.game.pk, AddStones(stones=2), actor=ann)
        return heads

    monkeypatch.setattr(selectors, "heads_for", meanwhile)
    first = selectors.events_for(toy.fresh(), visibility, after=start.cursor)
    rest = selectors.events_for(toy.fresh(), visibility, after=first.cursor)

    assert [t.data.get("stones") or t.data.get("coins") for t in (*first.results, *rest.results)] == [1, 2, 2]
    assert [t.type for t in (*first.results, *rest.results)] == [
        "toy.StonesAdded",
        "toy.CoinsHidden",
        "toy.StonesAdded",
    ]
