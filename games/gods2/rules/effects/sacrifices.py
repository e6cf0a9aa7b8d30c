"""Sacrifices (G2-SEQ-2, G2-DIS-5): a share of a race's units, rounded up once; no resistance keeps it away.

They go one at a time from the square with most units left, into a box of their own.
"""

from collections.abc import Iterator

import numpy as np

from games.engine.board.grid import Numbers
from games.engine.board.rounding import percent_up
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.disasters import by_square
from games.gods2.rules.pack.operations import Sacrifice
from games.gods2.rules.pack.resistance import take_from_most
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.workings.context import Doing, Working

BOX = "sacrifice"


def sacrifice_size(units: int, pct: int) -> int:
    """How many of a race's units are sacrificed: whole percent, rounded up once."""
    return percent_up(units, pct)


def _sacrifice(state: State, ctx: Context, working: Working, effect: Sacrifice) -> Iterator[Event]:
    own = state.board.own(working.race)
    units: Numbers = state.board.units[own].astype(np.int64)
    total = sacrifice_size(int(units.sum()), effect.pct)
    if total:
        yield UnitsDied(
            race=working.race,
            losses=by_square(own, take_from_most(units, total)),
            counted=total,
            units=total,
            box=BOX,
            casting=working.casting,
        )


SACRIFICE = Doing(_sacrifice)
