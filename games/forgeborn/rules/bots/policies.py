"""Which policies there are, by name (`bot` of a seat)."""

from games.engine.bots import Policy
from games.forgeborn.rules.bots.referee import lead
from games.forgeborn.rules.bots.steady import Steady
from games.forgeborn.rules.bots.wild import Wild
from games.forgeborn.rules.state.state import State

POLICIES: dict[str, Policy[State]] = {"steady": Steady.play, "wild": Wild.play}
GM_POLICIES: dict[str, Policy[State]] = {"steady": lead}
