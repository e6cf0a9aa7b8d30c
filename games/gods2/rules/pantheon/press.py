"""Who may write to whom (G2-PAN-12): with the option `message_partners`, gods who share a race."""

from games.engine.errors import Refused
from games.engine.game_state import Seat
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.state import State

RULE = "G2-PAN-12"


def message_refusal(state: State, sender: Seat, receiver: Seat) -> Refused | None:
    """Refuse (`press.race`) a message between gods who are in no race's pantheon together; None where they may."""
    if options_of(state).message_partners == "anybody":
        return None
    if any({sender.id, receiver.id} <= set(god_members(state, race)) for race in state.races):
        return None
    return Refused(
        "press.race",
        f"{sender.name} and {receiver.name} share no race; write to everybody, or to a god who is in a pantheon "
        "together with yours.",
        rules=(RULE,),
    )
