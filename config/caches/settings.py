"""Caches: what is shared by all processes, and what happens when it is gone.

`default` is shared (throttles, single-use tickets); `responses` holds bytes whose key names their content (game,
cursor, visibility), so each process may keep its own. See docs/adr/0006-caches.md. The backends stand in
config.caches.memory and config.caches.redis, which settings must not import: a process that uses no cache loads no
Redis client.
"""

from pathlib import Path
from typing import Any


def caches(redis_url: str, data_dir: Path) -> dict[str, dict[str, Any]]:
    """Django's CACHES: Redis where there is one, files in DATA_DIR where there is none."""
    if redis_url:
        shared: dict[str, Any] = {
            "BACKEND": "config.caches.redis.TallyingRedis",
            "LOCATION": redis_url,
            "OPTIONS": {"SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 2},
        }
    else:
        shared = {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": str(data_dir / "cache"),
            "OPTIONS": {"MAX_ENTRIES": 5_000},
        }
    responses = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "responses",
        "OPTIONS": {"MAX_ENTRIES": 1_000},
    }
    return {"default": {**shared, "KEY_PREFIX": "theogony"}, "responses": responses}
