"""Ticks by a real broker: a sweep that breaks off between two games, messages that come several times and shuffled."""

from contextlib import closing
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games.engine.lifecycle.gm_commands import Resume
from games.models import LoggedEvent
from games.runtime import failpoints
from tests.faults.conftest import Base
from tests.faults.servers import PREFIX, Ground
from tests.faults.test_services_killed import die, restart
from tests.test_serve import until

pytestmark = pytest.mark.long

SWEEP_STEPS = [f"{point}{times}" for point in failpoints.SWEEP_POINTS for times in ("", "#2")]


@pytest.mark.parametrize("point", SWEEP_STEPS)
def test_a_worker_killed_between_two_steps_of_a_sweep_leaves_no_game_behind(
    ground: Ground, base: Base, copy: str, point: str
) -> None:
    killed = ground.worker(copy, THEOGONY_FAILPOINT=point)
    eras, now = base.waiting, timezone.now()
    for era in eras:
        era.run(Resume(), era.gm, now)  # the century ends in a second: later than a sweep, sooner than the watchdog
    due = now + timedelta(seconds=1)
    aims = [era.healthy_digest(due) for era in eras]
    until(lambda: timezone.now() >= due)
    ground.tick("sweep")
    die(killed)
    killed.kill()

    again = restart(ground, copy)
    again.until(lambda: [era.digest() for era in eras] == aims)
    for era in eras:
        assert LoggedEvent.objects.filter(game=era.game, type="CenturyOpened").count() == 2
        assert not era.faults()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_messages_delivered_five_times_shuffled_to_two_processes_have_one_effect(
    ground: Ground, base: Base, copy: str, seed: int
) -> None:
    eras, now = (base.overdue, *base.waiting), timezone.now()
    for era in base.waiting:
        era.run(Resume(), era.gm, now - timedelta(seconds=1))
    aims = [era.healthy_digest(now) for era in eras]
    ground.tick("sweep")
    for era in eras:
        ground.tick("fire_timers_of", str(era.game))
    with closing(ground.bell()) as client:
        queue = f"{PREFIX}celery"
        copies = client.lrange(queue, 0, -1) * 4
        assert len(copies) == 16
        Random(seed).shuffle(copies)
        client.lpush(queue, *copies)

        worker = ground.worker(copy, processes=2)
        worker.until(lambda: [era.digest() for era in eras] == aims)  # one on its way to a process is in neither list
        worker.until(lambda: not client.llen(queue) and not client.hlen(f"{PREFIX}unacked"))
    assert [era.digest() for era in eras] == aims
    assert [era.faults() for era in eras] == [[], [], []]
    assert LoggedEvent.objects.filter(game=base.overdue.game, type="CenturyClosed").count() == 1
