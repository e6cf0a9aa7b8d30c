"""Every command of a golden game is a dry run first, which leaves the state as it was, dirty marks included."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from games.engine.board.board import Board
from games.engine.errors import Refused
from games.engine.savepoint import Savepoint
from games.engine.state import Rows
from games.runtime import decision
from games.runtime.session import GameSession
from games.services import IssuedCommand, Outcome


def content(state: Any) -> dict[str, Any]:
    """What a state holds and which rows are marked, copied."""
    found: dict[str, Any] = {name: value for name, value in vars(state).items() if not name.startswith("_")}
    for name, value in found.items():
        if isinstance(value, Rows):
            found[name] = (dict(value), set(value.dirty))
        elif isinstance(value, Board):
            found[name] = (value.copy(), value.dirty_units.copy(), value.dirty_terrain.copy())
    return found


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The names of what differs."""
    return [name for name in before.keys() | after.keys() if not _are_equal(before.get(name), after.get(name))]


def _are_equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and one and isinstance(one[0], Board):
        arrays = [(b.terrain, b.owner, b.units, units, terrain) for b, units, terrain in (one, other)]
        return all(np.array_equal(a, b) for a, b in zip(*arrays, strict=True))
    return bool(one == other)


class CheckedSavepoint(Savepoint):
    """A savepoint that compares what it has brought back with what there was."""

    def __enter__(self) -> "CheckedSavepoint":
        self.before = content(self.state)
        super().__enter__()
        return self

    def _restore(self) -> None:
        super()._restore()
        assert differences(self.before, content(self.state)) == []


def check_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try each command as a dry run before it is run, and compare wherever something is undone."""
    decide = decision.decide

    def try_first(
        session: GameSession, issued: IssuedCommand, at: datetime, principal: str, key: str, **more: Any
    ) -> Outcome:
        with suppress(Refused):
            decide(session, replace(issued, dry_run=True), at)
        return decide(session, issued, at, principal, key, **more)

    monkeypatch.setattr(decision, "decide", try_first)
    monkeypatch.setattr("games.runtime.decision.Savepoint", CheckedSavepoint)
    monkeypatch.setattr("games.runtime.clock.Savepoint", CheckedSavepoint)
