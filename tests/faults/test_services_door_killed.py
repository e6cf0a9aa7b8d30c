"""A door is killed at each point of a batch: what it acknowledged stands, the rest happens once, at another door."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx
import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import Scope, User
from accounts.services import mint_token
from games.engine.lifecycle.seating import Invite
from games.models import LoggedEvent, Receipt
from games.runtime import failpoints
from tests.faults.era import Era, open_era
from tests.faults.servers import HOST, Ground, at, choice

pytestmark = pytest.mark.long

CLIENTS = 6
OF_A_COMMAND = (failpoints.ROWS_WRITTEN, failpoints.LOG_WRITTEN, failpoints.RECEIPT_WRITTEN, failpoints.GAME_WRITTEN)
EVERY = [
    f"{failpoints.GAME_LOCKED}#2",
    *(f"{point}:{Invite.slug()}#2" for point in OF_A_COMMAND),
    f"{failpoints.GAME_DONE}#2",
    f"{failpoints.COMMIT}#2",
]
"""The second time each: the first command has been acknowledged by then."""
SHORT = [f"{failpoints.ROWS_WRITTEN}:{Invite.slug()}#2", f"{failpoints.COMMIT}#2"]


@dataclass
class Doors:
    """A game, its game-master's token, and a door that nobody kills."""

    ground: Ground
    database: str
    era: Era
    headers: dict[str, str]
    other: int

    def invite(self, port: int, key: str) -> httpx.Response | None:
        """What one door answers to a command; None where it died."""
        try:
            return httpx.post(
                f"http://{HOST}:{port}/api/v1/games/{self.era.game}/commands/invite/?as=gm",
                headers={**self.headers, "Idempotency-Key": key}, json={}, timeout=120,
            )  # fmt: skip
        except httpx.TransportError:
            return None


@pytest.fixture(scope="module")
def doors(ground: Ground, empty: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Doors]:
    """A game without a clock, and one door."""
    name = ground.copy_database(empty)
    with django_db_blocker.unblock(), at(ground.url(name)), ground.clear_redis():
        era = open_era(30, timezone.now(), seconds=7200)
        _, token = mint_token(User.objects.get(pk=era.host), "tests", tuple(Scope))
        _, port = ground.web(name)
        yield Doors(ground, name, era, {"Authorization": f"Bearer {token}"}, port)


@pytest.mark.parametrize("point", choice(EVERY, SHORT))
def test_what_a_dead_door_did_not_acknowledge_happens_once_at_another(doors: Doors, point: str) -> None:
    door, port = doors.ground.web(doors.database, THEOGONY_FAILPOINT=point)
    first = doors.invite(port, f"{point}-first")
    assert first is not None and first.status_code == 201, door.output()

    keys = [f"{point}-{number}" for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as clients:
        answers = dict(zip(keys, clients.map(lambda key: doors.invite(port, key), keys), strict=True))
    assert None in answers.values()
    door.popen.wait(60)
    assert door.popen.returncode == -9, door.output()
    stood = {key for key, answer in answers.items() if answer is not None}
    receipts = set(Receipt.objects.filter(game=doors.era.game, key__in=keys).values_list("key", flat=True))
    assert stood <= receipts

    again = {key: doors.invite(doors.other, key) for key in keys}
    for key, answer in again.items():
        assert answer is not None and answer.status_code == 201, answer and answer.text
        before = answers[key]
        assert before is None or before.json()["events"] == answer.json()["events"]
    assert Receipt.objects.filter(game=doors.era.game, key__in=keys).count() == CLIENTS
    events = LoggedEvent.objects.filter(game=doors.era.game, type="Invited", cause__startswith="invite")
    assert events.count() == Receipt.objects.filter(game=doors.era.game, command=Invite.slug()).count()
    assert doors.era.faults() == []
