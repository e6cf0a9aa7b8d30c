"""A worker is killed between any two steps: the next one leads to the log that an undisturbed worker leads to."""

import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from uuid import UUID

import pytest
from django.db import connection

from games import services
from games.models import Receipt
from games.runtime import failpoints
from games.runtime.failpoints import Aim
from tests.faults.servers import choice
from tests.faults.shared import healthy_digest, moment, seqs
from tests.games.cairns import Cairns, table
from tests.toy.models import Tide
from tests.toy.rules.commands import AddStones, Propose, RollStones

ROOT = Path(__file__).resolve().parents[2]
LATE = 25  # two tides (10, 20) and the end of a vote (15) are due
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


def work(game: UUID, at: datetime, folder: Path, point: str) -> subprocess.CompletedProcess[str]:
    """One worker in a process of its own, on this test's database: it fires what is due by then."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"]),
        "THEOGONY_FAILPOINT": point,
        "TMPDIR": str(folder),
    }
    command = [sys.executable, "-m", "tests.faults.worker", str(game), at.isoformat()]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture
def cairns(transactional_db: None) -> Cairns:
    game = table('{"tide_seconds": 10, "vote_seconds": 15}')
    game.run(AddStones(stones=5), game.ann)
    game.run(RollStones(), game.bob)
    game.run(Propose(text="More stones?"), game.ann)
    return game


def fire_when_free(game: UUID, at: datetime) -> int:
    """Fire what is due once the database has let go of the dead worker's lock: 10 s at most."""
    for _ in range(100):
        if fired := services.fire_due(game, at):
            return fired
        time.sleep(0.1)
    return 0


KILL, STOP = int(signal.SIGKILL), int(signal.SIGSTOP)
POINTS = [*failpoints.POINTS, "rows.written:prompt:", "event.decided:MotionSettled", "receipt.written:tide#2"]


@pytest.mark.parametrize("point", choice(POINTS, ["rows.written:prompt:", failpoints.COMMIT]))
def test_a_worker_killed_at_any_point_leaves_all_or_nothing_and_the_next_one_ends_the_same(
    cairns: Cairns, tmp_path: Path, point: str
) -> None:
    before, aim = cairns.fresh().digest, healthy_digest(cairns, LATE)
    assert before != aim

    killed = work(cairns.game.pk, moment(LATE), tmp_path, point)

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    committed = point == failpoints.COMMIT
    assert cairns.fresh().digest == (aim if committed else before)
    assert cairns.rows_equal_log()
    fired = (
        services.fire_due(cairns.game.pk, moment(LATE)) if committed else fire_when_free(cairns.game.pk, moment(LATE))
    )
    assert fired == (0 if committed else 3)
    assert cairns.fresh().digest == aim
    assert seqs(cairns) == list(range(1, cairns.fresh().seq + 1))
    assert (Tide.objects.get().count, cairns.types().count("MotionSettled")) == (2, 1)
    assert Receipt.objects.filter(game=cairns.game, principal="clock").count() == 3
    assert cairns.rows_equal_log()


def test_a_worker_in_a_process_of_its_own_ends_as_one_in_this_process(cairns: Cairns, tmp_path: Path) -> None:
    aim = healthy_digest(cairns, LATE)
    done = work(cairns.game.pk, moment(LATE), tmp_path, "")
    assert (done.returncode, done.stdout.strip()) == (0, "3"), done.stderr
    assert cairns.fresh().digest == aim
    assert cairns.rows_equal_log()


@pytest.mark.parametrize(
    ("text", "reached", "signalled"),
    [
        ("timer.fired", [("timer.loaded", "tide"), ("timer.fired", "tide")], [0, KILL]),
        ("timer.fired:war:", [("timer.fired", "tide"), ("timer.fired", "war:1")], [0, KILL]),
        ("rows.written#2", [("rows.written", "a"), ("rows.written", "b"), ("rows.written", "c")], [0, KILL, 0]),
        ("stop@event.decided:Tide#2", [("event.decided", "TideCame"), ("event.decided", "TideCame")], [0, STOP]),
        ("", [("timer.fired", "tide")], [0]),
    ],
)
def test_a_point_is_met_once_at_its_step_and_count(
    monkeypatch: pytest.MonkeyPatch, text: str, reached: list[tuple[str, str]], signalled: list[int]
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(failpoints, "AIM", Aim.from_text(text) if text else None)
    monkeypatch.setattr(failpoints.os, "kill", lambda pid, number: sent.append(number) if pid == os.getpid() else None)
    for point, step in reached:
        before = len(sent)
        failpoints.reach(point, step)
        sent += [] if len(sent) > before else [0]
    assert sent == signalled


@pytest.mark.parametrize("text", ["timer.fird", "halt@timer.fired", "timer.fired#twice", "stop@"])
def test_a_point_that_nobody_reaches_is_reported_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="THEOGONY_FAILPOINT is"):
        Aim.from_text(text)
