"""Cairns: players pile stones, hide coins, vote, and the tide takes a stone of each at its time."""

from games.engine.ruleset import Ruleset
from tests.toy.rules.commands import COMMANDS, EVENTS, Options, starting
from tests.toy.rules.state import State

RULESET = Ruleset(
    slug="toy",
    title="Cairns",
    summary="Players pile stones while the tide takes them.",
    options=Options,
    state=State,
    own_commands=COMMANDS,
    own_events=EVENTS,
    starting=starting,
)
