"""A worker that is killed before or after it posts: nothing is lost, and what comes twice has one id."""

import os
import signal
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, wait
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection

from api.outbound import posting
from api.outbound.pool import Pool
from api.webhooks import tasks
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
    slots = tasks.POOL.slots
    assert [slots.acquire(blocking=False) for _ in range(tasks.MAX_AT_ONCE)] == [True] * tasks.MAX_AT_ONCE
    for _ in range(tasks.MAX_AT_ONCE):
        slots.release()


def test_no_more_is_begun_than_threads_are_free(game: Subscribed, receiver: Receiver, monkeypatch) -> None:
    monkeypatch.setattr(posting, "TOTAL_SECONDS", 600.0)
    monkeypatch.setattr(tasks, "POOL", Pool("one", 1))
    game.subscribe(game.cairns.ann, receiver.url("hang"))
    game.add_stones()
    (hanging,) = tasks.begin_due()
    game.subscribe(game.cairns.bob, receiver.url())
    game.add_stones()
    assert tasks.begin_due() == []
    receiver.closing.set()
    hanging.result(timeout=60)
    receiver.closing.clear()
    assert len(receiver.ids()) == 1, "the thread goes on with what is due"


def test_a_tick_is_worth_more_than_a_message_for_each_thread(game: Subscribed, receiver: Receiver, monkeypatch) -> None:
    """The kind: a burst goes out at the pace of threads and receivers, not at that of the clock."""
    monkeypatch.setattr(tasks, "POOL", Pool("two", 2, per_turn=4))
    for number in range(10):
        for user in (game.cairns.ann, game.cairns.bob):
            game.subscribe(user, receiver.url(f"20{number}"))
    game.add_stones()
    posted = []
    for _ in range(3):
        wait(tasks.begin_due())
        posted.append(len(receiver.got))
    assert posted == [8, 16, 20], "four for each of two threads, whichever of them does it; then others have a turn"


def test_what_is_behind_in_the_list_of_kinds_has_its_turn(game: Subscribed, monkeypatch) -> None:
    monkeypatch.setattr(tasks, "POOL", Pool("one", 1, per_turn=1))
    asked: list[str] = []

    def take_from(name: str) -> Any:
        return SimpleNamespace(take=lambda now, most: asked.append(name) or [])

    monkeypatch.setattr(tasks, "KINDS", (take_from("webhooks"), take_from("chat hooks")))
    for _ in range(2):
        tasks.begin_due()
    assert asked[0] != asked[len(asked) // 2], "each tick begins with another"


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
