"""Cairns: players pile stones, hide coins, vote, and the tide takes a stone of each at its time."""

from games.engine.members import Members
from games.engine.policies import QuestionPolicy
from games.engine.ruleset import Overview, Ruleset
from tests.toy.rules.commands import CoinsHidden
from tests.toy.rules.course import COURSE
from tests.toy.rules.state import Options, State, violations

RULESET: Ruleset[State] = Ruleset(
    slug="toy",
    title="Cairns",
    summary="Players pile stones while the tide takes them.",
    options=Options,
    state=State,
    own=Members.of(__name__, "state", "commands", "course"),
    overview=Overview(players="anybody", length="until the host ends it", secrets={"hoards": CoinsHidden}),
    course=COURSE,
    violations=violations,
    gm_policies={"keeper": QuestionPolicy(answers={})},
)
