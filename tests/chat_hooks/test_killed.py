"""A worker that is killed before or after it posts a line: none is lost, and one that was posted comes once more."""

import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from django.db import connection

from api.webhooks.attempts import LEASE
from games.runtime import failpoints
from tests.chat_hooks.channels import Channel
from tests.chat_hooks.told import Told
from tests.games.cairns import table

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(transactional_db, private_nets) -> Told:
    """A game whose rows other processes see."""
    return Told(table('{"tide_seconds": 3600, "vote_seconds": 600, "tides": 3}'))


def work(at: datetime, folder: Path, point: str) -> subprocess.CompletedProcess[str]:
    """One worker in a process of its own, on this test's database."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"]),
        "THEOGONY_FAILPOINT": point,
        "WEBHOOK_PRIVATE_NETS": "1",
        "TMPDIR": str(folder),
    }
    command = [sys.executable, "-m", "tests.chat_hooks.worker", at.isoformat()]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(("point", "posted"), [(failpoints.MESSAGE_WRITTEN, 0), (failpoints.MESSAGE_POSTED, 1)])
def test_a_worker_killed_around_a_post_loses_no_line_and_repeats_that_one_at_most(
    game: Told, discord: Channel, tmp_path: Path, point: str, posted: int
) -> None:
    game.hook(discord)
    game.propose()
    killed = work(game.now, tmp_path, point)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(discord.posted) == posted
    assert game.deliver() == [], "its lease lasts"

    game.pass_time(seconds=LEASE.total_seconds())
    game.deliver_all()
    assert len(discord.posted) == posted + 1
    assert "waiting for" in discord.posted[-1]
    assert len(set(discord.posted)) == 1, "the same line"

    game.pass_time(seconds=LEASE.total_seconds())
    game.deliver_all()
    assert len(discord.posted) == posted + 1, "what was noted is not posted again"
