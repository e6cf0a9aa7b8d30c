"""A worker that is killed before or after it posts: nothing is lost, and what comes twice has one id."""

import os
import signal
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, wait
from datetime import datetime
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from api.webhooks import posting, tasks
from api.webhooks.attempts import LEASE
from games.models import DeliveryState
from games.runtime import failpoints
from tests.webhooks.receivers import Receiver
from tests.webhooks.subscribed import Subscribed, subscribed

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(transactional_db, private_nets) -> Subscribed:
    """A game whose rows other processes see."""
    return subscribed()


def work(at: datetime, folder: Path, point: str) -> subprocess.CompletedProcess[str]:
    """One worker in a process of its own, on this test's database."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"]),
        "THEOGONY_FAILPOINT": point,
        "WEBHOOK_PRIVATE_NETS": "1",
        "TMPDIR": str(folder),
    }
    command = [sys.executable, "-m", "tests.webhooks.worker", at.isoformat()]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(("point", "posted"), [(failpoints.MESSAGE_WRITTEN, 0), (failpoints.MESSAGE_POSTED, 1)])
def test_a_worker_killed_around_a_post_loses_nothing_and_repeats_the_id(
    game: Subscribed, receiver: Receiver, tmp_path: Path, point: str, posted: int
) -> None:
    webhook = game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()
    killed = work(game.now, tmp_path, point)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(receiver.got) == posted
    (waiting,) = game.deliveries(webhook)
    assert waiting.state == DeliveryState.PENDING
    assert game.take() == [], "its lease lasts"

    game.pass_time(seconds=LEASE.total_seconds())
    game.add_stones()
    game.deliver_all()

    assert receiver.ids()[0] == str(waiting.pk)
    assert len(set(receiver.ids())) == 2
    assert [row.state for row in game.deliveries(webhook)] == [DeliveryState.DELIVERED] * 2
    events = {id: body["data"]["events"] for id, body in zip(receiver.ids(), receiver.bodies(), strict=True)}
    assert [each["type"] for message in events.values() for each in message].count("toy.StonesAdded") == 2


def test_threads_post_while_one_receiver_hangs(game: Subscribed, receiver: Receiver, monkeypatch) -> None:
    monkeypatch.setattr(posting, "TOTAL_SECONDS", 600.0)
    game.subscribe(game.cairns.bob, receiver.url("hang"))
    game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()
    done, (hanging,) = wait(tasks.begin_due(), return_when=FIRST_COMPLETED)
    assert len(done) == len(receiver.ids()) == 1
    assert tasks.begin_due() == [], "who is being posted to is leased"
    receiver.closing.set()
    hanging.result(timeout=60)
    receiver.closing.clear()
    assert [tasks._slots.acquire(blocking=False) for _ in range(tasks.MAX_AT_ONCE)] == [True] * tasks.MAX_AT_ONCE
    for _ in range(tasks.MAX_AT_ONCE):
        tasks._slots.release()


def test_no_more_is_begun_than_threads_are_free(game: Subscribed, receiver: Receiver, monkeypatch) -> None:
    for user in (game.cairns.ann, game.cairns.bob):
        game.subscribe(user, receiver.url())
    game.add_stones()
    monkeypatch.setattr(tasks, "_free_slots", lambda: int(tasks._slots.acquire(blocking=False)))
    (first,) = tasks.begin_due()
    first.result(timeout=60)
    (second,) = tasks.begin_due()
    second.result(timeout=60)
    assert len(receiver.ids()) == 2


def test_a_database_that_is_away_costs_no_thread(game: Subscribed, receiver: Receiver, monkeypatch) -> None:
    """The kind: what is held while something fails is given back."""
    game.subscribe(game.cairns.ann, receiver.url())
    game.add_stones()

    def fail(*_: object) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as away:
        away.setattr(tasks.delivery, "take", fail)
        with pytest.raises(OperationalError):
            tasks.begin_due()
    (begun,) = tasks.begin_due()
    begun.result(timeout=60)
    assert len(receiver.ids()) == 1
