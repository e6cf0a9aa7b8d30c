"""A worker freezes with a game's lock, longer than the database bears it, and comes back."""

import os
import signal
from datetime import timedelta

import psycopg
import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from api.common.problems import problem_of
from config.databases import FROZEN, LOCKED
from games import services
from games.engine.lifecycle.gm_commands import Resume
from games.runtime import failpoints
from tests.faults.conftest import Base
from tests.faults.servers import SCHEMA, Ground, alive, choice, is_frozen
from tests.faults.test_services_killed import END, WAR
from tests.test_serve import until

pytestmark = pytest.mark.long

MOMENTS = [
    f"{failpoints.TIMER_LOADED}:{WAR}",
    f"{failpoints.EVENT_DECIDED}:WarFought",
    f"{failpoints.ROWS_WRITTEN}:{END}",
    f"{failpoints.RECEIPT_WRITTEN}:{END}",
    failpoints.GAME_LOCKED,
]
SHORT = "3s"
LOST = ("idle-in-transaction", "server closed the connection", "the connection is lost", "batch.apart")
"""What a process that comes back says of it: what it reads, the cause or, where it has much to send, that nobody is
there; or that the batch which this befell is done again, each game by itself."""


def test_the_database_does_not_wait_for_ever_for_a_frozen_process(copy: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {FROZEN}")
        assert cursor.fetchone() == ("30s",)


def test_a_command_that_waits_long_for_a_game_is_refused_as_busy(ground: Ground, base: Base, copy: str) -> None:
    era, now = base.waiting[0], timezone.now()
    with psycopg.connect(ground.url(copy)) as holder, connection.cursor() as cursor:
        holder.execute(f"SELECT 1 FROM {SCHEMA}.games_game WHERE id = %s FOR UPDATE", (era.game,))
        cursor.execute(f"SET {LOCKED} = '200ms'")
        with pytest.raises(OperationalError) as waited:
            era.run(Resume(), era.gm, now)
        cursor.execute(f"SET {LOCKED} = DEFAULT")
        cursor.execute(f"SHOW {LOCKED}")
        assert cursor.fetchone() == ("10s",)
    answered = problem_of(waited.value, request_id="r", method="POST")
    assert answered is not None
    assert (answered.body["status"], answered.body["code"]) == (503, "game.busy")
    era.run(Resume(), era.gm, now)


@pytest.mark.parametrize("moment", choice(MOMENTS, MOMENTS[2:3]))
def test_a_frozen_worker_loses_its_lock_and_what_it_writes_afterwards_is_refused(
    ground: Ground, base: Base, copy: str, moment: str
) -> None:
    era, other = base.overdue, base.waiting[0]
    before, now = era.digest(), timezone.now()
    aim = era.healthy_digest(now)
    zombie = ground.worker(
        ground.url(copy, options=f"-c {FROZEN}={SHORT}"), THEOGONY_FAILPOINT=f"stop@{moment}", ready=False
    )
    ground.tick("fire_timers_of", str(era.game))
    zombie.until(lambda: [pid for pid in zombie.pool() if is_frozen(pid)])
    (pid,) = (pid for pid in zombie.pool() if is_frozen(pid))

    # The game waits; nothing half done is seen, and another game is on time.
    assert services.fire_due(era.game, now) == 0
    assert era.digest() == before
    other.run(Resume(), other.gm, now)
    assert services.fire_due(other.game, now + timedelta(seconds=1)) == 1

    # The database takes the lock back, another worker goes on.
    until(lambda: services.fire_due(era.game, now), 30)
    assert era.digest() == aim
    assert is_frozen(pid)

    os.kill(pid, signal.SIGCONT)
    zombie.until(lambda: any(words in zombie.output() for words in LOST))
    assert alive(pid)
    assert (era.digest(), era.faults(), other.faults()) == (aim, [], [])

    # The process is of use again.
    third = base.waiting[1]
    third.run(Resume(), third.gm, now - timedelta(seconds=2))
    ground.tick("fire_timers_of", str(third.game))
    zombie.until(lambda: third.types().count("CenturyOpened") == 2)
    assert alive(pid)
    assert (era.digest(), third.faults()) == (aim, [])
