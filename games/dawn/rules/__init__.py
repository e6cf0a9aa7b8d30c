"""Dawn of Worlds: Celestial Horizon: two to ten gods shape a world through three Ages."""

from games.dawn.rules.bots import POLICIES
from games.dawn.rules.charts import CHAPTERS, CHARTS
from games.dawn.rules.listing import COMMANDS, EVENTS
from games.dawn.rules.options import DawnOptions
from games.dawn.rules.setup import starting
from games.dawn.rules.state import State
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
