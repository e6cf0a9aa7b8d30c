"""The client of a Theogony service. Each ruleset is a module with its types: `from theogony.gods2 import Theogony`."""

from theogony.refusals import Refusal
from theogony.streams import Stream

__all__ = ["Refusal", "Stream"]
