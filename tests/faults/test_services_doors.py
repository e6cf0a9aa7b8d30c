"""Two doors, two workers and an admin write one game at once, and one door and one worker are killed: play goes on.

A client whose door has died sends the same key to the other one; a reader resumes there with the cursor it has.
"""

import threading
import time
from collections.abc import Iterator

import httpx
import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import Scope, User
from accounts.services import mint_token
from games.engine.lifecycle.gm_commands import Overrule
from games.models import LoggedEvent
from tests.faults.era import open_era
from tests.faults.servers import HOST, PATIENCE, Ground, Process, at
from tests.faults.test_services_away import SECONDS, Live
from tests.test_serve import until

pytestmark = pytest.mark.long

CLIENTS, EACH, BY_ADMIN = 4, 12, 10


class Reader(threading.Thread):
    """A reader of a game's events, who resumes at the next door when the line breaks."""

    def __init__(self, live: Live, ports: list[int]) -> None:
        super().__init__(name="reader", daemon=True)
        self.live, self.ports, self.cursor = live, ports, ""
        self.heard: list[str] = []
        self.cuts = 0
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            port = self.ports[self.cuts % len(self.ports)]
            address = f"http://{HOST}:{port}/api/v1/games/{self.live.era.game}/stream/?as=gm"
            resume = {"Last-Event-ID": self.cursor} if self.cursor else {}
            try:
                with httpx.stream("GET", address, headers=self.live.headers | resume, timeout=30) as answer:
                    self._read(answer)
            except httpx.TransportError:
                time.sleep(0.1)
            self.cuts += 1

    def _read(self, answer: httpx.Response) -> None:
        cursor = self.cursor
        for line in answer.iter_lines():
            if line.startswith("id: "):
                cursor = line.removeprefix("id: ")
            if line.startswith("event: "):
                self.heard.append(line.removeprefix("event: ").rpartition(".")[2])
            if not line:  # the end of an event: what came before it has been read
                self.cursor = cursor
            if self.enough.is_set():
                return


def send_all(live: Live, ports: list[int], client: int) -> None:
    """One client's commands, each sent again with its key, at the next door, until it is acknowledged."""
    for number in range(EACH):
        key, tries = f"client-{client}-{number}", 0
        while True:
            try:
                answer = live.invite(key, ports[(client + tries) % len(ports)])
            except httpx.TransportError:
                tries += 1
                time.sleep(0.05)
                continue
            if answer.status_code != 503:
                break
            time.sleep(1)


@pytest.fixture
def doors(
    ground: Ground, empty: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[Live, list[Process], list[Process], list[int]]]:
    """A game that goes on by itself behind two doors and two workers."""
    name = ground.copy_database(empty)
    with django_db_blocker.unblock(), at(ground.url(name)), ground.clear_redis():
        workers = [ground.worker(name, ready=False) for _ in range(2)]
        ground.beat(name)
        webs, ports = map(list, zip(*(ground.web(name) for _ in range(2)), strict=True))
        for port in ports:
            until(lambda port=port: httpx.get(f"http://{HOST}:{port}/readyz", timeout=60).status_code == 200)
        with ground.post() as post:
            workers[0].until(lambda: len(post.control.ping(timeout=1) or ()) == 2)
        era = open_era(30, timezone.now(), seconds=SECONDS)
        _, token = mint_token(User.objects.get(pk=era.host), "tests", tuple(Scope))
        headers = {"Authorization": f"Bearer {token}"}
        yield Live(ground, era, workers[1], ports[1], headers), webs, workers, ports


def test_one_of_two_doors_and_one_of_two_workers_are_killed_while_an_admin_writes_too(
    doors: tuple[Live, list[Process], list[Process], list[int]],
) -> None:
    live, webs, workers, ports = doors
    reader = Reader(live, ports)
    reader.start()
    until(lambda: bool(reader.heard))
    clients = [threading.Thread(target=send_all, args=(live, ports, client)) for client in range(CLIENTS)]
    for client in clients:
        client.start()

    for number in range(BY_ADMIN):
        if number == BY_ADMIN // 2:
            webs[0].kill()
            workers[0].kill()
        live.era.run(Overrule(rule="G2-WAR-1", reason=f"Ruling {number}."), live.era.gm, timezone.now())
    for client in clients:
        client.join(PATIENCE)
        assert not client.is_alive()
    live.clock_goes_on()

    assert len(live.sent) == CLIENTS * EACH
    assert live.faults() == []
    assert LoggedEvent.objects.filter(game=live.era.game, type="Overruled").count() == BY_ADMIN
    expected = [name for name in live.era.types() if name in ("Invited", "Overruled")]
    until(lambda: [name for name in reader.heard if name in ("Invited", "Overruled")] == expected)
    assert reader.cuts == 1
    reader.enough.set()
    assert connection.vendor == "postgresql"
