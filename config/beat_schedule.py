"""Beat's scheduler: what is to come each few seconds follows the monotonic clock.

Celery's own asks the wall clock when an entry last ran, and keeps that in a file: after a wall clock that went back it
sends nothing until the clock has caught up. Nothing need be kept from one run to the next here.
"""

import math
from time import monotonic
from typing import Any

from celery.beat import ScheduleEntry, Scheduler

EARLY_SECONDS = 0.02
"""Celery looks ten milliseconds before the time; what is then not due is looked at again and again until it is."""


class SteadyScheduler(Scheduler):
    """Sends each entry every so many seconds, whatever the wall clock shows. Its schedules are numbers of seconds."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._sent: dict[str, float] = {}
        super().__init__(*arguments, **options)

    def is_due(self, entry: ScheduleEntry) -> tuple[bool, float]:
        """Whether an entry is to be sent now, and the seconds until it is looked at again."""
        every, now = entry.schedule.run_every.total_seconds(), monotonic()
        left = self._sent.get(entry.name, -math.inf) + every - now
        if left > EARLY_SECONDS:
            return False, left
        self._sent[entry.name] = now
        return True, every

    def _when(self, entry: ScheduleEntry, next_time_to_run: float, *_: Any) -> float:
        """When an entry is looked at again, on the monotonic clock."""
        return monotonic() + (self.adjust(next_time_to_run) or 0)
