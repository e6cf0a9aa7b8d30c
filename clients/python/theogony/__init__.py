"""The client of a Theogony service. Each ruleset is a module with its types: `from theogony.gods2 import Theogony`."""

from .refusals import Refusal

__all__ = ["Refusal"]
