"""When a bot puts its name to what it has caused (G2-HREC-1).

Whose deed an entry is, is a secret that guards against revenge. When the board of the last century is shut nothing can
be avenged any more, and the history is to say who made it.
"""

from games.engine.kernel import Command
from games.gods2.rules.bots.view import View
from games.gods2.rules.gm_desk.commands import SignEntry
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import RECKONING


def signature(view: View) -> Command | None:
    """The name to the next of its deeds that has none, once the game is over but for the reckoning."""
    state = view.state
    if state.era.century < CENTURIES or state.era.phase not in RECKONING:
        return None
    unsigned = (deed.id for deed in state.deeds.values() if deed.seat == view.god.id)
    entry = min((entry for entry in unsigned if entry not in state.signatures), default=None)
    return SignEntry(entry=entry) if entry is not None else None
