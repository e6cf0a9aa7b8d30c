"""Streams and sockets for those who lost a right, who come too often, or who say too much."""

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Scope
from accounts.services import mint_token, revoke_token
from api.streams import handshake, hub, websocket
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import HandOver, Invite, Join
from games.models import Game, Seat
from tests.api.streams import streaming, until_all_wait
from tests.api.test_streams_websocket import begin, closing, db, events, fresh, run, socket
from tests.api.worlds import bearer
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["closing", "fresh"]


async def hand_over(toy, seat, person=None):
    command = HandOver(seat=seat, user=person.pk if person else None, reason="Somebody sleeps.")
    await db(services.run)(toy.game.pk, command, actor=await db(lambda: toy.gm)())


async def sitting_in_private():
    """A private game in which Ann watches."""
    toy, *_ = await begin(is_public=False)

    def join_as_observer():
        services.run(toy.game.pk, Invite(role="observer"), actor=toy.gm)
        code = Game.objects.get(pk=toy.game.pk).invitations.get().code
        services.run(toy.game.pk, Join(name="Ann", role="observer", code=code), actor=Actor(Issuer.SEAT, toy.ann.pk))
        return Seat.objects.get(game=toy.game, user=toy.ann).pk, bearer(toy.ann)

    return toy, *await db(join_as_observer)()


async def test_a_seat_that_is_handed_over_ends_the_subscription_before_its_next_secret():
    toy, ann, bob, _ = await begin()
    here = (await events(toy, ann))["cursor"]
    async with socket() as former, socket() as other:
        for line, headers in ((former, ann), (other, bob)):
            await line.enter(headers)
            line.watch(toy, a=here)
        await until_all_wait(2)
        await hand_over(toy, await db(toy.seat)(toy.ann), toy.eve)
        message = await former.next()
        found = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
        assert found[0]["extensions"]["code"] == "view.changed"
        await run(toy, toy.eve, HideCoins(coins=9))
        await run(toy, toy.eve, AddStones(stones=1))
        assert [(await other.next())["payload"]["data"]["gameEvents"]["type"] for _ in range(2)] == [
            "core.HandedOver", "toy.StonesAdded",
        ]  # fmt: skip
        rest = [former.inbox.get_nowait()["type"] for _ in range(former.inbox.qsize())]
        assert set(rest) <= {"complete"}


async def test_a_watcher_whose_seat_was_handed_over_receives_no_more_of_a_private_game():
    toy, seat, headers = await sitting_in_private()
    async with streaming(toy.path("stream/"), headers) as stream, socket() as line:
        await line.enter(headers)
        line.watch(toy)
        await until_all_wait(2)
        await hand_over(toy, seat)
        while (found := await stream.next())[0] != "bye":
            assert found[0] != "core.HandedOver"
        assert found[2] == {"reason": "view.changed"}
        while (message := await line.next())["type"] == "next" and not message["payload"].get("errors"):
            assert message["payload"]["data"]["gameEvents"]["type"] != "core.HandedOver"


async def test_a_token_that_was_revoked_since_the_socket_opened_subscribes_to_nothing():
    toy, *_ = await begin()
    row, plain = await db(mint_token)(toy.ann, "one", [Scope.READ])
    async with socket() as line:
        await line.enter({"Authorization": f"Bearer {plain}"})
        await db(revoke_token)(row)
        line.watch(toy)
        assert await line.code() == 4401
        assert all(line.inbox.get_nowait()["type"] != "next" for _ in range(line.inbox.qsize()))


async def test_a_token_that_expires_closes_the_socket_at_the_next_check():
    toy, *_ = await begin()
    hub._hubs[asyncio.get_running_loop()] = hub.Hub(check_seconds=0.2)
    _, brief = await db(mint_token)(toy.ann, "two", [Scope.READ], timezone.now() + timedelta(seconds=1))
    async with socket() as line:
        await line.enter({"Authorization": f"Bearer {brief}"})
        line.watch(toy)
        assert (await line.next())["type"] == "next"
        assert await line.code() == 4401
    assert hub.CHECK_SECONDS <= 30


async def test_a_socket_without_connection_init_is_closed(monkeypatch):
    monkeypatch.setattr(websocket.SOCKETS, "connection_init_wait_timeout", timedelta(seconds=0.1))
    async with socket() as line:
        assert await line.code() == 4408


async def test_a_socket_with_two_connection_inits_is_closed():
    _, ann, bob, _ = await begin()
    async with socket() as line:
        await line.enter(ann)
        line.say(type="connection_init", payload=bob)
        assert await line.code() == 4429
    assert handshake.PLACES.taken.total() == 0


async def test_one_socket_has_so_many_subscriptions_and_each_name_once():
    toy, ann, _, _ = await begin()
    async with socket() as line:
        await line.enter(ann)
        for key in ("same", "same"):
            line.watch(toy, key=key)
        assert await line.code() == 4409
    async with socket() as line:
        await line.enter(ann)
        for key in range(websocket.MAX_SUBSCRIPTIONS + 5):
            line.watch(toy, key=str(key))
        refused = set()
        while len(refused) < 5:
            message = await line.next()
            if message["type"] == "error":
                refused.add(message["id"])
        channels = hub.hub().channels.values()
        assert sum(len(channel.watchers) for channel in channels) <= websocket.MAX_SUBSCRIPTIONS


async def test_a_flood_of_pings_is_answered_one_by_one_and_delays_no_other_socket():
    toy, ann, bob, _ = await begin()
    here = (await events(toy, ann))["cursor"]
    async with socket() as loud, socket() as line:
        await loud.enter(ann)
        await line.enter(bob)
        line.watch(toy, a=here)
        for _ in range(2000):
            loud.say(type="ping")
        await run(toy, toy.ann, AddStones(stones=1))
        assert (await line.next())["payload"]["data"]["gameEvents"]["type"] == "toy.StonesAdded"
        pongs = [(await loud.next())["type"] for _ in range(2000)]
        assert set(pongs) == {"pong"} and loud.inbox.empty()


async def test_anonymous_watchers_of_one_address_have_so_many_places_and_other_addresses_their_own(monkeypatch):
    monkeypatch.setattr(handshake, "FOR_STRANGERS", 1)
    toy, *_ = await begin()
    async with streaming(toy.path("stream/")) as first, streaming(toy.path("stream/")) as second, socket() as line:
        assert first.status == 200
        assert second.problem() == (429, "streams.many")
        line.say(type="connection_init")
        assert await line.code() == 4429
    assert handshake.PLACES.taken.total() == 0


async def test_a_token_in_a_header_of_a_socket_authenticates_nobody(settings):
    settings.ANONYMOUS_READ = False
    _, ann, _, _ = await begin()
    async with socket(authorization=ann["Authorization"]) as line:  # a header is not connection_init
        line.say(type="connection_init")
        assert await line.code() == 4401


async def test_a_malformed_subscription_is_refused_and_not_started():
    """A deep selection, an unknown field and a second root are refused before anything is followed."""
    toy, ann, _, _ = await begin()
    async with socket() as line:
        await line.enter(ann)
        game = f'gameEvents(game: "{toy.game.pk}")'
        for key, query in enumerate((
            f"subscription {{ {game} {{ secret }} }}",
            f"subscription {{ a: {game} {{ type }} b: {game} {{ type }} }}",
            "subscription { " + "... {" * 40 + f"{game} {{ type }}" + "}" * 41,
        )):  # fmt: skip
            line.say(id=str(key), type="subscribe", payload={"query": query})
            message = await line.next()
            assert (message["id"], message["type"]) == (str(key), "error")
        assert not hub.hub().channels
