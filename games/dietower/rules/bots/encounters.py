"""How a world master's bot leads an encounter: who takes part, and how it ends (DT-CMB-1)."""

from games.dietower.rules.bots.lists import BEATEN, LOST
from games.dietower.rules.bots.seen import upright
from games.dietower.rules.combat.encounter_commands import CloseEncounter, OpenEncounter
from games.dietower.rules.state.schema_types import ActorKind
from games.dietower.rules.state.state import State
from games.engine.kernel import Command
from games.engine.policies import RULE, Look


def open_encounter(state: State) -> Command:
    """An encounter with a Monster; who goes along stands by."""
    people = [actor.id for actor in upright(state, ActorKind.NPC)][:1]
    return OpenEncounter(members=(upright(state, ActorKind.MONSTER)[0].id, *people))


def end_of_encounter(look: Look[State]) -> Command | None:
    """Close an encounter in which one side has nobody up any more."""
    state, encounter = look.state, look.state.require_encounter()
    up = [state.actors[member] for member in state.members if state.is_active(state.actors[member])]
    monsters, heroes = (any(a.kind is kind for a in up) for kind in (ActorKind.MONSTER, ActorKind.PC))
    if (monsters and heroes) or encounter.closing:
        return None
    return CloseEncounter(text=look.tray.draw(f"{look.use}/end", BEATEN if not monsters else LOST, RULE))
