"""Watches the wall clock: renews the service's, and turns the games back where it went back.

The pulse of the clock is a row that each watchdog renews. A row in the future that stands still was written before the
clock went back, by this process or by one before it; one that moves is renewed by a machine whose clock shows more.
"""

import math
from datetime import datetime, timedelta

import structlog

from games import services
from games.runtime import service_clock
from games.runtime.service_clock import CLOCK, PULSE_SECONDS

STANDS_SECONDS = 2 * PULSE_SECONDS + 1
"""How long a row must stand still before nobody can be said to renew it."""
COMPLAIN_SECONDS = 60.0
log = structlog.get_logger(__name__)


class ClockWatch:
    """One process's watch."""

    def __init__(self) -> None:
        self._standing: tuple[datetime, float] | None = None
        self._renewed = self._complained = -math.inf

    def look(self, now: datetime, monotonic: float) -> int:
        """Renew the service's clock, or turn the games back; how many were turned. monotonic: seconds."""
        last = service_clock.pulse_of(CLOCK)
        if last is not None and last - now > service_clock.slip():
            return self._doubt(last, now, monotonic)
        self._standing = None
        if monotonic - self._renewed >= PULSE_SECONDS or last is None or last > now:
            service_clock.renew(CLOCK, now)
            self._renewed = monotonic
        return 0

    def _doubt(self, last: datetime, now: datetime, monotonic: float) -> int:
        """Wait until the row is seen to stand still, then turn the games back."""
        if self._standing is None or self._standing[0] != last:
            if self._standing is not None and monotonic - self._complained >= COMPLAIN_SECONDS:
                self._complained = monotonic
                log.warning("clocks_differ", seconds=int((last - now).total_seconds()))
            self._standing = last, monotonic
            return 0
        waited = monotonic - self._standing[1]
        if waited < STANDS_SECONDS:
            return 0
        turned = services.turn_back(last, now, timedelta(seconds=waited))
        log.warning("clock_turned_back", seconds=int((last - now).total_seconds() + waited), games=turned)
        return turned
