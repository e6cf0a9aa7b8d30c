"""Django's engine for PostgreSQL, whose statements run in the place in force (ADR 115).

Before a statement whose place is not the one that its transaction was given, `SET LOCAL search_path` goes: one more
statement a transaction. A local path ends with COMMIT and ROLLBACK, and ROLLBACK TO SAVEPOINT takes it back to what it
was, so nothing of it outlives a transaction or reaches the next one to have the connection. Outside of a transaction a
statement in a place gets one of its own.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any

from django.db import transaction
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper
from django.db.transaction import Atomic

from core.places.place import PUBLIC, MixedPlaces
from core.places.routing import at_place, current

UNKNOWN = ""
"""Equal to no path: after a statement of which nobody knows whether it ran."""


class InPlace:
    """Of a cursor: its statements run in the place in force."""

    db: "DatabaseWrapper"

    def _execute(self, sql: Any, params: Any, *ignored: Any) -> Any:
        if self.db.is_in_place():
            return super()._execute(sql, params, *ignored)  # type: ignore[misc]
        with self.db.in_place():
            return super()._execute(sql, params, *ignored)  # type: ignore[misc]

    def _executemany(self, sql: Any, param_list: Any, *ignored: Any) -> Any:
        if self.db.is_in_place():
            return super()._executemany(sql, param_list, *ignored)  # type: ignore[misc]
        with self.db.in_place():
            return super()._executemany(sql, param_list, *ignored)  # type: ignore[misc]


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

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._path_at: dict[str, str] = {}

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
        with transaction.atomic(self.alias) if self.autocommit else nullcontext():
            self._send_path()
            yield

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
        """Connect; nothing has a path yet."""
        self._forget_path()
        super().connect()

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._forget_path()

    def _rollback(self) -> None:
        super()._rollback()  # type: ignore[misc]
        self._forget_path()

    def _savepoint(self, sid: str) -> None:
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
