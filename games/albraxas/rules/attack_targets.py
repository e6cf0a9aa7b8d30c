"""Which events attack which characters: who wins a Backbone takes away what the other side has laid (AX-ACT-3)."""

from uuid import UUID

from games.albraxas.rules.resolve.events import ActionResolved
from games.albraxas.rules.state.schema_types import Action, Result
from games.albraxas.rules.state.state import State
from games.engine.attacks import Attacks


def _other_side(event: ActionResolved, state: State) -> set[UUID]:
    """The characters in play against whom it goes: Albraxas, or all rebels, whose Ebb is one."""
    actor = state.characters.get(event.seat)
    if actor is None or (event.action, event.result) != (Action.BACKBONE, Result.WIN):
        return set()
    return {each.id for each in state.in_play() if each.side is not actor.side}


ATTACKS: Attacks = {ActionResolved: _other_side}
