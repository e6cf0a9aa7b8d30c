"""Who is shown beside the tower: the characters, then the others who are in the encounter, as somebody may see them."""

from dataclasses import dataclass
from uuid import UUID

from games.dietower.rules.state.schema_types import ActorKind, Condition
from games.dietower.rules.state.state import State


@dataclass(frozen=True, slots=True)
class Person:
    """A character or Monster. seat: whose it is; None for the world master's."""

    id: UUID
    name: str
    kind: ActorKind
    condition: Condition
    seat: UUID | None


def people_view(state: State) -> tuple[Person, ...]:
    """Everybody who is shown, the players' characters first."""
    characters = sorted(state.player_characters(), key=lambda actor: (actor.name, actor.id))
    order = state.encounter.order if state.encounter is not None else ()
    others = [state.actors[each] for each in order if each in state.actors]
    shown = dict.fromkeys((*characters, *(each for each in others if each.kind is not ActorKind.PC)))
    return tuple(Person(each.id, each.name, each.kind, each.condition, each.seat) for each in shown)
