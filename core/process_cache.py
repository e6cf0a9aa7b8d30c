"""What one process remembers from one request to the next: one class for all of it.

Nothing here is believed without asking: what is remembered of a game is held against the digest of its last event, what
is remembered of a token against its row. So there is nothing to invalidate, and a process that forgets is only slower.
"""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakSet

from cachetools import Cache, LRUCache, TTLCache

K = TypeVar("K")
V = TypeVar("V")
_caches: "WeakSet[ProcessCache[object, object]]" = WeakSet()


class ProcessCache(Generic[K, V]):
    """At most `room` values by key, the longest unused dropped first; forgotten after `seconds`. Thread-safe."""

    def __init__(self, room: int, seconds: float | None = None) -> None:
        self.room = room
        self._values: Cache[K, V] = LRUCache(room) if seconds is None else TTLCache(room, ttl=seconds)
        self._lock = Lock()
        _caches.add(self)  # type: ignore[arg-type]

    def get(self, key: K) -> V | None:
        """The value of a key; None where there is none."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V, *, unless: Callable[[V], bool] | None = None) -> None:
        """Remember a value, unless `unless` holds for the one that is there; nothing where there is no room at all."""
        with self._lock:
            here = self._values.get(key)
            if self.room and (here is None or unless is None or not unless(here)):
                self._values[key] = value

    def pop(self, key: K) -> V | None:
        """Take a value out."""
        with self._lock:
            return self._values.pop(key, None)

    def keys(self) -> list[K]:
        """The keys of what is remembered now."""
        with self._lock:
            return list(self._values)

    def clear(self) -> None:
        """Forget every value."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)


def clear_process_caches() -> None:
    """Forget everything, as a process that has just begun."""
    for cache in list(_caches):
        cache.clear()
