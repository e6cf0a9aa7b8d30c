"""The clock of the service: that of the machine, held in doubt where it goes back.

The watchdogs of the workers renew the pulse `CLOCK` with what their clock shows. Where that row stands in the future
and nobody renews it, the wall clock went back: the games are turned back (`games.services.turn_back`), and until then
the service's time stands at that row. So nothing is decided, or set, on two clocks.
"""

import time
from collections import defaultdict
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from core.places.place import Place
from core.places.routing import current
from games.engine.game_state import Status
from games.models import Game, Pulse, Timer

CLOCK, SWEEP = "clock", "sweep"
PULSE_SECONDS = 2.0
"""How often a part renews its pulse."""
SILENT = timedelta(seconds=8)
"""How far from now a pulse may be; a part that is further away is silent, or its clock shows something else."""


def slip() -> timedelta:
    """How far a clock may be wrong before the games follow it: CLOCK_SLIP_SECONDS."""
    return timedelta(seconds=settings.CLOCK_SLIP_SECONDS)


def renew(part: str, now: datetime) -> None:
    """Note that a part is at work: one statement, more the first time."""
    if not Pulse.objects.filter(part=part).update(at=now):
        Pulse.objects.update_or_create(part=part, defaults={"at": now})


def pulse_of(part: str) -> datetime | None:
    """When a part last showed that it is at work; None where it never did."""
    return Pulse.objects.filter(part=part).values_list("at", flat=True).first()


def games_ahead_of(now: datetime) -> list[UUID]:
    """The games that a clock which went back to `now` concerns, in the order of their ids: one query.

    Not over, and with a deadline or with a last event that is yet to come.
    """
    ahead = Q(last_at__gt=now) | Q(Exists(Timer.objects.filter(game=OuterRef("pk"), due__isnull=False)))
    rows = Game.objects.exclude(status=Status.FINISHED).filter(ahead)
    return list(rows.order_by("pk").values_list("pk", flat=True))


class ProcessClock:
    """The wall clock as one process sees it. In doubt when the process begins, and whenever it has gone back."""

    def __init__(self) -> None:
        self._last: tuple[datetime, float] | None = None
        self._in_doubt = True

    def look(self, wall: datetime, monotonic: float) -> datetime:
        """The service's time. One query while this clock is in doubt, none else. monotonic: seconds."""
        if self._last is not None:
            passed = timedelta(seconds=monotonic - self._last[1])
            self._in_doubt |= wall < self._last[0] + passed - slip()
        self._last = wall, monotonic
        if self._in_doubt:
            last = pulse_of(CLOCK)
            if last is not None and last - wall > slip():
                return last
            self._in_doubt = False
        return wall


_process_clocks: defaultdict[Place | None, ProcessClock] = defaultdict(ProcessClock)
"""By place, for each has a pulse of its own."""


def now() -> datetime:
    """The service's time: what the wall clock shows, or where it stands until this place's games are turned back."""
    return _process_clocks[current()].look(timezone.now(), time.monotonic())
