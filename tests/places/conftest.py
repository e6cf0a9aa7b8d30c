"""Two buckets with games in both: slots 0 to 2047 lie in the first. A process of its own: `make test-places`."""

import math
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from core.places import routing
from core.places.models import Slot
from tests.places import elsewhere
from tests.places.buckets import BOTH


@pytest.fixture(autouse=True)
def place_of_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In place of that of all other tests: nobody is anywhere, and ids lie evenly in both buckets."""
    if not settings.PLACES:
        pytest.skip("games are spread over places in a process with PLACES=2 on PostgreSQL: make test-places")
    monkeypatch.setattr(routing, "REFRESH_SECONDS", math.inf)
    by_slot = tuple(BOTH[slot // 2048] for slot in range(4096))
    monkeypatch.setattr(routing, "_table", [routing.Table(time.monotonic(), BOTH, by_slot)])
    yield
    assert routing.current() is None


@pytest.fixture(autouse=True)
def slots_of_tests(request: pytest.FixtureRequest, place_of_tests: None) -> None:
    """The rows of the slots say the same, in tests that have rows."""
    if (marker := request.node.get_closest_marker("django_db")) is not None:
        request.getfixturevalue("transactional_db" if marker.kwargs.get("transaction") else "db")
        Slot.objects.filter(slot__lt=2048).update(bucket=1)


@pytest.fixture(scope="module")
def two_servers(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Two databases for the tests of a module, which commit and leave their rows there."""
    if not settings.PLACES:
        pytest.skip("games are spread over places in a process with PLACES=2 on PostgreSQL: make test-places")
    with django_db_blocker.unblock(), elsewhere.databases_of_two_servers(tmp_path_factory.mktemp("servers")):
        yield


@pytest.fixture
def slots_as_they_are(monkeypatch: pytest.MonkeyPatch, place_of_tests: None, two_servers: None) -> None:
    """The table of slots is that of the database, read anew at once."""
    monkeypatch.setattr(routing, "REFRESH_SECONDS", 0.02)
    monkeypatch.setattr(routing, "_table", [])
