"""Which events attack which players: an attack on a character of theirs, by whoever makes it (DT-CMB-5)."""

from uuid import UUID

from games.dietower.rules.combat.action_events import AttackDeclared
from games.dietower.rules.state.state import State
from games.engine.attacks import Attacks


def _defender(event: AttackDeclared, state: State) -> set[UUID]:
    """The player of who is attacked; nobody where the player or the world master plays both."""
    seat, attacker = (state.actors[each].seat if each in state.actors else None for each in (event.target, event.actor))
    return {seat} if seat is not None and seat != attacker else set()


ATTACKS: Attacks = {AttackDeclared: _defender}
