"""Notifications: published after each commit, to say that a game has moved. One carries no content and may be lost.

With Redis it is a publish on one channel; without, watchers find the move at their next poll, and no process loads a
client of Redis.
"""

from collections.abc import AsyncGenerator, Sequence
from importlib import import_module
from typing import Protocol, cast
from uuid import UUID

from django.conf import settings


class Bell(Protocol):
    """What `games.runtime.redis_bell` provides."""

    def ring(self, games: Sequence[UUID]) -> None:
        """Notify every watcher that these games have moved."""

    def rings(self) -> AsyncGenerator[None]:
        """Each notification as it comes."""


def _bell() -> Bell:
    return cast("Bell", import_module("games.runtime.redis_bell"))


def ring(games: Sequence[UUID]) -> None:
    """Notify every watcher that these games have moved. When that fails they are late, and nobody is stopped."""
    if settings.REDIS_URL:
        _bell().ring(games)


def rings() -> AsyncGenerator[None]:
    """Each notification as it comes; only with Redis. Raises OSError while it is away."""
    return _bell().rings()
