"""What a race reaches, on the whole map (G2-MOVE-1 to 9); computed once at the start of an operation."""

from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY
from games.engine.board.grid import Mask
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import bordering, contacts
from games.gods2.rules.state.state import State


def reach(state: State, race: UUID, start: Mask | None = None) -> Mask:
    """The squares that a race reaches, without its own (G2-MOVE-2, G2-MOVE-3): they border it.

    start: the squares to start from, all own ones by default (G2-MOVE-9).
    """
    window, near = bordering(state, race, start)
    found: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    found[window] = near
    return found


def free_border(state: State, race: UUID) -> Mask:
    """The free squares that border a race and can hold a unit of it (G2-GROW-2)."""
    window, near = bordering(state, race)
    found: Mask = np.zeros((state.board.height, state.board.width), dtype=np.bool_)
    found[window] = near & (state.board.owner[window] == NOBODY) & (limits(state, race, part=window) > 0)
    return found


def in_contact(state: State, race: UUID, other: UUID) -> bool:
    """Whether either race is in contact with the other (G2-WAR-1, AMB-9)."""
    return other in contacts(state, race) or race in contacts(state, other)
