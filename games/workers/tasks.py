"""What Celery carries: ticks without truth. Each may be lost, late, doubled or shuffled; the rows decide.

The names of the tasks are older than this module: what is in a queue during an upgrade stays understood.
Every line that is logged while a tick is carried out has its `task_id`, and the `sweep_id` of the sweep it came from.
"""

from uuid import UUID

from celery import Task, shared_task
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from games import services
from games.reads import selectors
from games.runtime import failpoints, metrics
from games.runtime.clock import MAX_TIMERS_PER_RUN
from games.workers import demo


@shared_task(name="games.tasks.sweep", bind=True, ignore_result=True, expires=5)
def sweep(self: Task) -> None:
    """Each second: hand every game in which something is due to a worker."""
    with bound_contextvars(task_id=self.request.id, sweep_id=self.request.id), metrics.sweeping():
        for game_id in selectors.games_with_due_timers(timezone.now()):
            failpoints.reach(failpoints.GAME_FOUND)
            fire_timers_of.delay(str(game_id))
            failpoints.reach(failpoints.TICK_QUEUED)


@shared_task(name="games.tasks.keep_demo", ignore_result=True, expires=5)
def keep_demo() -> None:
    """Each few seconds, with DEMO alone: open the next demo game where one is over."""
    demo.keep_open()


@shared_task(name="games.tasks.fire_timers_of", bind=True, ignore_result=True, expires=30)
def fire_timers_of(self: Task, game_id: str) -> None:
    """Fire what is due in one game. Safe to run twice, late, or at once with another."""
    with bound_contextvars(task_id=self.request.id, sweep_id=self.request.root_id):  # the root is the sweep
        failpoints.reach(failpoints.TICK_TAKEN)
        fired = services.fire_due(UUID(game_id))
        if fired >= MAX_TIMERS_PER_RUN and not self.request.is_eager:  # the other games' ticks come in between
            fire_timers_of.delay(game_id)
