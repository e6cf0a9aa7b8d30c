"""A follower that is killed before it commits: nothing is lost, and nothing is told twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from games.models import Notification
from games.runtime import failpoints
from tests.notifications.told import Told, told

ROOT = Path(__file__).resolve().parents[2]


def test_what_was_written_before_a_fault_is_written_again_with_the_position(game: Told, monkeypatch) -> None:
    game.propose()
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0)
        game.follow()
    assert not Notification.objects.exists()
    assert game.follow() == 1 and Notification.objects.count() == 2


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_follower_that_is_killed_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    game: Told = told()
    game.propose()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"]),
        "THEOGONY_FAILPOINT": failpoints.NOTIFICATIONS_WRITTEN,
        "TMPDIR": str(tmp_path),
    }
    command = [sys.executable, "-m", "tests.notifications.worker", game.now.isoformat()]
    killed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not Notification.objects.exists()
    assert game.follow() == 1
    assert Notification.objects.count() == 2
    assert game.follow() == 0
