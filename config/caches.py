"""Cache backends: Redis as a cache that may be away, and memory that counts. Which is used: config.cache_settings."""

from collections.abc import Iterable
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.utils.functional import cached_property
from redis import Redis
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


class ForgivingRedisCache(RedisCache):
    """Redis as a cache that is empty while Redis is away: with Redis down, play goes on.

    Reads miss, writes are dropped with a warning; nothing of a game is kept here. Single-use things fail safe: `add`
    and `delete` answer False while Redis is away.
    """

    def _away(self, what: str, error: RedisError) -> None:
        log.warning("cache_away", operation=what, error=type(error).__name__)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        try:
            return super().add(key, value, *args, **kwargs)
        except RedisError as error:
            self._away("add", error)
            return False

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as error:
            self._away("get", error)
            return default

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        try:
            super().set(key, value, *args, **kwargs)
        except RedisError as error:
            self._away("set", error)

    def touch(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        try:
            return super().touch(key, *args, **kwargs)
        except RedisError as error:
            self._away("touch", error)
            return False

    def delete(self, key: Any, version: int | None = None) -> bool:
        try:
            return super().delete(key, version)
        except RedisError as error:
            self._away("delete", error)
            return False

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        try:
            return super().get_many(keys, version)
        except RedisError as error:
            self._away("get_many", error)
            return {}

    def set_many(self, data: dict[Any, Any], *args: Any, **kwargs: Any) -> list[Any]:
        try:
            return super().set_many(data, *args, **kwargs)
        except RedisError as error:
            self._away("set_many", error)
            return list(data)

    def delete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        try:
            super().delete_many(keys, version)
        except RedisError as error:
            self._away("delete_many", error)

    def has_key(self, key: Any, version: int | None = None) -> bool:
        try:
            return super().has_key(key, version)
        except RedisError as error:
            self._away("has_key", error)
            return False

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """One more; raises ValueError (key missing) while Redis is away, as for a key that expired."""
        try:
            return super().incr(key, delta, version)
        except RedisError as error:
            self._away("incr", error)
            raise ValueError(f"Key {key!r} not found") from error

    def tally(self, key: str, seconds: int) -> int:
        """How often this was asked of a key, this time included, until its seconds are over; 1 while Redis is away.

        One command, and a second one the first time. A key whose process dies between the two stays; it counts no more.
        """
        name = self.make_key(key)
        try:
            count = int(self._counter.incr(name))
            if count == 1:
                self._counter.expire(name, seconds)
        except RedisError as error:
            self._away("tally", error)
            return 1
        return count

    @cached_property
    def _counter(self) -> Redis:
        """A client that stays: making one for each command takes longer than the command."""
        client: Redis = self._cache.get_client(write=True)
        return client


class TallyingMemory(LocMemCache):
    """Memory of one process that also counts."""

    def tally(self, key: str, seconds: int) -> int:
        """How often this was asked of a key, this time included, until its seconds are over."""
        self.add(key, 0, timeout=seconds)
        try:
            return self.incr(key)
        except ValueError:  # dropped between the two lines: the memory is full
            return 1
