"""A subscription to one's notifications: each as it is written, nobody else's, until it ends."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import caches
from django.utils import timezone

from accounts.models import Scope
from accounts.services import mint_token, revoke_token
from api.notifications import following, reading
from api.notifications.wishes import change_wishes
from api.streams import handshake, hub, notifications
from games import services
from games.models import Notification, Seat
from tests.api.streams import db, until
from tests.api.test_streams_websocket import socket
from tests.api.worlds import bearer, toy_game
from tests.toy.rules.commands import CastVote, Propose

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 100
"""Of the loop: what a look has found is sent within a dozen."""
LOOKS: list[notifications.NotificationHub] = []
"""Who has looked, a line each time."""
QUERY = """subscription($after: UUID) {
    notifications(after: $after) { id kind game gameName seat message due createdAt readAt } }"""


@pytest.fixture(autouse=True)
async def an_empty_hub(monkeypatch) -> AsyncIterator[None]:
    """Nobody has a subscription open, and looks come soon after each other; afterwards the hub is closed."""
    caches["throttles"].clear()
    handshake.PLACES.taken.clear()
    monkeypatch.setattr(notifications, "TICK_SECONDS", 0.02)
    tick = notifications.NotificationHub.tick

    async def note(looking: notifications.NotificationHub) -> None:
        await tick(looking)
        LOOKS.append(looking)

    monkeypatch.setattr(notifications.NotificationHub, "tick", note)
    LOOKS.clear()
    yield
    await hub.hub().close()


@db
def begin() -> Any:
    toy = toy_game()
    following.look_at(toy.game.pk, timezone.now())
    return toy


@db
def act(toy: Any, person: Any, command: Any) -> None:
    """Issue a command, and look for notifications as the worker does."""
    services.run(toy.game.pk, command, actor=toy.actor(person))
    following.look_at(toy.game.pk, timezone.now())


@db
def look(toy: Any) -> None:
    following.look_at(toy.game.pk, timezone.now())


@db
def propose(toy: Any) -> Any:
    services.run(toy.game.pk, Propose(text="More salt?"), actor=toy.actor(toy.ann))
    following.look_at(toy.game.pk, timezone.now())
    return toy.fresh().prompts.get().pk


async def told(line: Any) -> dict[str, Any]:
    """The next notification."""
    found = await line.next()
    assert found["type"] == "next", found
    return dict(found["payload"]["data"]["notifications"])


async def subscribe(line: Any, name: str = "1", after: str | None = None) -> None:
    """Subscribe; what is written from then on is told. Returns once the service follows, or has answered."""
    inboxes = notifications.notification_hub().inboxes
    before = len(inboxes)
    line.say(id=name, type="subscribe", payload={"query": QUERY, "variables": {"after": after}})
    await until(lambda: len(inboxes) > before or not line.inbox.empty())


async def ending(line: Any) -> str:
    """The code of the error with which a subscription ends."""
    found = await line.next()
    (error,) = found["payload"] if found["type"] == "error" else found["payload"]["errors"]
    return str(error["extensions"]["code"])


async def silence(line: Any) -> None:
    """Two further looks of the hub's own send nothing, however often the loop goes round behind them.

    A look beside these would find the same rows new, as no two looks of the service ever do.
    """
    before = len(LOOKS)
    await until(lambda: len(LOOKS) > before + 2)  # the first may have been on its way
    for _ in range(ROUNDS):
        await asyncio.sleep(0)
    assert line.inbox.empty()


async def test_it_begins_with_nothing_and_sends_what_is_new_and_what_changes() -> None:
    toy = await begin()
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line)
        await silence(line)
        motion = await propose(toy)
        asked = await told(line)
        assert (asked["kind"], asked["message"], asked["readAt"]) == ("asked", "You are asked: More salt?", None)
        assert asked["seat"] == str(await db(toy.seat)(toy.bob))
        await db(reading.read)(toy.bob.pk, [UUID(asked["id"])], timezone.now())
        read = await told(line)
        assert read == asked | {"readAt": read["readAt"]} and read["readAt"] is not None
        await act(toy, toy.ann, CastVote(prompt=motion, yes=True))
        assert (await told(line))["kind"] == "alone"
        await silence(line)


async def test_nobody_is_sent_what_others_are_told() -> None:
    toy = await begin()
    async with socket() as line, socket() as host:
        await line.enter(await db(bearer)(toy.ann))
        await host.enter(await db(bearer)(toy.host))
        await subscribe(line)
        await subscribe(host)
        await propose(toy)
        mine = await told(line)
        assert mine["seat"] == str(await db(toy.seat)(toy.ann))
        await silence(line)
        await silence(host)


async def test_who_has_lost_the_seat_is_sent_nothing_of_it_though_nobody_has_looked_since() -> None:
    toy = await begin()
    await propose(toy)
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line)
        await db(Seat.objects.filter(game=toy.game.pk, user=toy.bob).update)(user=toy.host)
        await db(Notification.objects.filter(user=toy.bob.pk).update)(changed_at=timezone.now())
        await silence(line)


async def test_what_is_muted_is_not_sent() -> None:
    toy = await begin()
    await db(change_wishes)(toy.bob.pk, timezone.now(), {"kinds_off": ["asked", "alone"]})
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line)
        await propose(toy)
        await silence(line)
        await db(change_wishes)(toy.bob.pk, timezone.now(), {"kinds_off": []})
        await look(toy)
        assert (await told(line))["kind"] == "asked"
        await silence(line)


async def test_after_one_it_begins_with_all_that_is_newer_and_sends_nothing_twice() -> None:
    toy = await begin()
    turn = await db(Notification.objects.get)(user=toy.bob.pk, kind="turn")
    motion = await propose(toy)
    await act(toy, toy.ann, CastVote(prompt=motion, yes=True))
    asked = await db(Notification.objects.get)(user=toy.bob.pk, kind="asked")
    for after, kinds in ((turn, ["asked", "alone"]), (asked, ["alone"])):  # the turn is no longer so
        async with socket() as line:
            await line.enter(await db(bearer)(toy.bob))
            await subscribe(line, after=str(after.pk))
            assert [(await told(line))["kind"] for _ in kinds] == kinds
            await silence(line)


async def test_what_is_newer_is_sent_page_by_page(monkeypatch) -> None:
    monkeypatch.setattr(notifications, "PAGE", 1)
    await test_after_one_it_begins_with_all_that_is_newer_and_sends_nothing_twice()


async def test_what_is_written_while_the_past_is_read_is_sent_once(monkeypatch) -> None:
    toy, newer_than = await begin(), reading.newer_than
    turn = await db(Notification.objects.get)(user=toy.bob.pk, kind="turn")

    def propose_and_read(*arguments: Any) -> Any:
        monkeypatch.setattr(reading, "newer_than", newer_than)
        services.run(toy.game.pk, Propose(text="More salt?"), actor=toy.actor(toy.ann))
        following.look_at(toy.game.pk, timezone.now())
        return newer_than(*arguments)

    monkeypatch.setattr(reading, "newer_than", propose_and_read)
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line, after=str(turn.pk))
        assert (await told(line))["kind"] == "asked"
        await silence(line)


async def test_nobody_goes_on_behind_what_others_were_told() -> None:
    toy = await begin()
    other = await db(Notification.objects.get)(user=toy.ann.pk, kind="turn")
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line, after=str(other.pk))
        assert await ending(line) == "thing.missing"


async def test_several_of_one_person_are_sent_the_same() -> None:
    toy = await begin()
    async with socket() as line, socket() as other:
        for each in (line, other):
            await each.enter(await db(bearer)(toy.bob))
            await subscribe(each)
        assert len(notifications.notification_hub().inboxes) == 2
        await propose(toy)
        assert await told(line) == await told(other)
    kept = notifications.notification_hub()
    await until(lambda: not kept.inboxes and kept.task is None)


async def test_strangers_are_refused() -> None:
    async with socket() as line:
        await line.enter({})
        await subscribe(line)
        assert await ending(line) == "token.needed"


async def test_a_token_that_may_not_read_is_refused() -> None:
    toy = await begin()
    _, plain = await db(mint_token)(toy.bob, "play", [Scope.PLAY])
    async with socket() as line:
        line.say(type="connection_init", payload={"Authorization": f"Bearer {plain}"})
        assert await line.code() == 4401


async def test_it_ends_when_the_service_does() -> None:
    toy = await begin()
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line)
        notifications.notification_hub().stop()
        assert await ending(line) == "server.stopping"


async def test_a_token_that_is_revoked_closes_the_socket(monkeypatch) -> None:
    monkeypatch.setattr(notifications, "CHECK_SECONDS", 0.2)
    toy = await begin()
    row, plain = await db(mint_token)(toy.bob, "mine", [Scope.READ])
    async with socket() as line:
        await line.enter({"Authorization": f"Bearer {plain}"})
        await subscribe(line)
        await db(revoke_token)(row)
        assert await line.code() == 4401


async def test_a_reader_who_is_too_slow_is_cut(monkeypatch) -> None:
    monkeypatch.setattr(notifications, "MAX_WAITING", 1)
    inbox = notifications.Inbox(UUID(int=1))
    inbox.put([object(), object()], [])  # type: ignore[list-item]
    assert inbox.ended == "reader.slow"


async def test_a_look_that_fails_loses_nothing(monkeypatch) -> None:
    toy = await begin()
    standing_among, fails = reading.standing_among, [ZeroDivisionError]

    def once(*arguments: Any) -> Any:
        if fails:
            raise fails.pop()
        return standing_among(*arguments)

    monkeypatch.setattr(reading, "standing_among", once)
    async with socket() as line:
        await line.enter(await db(bearer)(toy.bob))
        await subscribe(line)
        await propose(toy)
        assert (await told(line))["kind"] == "asked" and not fails
