"""Forgeborn: dice that are spent, artifacts that are held."""

from games.engine.members import Members
from games.engine.ruleset import Overview, Ruleset
from games.forgeborn.rules.attack_targets import ATTACKS
from games.forgeborn.rules.bots.policies import GM_POLICIES, POLICIES
from games.forgeborn.rules.cards import CARDS
from games.forgeborn.rules.charts import CHAPTERS, CHARTS
from games.forgeborn.rules.conflict.events import PoolSent
from games.forgeborn.rules.course import COURSE
from games.forgeborn.rules.event_pages import PAGES
from games.forgeborn.rules.setup.events import SmithWritten
from games.forgeborn.rules.setup.rules import open_map
from games.forgeborn.rules.state.constants import LEAST_SEATS, MOST_SEATS
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.vault.events import BallotCast

RULESET: Ruleset[State] = Ruleset(
    slug="forgeborn",
    title="Forgeborn",
    summary=(
        "Two to four Master Smiths forge artifacts that outlive them, out of the dice that they are made of, until "
        "one of them slays the Dragon."
    ),
    options=ForgebornOptions,
    state=State,
    own=Members.of(
        __name__,
        "state",
        "realm",
        "setup",
        "turns",
        "gains",
        "conflict",
        "forge",
        "vault",
        "claims",
        "boons",
        "story",
        "course",
        "cards",
        "charts",
        "chronicle",
        "attack_targets",
        "bots",
        "event_pages",
    ),
    overview=Overview(
        players=f"{LEAST_SEATS} to {MOST_SEATS} Smiths, with a referee or without",
        length="until the Dragon is slain",
        secrets={"Smiths until all are written": SmithWritten, "ballots": BallotCast, "pools sent along": PoolSent},
    ),
    start=open_map,
    course=COURSE,
    violations=violations,
    attacks=ATTACKS,
    policies=POLICIES,
    gm_policies=GM_POLICIES,
    chapters=CHAPTERS,
    charts=CHARTS,
    pages=PAGES,
    cards=CARDS,
)
