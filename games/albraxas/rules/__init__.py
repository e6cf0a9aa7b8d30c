"""Albraxas, Storming the Dawn: one seat against up to eight, over a line of phases."""

from games.albraxas.rules.attack_targets import ATTACKS
from games.albraxas.rules.bots.policies import POLICIES
from games.albraxas.rules.course import COURSE
from games.albraxas.rules.event_pages import PAGES
from games.albraxas.rules.locate.events import LocationSet
from games.albraxas.rules.orders.events import OrdersWritten
from games.albraxas.rules.resolve.breakdowns import breakdowns
from games.albraxas.rules.setup.commands import end_setup, start
from games.albraxas.rules.setup.events import CharacterWritten
from games.albraxas.rules.state.constants import MOST_REBELS, PHASES
from games.albraxas.rules.state.invariants import amendment_violations
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.charts import CHAPTERS, CHARTS
from games.engine.members import Members
from games.engine.ruleset import Overview, Ruleset

RULESET: Ruleset[State] = Ruleset(
    slug="albraxas",
    title="Albraxas: Storming the Dawn",
    summary=(
        "Albraxas walks back through the phases of the Battle of the Beginning, and rebels lay Ebb against the Tide. "
        "Places are open among the rebels, orders are sealed and shown together, dice pools decide."
    ),
    options=AlbraxasOptions,
    state=State,
    own=Members.of(
        __name__,
        "setup",
        "state",
        "turn",
        "course",
        "locate",
        "orders",
        "resolve",
        "ending",
        "line_view",
        "chronicle",
        "attack_targets",
        "bots",
        "event_pages",
    ),
    overview=Overview(
        players=f"Albraxas and 1 to {MOST_REBELS} rebels",
        length=f"at most {PHASES - 1} turns on {PHASES} phases",
        secrets={"characters before the start": CharacterWritten, "locations": LocationSet, "orders": OrdersWritten},
    ),
    start=start,
    course=COURSE,
    violations=amendment_violations,
    end_setup=end_setup,
    attacks=ATTACKS,
    policies=POLICIES,
    breakdowns=breakdowns,
    chapters=CHAPTERS,
    charts=CHARTS,
    pages=PAGES,
)
