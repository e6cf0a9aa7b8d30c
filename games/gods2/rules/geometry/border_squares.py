"""Which squares a race borders, for a viewer of the map: those to settle, and those of races in contact (MOVE-6).

It is asked of the state as the viewer may see it. Nothing is said of what keeps a war or a settler away besides.
"""

from collections.abc import Iterator
from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY, Square, Window
from games.engine.board.grid import Mask, squares_in
from games.engine.board.reach import Held, Reach
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import bordering
from games.gods2.rules.state.state import State


def reaches(state: State, subject: UUID | None = None) -> Iterator[Reach]:
    """The reach of one race, or of all living ones by id (G2-MOVE-2, 3, 6; G2-GROW-2). Raises `race.missing`."""
    for race in [state.race(subject).id] if subject is not None else [r.id for r in state.living()]:
        window, near = bordering(state, race)
        owner, roomy = state.board.owner[window], limits(state, race, part=window) > 0
        free = near & (owner == NOBODY)
        holders = sorted((state.board.peoples[p], p) for p in np.unique(owner[near & ~free]).tolist())
        yield Reach(
            subject=race,
            free=squares_of(window, free & roomy),
            barren=squares_of(window, free & ~roomy),
            held=tuple(Held(holder, squares_of(window, near & (owner == p))) for holder, p in holders),
        )


def squares_of(window: Window, mask: Mask) -> tuple[Square, ...]:
    """The squares of the map that a mask of a part of it marks."""
    top, left = window[0].start or 0, window[1].start or 0
    return tuple(Square(top + square.row, left + square.column) for square in squares_in(mask))
