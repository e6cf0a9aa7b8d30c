"""Sweeps when nobody else does: with the broker or beat away, the clock still goes on.

One thread in each process of the worker's pool looks each second for timers that are later than a sweep should let
them be, and fires them itself: three seconds, and one where no sweep was seen for a while. The rows are the only thing
it asks, so it needs neither broker nor beat, and two of them at once do no harm: the game's lock decides. The same
thread watches the clock itself. Of games in places each process of a pool looks after a share.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import structlog
from billiard.process import current_process
from celery.signals import worker_init, worker_process_init
from django.db import DatabaseError, close_old_connections, connections
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from core.places import routing
from core.places.place import Place
from games import services
from games.reads import due_timers
from games.runtime import service_clock
from games.workers.clock_watch import ClockWatch

LATE = timedelta(seconds=3)
LATE_IN_SILENCE = timedelta(seconds=1)
SWEEPS_ARE_SILENT = timedelta(seconds=2 * service_clock.PULSE_SECONDS + 1)
"""Sweeps that have shown no sign of work for so long are over: the watchdog does not leave them what is due."""
LOOK_SECONDS = 1.0
START_SECONDS = 30.0  # what is late then was due while nothing ran: no sign that beat or broker is away
_processes = [1]
log = structlog.get_logger(__name__)


def sweep_what_is_late(now: datetime, level: int = logging.WARNING) -> int:
    """Fire what was due three seconds before `now`, or one where sweeps are silent; in how many games something was.

    level: at which that is logged. One query where nothing is late.
    """
    late = due_timers.games_with_due_timers(now - LATE_IN_SILENCE)
    if late and not are_sweeps_silent(now):
        late = due_timers.games_with_due_timers(now - LATE)
    with bound_contextvars(sweep_id=f"watchdog-{uuid4()}"):
        for game_id in late:
            services.fire_due(game_id)
        if late:
            log.log(level, "watchdog_swept", games=len(late))
    return len(late)


def are_sweeps_silent(now: datetime) -> bool:
    """Whether no sweep has shown that it is at work for five seconds, or ever: one query."""
    seen = service_clock.pulse_of(service_clock.SWEEP)
    return seen is None or now - seen > SWEEPS_ARE_SILENT


def level_after(seconds: float) -> int:
    """At which level a sweep is logged so many seconds after the process began to watch."""
    return logging.INFO if seconds < START_SECONDS else logging.WARNING


def share_of(places: Sequence[Place | None], index: int | None, processes: int) -> Sequence[Place | None]:
    """The places that one process of a worker's pool looks after: together they look after each once.

    index: of the process, 0 to `processes` - 1; None for a worker without a pool, which looks after all.
    """
    return places if index is None or len(places) < 2 else places[index % processes :: processes]


def _watch() -> None:
    begin, clocks = time.monotonic(), defaultdict[Place | None, ClockWatch](ClockWatch)
    index = getattr(current_process(), "index", None)
    while True:
        time.sleep(LOOK_SECONDS)
        with _going_on():
            close_old_connections()
            for place in share_of(routing.every_place(), index, _processes[0]):
                if place is not None and place.is_moving:
                    continue
                with _going_on(), routing.at_hand(place):
                    clocks[place].look(timezone.now(), time.monotonic())
                    sweep_what_is_late(timezone.now(), level_after(time.monotonic() - begin))


@contextmanager
def _going_on() -> Iterator[None]:
    """What fails within is logged, and tried again: nobody would miss a watchdog that ended."""
    try:
        yield
    except DatabaseError as error:
        log.warning("watchdog_waits", error=type(error).__name__)
        connections.close_all()
    except Exception:
        log.exception("watchdog_stumbled")


def _count_processes(sender: Any, **_: object) -> None:
    """Remember how many processes the pool will have; each of them inherits it."""
    _processes[:] = [sender.concurrency]


def start(**_: object) -> None:
    """Begin to watch, in a thread that ends with its process."""
    threading.Thread(target=_watch, daemon=True, name="watchdog").start()


worker_init.connect(_count_processes)
worker_process_init.connect(start)
