"""Cities that a miracle has saved: what is refused meanwhile, and until when (DW-MIR-7). Reads alone."""

from games.dawn.rules.state.records import City
from games.dawn.rules.state.state import State
from games.engine.errors import Refused
from games.engine.wording import listing


def end_in_words(state: State, city: City) -> str:
    """Until when a city is saved: `until the next turn of Mirel begins`."""
    gods = state.in_turn_order(city.saved_by)
    turns = f"next turn{'s' if len(gods) > 1 else ''} of {listing(map(state.title, gods))}"
    return f"until the {turns} {'have begun' if len(gods) > 1 else 'begins'}"


def require_unsaved(state: State, city: City, done: str) -> None:
    """Refuse (`city.saved`) what would harm a city that a miracle saves. done: what it would be, `razed`."""
    if city.saved_by:
        raise Refused(
            "city.saved",
            f"A miracle saves {city.name}: it cannot be {done} {end_in_words(state, city)}.",
            rules=("DW-MIR-7",),
            city=str(city.id),
            saved_by=[str(god) for god in state.in_turn_order(city.saved_by)],
        )
