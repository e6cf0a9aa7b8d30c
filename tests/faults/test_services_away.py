"""Redis and PostgreSQL go away during play, and an answer is lost on its way: nothing is lost, doubled or half done.

Web, worker and beat are processes, as in production; a century lasts ten seconds and is played by the clock alone.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import Scope, User
from accounts.services import mint_token
from games import services
from games.engine.lifecycle.seating import Invite
from games.models import Invitation, LoggedEvent, Receipt, Timer
from tests.faults.conftest import Base
from tests.faults.era import Era, open_era
from tests.faults.proxy import proxy_before
from tests.faults.servers import HOST, PREFIX, Ground, Process, at
from tests.test_serve import until

pytestmark = pytest.mark.long

SECONDS = 10
REPORTED = ("Invited", "ActivityClosed", "CenturyOpened")


@dataclass
class Live:
    """A game that goes on by itself, its processes, and its game-master as a client."""

    ground: Ground
    era: Era
    worker: Process
    web: int
    headers: dict[str, str]
    sent: dict[str, list[httpx.Response]] = field(default_factory=dict)

    def invite(self, key: str, port: int = 0) -> httpx.Response:
        """A command that takes effect once for each key."""
        answer = httpx.post(
            f"http://{HOST}:{port or self.web}/api/v1/games/{self.era.game}/commands/invite/?as=gm",
            headers={**self.headers, "Idempotency-Key": key}, json={}, timeout=20,
        )  # fmt: skip
        self.sent.setdefault(key, []).append(answer)
        return answer

    def fired_count(self) -> int:
        """How many timers have fired so far."""
        return LoggedEvent.objects.filter(game=self.era.game, type="TimerFired").count()

    def clock_goes_on(self) -> None:
        """Wait until one more timer has fired, and until nothing that is due waits."""
        before = self.fired_count()
        self.worker.until(lambda: self.fired_count() >= before + 1)
        self.worker.until(lambda: not Timer.objects.filter(game=self.era.game, due__lt=timezone.now()).exists())

    def faults(self) -> list[str]:
        """One sentence for each promise that is broken: those of the game, and of each command that was sent."""
        found = self.era.faults()
        for key, answers in self.sent.items():
            done = [answer.json() for answer in answers if answer.status_code == 201]
            if {answer.status_code for answer in answers} - {201, 503}:
                found.append(f"{key} was answered with {[answer.status_code for answer in answers]}")
            if any("retry-after" not in answer.headers for answer in answers if answer.status_code == 503):
                found.append(f"{key} had no time to retry")
            if len({(one["cursor"], str(one["events"])) for one in done}) != 1:
                found.append(f"{key} was acknowledged {len(done)} times, not always with the same")
        if Receipt.objects.filter(game=self.era.game, key__in=self.sent).count() != len(self.sent):
            found.append("receipts are missing")
        if Invitation.objects.filter(game=self.era.game).count() != len(self.sent):
            found.append("a command took effect twice, or not at all")
        return found


class Listening(threading.Thread):
    """A stream of server-sent events, read as long as it lasts."""

    def __init__(self, live: Live) -> None:
        super().__init__(name="listening")
        self.address = f"http://{HOST}:{live.web}/api/v1/games/{live.era.game}/stream/?as=gm"
        self.headers, self.heard, self.enough = live.headers, [], threading.Event()

    def names(self) -> list[str]:
        """The commands and the turns of the clock that it has received, in their order."""
        return [name for name in self.heard if name in REPORTED]

    def run(self) -> None:
        with httpx.stream("GET", self.address, headers=self.headers, timeout=30) as answer:
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    self.heard.append(line.removeprefix("event: ").rpartition(".")[2])
                if self.enough.is_set():
                    return


@pytest.fixture(scope="module")
def live(ground: Ground, empty: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Live]:
    name = ground.copy_database(empty)
    with django_db_blocker.unblock(), at(ground.url(name)), ground.clear_redis():
        worker, _ = ground.worker(name, ready=False), ground.beat(name)
        _, port = ground.web(name)
        until(lambda: httpx.get(f"http://{HOST}:{port}/readyz", timeout=20).status_code == 200)
        with ground.post() as post:
            worker.until(lambda: post.control.ping(timeout=0.5))
        era = open_era(20, timezone.now(), seconds=SECONDS)  # it lasts sixteen centuries from now
        _, token = mint_token(User.objects.get(pk=era.host), "tests", tuple(Scope))
        yield Live(ground, era, worker, port, {"Authorization": f"Bearer {token}"})


def test_with_redis_gone_flushed_and_back_play_goes_on_and_streams_poll(live: Live) -> None:
    listening = Listening(live)
    listening.start()
    assert live.invite("before").status_code == 201
    until(lambda: "Invited" in listening.heard, 20)

    with live.ground.post() as post, closing(live.ground.bell()) as client:
        post.send_task("games.tasks.sweep", countdown=600)
        live.worker.until(lambda: client.hlen(f"{PREFIX}unacked"))  # the worker holds it, and outlives what follows
    back = live.ground.stop_redis()
    assert live.invite("without").status_code == 201
    assert live.invite("without").json()["replayed"] is True
    until(lambda: listening.heard.count("Invited") == 2, 20)
    live.clock_goes_on()
    assert httpx.get(f"http://{HOST}:{live.web}/readyz", timeout=20).json()["status"] == "degraded"

    back()
    assert live.invite("again").status_code == 201
    with closing(live.ground.bell()) as client:
        client.flushall()
    assert live.invite("flushed").status_code == 201
    live.clock_goes_on()
    until(lambda: listening.heard.count("Invited") == 4, 20)
    with live.ground.post() as post:
        live.worker.until(lambda: post.control.ping(timeout=0.5))  # the worker has found the broker again
    assert live.faults() == []
    until(lambda: listening.names() == [name for name in live.era.types() if name in REPORTED], 20)
    listening.enough.set()
    assert live.invite("last").status_code == 201  # notifies the listener
    listening.join(20)
    assert not listening.is_alive()


def test_with_postgresql_cut_off_and_back_commands_are_answered_503_and_retried_to_one_effect(live: Live) -> None:
    enough = threading.Event()

    def send() -> None:
        while not enough.is_set():
            live.invite(f"during-{len(live.sent)}")
            time.sleep(0.05)

    sending = threading.Thread(target=send, name="sending")
    sending.start()
    try:
        until(lambda: len(live.sent) > 8, 20)
        back = live.ground.crash_postgres()
        known = len(live.sent)
        until(lambda: len(live.sent) >= known + 3)
    finally:
        enough.set()
        sending.join(60)
    connection.close()
    answers = [answers[-1] for answers in live.sent.values()]
    unserved = [answer for answer in answers if answer.status_code == 503]
    assert unserved and {answer.json()["code"] for answer in unserved} == {"database.down"}

    back()
    for key in list(live.sent):
        until(lambda key=key: live.invite(key).status_code == 201)
    assert all(live.invite(key).json()["replayed"] for key in live.sent)
    live.clock_goes_on()
    assert live.faults() == []


def test_an_answer_lost_on_its_way_to_the_client_is_given_again(live: Live) -> None:
    with proxy_before(live.web) as proxy:
        proxy.swallow(after=b"/commands/invite/")
        with pytest.raises(httpx.RemoteProtocolError):
            live.invite("lost", proxy.port)
        assert b"201" in proxy.swallowed[0].splitlines()[0]
        done = LoggedEvent.objects.filter(game=live.era.game, type="Invited").count()

        again = live.invite("lost", proxy.port)

    assert (again.status_code, again.json()["replayed"]) == (201, True)
    assert LoggedEvent.objects.filter(game=live.era.game, type="Invited").count() == done
    assert live.faults() == []


@pytest.mark.parametrize("address", ["command", "timer"])
def test_a_commit_whose_answer_is_lost_stands_and_is_not_repeated(
    ground: Ground, base: Base, copy: str, address: str
) -> None:
    era, now = base.overdue, timezone.now()
    aim, gm = era.healthy_digest(now), era.gm

    def act() -> Any:
        if address == "timer":
            return services.fire_due(era.game, now)
        return era.run(Invite(), gm, now, key="once")

    with proxy_before(ground.postgres) as proxy, at(ground.url(copy, port=proxy.port)):
        era.digest()  # a session, before what is to be cut
        proxy.swallow(after=b"COMMIT")
        with pytest.raises(OperationalError):
            act()
        connection.close()
        found = act()
    assert len(proxy.swallowed) == 1
    if address == "timer":
        assert (found, era.digest()) == (0, aim)
    else:
        assert found.replayed
        assert Invitation.objects.filter(game=era.game).count() == 1
    assert era.faults() == []
