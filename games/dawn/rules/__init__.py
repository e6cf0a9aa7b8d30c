"""Dawn of Worlds: Celestial Horizon: two to ten gods shape a world through three Ages."""

from games.dawn.rules.bots.policy import POLICIES
from games.dawn.rules.listing import COMMANDS, EVENTS
from games.dawn.rules.setup.commands import starting
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.charts import CHAPTERS, CHARTS
from games.engine.ruleset import Ruleset

RULESET = Ruleset(
    slug="dawn",
    title="Dawn of Worlds: Celestial Horizon",
    summary=(
        "Gods roll for points, take turns by the fewest, and shape land, races, orders and wars through three Ages. "
        "Who disagrees with a power bids against it in a Divine Conflict."
    ),
    options=DawnOptions,
    state=State,
    own_commands=COMMANDS,
    own_events=EVENTS,
    starting=starting,
    policies=POLICIES,
    chapters=CHAPTERS,
    charts=CHARTS,
)
