"""Is it alive, is it ready? `/livez` says that the process answers; `/readyz` says that it can serve.

Needed: the database, with every migration applied. Wished for: a clock that keeps up, a pulse of every part, cache, and
broker where there is one. Without a wish play goes on, more slowly: that is reported ("degraded"), and is no failure.
"""

import asyncio
import dataclasses
from datetime import datetime, timedelta
from itertools import chain
from typing import ClassVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from health_check.base import HealthCheck
from health_check.checks import Cache, Database
from health_check.exceptions import ServiceUnavailable
from health_check.views import HealthCheckView
from kombu.exceptions import KombuError

from config.celery import app
from core.places import routing
from core.places.place import Place
from games.models import Pulse
from games.reads import due_timers
from games.runtime import service_clock

RETRY_SECONDS = 5
NONE = timedelta(0)
LATE = timedelta(seconds=15)  # a sweep takes one second, the watchdog three; a fault is tried again at once


@dataclasses.dataclass
class Migrations(HealthCheck):
    """Every migration of the code is applied. Once seen to be true it stays true for this process."""

    timeout: ClassVar[timedelta] = timedelta(seconds=5)
    applied: ClassVar[bool] = False

    def run(self) -> None:
        """Raise ServiceUnavailable while a migration is missing or the database cannot be asked."""
        if Migrations.applied:
            return
        try:
            missing = sum(map(self._count_missing, {None, *routing.every_place()}))
        except DatabaseError as error:
            raise ServiceUnavailable("the database cannot be asked") from error
        except LookupError as error:
            raise ServiceUnavailable(str(error)) from error
        finally:
            connections[DEFAULT_DB_ALIAS].close()
        if missing:
            command = "migrate_places" if settings.PLACES else "migrate"
            raise ServiceUnavailable(f"{missing} migrations are not applied; run `manage.py {command}`")
        Migrations.applied = True

    @staticmethod
    def _count_missing(place: Place | None) -> int:
        """How many are not applied in a place; in none: in `public`, or where there are no places."""
        missing = 0  # also where its server is away: so are its games alone
        with routing.at_hand(place and place.alone()):
            executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
            missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
        return missing


@dataclasses.dataclass
class Broker(HealthCheck):
    """The broker of the worker's ticks takes connections."""

    timeout: ClassVar[timedelta] = timedelta(seconds=3)

    def run(self) -> None:
        """Raise ServiceUnavailable when no connection can be made."""
        try:
            with app.connection_for_write(connect_timeout=2) as connection:
                connection.ensure_connection(max_retries=1, timeout=2)
        except (OSError, KombuError) as error:
            raise ServiceUnavailable("the broker takes no connection") from error


@dataclasses.dataclass
class Clock(HealthCheck):
    """What is due is fired. Nobody asks for workers and beat: they are missed when something is due, and it shows."""

    timeout: ClassVar[timedelta] = timedelta(seconds=3)

    def run(self) -> None:
        """Raise ServiceUnavailable when a timer of a running game waits for longer than any worker would let it."""
        try:
            late = max(routing.in_every_place(due_timers.oldest_due, timezone.now()))
        except (DatabaseError, LookupError) as error:
            raise ServiceUnavailable("the database cannot be asked") from error
        finally:
            connections[DEFAULT_DB_ALIAS].close()
        if late > LATE:
            raise ServiceUnavailable(f"a timer is {int(late.total_seconds())} s late; look at worker and beat")


def _pulses() -> list[tuple[str, datetime]]:
    """When each part last showed that it is at work, in the place in force."""
    return list(Pulse.objects.values_list("part", "at"))


@dataclasses.dataclass
class Parts(HealthCheck):
    """Every part renews its pulse. One that is silent, or has never begun, is reported, even if another stands in."""

    timeout: ClassVar[timedelta] = timedelta(seconds=3)
    meanings: ClassVar[dict[str, str]] = {
        service_clock.SWEEP: "no sweep of beat has been carried out; look at beat, broker and worker",
        service_clock.CLOCK: "no worker watches the clock; look at the workers",
    }

    def run(self) -> None:
        """Raise ServiceUnavailable for a pulse that is missing, or more than eight seconds away, behind or ahead."""
        try:
            now, pulses = timezone.now(), [dict(found) for found in routing.in_every_place(_pulses)]
        except (DatabaseError, LookupError) as error:
            raise ServiceUnavailable("the database cannot be asked") from error
        finally:
            connections[DEFAULT_DB_ALIAS].close()
        far = dict[str, timedelta]()  # of each part the place in which it is furthest
        for part, at in sorted(chain.from_iterable(found.items() for found in pulses)):
            if abs(now - at) > max(service_clock.SILENT, abs(far.get(part, NONE))):
                far[part] = now - at
        never = [part for part in sorted(self.meanings) if any(part not in found for found in pulses)]
        if far or never:
            silent = [self._sentence(part, away) for part, away in far.items() if part not in never]
            raise ServiceUnavailable("; ".join([*(f"{self.meanings[part]} (never seen)" for part in never), *silent]))

    def _sentence(self, part: str, away: timedelta) -> str:
        seconds = int(away.total_seconds())
        if seconds < 0:
            return f"{part} was last seen {-seconds} s from now: a clock went back, or the clocks of machines differ"
        return f"{self.meanings.get(part, part)} ({seconds} s)"


class ReadyView(HealthCheckView):
    """200 when requests can be served, 503 with Retry-After when not; what is up and what is down as JSON."""

    needed: ClassVar[tuple[type[HealthCheck], ...]] = (Database, Migrations)
    wished: ClassVar[tuple[type[HealthCheck], ...]] = (
        (Cache, Clock, Parts, Broker) if settings.REDIS_URL else (Cache, Clock, Parts)
    )

    async def get(self, request: HttpRequest) -> HttpResponse:
        """Run every check at once and say what came of it."""
        checks = [kind() for kind in (*self.needed, *self.wished)]
        results = await asyncio.gather(*(check.get_result() for check in checks))
        found = {type(r.check).__name__.lower(): "ok" if r.error is None else str(r.error) for r in results}
        down = {type(r.check) for r in results if r.error is not None}
        status = "unready" if down & set(self.needed) else "degraded" if down else "ready"
        headers = {"Retry-After": str(RETRY_SECONDS)} if status == "unready" else {}
        code = 503 if status == "unready" else 200
        return JsonResponse({"status": status, "checks": found}, status=code, headers=headers)


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "alive"})
