"""What the tests of the APIs share."""

from time import time
from types import SimpleNamespace

import pytest
from asgiref.sync import SyncToAsync
from django.core.cache import caches
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from api.common import throttles
from api.door import writers
from api.streams import handshake, hub
from games.models import Game
from games.workers import demo
from tests.api.both_doors import through_both_doors
from tests.api.people import PASSWORD

__all__ = ["through_both_doors"]

TURN = 3600


@pytest.fixture(autouse=True)
def one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No budget begins anew within a test: the clock of its windows stands, where a real minute could end."""
    now = time()
    monkeypatch.setattr(throttles, "time", SimpleNamespace(time=lambda: now))
    monkeypatch.setattr(writers, "time", lambda: now)


@pytest.fixture(scope="session", autouse=True)
def no_connection_outlives_the_tests(django_db_setup):
    """Close what `sync_to_async` has opened in its thread, or the test database could not be dropped."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    """No budget is spent yet, and no answer is cached."""
    for name in ("throttles", "responses"):
        caches[name].clear()


@pytest.fixture
async def an_empty_hub():
    """Nobody has a stream open; afterwards the hub is closed."""
    handshake.PLACES.taken.clear()
    yield
    await hub.hub().close()


@pytest.fixture
def ada(db: None) -> User:
    """A user with a password."""
    return User.objects.create_user("Ada", password=PASSWORD, email="ada@example.org")


@pytest.fixture
def event(db: None, settings, tmp_path, monkeypatch) -> Game:
    """The demo event of The Gods II, just opened; time stands still, so that on a slow machine nothing falls due."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, tmp_path, TURN
    return Game.objects.get(pk=demo.prepare("gods2")["game"])


@pytest.fixture
def page(db: None) -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(User.objects.create_superuser("root", password=PASSWORD))
    return client
