"""Notifications: published after each commit, to say that a game has moved. One carries no content and may be lost.

With Redis it is a publish on one channel; without, watchers find the move at their next poll.
"""

from collections.abc import Sequence
from functools import cache
from uuid import UUID

import redis
import structlog
from django.conf import settings

CHANNEL = "theogony:bell"
log = structlog.get_logger(__name__)


@cache
def _client() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)


def ring(games: Sequence[UUID]) -> None:
    """Notify every watcher that these games have moved. When that fails they are late, and nobody is stopped."""
    if not settings.REDIS_URL:
        return
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for game in games:
                pipeline.publish(CHANNEL, str(game))
            pipeline.execute()
    except redis.RedisError as silent:
        log.warning("bell.silent", games=[str(game) for game in games], error=str(silent))
