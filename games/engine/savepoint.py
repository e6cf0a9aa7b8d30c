"""Undo: a decision that is refused, fails or was a dry run leaves the state as it was, dirty marks included.

What changes in place (tables, boards) copies itself before its first write while a savepoint is open; everything else
of a state is an attribute that is set anew. So a savepoint costs what is written, not what the state holds.
"""

from collections.abc import Callable
from typing import Any

Restore = Callable[[], None]


class Undoable:
    """A part of a state that is written in place: it calls `remember` before each write.

    No abstract base: what each attribute of a state is, a savepoint asks, and of such a base that takes eight times
    as long.
    """

    restores: list[Restore] | None = None
    """Where the way back goes before the first write; None while no savepoint waits for it."""

    def restore(self) -> Restore:
        """What brings the present content back. It may be called once."""
        raise NotImplementedError

    def copy(self) -> Any:
        """One of its own with the same content, which no savepoint watches."""
        raise NotImplementedError

    def remember(self) -> None:
        """Write down the way back, if a savepoint is open and nothing was written since it was opened."""
        if self.restores is not None:
            self.restores.append(self.restore())
            self.restores = None


class Savepoint:
    """The state at one moment: `with Savepoint(state) as savepoint:` undoes everything when the block raises.

    One may be open at a time. Nothing is saved or marked as stored while one is open.
    """

    def __init__(self, state: Any) -> None:
        self.state = state
        self.attributes: dict[str, Any] = {}
        self.parts: list[Undoable] = []
        self.restores: list[Restore] = []

    def __enter__(self) -> "Savepoint":
        self.attributes = dict(vars(self.state))
        self.parts = [value for value in self.attributes.values() if isinstance(value, Undoable)]
        self._open()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._restore()
        self._close()

    def undo(self) -> None:
        """Bring the state back; the savepoint stays open."""
        self._restore()
        self._open()

    def _restore(self) -> None:
        self._close()
        vars(self.state).clear()
        vars(self.state).update(self.attributes)
        for restore in self.restores:
            restore()

    def _open(self) -> None:
        if any(part.restores is not None for part in self.parts):
            raise RuntimeError("a savepoint is open already")
        self.restores = []
        for part in self.parts:
            part.restores = self.restores

    def _close(self) -> None:
        for part in self.parts:
            part.restores = None
