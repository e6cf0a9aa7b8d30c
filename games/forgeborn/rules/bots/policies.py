"""Which policies there are, by name (`bot` of a seat)."""

from games.engine.bots import Policy
from games.forgeborn.rules.bots.referee import referee
from games.forgeborn.rules.bots.steady import steady
from games.forgeborn.rules.bots.wild import wild
from games.forgeborn.rules.state.state import State

POLICIES: dict[str, Policy[State]] = {"steady": steady, "wild": wild}
GM_POLICIES: dict[str, Policy[State]] = {"steady": referee}
