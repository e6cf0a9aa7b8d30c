"""A real worker is killed between any two steps of a century, a war, a sweep: after a restart there is one outcome.

Each test has a copy of the same game, with the same id and secrets, on a PostgreSQL and a Redis of its own; the worker
is Celery's, as in production. The game is due for wars, the end of the Activity Phase and the end of the century.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.runtime import failpoints
from tests.faults.conftest import Base
from tests.faults.era import Era
from tests.faults.servers import Ground, Process, choice

pytestmark = pytest.mark.long

WAR, ACTIVITY, END = "war:", "century:1/activity", "century:1/end"
EVENTS = (
    "TimerFired", "TimerCleared", "DiplomacyTried", "WarFought", "WarLapsed", "UnitsDied", "SourceCounted",
    "HistoryEntered", "ActivityClosed", "WorksheetOpened", "PromptOpened", "PromptClosed", "WorksheetClosed",
    "ManaPaid", "PoolPaid", "CenturyClosed", "CenturyOpened", "TimerSet", "GrowthOrdered", "RaceGrew",
    "AggressionRolled", "WarDeclared", "WarsOrdered", "BoardOpened", "GrowthEnded", "DeadlinePassed",
)  # fmt: skip
WRITING = [point for point in failpoints.TIMER_POINTS if point != failpoints.EVENT_DECIDED]
STEPS = [
    *(f"{point}:{timer}" for timer in (WAR, ACTIVITY, END) for point in WRITING),
    *(f"{failpoints.EVENT_DECIDED}:{event}" for event in EVENTS),
    failpoints.GAME_LOCKED,
    failpoints.GAME_DONE,
    failpoints.COMMIT,
]


def die(worker: Process) -> None:
    """Wait until a process of the worker's pool has killed itself."""
    worker.until(lambda: "SIGKILL" in worker.output())


def restart(ground: Ground, database: str, *eras: Era) -> Process:
    """A worker without the point, to whom every tick is delivered several times."""
    worker = ground.worker(database, processes=2)
    for era in eras:
        ground.tick("fire_timers_of", str(era.game), times=2)
    ground.tick("sweep", times=3)
    return worker


def test_the_steps_are_all_there_are(base: Base, copy: str) -> None:
    era, now = base.overdue, timezone.now()
    seq, due = era.fresh().seq, era.due(now)
    assert {key.split(":")[0] for key in due[:-2]} == {"war"}
    assert due[-2:] == [ACTIVITY, END]
    aim = era.healthy_digest(now)
    assert [era.healthy_digest(now + timedelta(seconds=300)), era.healthy_digest(now)] == [aim, aim]
    services.fire_due(era.game, now)
    assert set(era.types(seq)) == set(EVENTS)
    assert not era.faults()


@pytest.mark.parametrize("point", choice(STEPS, [f"{failpoints.ROWS_WRITTEN}:{END}"]))
def test_a_worker_killed_between_two_steps_of_a_century_leaves_all_or_nothing_and_a_restart_ends_the_same(
    ground: Ground, base: Base, copy: str, point: str
) -> None:
    era = base.overdue
    before, aim = era.digest(), era.healthy_digest(timezone.now())

    killed = ground.worker(copy, THEOGONY_FAILPOINT=point, ready=False)
    ground.tick("fire_timers_of", str(era.game))
    die(killed)

    assert era.digest() == (aim if point == failpoints.COMMIT else before)
    killed.kill()
    assert not era.faults()
    restart(ground, copy, era).until(lambda: era.digest() == aim)
    assert not era.faults()
