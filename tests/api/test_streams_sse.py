"""Server-sent events: resumed anywhere, filtered by visibility, cut when slow, ended when a right is lost."""

import asyncio
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from rest_framework.settings import api_settings

from accounts.models import Scope, Token
from accounts.services import mint_token, revoke_token
from api.streams import handshake, hub, presence, sse, subscribers
from api.streams.presence import connected
from games import services
from games.engine.game_state import Role
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.removal import RemoveSeat
from games.engine.lifecycle.seating import HandOver, Join
from games.models import Game, LoggedEvent, Stream
from tests.api.streams import begin, db, events, open_streams, run, streaming, until, until_all_wait
from tests.api.worlds import bearer, client, toy_game
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("an_empty_hub")]


async def test_the_log_so_far_then_each_event_as_it_happens():
    toy, ann, _, _ = await begin()
    found = (await events(toy, ann))["results"]
    async with streaming(toy.path("stream/"), ann) as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-store"
        assert stream.raw.startswith(b"retry: 2000\n\n")
        frames = [await stream.next() for _ in found]
        assert [(kind, cursor, event) for kind, cursor, event in frames] == [(e["type"], e["cursor"], e) for e in found]
        await run(toy, toy.ann, AddStones(stones=2))
        kind, cursor, event = await stream.next()
        last = (await events(toy, ann))["results"][-1]
        assert (kind, cursor, event) == ("toy.StonesAdded", last["cursor"], last)


async def test_a_stream_resumes_behind_every_event_without_gap_or_repetition():
    toy, ann, _, _ = await begin()
    for stones in (1, 2, 3):
        await run(toy, toy.ann, AddStones(stones=stones))
        await run(toy, toy.ann, HideCoins(coins=stones))
    found = (await events(toy, ann))["results"]
    for index, event in enumerate(found):
        headers = {**ann, "Last-Event-ID": event["cursor"]} if index % 2 else ann
        query = {} if index % 2 else {"after": event["cursor"]}
        async with streaming(toy.path("stream/"), headers, **query) as stream:
            rest = [(await stream.next())[1] for _ in found[index + 1 :]]
            assert rest == [e["cursor"] for e in found[index + 1 :]]
            assert stream.inbox.empty()


async def test_an_event_during_the_backlog_is_sent_once():
    toy, ann, _, _ = await begin()
    for _ in range(5):
        await run(toy, toy.ann, AddStones(stones=1))
    total = len((await events(toy, ann))["results"]) + 5
    async with streaming(toy.path("stream/"), ann) as first, streaming(toy.path("stream/"), ann) as second:
        for _ in range(5):
            await run(toy, toy.ann, AddStones(stones=1))
        for stream in (first, second):
            cursors = [(await stream.next())[1] for _ in range(total)]
            assert cursors == [e["cursor"] for e in (await events(toy, ann))["results"]]
            assert stream.inbox.empty()


async def test_a_secret_reaches_its_seat_and_the_gm_and_nobody_else():
    toy, ann, bob, host = await begin()
    here = (await events(toy, ann))["cursor"]
    place = toy.path("stream/")
    async with (
        streaming(place, ann, after=here) as own,
        streaming(place, bob, after=here) as other,
        streaming(place, after=here) as stranger,
        streaming(place, host, after=here, **{"as": "gm"}) as led,
    ):
        await run(toy, toy.ann, HideCoins(coins=9))
        await run(toy, toy.ann, AddStones(stones=1))
        assert await own.types(2) == ["toy.CoinsHidden", "toy.StonesAdded"]
        assert await led.types(2) == ["toy.CoinsHidden", "toy.StonesAdded"]
        assert await other.types(1) == await stranger.types(1) == ["toy.StonesAdded"]
        assert b"coins" not in other.raw + stranger.raw


async def test_a_silent_stream_sends_heartbeats(monkeypatch):
    monkeypatch.setattr(sse, "BEAT_SECONDS", 0.05)
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, after=(await events(toy, ann))["cursor"]) as stream:
        await until(lambda: stream.raw.count(b": beat\n\n") >= 2)


async def test_a_slow_reader_is_cut_and_resumes_by_the_cursor(monkeypatch):
    monkeypatch.setattr(subscribers, "MAX_QUEUE", 3)
    toy, ann, bob, _ = await begin()
    here, go = (await events(toy, ann))["cursor"], asyncio.Event()
    place = toy.path("stream/")
    async with streaming(place, ann, stuck=go, after=here) as slow, streaming(place, bob, after=here) as quick:
        await until_all_wait(2)
        for _ in range(6):
            await run(toy, toy.ann, AddStones(stones=1))
            assert (await quick.next())[0] == "toy.StonesAdded"
        await until(lambda: any(each.lost for each in open_streams()))
        go.set()
        first = await slow.next()
        assert first[0] == "toy.StonesAdded"
        assert (await slow.next())[::2] == ("bye", {"reason": "reader.slow"})
        assert slow.ended
    async with streaming(place, ann, after=first[1]) as resumed:
        assert await resumed.types(5) == ["toy.StonesAdded"] * 5


async def test_a_reader_who_takes_nothing_is_disconnected(monkeypatch):
    monkeypatch.setattr(sse, "SEND_SECONDS", 0.1)
    toy, ann, _, _ = await begin()
    async with streaming(toy.path("stream/"), ann, stuck=asyncio.Event()) as stream:
        await asyncio.wait_for(stream.task, 5)
        assert not stream.ended
    assert handshake.PLACES.taken.total() == 0


async def test_a_seat_that_is_handed_over_ends_the_streams_that_read_as_it():
    toy, ann, bob, _ = await begin()
    here, place = (await events(toy, ann))["cursor"], toy.path("stream/")
    async with streaming(place, ann, after=here) as former, streaming(place, bob, after=here) as other:
        await db(services.run)(
            toy.game.pk,
            HandOver(seat=await db(toy.seat)(toy.ann), user=toy.eve.pk, reason="Ann sleeps."),
            actor=await db(lambda: toy.gm)(),
        )
        assert (await former.next())[::2] == ("bye", {"reason": "view.changed"})
        assert await other.types(1) == ["core.HandedOver"]
        assert former.ended and not other.ended
    async with streaming(place, await db(bearer)(toy.eve)) as heir:
        found = (await events(toy, await db(bearer)(toy.eve)))["results"]
        assert await heir.types(len(found)) == [e["type"] for e in found]


async def test_a_stream_that_reads_as_a_seat_ends_with_the_seat():
    toy, _, bob, _ = await begin()
    sits = Join(name="Eve", role=Role.OBSERVER)
    await db(services.run)(toy.game.pk, sits, actor=Actor(Issuer.SEAT, toy.eve.pk))
    eve, place = await db(bearer)(toy.eve), toy.path("stream/")
    seat, here = await db(toy.seat)(toy.eve, "observer"), (await events(toy, eve))["cursor"]
    removal = RemoveSeat(seat=seat, reason="shouts")
    async with streaming(place, eve, after=here, seat=str(seat)) as former, streaming(place, bob, after=here) as other:
        await db(services.run)(toy.game.pk, removal, actor=await db(lambda: toy.gm)())
        assert (await former.next())[::2] == ("bye", {"reason": "view.changed"})
        assert await other.types(1) == ["core.SeatRemoved"]
        assert former.ended and not other.ended


async def test_a_revoked_or_expired_token_ends_its_streams(monkeypatch):
    toy, *_ = await begin()
    hub._hubs[asyncio.get_running_loop()] = hub.Hub(check_seconds=0.2)
    soon = timezone.now() + timedelta(seconds=1)
    row, plain = await db(mint_token)(toy.ann, "one", [Scope.READ])
    _, brief = await db(mint_token)(toy.ann, "two", [Scope.READ], soon)
    place = toy.path("stream/")
    here = (await events(toy, {"Authorization": f"Bearer {plain}"}))["cursor"]
    async with (
        streaming(place, {"Authorization": f"Bearer {plain}"}, after=here) as one,
        streaming(place, {"Authorization": f"Bearer {brief}"}, after=here) as two,
    ):
        await db(revoke_token)(row)
        assert (await one.next())[::2] == ("bye", {"reason": "token.refused"})
        assert (await two.next())[::2] == ("bye", {"reason": "token.refused"})
    assert await Token.objects.acount() >= 2


async def test_when_the_process_ends_every_reader_gets_an_end_message():
    toy, ann, bob, _ = await begin()
    async with streaming(toy.path("stream/"), ann) as one, streaming(toy.path("stream/"), bob) as two:
        await until_all_wait(2)
        hub.hub().stop()
        for stream in (one, two):
            while (found := await stream.next())[0] != "bye":
                continue
            assert found[2] == {"reason": "server.stopping"}
            assert stream.ended


async def test_readers_of_equal_visibility_share_one_query_and_one_encoding(monkeypatch):
    toy, ann, _, _ = await begin()
    here, read = (await events(toy, ann))["cursor"], []
    true = hub.selectors.events_for
    monkeypatch.setattr(hub.selectors, "events_for", lambda *a, **k: read.append(1) or true(*a, **k))
    async with (
        streaming(toy.path("stream/"), ann, after=here) as one,
        streaming(toy.path("stream/"), ann, after=here) as two,
        streaming(toy.path("stream/"), ann, after=here) as three,
    ):
        await until_all_wait(3)
        before = len(read)
        await run(toy, toy.ann, AddStones(stones=1))
        rows = [await stream.next() for stream in (one, two, three)]
        assert rows[0] == rows[1] == rows[2]
        assert len(read) - before == 1


def test_django_answers_that_streams_are_served_elsewhere():
    toy = toy_game()
    answer = client(toy.ann).get(toy.path("stream/"))
    assert (answer.status_code, answer.json()["code"]) == (421, "stream.elsewhere")


@db
def lose_last_event(toy):
    """The log ends one event earlier, as if an earlier copy had been restored beneath a running service."""
    last = LoggedEvent.objects.filter(game=toy.game).latest("seq")
    Stream.objects.filter(game=toy.game, audience=last.audience).update(head=F("head") - 1)
    Game.objects.filter(pk=toy.game.pk).update(seq=F("seq") - 1)
    last.delete()


async def test_a_watcher_during_a_restore_gets_an_end_message_and_those_of_other_games_go_on():
    toy, ann, _, _ = await begin()
    other, *_ = await begin()
    event, elsewhere = [(await events(one, ann))["results"] for one in (toy, other)]
    async with streaming(toy.path("stream/"), ann) as stream, streaming(other.path("stream/"), ann) as further:
        await stream.types(len(event))
        await further.types(len(elsewhere))
        await run(toy, toy.ann, AddStones(stones=1))
        assert (await stream.next())[0] == "toy.StonesAdded"
        await lose_last_event(toy)
        assert (await stream.next())[::2] == ("bye", {"reason": "cursor.ahead"})
        await run(other, other.ann, AddStones(stones=1))
        assert (await further.next())[0] == "toy.StonesAdded"


async def test_who_has_a_stream_of_their_own_game_open_is_connected():
    toy, ann, _, eve = await begin()
    people = [toy.ann.pk, toy.bob.pk, toy.eve.pk]
    async with streaming(toy.path("stream/")), streaming(toy.path("stream/"), ann), streaming(toy.path("stream/"), eve):
        assert await db(connected)(toy.game.pk, people) == {toy.ann.pk}  # Eve has no seat


async def test_who_stays_is_noted_again_with_each_check(monkeypatch):
    toy, ann, _, _ = await begin()
    noted = []
    monkeypatch.setattr(presence, "note", noted.append)
    hub._hubs[asyncio.get_running_loop()] = hub.Hub(check_seconds=0.2)
    async with streaming(toy.path("stream/"), ann):
        await until(lambda: len(noted) >= 3)
    assert presence.LASTS > hub.CHECK_SECONDS


async def test_to_open_streams_spends_a_budget_of_the_address_whoever_asks(monkeypatch):
    toy, ann, _, _ = await begin()
    monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, handshake.BUDGET, "0/d")
    for headers in (ann, {}, {"Authorization": "Bearer theo_none"}):
        async with streaming(toy.path("stream/"), headers) as stream:
            assert stream.status == 429
