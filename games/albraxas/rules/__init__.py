"""Albraxas, Storming the Dawn: one seat against up to eight, over a line of phases."""

from games.albraxas.rules.bots import POLICIES
from games.albraxas.rules.event_pages import PAGES
from games.albraxas.rules.resolve.breakdowns import breakdowns
from games.albraxas.rules.setup.commands import end_setup, start
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.charts import CHAPTERS, CHARTS
from games.engine.members import Members
from games.engine.ruleset import Ruleset

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
        "locate",
        "orders",
        "resolve",
        "ending",
        "line_view",
        "bots",
        "event_pages",
    ),
    start=start,
    end_setup=end_setup,
    policies=POLICIES,
    breakdowns=breakdowns,
    chapters=CHAPTERS,
    charts=CHARTS,
    pages=PAGES,
)
