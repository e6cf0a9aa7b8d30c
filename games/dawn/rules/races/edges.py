"""What an edge may be called (DW-EDGE-2). Reads alone."""

from uuid import UUID

from core.names import is_same_name
from games.dawn.rules.state.state import State
from games.engine.errors import Refused


def require_new_edge(state: State, target: UUID, name: str) -> None:
    """Refuse (`edge.exists`) an edge that a race or a city has already. Raises `target.missing`, `race.extinct`."""
    race = state.people(target)
    if any(is_same_name(edge.name, name) for edge in state.edges_of(target)):
        raise Refused(
            "edge.exists",
            f"The edges of {state.title(target)} have {name} already; name another.",
            rules=("DW-EDGE-2",),
            race=str(race.id),
        )
