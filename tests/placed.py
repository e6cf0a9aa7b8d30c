"""Tests where games are spread over places: `PLACES=2 TESTS=services`, on PostgreSQL alone.

Every game lies in the second bucket, so that a test may read rows without saying where: its body is in that place. What
a client asks is not: a request begins outside of all places, as in the service, and what forgets to enter one finds no
table. Nor are threads and tasks that begin elsewhere. What the engine sends to enter a place is not counted, so
that tests of costs say what they say without places. `tests/places` has games in both buckets, and tests that are
nowhere.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test.client import AsyncClientHandler, ClientHandler

from core.ids import SLOT_BITS
from core.places import routing
from core.places.place import Place, schema_name
from core.places.postgresql.base import DatabaseWrapper
from tests import migrated

BUCKET = Place.of(migrated.BUCKET, schema_name(migrated.BUCKET))
OTHER = Place.of(1, schema_name(1))


@contextmanager
def all_in_one(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test be in the second bucket, and what its clients ask nowhere; no query reads the table of slots."""
    table = routing.Table(math.inf, (OTHER, BUCKET), (BUCKET,) * 2**SLOT_BITS)
    monkeypatch.setattr(routing, "_table", [table])
    monkeypatch.setattr(DatabaseWrapper, "in_place", _uncounted(DatabaseWrapper.in_place))
    monkeypatch.setattr(ClientHandler, "__call__", _outside(ClientHandler.__call__))
    monkeypatch.setattr(AsyncClientHandler, "__call__", _async_outside(AsyncClientHandler.__call__))
    with routing.at_place(BUCKET):
        yield


def _uncounted(in_place: Callable[..., Any]) -> Callable[..., Any]:
    @contextmanager
    def entered(self: DatabaseWrapper) -> Iterator[None]:
        before = len(self.queries_log)
        try:
            with in_place(self):
                yield
        finally:
            while len(self.queries_log) > before:
                self.queries_log.pop()

    return entered


def _outside(answer: Callable[..., Any]) -> Callable[..., Any]:
    def nowhere(*arguments: Any, **more: Any) -> Any:
        with routing.at_place(None):
            return answer(*arguments, **more)

    return nowhere


def _async_outside(answer: Callable[..., Any]) -> Callable[..., Any]:
    async def nowhere(*arguments: Any, **more: Any) -> Any:
        with routing.at_place(None):
            return await answer(*arguments, **more)

    return nowhere
