"""Which policies there are, by name (`bot` of a seat)."""

from games.dietower.rules.bots.chance import random
from games.dietower.rules.bots.master import steady
from games.dietower.rules.bots.players import sensible
from games.dietower.rules.state.state import State
from games.engine.bots import Policy

POLICIES: dict[str, Policy[State]] = {"sensible": sensible, "random": random}
GM_POLICIES: dict[str, Policy[State]] = {"steady": steady}
