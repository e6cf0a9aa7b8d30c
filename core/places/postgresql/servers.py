"""The other servers on which places lie (PLACE_SERVERS, ADR 134): for each a connection beside that of a thread.

It is made when a place there is first asked, kept, checked and closed as Django does with the first one. A server that
has just refused is not asked again for `AWAY_SECONDS`, so that nobody waits for it with each request.
"""

import time
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

AWAY_SECONDS = 1.0
"""How long a server that could not be reached is taken to be away, by each process."""
_away_until: dict[str, float] = {}
"""Until when, as `time.monotonic` gives it, by server."""


class ServerAway(OperationalError):
    """A server on which a place lies has just been found away."""


class UnknownServer(OperationalError):
    """A place lies on a server of which this process has no address."""

    def __init__(self, name: str) -> None:
        super().__init__(f"A place lies on the server {name}, which PLACE_SERVERS of this process does not name.")


def wrapper_of(name: str, defaults: dict[str, Any]) -> base.DatabaseWrapper:
    """Django's connection to another server, not connected yet. defaults: the settings of the first one's.

    Raises UnknownServer.
    """
    if name not in settings.PLACE_SERVERS:
        raise UnknownServer(name)
    wrapper = base.DatabaseWrapper({**defaults, **settings.PLACE_SERVERS[name]}, f"places/{name}")
    wrapper.inc_thread_sharing()  # whose threads may use it is asked of the connection that it belongs to
    return wrapper


class Servers:
    """The connections of one thread to other servers, by their names."""

    def __init__(self, defaults: dict[str, Any]) -> None:
        self._defaults, self._wrappers = defaults, dict[str, base.DatabaseWrapper]()

    def connection_to(self, name: str) -> Any:
        """Psycopg's connection, in no transaction. Raises UnknownServer, and OperationalError where it is away."""
        if name not in self._wrappers:
            self._wrappers[name] = wrapper_of(name, self._defaults)
        wrapper = self._wrappers[name]
        if time.monotonic() < _away_until.get(name, 0.0):
            raise ServerAway(f"The server {name} did not answer a moment ago.")
        try:
            if wrapper.connection is not None and wrapper.connection.closed:
                wrapper.close()
            wrapper.close_if_health_check_failed()
            wrapper.ensure_connection()
        except OperationalError:
            _away_until[name] = time.monotonic() + AWAY_SECONDS
            raise
        return wrapper.connection

    def give_back(self, name: str) -> None:
        """Let a connection be as it was got after its transaction has ended; one that is broken is dropped."""
        wrapper = self._wrappers[name]
        if wrapper.connection is None or wrapper.connection.info.transaction_status != TransactionStatus.IDLE:
            wrapper.close()
        else:
            wrapper.connection.autocommit = True

    def close(self) -> None:
        """Close all; each is made anew when it is asked for."""
        for wrapper in self._wrappers.values():
            wrapper.close()

    def close_if_unusable_or_obsolete(self) -> None:
        """As Django's, before and after each request and task."""
        for wrapper in self._wrappers.values():
            wrapper.close_if_unusable_or_obsolete()
