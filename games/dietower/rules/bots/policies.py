"""Which policies there are, by name (`bot` of a seat)."""

from games.dietower.rules.bots import chance, players
from games.dietower.rules.bots.master import lead
from games.dietower.rules.state.state import State
from games.engine.bots import Policy

POLICIES: dict[str, Policy[State]] = {"sensible": players.play, "random": chance.play}
GM_POLICIES: dict[str, Policy[State]] = {"steady": lead}
