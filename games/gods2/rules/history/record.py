"""The history record (G2-HREC-1, G2-HREC-2): one entry for every change of Earth, without the name of its author."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.board.board import Square
from games.engine.kernel import Context
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.state.value_types import places


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
