"""The database: a SQLite file in DATA_DIR, or PostgreSQL by its address."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dj_database_url

SQLITE_OPTIONS: dict[str, Any] = {
    # IMMEDIATE: a deferred transaction that upgrades to writing fails at once, whatever the timeout.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8192; "
        "PRAGMA mmap_size=268435456; PRAGMA busy_timeout=20000;"
    ),
}
CONNECTION_SECONDS = 60
# A process that froze with a game's lock (a machine that sleeps, a stopped container) keeps its connection, so the
# database would wait for it for ever. After this it takes the lock back; the process finds its transaction gone.
FROZEN_SECONDS = 30
FROZEN = "idle_in_transaction_session_timeout"
# Values go beside a statement, not in its text, and the server keeps the plan of one that comes again: a quarter less
# processor for each command. Behind a pooler that shares a session between clients, `?prepare_threshold=` is empty.
PREPARED_AFTER = 2
# A caller who waits for a game that long is refused (`game.busy`) and tries again.
LOCKED_SECONDS = 10
LOCKED = "lock_timeout"
WITH_PLACES = "core.places.postgresql"
HOME = "home"
"""What the server of DATABASE_URL is called among those that may have places."""
SERVER_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


def databases(url: str, data_dir: Path, *, pool: bool, places: int = 0) -> dict[str, Any]:
    """Django's DATABASES.

    pool: under ASGI each request may be a new thread, so persistent ones would leak: a pool of at most 8 instead.
    Without it each thread (of a WSGI server or a worker) keeps its connection for a minute, checked before use.
    places: over how many schemas games are spread; 0: Django's own engine. Raises ValueError where it cannot be done.
    """
    database: dict[str, Any] = dict(dj_database_url.parse(url or f"sqlite:///{data_dir / 'theogony.sqlite3'}"))
    options = database.setdefault("OPTIONS", {})
    if database["ENGINE"].endswith("sqlite3"):
        options.update(SQLITE_OPTIONS)
        database["CONN_MAX_AGE"] = CONNECTION_SECONDS
    elif pool:
        options["pool"] = {"min_size": 1, "max_size": 8, "timeout": 5}
        database["CONN_MAX_AGE"] = 0
    else:
        database["CONN_MAX_AGE"] = CONNECTION_SECONDS
        database["CONN_HEALTH_CHECKS"] = True
    if database["ENGINE"].endswith("postgresql"):
        options.setdefault("connect_timeout", 5)
        options.setdefault("server_side_binding", True)
        options.setdefault("prepare_threshold", PREPARED_AFTER)
        flags = options.get("options", "")
        for name, seconds in ((FROZEN, FROZEN_SECONDS), (LOCKED, LOCKED_SECONDS)):
            if name not in flags:
                flags = f"{flags} -c {name}={seconds}s".strip()
        options["options"] = flags
    if places:
        if places == 1 or not database["ENGINE"].endswith("postgresql"):
            raise ValueError(
                f"PLACES is {places}; games are spread over 2 to 64 schemas of a PostgreSQL (DATABASE_URL)."
            )
        database["ENGINE"] = WITH_PLACES
    return {"default": database}


def place_servers(pairs: Sequence[str], *, pool: bool, places: int) -> dict[str, dict[str, Any]]:
    """The other servers that may have places, by name: for each what differs from DATABASES of the first one.

    pairs: `name=postgres://...` each. Raises ValueError, without an address in it, where it cannot be done.
    """
    if pairs and not places:
        raise ValueError("PLACE_SERVERS is set and PLACES is 0: only places may lie on other servers.")
    found = dict[str, dict[str, Any]]()
    for pair in pairs:
        name, _, url = pair.partition("=")
        if not SERVER_NAME.fullmatch(name) or name == HOME or name in found:
            raise ValueError(
                f"PLACE_SERVERS names a server {name!r}; a name is small letters and digits, is not `{HOME}`, and "
                "comes once: `name=postgres://user:password@host/database`."
            )
        if not url.startswith(("postgres://", "postgresql://")):
            raise ValueError(f"PLACE_SERVERS has no address of a PostgreSQL for {name}: `{name}=postgres://...`.")
        there = databases(url, Path(), pool=pool)["default"]
        found[name] = {key: there[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    return found
