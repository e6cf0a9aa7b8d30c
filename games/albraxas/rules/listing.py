"""Every command and event of Albraxas, in the order of the rulebook's chapters."""

from games.albraxas.rules.changes import CHANGE_EVENTS
from games.albraxas.rules.clock import EndStep
from games.albraxas.rules.ending import ENDING_EVENTS
from games.albraxas.rules.founding import FOUNDING_EVENTS
from games.albraxas.rules.leaving import LEAVING_COMMANDS, LEAVING_EVENTS
from games.albraxas.rules.locating import LOCATING_EVENTS
from games.albraxas.rules.orders import ORDER_EVENTS
from games.albraxas.rules.resolving import RESOLVING_EVENTS
from games.albraxas.rules.setup import SETUP_COMMANDS
from games.albraxas.rules.travelling import TRAVELLING_COMMANDS
from games.albraxas.rules.turn import TURN_EVENTS
from games.albraxas.rules.writing import WRITING_COMMANDS
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
