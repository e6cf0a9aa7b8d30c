"""Tests where games are spread over places: `PLACES=2 TESTS=services`, on PostgreSQL alone.

Every game lies in the second bucket, so that a test may read rows without saying where: its body is in that place. What
a client asks is not: a request begins outside of all places, as in the service, and what forgets to enter one finds no
table. Nor are threads and tasks that begin elsewhere. What the engine sends to enter a place is not counted, and what
is copied before a list across games is not (ADR 116), so that tests of costs say what they say without places.
`tests/places` has games in both buckets, and tests that are nowhere.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test.client import AsyncClientHandler, ClientHandler

from core.ids import SLOT_BITS
from core.places import cards, routing
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
    monkeypatch.setattr(routing, "place_by_row", lambda identity: BUCKET)
    monkeypatch.setattr(DatabaseWrapper, "in_place", _uncounted(DatabaseWrapper.in_place))
    monkeypatch.setattr(cards, "follow_all", _uncounted_call(cards.follow_all))
    monkeypatch.setattr(ClientHandler, "__call__", _outside(ClientHandler.__call__))
    monkeypatch.setattr(AsyncClientHandler, "__call__", _async_outside(AsyncClientHandler.__call__))
    with routing.at_place(BUCKET):
        yield


def _uncounted(in_place: Callable[..., Any]) -> Callable[..., Any]:
    @contextmanager
    def entered(self: DatabaseWrapper) -> Iterator[None]:
        with _not_counted(self), in_place(self):
            yield

    return entered


def _uncounted_call(follow: Callable[[], None]) -> Callable[[], None]:
    def followed() -> None:
        with _not_counted(connection):
            follow()

    return followed


@contextmanager
def _not_counted(of: Any) -> Iterator[None]:
    """Let the log of statements be as it was before the block."""
    before = len(of.queries_log)
    try:
        yield
    finally:
        while len(of.queries_log) > before:
            of.queries_log.pop()


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
