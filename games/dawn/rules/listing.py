"""Every command and event of Dawn, in the order of the rulebook's chapters."""

from games.dawn.rules.avatars.avatars import AVATAR_COMMANDS, AVATAR_EVENTS
from games.dawn.rules.avatars.revenge import REVENGE_EVENTS
from games.dawn.rules.command.events import DIRECTION_EVENTS
from games.dawn.rules.command.powers import COMMANDING_COMMANDS
from games.dawn.rules.conflict.commands import BIDDING_COMMANDS, BIDDING_EVENTS
from games.dawn.rules.conflict.events import CONFLICT_EVENTS
from games.dawn.rules.land.shaping import LAND_COMMANDS, LAND_EVENTS
from games.dawn.rules.orders import ORDER_COMMANDS, ORDER_EVENTS
from games.dawn.rules.powers.answer_commands import ANSWER_COMMANDS
from games.dawn.rules.powers.answers import ANSWER_EVENTS
from games.dawn.rules.powers.frame import POWER_EVENTS
from games.dawn.rules.powers.standing_answer_commands import STANDING_COMMANDS
from games.dawn.rules.powers.standing_answers import ADVANCE_EVENTS
from games.dawn.rules.races.alignment import ALIGNMENT_COMMANDS, ALIGNMENT_EVENTS
from games.dawn.rules.races.alliances import ALLIANCE_EVENTS
from games.dawn.rules.races.edges import EDGE_COMMANDS, EDGE_EVENTS
from games.dawn.rules.races.races import RACE_COMMANDS, RACE_EVENTS
from games.dawn.rules.races.subraces import PICKING_COMMANDS, SUBRACE_COMMANDS, SUBRACE_EVENTS
from games.dawn.rules.setup.commands import SETUP_COMMANDS
from games.dawn.rules.setup.events import FOUNDING_EVENTS
from games.dawn.rules.trade.commands import DEALING_COMMANDS
from games.dawn.rules.trade.events import TRADING_EVENTS
from games.dawn.rules.turn.commands import TURNING_COMMANDS, TURNING_EVENTS
from games.dawn.rules.turn.deadlines import TakeDefault
from games.dawn.rules.turn.events import TURN_EVENTS
from games.dawn.rules.turn.motions import MOTION_COMMANDS, MOTION_EVENTS
from games.dawn.rules.war.battles import BATTLE_EVENTS
from games.dawn.rules.war.commands import WAR_COMMANDS
from games.dawn.rules.war.events import WAR_EVENTS
from games.dawn.rules.war.march import MARCHING_EVENTS
from games.dawn.rules.war.reach_override import ALLOWING_COMMANDS, ALLOWING_EVENTS
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
