"""The history record (G2-HREC-1, G2-HREC-2): one entry for every change of Earth, without the name of its author."""

from collections.abc import Iterable, Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.board.board import Square
from games.engine.kernel import Context, Event
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.state.value_types import Place, places

LOGGED_BY_EVENTS = frozenset({"growth", "war"})
"""Kinds of entries that repeat what the events right before them have reported: the log does not say it twice."""


class HistoryEntered(Event[State]):
    """An entry has been added to the history of Earth."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HREC-1", "G2-HREC-2")

    entry: UUID
    century: int
    squares: tuple[Place, ...] = ()
    kind: str
    cause: str
    casting: UUID | None = None
    war: UUID | None = None
    words: str
    """What the entry says."""

    def sentence(self, state: State) -> str:
        return "" if self.kind in LOGGED_BY_EVENTS else self.words


def enter_history(
    state: State,
    ctx: Context,
    *,
    kind: str,
    cause: str,
    words: str,
    squares: Standing | Iterable[Square] = (),
    casting: UUID | None = None,
    war: UUID | None = None,
) -> Iterator[HistoryEntered]:
    """The entry of a deed in this century, with a new id."""
    yield HistoryEntered(
        entry=ctx.mint(PUBLIC),
        century=state.era.century,
        squares=places(squares),
        kind=kind,
        cause=cause,
        casting=casting,
        war=war,
        words=words,
    )
