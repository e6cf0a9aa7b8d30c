"""The Gods II, Era Centrum: one ruleset of the service."""

import games.gods2.pack as packs  # whichever of the two is imported first
from games.engine.artifacts.cards import ARTIFACT_DECK
from games.engine.game_state import GameInfo
from games.engine.members import Members
from games.engine.ruleset import ARTIFACTS, Overview, Ruleset
from games.gods2.rules.attack_targets import ATTACKS
from games.gods2.rules.bots import POLICIES
from games.gods2.rules.casting.events import PowerAuthored
from games.gods2.rules.century.charts import CHAPTERS, CHARTS
from games.gods2.rules.course import COURSE
from games.gods2.rules.event_pages import PAGES
from games.gods2.rules.game import Game
from games.gods2.rules.geometry.border_squares import reaches
from games.gods2.rules.geometry.breakdowns import breakdowns
from games.gods2.rules.knowledge.tree import knowledge_tree
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.pantheon.events import PantheonOrderDrafted
from games.gods2.rules.pantheon.press import message_refusal
from games.gods2.rules.setup.commands import start
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.options import CENTURIES, Gods2Options


def new_game(table: GameInfo) -> Game:
    """The state of a game in which nothing has happened yet, with every pack in the files."""
    return Game(table, packs.pack_files())


DEFAULTS = Gods2Options()
RULESET: Ruleset[Game] = Ruleset(
    slug="gods2",
    title="The Gods II: Era Centrum",
    summary=(
        "Gods guide the races that worship them through sixteen centuries. Races grow, migrate and go to war by "
        "themselves; gods declare wars and bargain for shares in the pantheons, whose worshippers give them mana."
    ),
    options=Gods2Options,
    state=new_game,
    own=Members.of(
        __name__,
        "setup",
        "pack",
        "state",
        "geometry",
        "calendar",
        "century",
        "mana",
        "growth",
        "units",
        "cities",
        "artifacts",
        "window",
        "workings",
        "casting",
        "effects",
        "cascade",
        "declarations",
        "war",
        "knowledge",
        "pantheon",
        "history",
        "gm_desk",
        "gm_previews",
        "game",
        "course",
        "attack_targets",
        "bots",
        "chronicle",
        "event_pages",
        "show_view",
    ),
    takes=(ARTIFACTS,),
    overview=Overview(
        players="gods, as many as take a seat",
        length=(f"{CENTURIES} centuries of {DEFAULTS.century_minutes} minutes, in {DEFAULTS.session_count} sessions"),
        secrets={"mana": ManaPaid, "drafts of pantheons": PantheonOrderDrafted, "who cast a power": PowerAuthored},
    ),
    start=start,
    violations=violations,
    course=COURSE,
    message_rule=message_refusal,
    attacks=ATTACKS,
    policies=POLICIES,
    breakdowns=breakdowns,
    reaches=reaches,
    chapters=CHAPTERS,
    charts=CHARTS,
    trees={"knowledges": knowledge_tree},
    cards={"artifacts": ARTIFACT_DECK},
    pages=PAGES,
)
