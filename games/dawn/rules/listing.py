"""Every command and event of Dawn, in the order of the rulebook's chapters."""

from games.dawn.rules.advances import ADVANCE_EVENTS
from games.dawn.rules.alignment import ALIGNMENT_COMMANDS, ALIGNMENT_EVENTS
from games.dawn.rules.alliances import ALLIANCE_EVENTS
from games.dawn.rules.allowing import ALLOWING_COMMANDS, ALLOWING_EVENTS
from games.dawn.rules.answering import ANSWER_COMMANDS
from games.dawn.rules.answers import ANSWER_EVENTS
from games.dawn.rules.avatars import AVATAR_COMMANDS, AVATAR_EVENTS
from games.dawn.rules.battles import BATTLE_EVENTS
from games.dawn.rules.bidding import BIDDING_COMMANDS, BIDDING_EVENTS
from games.dawn.rules.clock import TakeDefault
from games.dawn.rules.commanding import COMMANDING_COMMANDS
from games.dawn.rules.conflicts import CONFLICT_EVENTS
from games.dawn.rules.dealing import DEALING_COMMANDS
from games.dawn.rules.directions import DIRECTION_EVENTS
from games.dawn.rules.edges import EDGE_COMMANDS, EDGE_EVENTS
from games.dawn.rules.founding import FOUNDING_EVENTS
from games.dawn.rules.land import LAND_COMMANDS, LAND_EVENTS
from games.dawn.rules.marching import MARCHING_EVENTS
from games.dawn.rules.motions import MOTION_COMMANDS, MOTION_EVENTS
from games.dawn.rules.orders import ORDER_COMMANDS, ORDER_EVENTS
from games.dawn.rules.powers import POWER_EVENTS
from games.dawn.rules.races import RACE_COMMANDS, RACE_EVENTS
from games.dawn.rules.revenge import REVENGE_EVENTS
from games.dawn.rules.setup import SETUP_COMMANDS
from games.dawn.rules.standing_commands import STANDING_COMMANDS
from games.dawn.rules.subraces import PICKING_COMMANDS, SUBRACE_COMMANDS, SUBRACE_EVENTS
from games.dawn.rules.trading import TRADING_EVENTS
from games.dawn.rules.turning import TURNING_COMMANDS, TURNING_EVENTS
from games.dawn.rules.turns import TURN_EVENTS
from games.dawn.rules.war import WAR_EVENTS
from games.dawn.rules.warring import WAR_COMMANDS
from games.dawn.rules.wonders import WONDER_COMMANDS, WONDER_EVENTS
from games.engine.kernel import Command, Event

POWER_COMMANDS: tuple[type[Command], ...] = (
    *LAND_COMMANDS,
    *RACE_COMMANDS,
    *SUBRACE_COMMANDS,
    *COMMANDING_COMMANDS,
    *EDGE_COMMANDS,
    *ALIGNMENT_COMMANDS,
    *ORDER_COMMANDS,
    *AVATAR_COMMANDS,
    *WONDER_COMMANDS,
)
"""The powers of the price table, in its order."""
COMMANDS: tuple[type[Command], ...] = (
    *SETUP_COMMANDS,
    *DEALING_COMMANDS,
    *POWER_COMMANDS,
    *ANSWER_COMMANDS,
    *PICKING_COMMANDS,
    *BIDDING_COMMANDS,
    *WAR_COMMANDS,
    *ALLOWING_COMMANDS,
    *MOTION_COMMANDS,
    *STANDING_COMMANDS,
    *TURNING_COMMANDS,
    TakeDefault,
)
EVENTS: tuple[type[Event], ...] = (
    *FOUNDING_EVENTS,
    *TURN_EVENTS,
    *TURNING_EVENTS,
    *TRADING_EVENTS,
    *POWER_EVENTS,
    *ANSWER_EVENTS,
    *LAND_EVENTS,
    *RACE_EVENTS,
    *SUBRACE_EVENTS,
    *DIRECTION_EVENTS,
    *ALLIANCE_EVENTS,
    *EDGE_EVENTS,
    *ALIGNMENT_EVENTS,
    *ORDER_EVENTS,
    *AVATAR_EVENTS,
    *REVENGE_EVENTS,
    *WONDER_EVENTS,
    *ALLOWING_EVENTS,
    *MARCHING_EVENTS,
    *WAR_EVENTS,
    *BATTLE_EVENTS,
    *CONFLICT_EVENTS,
    *BIDDING_EVENTS,
    *MOTION_EVENTS,
    *ADVANCE_EVENTS,
)
