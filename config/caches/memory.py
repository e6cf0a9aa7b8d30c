"""Memory as a cache that counts. Where it is used: config.rest; with Redis: config.caches.redis."""

from django.core.cache.backends.locmem import LocMemCache


class TallyingMemory(LocMemCache):
    """Memory of one process that also counts."""

    def tally(self, key: str, seconds: int, times: int = 1) -> int:
        """How often this was asked of a key, these times included, until its seconds are over."""
        self.add(key, 0, timeout=seconds)
        try:
            return self.incr(key, times)
        except ValueError:  # dropped between the two lines: the memory is full
            return 1
