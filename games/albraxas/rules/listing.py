"""Every command and event of Albraxas, in the order of the rulebook's chapters."""

from games.albraxas.rules.ending.leave import LEAVING_COMMANDS, LEAVING_EVENTS
from games.albraxas.rules.ending.rules import ENDING_EVENTS
from games.albraxas.rules.locate.commands import TRAVELLING_COMMANDS
from games.albraxas.rules.locate.rules import LOCATING_EVENTS
from games.albraxas.rules.orders.commands import WRITING_COMMANDS
from games.albraxas.rules.orders.rules import ORDER_EVENTS
from games.albraxas.rules.resolve.events import CHANGE_EVENTS
from games.albraxas.rules.resolve.rules import RESOLVING_EVENTS
from games.albraxas.rules.setup.commands import SETUP_COMMANDS
from games.albraxas.rules.setup.events import FOUNDING_EVENTS
from games.albraxas.rules.turn.deadlines import EndStep
from games.albraxas.rules.turn.flow import TURN_EVENTS
from games.engine.kernel import Command, Event

COMMANDS: tuple[type[Command], ...] = (
    *SETUP_COMMANDS,
    *TRAVELLING_COMMANDS,
    *WRITING_COMMANDS,
    *LEAVING_COMMANDS,
    EndStep,
)
EVENTS: tuple[type[Event], ...] = (
    *FOUNDING_EVENTS,
    *TURN_EVENTS,
    *LOCATING_EVENTS,
    *ORDER_EVENTS,
    *RESOLVING_EVENTS,
    *CHANGE_EVENTS,
    *ENDING_EVENTS,
    *LEAVING_EVENTS,
)
