"""Dawn of Worlds: Celestial Horizon: two to ten gods shape a world through three Ages."""

from games.dawn.rules.attack_targets import ATTACKS
from games.dawn.rules.bots.policy import POLICIES
from games.dawn.rules.course import COURSE
from games.dawn.rules.event_pages import PAGES
from games.dawn.rules.setup.commands import begin_game, start
from games.dawn.rules.state.bounds import amendment_violations
from games.dawn.rules.state.constants import LAST_AGE, LEAST_GODS, MOST_GODS, MOST_ROUNDS, ROUNDS
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.events import OfferMade
from games.dawn.rules.turn.charts import CHAPTERS, CHARTS
from games.dawn.rules.turn.motion_events import BallotCast
from games.dawn.rules.war.battle_events import ArmiesCommitted
from games.engine.artifacts.cards import ARTIFACT_DECK
from games.engine.members import Members
from games.engine.ruleset import ARTIFACTS, Overview, Ruleset

RULESET: Ruleset[State] = Ruleset(
    slug="dawn",
    title="Dawn of Worlds: Celestial Horizon",
    summary=(
        "Gods roll for points, take turns by the fewest, and shape land, races, orders and wars through three Ages. "
        "Who disagrees with a power bids against it in a Divine Conflict."
    ),
    options=DawnOptions,
    state=State,
    own=Members.of(
        __name__,
        "setup",
        "state",
        "turn",
        "trade",
        "powers",
        "standing_answers",
        "land",
        "races",
        "artifacts",
        "command",
        "orders",
        "avatars",
        "revenge",
        "wonders",
        "conflict",
        "war",
        "course",
        "chronicle",
        "attack_targets",
        "bots",
        "event_pages",
    ),
    takes=(ARTIFACTS,),
    overview=Overview(
        players=f"{LEAST_GODS} to {MOST_GODS} gods",
        length=f"{LAST_AGE} Ages of {ROUNDS} to {MOST_ROUNDS} rounds",
        secrets={"ballots": BallotCast, "private offers": OfferMade, "what a side sends to war": ArmiesCommitted},
    ),
    start=start,
    end_setup=begin_game,
    course=COURSE,
    violations=amendment_violations,
    attacks=ATTACKS,
    policies=POLICIES,
    chapters=CHAPTERS,
    charts=CHARTS,
    cards={"artifacts": ARTIFACT_DECK},
    pages=PAGES,
)
