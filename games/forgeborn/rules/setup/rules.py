"""The set-up: the dice of the map fall, the Smiths are defined, the first seat is found."""

from collections.abc import Iterator

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.forgeborn.rules.state.constants import LEAST_SEATS
from games.forgeborn.rules.state.state import State


def start(state: State, ctx: Context) -> Iterator[Event]:
    """The start opens the map (section 11). Raises `seats.few`, `gm.missing`."""
    if len(state.players()) < LEAST_SEATS:
        raise Refused("seats.few", "Forgeborn needs two players at least.", rules=("FB-SET-1",), least=LEAST_SEATS)
    yield from ()
