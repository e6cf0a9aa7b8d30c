"""Who is connected: which people have a stream of a game open, as the desk shows it.

Advice alone, no rule asks for it: a player may also poll, or look away. It is remembered in the cache that all
processes share; who has gone is missing from it within `LASTS` seconds.
"""

from collections.abc import Collection
from uuid import UUID

from django.core.cache import cache

from api.streams.access import StreamViewer

LASTS = 45
"""Seconds for which one look counts: longer than there is between two checks of a stream."""


def note(access: StreamViewer) -> None:
    """Remember that somebody has a stream of their own game open; a stranger is nobody in it."""
    user = access.principal.user
    if user is not None and access.visibility.seats:
        cache.set(_key(access.game, user.pk), 1, LASTS)


def connected(game: UUID, users: Collection[UUID]) -> frozenset[UUID]:
    """Which of these users have a stream of the game open, or had one less than `LASTS` seconds ago."""
    keys = {_key(game, user): user for user in users}
    return frozenset(keys[key] for key in cache.get_many(list(keys)))


def _key(game: UUID, user: UUID) -> str:
    return f"present:{game}:{user}"
