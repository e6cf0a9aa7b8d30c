"""What a people is before it stands on the map: its cultural level, and how many units each square would hold of it."""

from collections.abc import Iterable
from copy import copy
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.state.records import Level, Race
from games.gods2.rules.state.state import State

NOBODY_YET = UUID(int=0)


def level_of(state: State, knowledges: Iterable[str]) -> Level:
    """The cultural level that knowledges give (G2-LVL-1)."""
    known = set(knowledges)
    for level in (Level.CIVILIZED, Level.BARBARIAN):
        if known & state.pack.giving(level):
            return level
    return Level.PRIMITIVE


def limits_of_newcomers(
    state: State, attributes: tuple[str, ...] = (), knowledges: tuple[str, ...] = (), level: Level | None = None
) -> NDArray[np.int64]:
    """How many units of a people that is not there yet each square holds, whoever lives on it now (G2-LIM-1).

    level: the one that its knowledges give where none is named.
    """
    probe = copy(state)
    probe.races = copy(state.races)
    at = level or level_of(state, knowledges)
    probe.races.load(NOBODY_YET, Race(NOBODY_YET, "", attributes, knowledges, at))
    return limits(probe, NOBODY_YET)
