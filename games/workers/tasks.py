"""What Celery carries: ticks without truth. Each may be lost, late, doubled or shuffled; the rows decide.

The names of the tasks are older than this module: what is in a queue during an upgrade stays understood.
Every line that is logged while a tick is carried out has its `task_id`, and the `sweep_id` of the sweep it came from.
"""

import math
import time
from collections import defaultdict
from datetime import timedelta
from uuid import UUID

from celery import Task, shared_task
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from core.places import routing
from core.places.cards import follow_all
from core.places.place import Place
from games import services
from games.reads import due_timers
from games.runtime import failpoints, metrics, service_clock
from games.runtime.clock import MAX_TIMERS_PER_RUN
from games.workers import demo

GAMES_PER_TICK, TIMERS_PER_TICK = 8, 400
"""Games that are locked and written together, and timers that are due in them; what takes long comes alone."""
AHEAD = timedelta(seconds=1)
"""How far a sweep looks ahead: to the next one."""

_renewed: defaultdict[Place | None, float] = defaultdict(lambda: -math.inf)


def _renew_sweep(monotonic: float) -> None:
    """Show every two seconds, in each place, that beat, broker and a worker are at work."""
    place = routing.current()
    if monotonic - _renewed[place] >= service_clock.PULSE_SECONDS:
        _renewed[place] = monotonic
        service_clock.renew(service_clock.SWEEP, timezone.now())


@shared_task(name="games.tasks.sweep", bind=True, ignore_result=True, expires=5)
def sweep(self: Task, bucket: int | None = None) -> None:
    """Each second: hand the games in which something is due, or falls due before the next sweep, to the workers, a few
    at a time; what is not due yet waits there for its moment, and if it is lost, the next sweep finds it.

    bucket: the number of the one place that is looked at, so that none waits for another; every place where it is left
    out.
    """
    with bound_contextvars(task_id=self.request.id, sweep_id=self.request.id), metrics.sweeping():
        for place in routing.places_to_write():
            if bucket is None or (place is not None and place.number == bucket):
                with routing.at_hand(place):
                    _sweep_here()


def _sweep_here() -> None:
    for tick in due_timers.ticks(timezone.now(), AHEAD, GAMES_PER_TICK, TIMERS_PER_TICK):
        failpoints.reach(failpoints.GAME_FOUND)
        fire_timers_of.apply_async(tuple(map(str, tick.games)), eta=tick.at)
        failpoints.reach(failpoints.TICK_QUEUED)
    _renew_sweep(time.monotonic())


@shared_task(name="games.tasks.follow_cards", ignore_result=True, expires=5)
def follow_cards() -> None:
    """Each second, with PLACES alone: copy what lists across games read, so that these find little to copy."""
    follow_all()


@shared_task(name="games.tasks.keep_demo", ignore_result=True, expires=5)
def keep_demo() -> None:
    """Each few seconds, with DEMO alone: open the next demo game where one is over."""
    demo.keep_open()


@shared_task(name="games.tasks.fire_timers_of", bind=True, ignore_result=True, expires=30)
def fire_timers_of(self: Task, *game_ids: str) -> None:
    """Fire what is due in some games, in one transaction. Safe to run twice, late, or at once with another."""
    with bound_contextvars(task_id=self.request.id, sweep_id=self.request.root_id):  # the root is the sweep
        failpoints.reach(failpoints.TICK_TAKEN)
        fired = services.fire_due_in(list(map(UUID, game_ids)))
        more = [str(game) for game, count in fired.items() if count >= MAX_TIMERS_PER_RUN]
        if more and not self.request.is_eager:  # the other games' ticks come in between
            fire_timers_of.delay(*more)
