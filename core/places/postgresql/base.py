"""Django's engine for PostgreSQL, whose statements run in the place in force (ADR 115).

Before a statement whose place is not the one that its transaction was given, `SET LOCAL search_path` goes: one more
statement a transaction. A local path ends with COMMIT and ROLLBACK, and ROLLBACK TO SAVEPOINT takes it back to what it
was, so nothing of it outlives a transaction or reaches the next one to have the connection. Outside of a transaction a
statement in a place gets one of its own.

A place on another server (ADR 134) is asked there: before the first statement of a transaction its connection takes
the place of the one to home, until the transaction ends. A transaction is on one server.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.db import transaction
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper
from django.db.transaction import Atomic
from psycopg.pq import PipelineStatus, TransactionStatus

from core.places.place import PUBLIC, MixedPlaces, Place
from core.places.postgresql.servers import Servers
from core.places.routing import at_place, current

UNKNOWN = ""
"""Equal to no path: after a statement of which nobody knows whether it ran."""


class InPlace:
    """Of a cursor: its statements run in the place in force."""

    db: "DatabaseWrapper"
    cursor: Any

    def _execute(self, sql: Any, params: Any, *ignored: Any) -> Any:
        if self.db.is_in_place():
            self._use_its_connection()
            return super()._execute(sql, params, *ignored)  # type: ignore[misc]
        with self.db.in_place():
            self._use_its_connection()
            return super()._execute(sql, params, *ignored)  # type: ignore[misc]

    def _executemany(self, sql: Any, param_list: Any, *ignored: Any) -> Any:
        if self.db.is_in_place():
            self._use_its_connection()
            return super()._executemany(sql, param_list, *ignored)  # type: ignore[misc]
        with self.db.in_place():
            self._use_its_connection()
            return super()._executemany(sql, param_list, *ignored)  # type: ignore[misc]

    def _use_its_connection(self) -> None:
        """Be a cursor of the connection in use, which may be another than when this one was made."""
        made, there = self.cursor, self.db.connection
        if made.connection is there or there is None:
            return
        made.close()
        if hasattr(made, "withhold"):  # a cursor of the server; what ends at once must not end it
            is_held = made.withhold or there.autocommit
            self.cursor = there.cursor(made.name, scrollable=made.scrollable, withhold=is_held)
        else:
            self.cursor = self.db.create_cursor()


class PlacedCursor(InPlace, CursorWrapper):
    """Django's cursor in a place."""


class PlacedDebugCursor(InPlace, base.CursorDebugWrapper):
    """The same where statements are noted."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that knows the path of its transaction. Raises MixedPlaces for two places in one of them."""

    _path = PUBLIC
    """What the transaction's search path is now."""
    _is_moving = True
    """Whether a statement is given the path of the place in force."""
    _outermost: tuple[Atomic, str] | None = None
    """The block that is the transaction, and the schema in which it works."""
    _server = ""
    """The server whose connection is in use; empty: home."""
    _home: Any = None
    """Psycopg's connection to home, while that to another server is in use."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._path_at: dict[str, str] = {}
        self._servers = Servers(self.settings_dict)

    def make_cursor(self, cursor: Any) -> CursorWrapper:
        """As Django's."""
        return PlacedCursor(cursor, self)

    def make_debug_cursor(self, cursor: Any) -> PlacedDebugCursor:
        """As Django's."""
        return PlacedDebugCursor(cursor, self)

    def is_in_place(self) -> bool:
        """Whether a statement would run in the place in force as things are; most do."""
        place = current()
        if self.autocommit:
            return place is None
        return not self._is_moving or self._path == (PUBLIC if place is None else place.path)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let a statement run in the place in force; outside of a transaction in one of its own."""
        with self.on_its_server():
            if not self.is_in_place():
                self._send_path()
            yield

    @contextmanager
    def on_its_server(self) -> Iterator[None]:
        """Let statements run on the server of the place in force; outside of a transaction in one of their own.

        What is read aside on another server than the transaction's has a transaction of its own there, too.
        """
        place = current()
        if self.autocommit:
            with transaction.atomic(self.alias):
                self._choose_server(place)
                yield
        elif place is not None and place.is_aside and place.server != self._server and not self.needs_rollback:
            with self._beside(place):
                yield
        else:
            self._choose_server(place)
            yield

    def _choose_server(self, place: Place | None) -> None:
        """Let a transaction that has not begun be on the server of a place. Raises MixedPlaces for one that has."""
        if place is None or place.server == self._server or self.needs_rollback:
            return
        begun = self.connection.info
        if begun.transaction_status != TransactionStatus.IDLE or begun.pipeline_status != PipelineStatus.OFF:
            raise MixedPlaces(self._path, place.schema, place.server)
        there = self._servers.connection_to(place.server)
        self.connection.autocommit, there.autocommit = True, self.autocommit
        self._home, self.connection, self._server = self.connection, there, place.server

    def _return_home(self) -> None:
        """After a transaction on another server: the connection to home is in use again."""
        if not self._server:
            return
        self._servers.give_back(self._server)
        self.connection, self._home, self._server = self._home, None, ""
        if self.connection.info.transaction_status == TransactionStatus.IDLE:
            self.connection.autocommit = self.autocommit
        else:  # it was lost meanwhile
            super()._close()  # type: ignore[misc]
            self.connection = None

    @contextmanager
    def _beside(self, place: Place) -> Iterator[None]:
        """A short transaction on the server of a place that is read aside, in the middle of another one elsewhere."""
        home = self._home or self.connection
        there = self._servers.connection_to(place.server) if place.server else home
        kept = self.connection, self._home, self._server, self._path
        with self.wrap_database_errors, there.transaction():
            self.connection, self._home, self._server = there, home if place.server else None, place.server
            self._path = PUBLIC
            try:
                self._send_path()
                yield
            finally:
                self.connection, self._home, self._server, self._path = kept

    def _send_path(self) -> None:
        place = current()
        path = PUBLIC if place is None else place.path
        if self.needs_rollback:  # Django refuses the statement
            return
        if place is not None and not place.is_aside:
            self._keep_to(place.schema)
        with self._as_it_stands(), self.cursor() as cursor:
            self._path = UNKNOWN
            cursor.execute(f"SET LOCAL search_path TO {path}")
            if place is not None and place.is_moving:
                cursor.execute("SET LOCAL transaction_read_only TO on")
            self._path = path

    def _keep_to(self, schema: str) -> None:
        """Refuse a second place in one transaction. The blocks that wrap a whole test are none, as for `durable`."""
        blocks: list[Any] = self.atomic_blocks
        block = next((each for each in blocks if not each._from_testcase), None)
        if block is None:
            return
        if self._outermost is not None and self._outermost[0] is block and self._outermost[1] != schema:
            raise MixedPlaces(self._outermost[1], schema)
        self._outermost = block, schema

    @contextmanager
    def _as_it_stands(self) -> Iterator[None]:
        """Send what has no place: a path, and what begins and ends savepoints, also where nothing else may be sent."""
        former, self._is_moving = self._is_moving, False
        try:
            yield
        finally:
            self._is_moving = former

    def _forget_path(self) -> None:
        self._path, self._outermost = PUBLIC, None
        self._path_at.clear()

    def connect(self) -> None:
        """Connect to home; nothing has a path yet."""
        self._forget_path()
        self._home, self._server = None, ""
        super().connect()

    def close(self) -> None:
        """Close the connections to home and to other servers."""
        if self._server:
            self.connection, self._home, self._server = self._home, None, ""
        super().close()
        self._servers.close()

    def close_if_unusable_or_obsolete(self) -> None:
        """As Django's; those to other servers, too."""
        super().close_if_unusable_or_obsolete()
        self._servers.close_if_unusable_or_obsolete()

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._forget_path()
        self._return_home()

    def _rollback(self) -> None:
        super()._rollback()  # type: ignore[misc]
        self._forget_path()
        self._return_home()

    def _savepoint(self, sid: str) -> None:
        place = current()
        if place is not None and not place.is_aside:
            self._choose_server(place)
        with self._as_it_stands():
            super()._savepoint(sid)  # type: ignore[misc]
        self._path_at[sid] = self._path

    def _savepoint_rollback(self, sid: str) -> None:
        with self._as_it_stands():
            self._path = UNKNOWN
            super()._savepoint_rollback(sid)  # type: ignore[misc]
            self._path = self._path_at[sid]

    def _savepoint_commit(self, sid: str) -> None:
        with self._as_it_stands():
            super()._savepoint_commit(sid)  # type: ignore[misc]

    def on_commit(self, func: Callable[[], object], robust: bool = False) -> None:
        """As Django's; what is called then finds the place that is in force now."""
        place = current()

        @wraps(func)
        def in_that_place() -> None:
            with at_place(place):
                func()

        super().on_commit(in_that_place, robust)
