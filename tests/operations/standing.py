"""Models that stand in another database for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

from config.databases import databases
from games.storage.state_cache import STATE_CACHE


@contextmanager
def standing_in(url: str) -> Iterator[None]:
    """This thread's models stand in the database at this address; no state is cached from before or for afterwards."""
    former = connections.settings["default"]
    connection.close()
    del connections["default"]
    there = databases(url, Path(), pool=False, places=settings.PLACES)
    connections.settings["default"] = connections.configure_settings(there)["default"]
    STATE_CACHE.clear()
    try:
        yield
    finally:
        STATE_CACHE.clear()
        connection.close()
        del connections["default"]
        connections.settings["default"] = former
