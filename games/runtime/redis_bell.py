"""Notifications by Redis: a publish on one channel for each game that moved. Loaded only with REDIS_URL (`notify`)."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import cache
from uuid import UUID

import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

CHANNEL = "theogony:bell"
log = structlog.get_logger(__name__)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)


def ring(games: Sequence[UUID]) -> None:
    """Notify every watcher that these games have moved. When that fails they are late, and nobody is stopped."""
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for game in games:
                pipeline.publish(CHANNEL, str(game))
            pipeline.execute()
    except RedisError as error:
        log.warning("bell.silent", games=[str(game) for game in games], error=str(error))


async def rings() -> AsyncGenerator[None]:
    """Each notification as it comes; the first says that they are listened to. Raises OSError while Redis is away."""
    try:
        async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as heard:
            await heard.subscribe(CHANNEL)
            yield
            async with aclosing(heard.listen()) as messages:
                async for _ in messages:
                    yield
    except RedisError as error:
        raise OSError(type(error).__name__) from error
