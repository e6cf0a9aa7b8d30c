"""The anger of a race that starves (G2-AGG-2)."""

from games.gods2.rules.state.constants import STARVED_AGGRESSION
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.state import State


def anger(state: State) -> int:
    """Aggression of a race that starves at another time than its growth: none, or 2 by a setting (G2-AGG-2, AMB-21)."""
    return STARVED_AGGRESSION if options_of(state).starvation_aggression == "always" else 0
