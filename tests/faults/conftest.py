"""Private servers for the fault tests, and a database that each test copies."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from core import new_database
from core.places.models import Slot
from core.places.routing import at_place
from games.runtime import service_clock
from tests import counted, migrated
from tests.faults.era import Era, overdue, waiting
from tests.faults.servers import FULL, ON_POSTGRES, Ground, at
from tests.promises import WITHOUT_SERVERS
from tools.with_services import NoServer

collect_ignore = [] if FULL else ["test_services_sweep.py"]
KEPT_SECONDS = 600.0
SWEEPS_FOR = timedelta(hours=1)


@dataclass
class Base:
    """A database to be copied: its name, the game whose century is due, two that wait for the end of theirs."""

    name: str
    overdue: Era
    waiting: tuple[Era, Era]
    at: float


@pytest.fixture(autouse=True)
def point_is_counted(request: pytest.FixtureRequest) -> None:
    """A test of a `point` kills one process there: what it has tried stands in the last lines of a run."""
    if "point" in request.fixturenames:
        counted.note(request.node, counted.POINTS, 1)


@pytest.fixture(scope="session")
def ground() -> Iterator[Ground]:
    """A PostgreSQL and a Redis that may be stopped."""
    with ExitStack() as stack:
        try:
            made = Ground.launch(stack)
        except NoServer as missing:
            if ON_POSTGRES:
                raise
            pytest.skip(f"{WITHOUT_SERVERS} {missing}")
        yield made
        for process in made.running:
            process.kill()


@pytest.fixture(scope="session")
def empty(ground: Ground, django_db_blocker: DjangoDbBlocker) -> str:
    """The name of a database with tables and no rows; with PLACES all slots lie in the bucket of the tests."""
    name = ground.copy_database()
    with django_db_blocker.unblock(), at(ground.url(name)):
        if settings.PLACES:
            with at_place(None):
                call_command("migrate_places", stdout=StringIO())
                Slot.objects.update(bucket=migrated.BUCKET)
        else:
            new_database.create(connection)
    return name


@pytest.fixture(scope="session")
def bases() -> list[Base]:
    """The bases of this run, the newest last."""
    return []


@pytest.fixture
def base(ground: Ground, empty: str, bases: list[Base], django_db_blocker: DjangoDbBlocker) -> Base:
    """The games as a test finds them; made anew before the second century of the overdue one begins to be due."""
    if not bases or time.monotonic() - bases[-1].at > KEPT_SECONDS:
        name, now = ground.copy_database(empty), time.monotonic()
        with django_db_blocker.unblock(), at(ground.url(name)):
            bases.append(Base(name, overdue(12), (waiting(2), waiting(3)), now))
    return bases[-1]


@pytest.fixture
def copy(ground: Ground, base: Base, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The name of a copy of these games, in which this test's models stand; an empty Redis.

    Sweeps are the test's own: the watchdog, which takes them to be at work, leaves them three seconds.
    """
    name = ground.copy_database(base.name)
    with django_db_blocker.unblock(), at(ground.url(name)), ground.clear_redis():
        service_clock.renew(service_clock.SWEEP, timezone.now() + SWEEPS_FOR)
        yield name
