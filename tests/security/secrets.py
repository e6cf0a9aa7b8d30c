"""Every secret that the rulesets can keep, and how each comes about in a real game.

`PLANTS` has one entry for each event class that chooses its readers. A class without one fails the tests, so a new
game cannot forget its secrets. A plant makes the event happen and nothing that is public.
"""

from games.engine.kernel import Event
from tests.security.planting import Plant, secret_events
from tests.security.secrets_of_albraxas import ALBRAXAS
from tests.security.secrets_of_dawn import DAWN
from tests.security.secrets_of_dietower import DIETOWER
from tests.security.secrets_of_forgeborn import FORGEBORN
from tests.security.secrets_of_gods2 import GODS2, POWERS
from tests.security.secrets_of_table import TABLE

__all__ = ("PLANTS", "Plant", "secret_events")

PLANTS: dict[type[Event], Plant] = {**TABLE, **GODS2, **POWERS, **ALBRAXAS, **DAWN, **DIETOWER, **FORGEBORN}
