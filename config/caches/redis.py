"""Redis as a cache that counts and may be away. Where it is used: config.caches.settings."""

from typing import Any

import structlog
from django_redis.cache import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


class TallyingRedis(RedisCache[Any]):
    """Redis as a cache that is empty while Redis is away (DJANGO_REDIS_IGNORE_EXCEPTIONS): play goes on.

    Reads miss, writes are dropped with a warning; nothing of a game is stored here. Single-use things fail safe: `add`
    and `delete` answer nothing while Redis is away.
    """

    def tally(self, key: str, seconds: int, times: int = 1) -> int:
        """How often this was asked of a key, these times included, until its seconds are over; 1 while Redis is away.

        One command, and a second one the first time. A key whose process dies between the two stays; it counts no more.
        """
        name = str(self.client.make_key(key))
        try:
            client: Any = self.client.get_client(write=True)
            count = int(client.incr(name, times))
            if count == times:
                client.expire(name, seconds)
        except RedisError as error:
            log.warning("cache_away", operation="tally", error=type(error).__name__)
            return 1
        return count
