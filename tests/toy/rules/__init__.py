"""Cairns: players pile stones, hide coins, vote, and the tide takes a stone of each at its time."""

from games.engine.members import Members
from games.engine.ruleset import Overview, Ruleset
from tests.toy.rules.bots import keep
from tests.toy.rules.commands import CoinsHidden, Options, start
from tests.toy.rules.state import State

RULESET: Ruleset[State] = Ruleset(
    slug="toy",
    title="Cairns",
    summary="Players pile stones while the tide takes them.",
    options=Options,
    state=State,
    own=Members.of(__name__, "state", "commands", "bots"),
    overview=Overview(players="anybody", length="until the host ends it", secrets={"hoards": CoinsHidden}),
    start=start,
    gm_policies={"keeper": keep},
)
