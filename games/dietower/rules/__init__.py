"""The Die Tower game: checks, one shared tower, Wishes, encounters."""

from games.dietower.rules.actors.events import MonsterSaved, MysteryWritten
from games.dietower.rules.attack_targets import ATTACKS
from games.dietower.rules.bots.policies import GM_POLICIES, POLICIES
from games.dietower.rules.cards import CARDS
from games.dietower.rules.charts import CHAPTERS, CHARTS
from games.dietower.rules.combat.action_events import ActionHeld
from games.dietower.rules.course import COURSE
from games.dietower.rules.event_pages import PAGES
from games.dietower.rules.state.constants import MOST_SEATS
from games.dietower.rules.state.invariants import violations
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.state import State
from games.dietower.rules.table.rules import end_setup, start
from games.engine.members import Members
from games.engine.ruleset import ARTIFACTS, Overview, Ruleset

RULESET: Ruleset[State] = Ruleset(
    slug="dietower",
    title="The Die Tower game",
    summary=(
        "A world master and up to twelve players tell a story. What fails costs a die for the one tower that all "
        "share; its fall is terrible, its thirteenth die a miracle."
    ),
    options=DieTowerOptions,
    state=State,
    own=Members.of(
        __name__,
        "state",
        "table",
        "actors",
        "checks",
        "tower",
        "wishes",
        "combat",
        "course",
        "cards",
        "charts",
        "chronicle",
        "attack_targets",
        "bots",
        "event_pages",
    ),
    takes=(ARTIFACTS,),
    overview=Overview(
        players=f"a world master and 1 to {MOST_SEATS} players",
        length="sessions, as many as the table likes",
        secrets={"mysteries": MysteryWritten, "Monsters": MonsterSaved, "what they hold back": ActionHeld},
    ),
    start=start,
    end_setup=end_setup,
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
